// Browser automation over the Chrome DevTools Protocol: the contract of a plugin. Nothing implements it yet, and `features.browserAutomation` is off:
// what needs it is refused with a sentence.

import { z } from 'zod';

const Selector = z.string().min(1).max(1_000);

/** What a plugin would be asked to do, one step at a time. */
export const BrowserStep = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('navigate'), url: z.url() }),
  z.strictObject({ action: z.literal('click'), selector: Selector }),
  z.strictObject({ action: z.literal('type'), selector: Selector, text: z.string().max(10_000) }),
  z.strictObject({ action: z.literal('read'), selector: Selector }),
  z.strictObject({ action: z.literal('screenshot'), fullPage: z.boolean() }),
  z.strictObject({ action: z.literal('wait_for'), selector: Selector, timeoutMs: z.int().min(1).max(60_000) }),
]);
export type BrowserStep = z.infer<typeof BrowserStep>;

export const BrowserRequest = z.strictObject({
  planNodeId: z.string().min(1).max(64),
  /** Hosts that may be visited; none is implied. */
  allowedHosts: z.array(z.string().min(1).max(253)).min(1).max(20),
  steps: z.array(BrowserStep).min(1).max(100),
});
export type BrowserRequest = z.infer<typeof BrowserRequest>;

export const BrowserStepResult = z.strictObject({
  action: z.string(),
  ok: z.boolean(),
  /** Of `read`. */
  text: z.string().nullable(),
  /** Of `screenshot`: the blob with the picture. */
  blobSha256: z.string().nullable(),
  error: z.string().nullable(),
});
export type BrowserStepResult = z.infer<typeof BrowserStepResult>;

/** What a plugin implements. */
export interface BrowserPlugin {
  readonly name: string;
  run(request: BrowserRequest, signal: AbortSignal): Promise<readonly BrowserStepResult[]>;
}

export const NO_BROWSER_PLUGIN = 'Browser automation is not available: its contracts exist, and no plugin does.';

/** Null: it may run. Otherwise a whole sentence. */
export function browserRefusal(isOn: boolean, plugin: BrowserPlugin | null): string | null {
  if (!isOn) return 'Browser automation is off here: features.browserAutomation is false.';
  return plugin ? null : NO_BROWSER_PLUGIN;
}
