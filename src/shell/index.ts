// shell: reads a shell command before it runs.
// Owns the rules that say which commands only read, which cannot be undone, and what they write where.
// Invariant: pure, never throws, and unproven is never SAFE. Reading decides whether to ask; it does not confine what runs.
// Refuses: running anything, touching the disk, and guessing at what an expansion will become.

export { onlyReadsGit } from './git-reads.ts';
export { secretIn } from './find-secrets.ts';
export { findHiddenCharacters } from './hidden-characters.ts';
export type { Place, Write } from './resolve-writes.ts';
export { type PartReading, type PlacedReading, readCommand, readParts, readPlaced } from './read-command.ts';
export { SHELL_REVISIONS } from './revisions.ts';
export { strictestOf } from './strictest.ts';
export { AGENT_LOGINS, HOLDS_CREDENTIAL, SECRETS_AT_HOME, SECRETS_OF_SYSTEM, SETTINGS_WITH_SECRETS } from './secret-places.ts';
