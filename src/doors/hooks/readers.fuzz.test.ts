// For any input, a reader returns an event or a fault, and unreadable input is never allowed.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Fault, type Refusal } from '../../protocol/index.ts';
import type { HookAdapter, HookEvent } from '../../agents/adapter.ts';
import { cline } from '../../agents/cline/adapter.ts';
import { payloads as clinePayloads } from '../../agents/cline/payloads.fixture.ts';
import { gemini } from '../../agents/gemini/adapter.ts';
import { payloads as geminiPayloads } from '../../agents/gemini/payloads.fixture.ts';
import { opencode } from '../../agents/opencode/adapter.ts';
import { payloads as opencodePayloads } from '../../agents/opencode/payloads.fixture.ts';
import { qwen } from '../../agents/qwen/adapter.ts';
import { payloads as qwenPayloads } from '../../agents/qwen/payloads.fixture.ts';

type Fields = Readonly<Record<string, unknown>>;
type Corpus = readonly (readonly [event: string, payload: Fields])[];

const byName = (payloads: Readonly<Record<string, Fields>>): Corpus =>
  Object.values(payloads).map((payload) => [String(payload['hook_event_name']), payload]);

const ADAPTERS: readonly [name: string, adapter: HookAdapter, corpus: Corpus][] = [
  ['gemini', gemini, byName(geminiPayloads)],
  ['qwen', qwen, byName(qwenPayloads)],
  ['opencode', opencode, Object.values(opencodePayloads)],
  ['cline', cline, Object.values(clinePayloads)],
];

const refusal: Refusal = {
  error_code: 'BAD_REQUEST',
  message: 'not read',
  recoverable: false,
  required_action: 'Tell a human',
  also_missing: [],
} as unknown as Refusal;
const unread: HookEvent = {
  kind: 'before',
  native: { tool: '' },
  call: { kind: 'own', tool: '', input: {} },
  nativeSession: '',
  cwd: '',
  planning: false,
};

/** The event, or null for a fault. Anything else that is thrown fails the test. */
function read(adapter: HookAdapter, event: string, payload: unknown): HookEvent | null {
  try {
    return adapter.read(event, payload);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

const odd = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(undefined, '', '__proto__', 'constructor', '\u0000', '\ud800'));

/** Replaces or removes one value somewhere in it. */
const broken = (payload: unknown): fc.Arbitrary<unknown> => {
  if (typeof payload !== 'object' || payload === null || Object.keys(payload).length === 0) return odd;
  const keys = Object.keys(payload);
  return fc.constantFrom(...keys).chain((key) =>
    fc.oneof(
      odd.map((value) => ({ ...payload, [key]: value })),
      broken((payload as Fields)[key]).map((value) => ({ ...payload, [key]: value })),
      fc.constant(Object.fromEntries(Object.entries(payload).filter(([name]) => name !== key))),
    ),
  );
};

test.each(ADAPTERS)('%s: any payload at any event is an event or a fault', (_name, adapter, corpus) => {
  const events = fc.oneof(fc.constantFrom(...corpus.map(([event]) => event)), fc.string());
  fc.assert(
    fc.property(events, fc.anything(), (event, payload) => {
      read(adapter, event, payload);
    }),
    { numRuns: 500 },
  );
});

test.each(ADAPTERS)('%s: a broken payload is an event or a fault, and a call that can be read is what it was', (_name, adapter, corpus) => {
  for (const [event, payload] of corpus) {
    fc.assert(
      fc.property(broken(payload), (changed) => {
        const heard = read(adapter, event, changed);
        // A damaged event for a waiting call is refused, or still describes the same call.
        if (heard?.kind === 'before') expect(heard.call).toEqual(expect.objectContaining({ tool: expect.any(String) as string }));
      }),
      { numRuns: 60 },
    );
  }
});

test.each(ADAPTERS)('%s: what cannot be read is denied', (_name, adapter) => {
  const said = JSON.parse(adapter.write(unread, { kind: 'trouble', refusal })) as Fields;
  expect(JSON.stringify(said)).toContain('Countersign BAD_REQUEST: not read');
  const denials = [said['decision'] === 'deny', typeof said['deny'] === 'string', said['cancel'] === true];
  const nested = (said['hookSpecificOutput'] as Fields | undefined)?.['permissionDecision'] === 'deny';
  expect([...denials, nested].filter(Boolean)).toEqual([true]);
});
