// What can change a decision, or what is folded from the ledger, as data. Versions are raised by hand; a test fails where the files changed
// and the version did not.

export interface Revision {
  /** Unique: a kind, a slash, and what it is. */
  readonly name: string;
  /** Raised when the files decide, or fold, differently than before. */
  readonly version: number;
  /** The module that states it: `import.meta.url`. */
  readonly from: string;
  /** The files that the version covers, relative to that module's folder. */
  readonly files: readonly string[];
  /** It also covers whatever these files import from their own room. */
  readonly withImports?: true;
}

/** What decides and is declared here. */
export const PROTOCOL_REVISIONS: readonly Revision[] = [
  { name: 'protocol/effects', version: 2, files: ['action.ts', 'doors.ts'] },
  { name: 'protocol/facts', version: 3, files: ['facts.ts', 'foreign-text-note.ts', 'work.ts'] },
  { name: 'protocol/plans', version: 2, files: ['plan.ts', 'plan-words.ts'] },
  { name: 'protocol/proofs', version: 1, files: ['intent.ts'] },
  { name: 'protocol/risks', version: 1, files: ['risk-words.ts'] },
  { name: 'protocol/settings', version: 1, files: ['config.ts', 'memory-settings.ts', 'lesson.ts'] },
  { name: 'protocol/tasks', version: 1, files: ['tasks.ts'] },
  { name: 'protocol/tools', version: 2, files: ['tool.ts', 'turn-tools.ts'] },
].map((revision) => ({ ...revision, from: import.meta.url }));
