// Who really sends a payload. Some agents also run the hooks that were written for another: Copilot CLI and VS Code those of Claude
// Code, VS Code those of Copilot CLI. Read as the wrong agent's, an edit of theirs would be unreadable and so denied.

import { z } from 'zod';
import type { HookAdapter } from './adapter.ts';
import { claude } from './claude/adapter.ts';
import { copilot } from './copilot/adapter.ts';
import { vscode } from './vscode/adapter.ts';

interface Sent {
  readonly adapter: HookAdapter;
  readonly event: string;
  readonly payload: unknown;
}

/** Claude Code sends no time; the other two do. Of these, only VS Code sends call ids, and a transcript with an event that ends no turn. */
const WithTime = z.looseObject({ timestamp: z.union([z.string(), z.number()]) });
const FromVsCode = z.union([
  z.looseObject({ tool_use_id: z.string() }),
  z.looseObject({ toolUseId: z.string() }),
  z.looseObject({ transcript_path: z.string(), stop_reason: z.undefined().optional(), agent_type: z.undefined().optional() }),
]);

export function senderOf<T extends Sent>(sent: T): T {
  if (sent.adapter.name !== claude.name && sent.adapter.name !== copilot.name) return sent;
  if (!WithTime.safeParse(sent.payload).success) return sent;
  return { ...sent, adapter: FromVsCode.safeParse(sent.payload).success ? vscode : copilot };
}
