// The part of the protocol without schemas, for threads and for clients: building the schemas would take longer than the rest of their
// start.

export * from './addresses.ts';
export * from './codes.ts';
export * from './commands/paths.ts';
export * from './commands/statements.ts';
export * from './id-forms.ts';
export * from './query-paths.ts';
export * from './action-words.ts';
export * from './receipt-output.ts';
export * from './fold-steps.ts';
export * from './risk-words.ts';
export * from './scope-limits.ts';
export * from './visible-text.ts';
export * from './surfaces.ts';
export * from './foreign-text-note.ts';
