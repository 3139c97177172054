// tools: the registry, and one file for each tool, in folders: `gate` (the gate executes them), `code` (questions to the code index), `native`
// (agents bring them; adapters translate) and `command-runner` (runs an admitted command and sorts what it changed).
// Invariant: a tool declares effects and resources before anything is decided, and what it declares is derived from the parsed
// input only. An unknown tool is declared as able to do anything.
// Refuses: to decide. No tool looks at modes, scopes or approvals of others; it states what it would do.

export { codePort } from './code/code-place.ts';
export { ownPack } from './own-pack.ts';
export type { PlansPort } from './plan/review.ts';
export { createRegistry } from './registry.ts';
export { TOOL_REVISIONS } from './revisions.ts';
export type { CommandEnd, CommandOrder, ToolDeps } from './tool.ts';
export { commandRunner } from './command-runner/command-runner.ts';
