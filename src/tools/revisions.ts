// The version of what tools declare about a call: its effects, and the resources that it touches.

import type { Revision } from '../protocol/index.ts';

export const TOOL_REVISIONS: readonly Revision[] = [
  { name: 'tools/declared', version: 4, from: import.meta.url, files: ['own-pack.ts', 'registry.ts'], withImports: true },
];
