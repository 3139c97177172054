// Who really sends a payload. Some agents also run the hooks that were written for another: Copilot CLI and VS Code those of Claude
// Code, VS Code those of Copilot CLI. Read as the wrong agent's, an edit of theirs would be unreadable and so denied.

import { z } from 'zod';
import type { HookAdapter } from './adapter.ts';
import { copilot } from './copilot/adapter.ts';
import { vscode } from './vscode/adapter.ts';

interface Sent {
  readonly adapter: HookAdapter;
  readonly event: string;
  readonly payload: unknown;
}

/** Claude Code sends no time; both of the others do. Of the two, only VS Code sends call ids, and a transcript before a turn ends. */
const Timed = z.looseObject({ timestamp: z.union([z.string(), z.number()]) });
const OfVsCode = z.union([
  z.looseObject({ tool_use_id: z.string() }),
  z.looseObject({ toolUseId: z.string() }),
  z.looseObject({ transcript_path: z.string(), stop_reason: z.undefined().optional(), agent_type: z.undefined().optional() }),
]);

export function senderOf<T extends Sent>(sent: T): T {
  if (sent.adapter.name !== 'claude' && sent.adapter.name !== copilot.name) return sent;
  if (!Timed.safeParse(sent.payload).success) return sent;
  return { ...sent, adapter: OfVsCode.safeParse(sent.payload).success ? vscode : copilot };
}
