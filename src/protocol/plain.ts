// The part of the protocol without schemas, for threads and for clients: building the schemas takes longer than all that these do at their
// start.

export * from './codes.ts';
export * from './commands/paths.ts';
export * from './commands/statements.ts';
export * from './id-forms.ts';
export * from './scope-limits.ts';
export * from './visible-text.ts';
export * from './surfaces.ts';
