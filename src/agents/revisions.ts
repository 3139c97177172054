// The version of how hooks are read: which event a payload is, and which call of the registry an agent's own tool means.

import type { Revision } from '../protocol/index.ts';

export const AGENT_REVISIONS: readonly Revision[] = [
  { name: 'agents/events', version: 1, from: import.meta.url, files: ['index.ts'], withImports: true },
];
