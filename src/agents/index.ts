// agents: what each coding agent is, as data and pure functions: names, payloads in both directions, wiring, traits, trust.
// Invariant: no agent is named outside this room; doors and `install` read what is stated here.
// Refuses: to decide (the kernel does), to guess what it cannot read (denied), to write files (`install` does).
//
// To add an agent: a folder beside `claude/` with
//   translate.ts         its tools in the registry's words (`dialect.ts` has what dialects share), and those that only look
//   wire.ts              the files that `init` writes, as data with pure functions (`wire.ts` here has what such files share)
//   adapter.ts           payloads in, answers out, capabilities as data
//   payloads.fixture.ts  what the client really sends, field by field; say so where it is from documentation only
// and a line below. `adapters.test.ts` holds every adapter to the same rules.

import type { HookAdapter } from './adapter.ts';
import { claude } from './claude/adapter.ts';
import { cline } from './cline/adapter.ts';
import { codex } from './codex/adapter.ts';
import { copilot } from './copilot/adapter.ts';
import { gemini } from './gemini/adapter.ts';
import { opencode } from './opencode/adapter.ts';
import { qwen } from './qwen/adapter.ts';
import { cursor } from './cursor/adapter.ts';
import { vscode } from './vscode/adapter.ts';

export const hookAdapters: ReadonlyMap<string, HookAdapter> = new Map(
  [claude, codex, copilot, vscode, cursor, gemini, qwen, opencode, cline].map((adapter) => [adapter.name, adapter]),
);
export type {
  HookAdapter,
  HookAnswer,
  HookEvent,
  Json,
  NativeCall,
  ProfileWalls,
  WaitingCall,
  WallProfile,
  WirePaths,
  WiredFile,
  WrittenHooks,
  WallLaunch,
} from './adapter.ts';
export { ENVIRONMENT_MARKS } from './environment-marks.ts';
export { answerLine, waitingCall } from './explain.ts';
export { GROUNDING } from './grounding.ts';
export { AGENT_REVISIONS } from './revisions.ts';
export { SEAL_NEEDS, type SealNeeds } from './seals.ts';
export { senderOf } from './sender.ts';
export { modelInTranscript } from './transcript.ts';
export { hookLine, WALL_AGENT, WALL_HOME, WALL_MARK, WALL_NAMES, WALL_SHELL, writtenHooks } from './wire.ts';
