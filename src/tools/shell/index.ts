// tools/shell: reads a shell command before it runs.
// Owns the rules that say which commands only read, and which cannot be undone.
// Invariant: pure, never throws, and unproven is never SAFE. Reading decides whether to ask; it does not confine what runs.
// Refuses: running anything, touching the disk, and guessing at what an expansion will become.

export { readCommand } from './read-command.ts';
export { strictestOf } from './strictest.ts';
