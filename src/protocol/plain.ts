// The part of the protocol without schemas, for threads: building the schemas takes longer than all that a thread does after a restart.

export * from './codes.ts';
export * from './scope-limits.ts';
export * from './surfaces.ts';
