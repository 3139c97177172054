// What a conversation needs from the rest of the daemon.

import type { Kernel } from '../kernel/index.ts';
import type { AgentProfile, ChatProgress, Door, PromptsView, ReplySources } from '../protocol/index.ts';
import type { Models } from './models.ts';
import type { ModelMessage } from './providers/model.ts';

export interface Place {
  readonly id: string;
  readonly root: string;
}

export interface ReplyToCheck {
  readonly workspace: string;
  readonly root: string;
  readonly agent: AgentProfile;
  readonly session: string;
  readonly turn: string;
}

export interface ChatPorts {
  readonly kernel: Kernel;
  readonly door: Door;
  readonly models: Models;
  readonly locate: (dir: string) => Promise<Place>;
  /** The cast of a workspace. */
  readonly agents: (workspace: string) => readonly AgentProfile[];
  readonly prompts: (root: string) => Promise<PromptsView>;
  /** What was said before in this session and held, oldest first. */
  readonly history: (session: string) => Promise<readonly ModelMessage[]>;
  /** What a reply is checked against. */
  readonly sources: (reply: ReplyToCheck) => Promise<ReplySources>;
}

export interface Following {
  readonly signal: AbortSignal;
  readonly report: (progress: ChatProgress) => void;
}
