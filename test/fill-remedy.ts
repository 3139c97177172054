// A remedy as an agent calls it: what only the agent knows, filled in.

import type { Remedy } from '../src/protocol/index.ts';

const FILLED: Readonly<Record<string, unknown>> = {
  name: 'work of the test',
  owned_scope: ['src/**'],
  titles: ['a step of the test'],
  steps: ['a step of the test'],
  planGraph: { nodes: [] },
};

export function filled({ args, fill = {} }: Remedy): Record<string, unknown> {
  const missing = Object.keys(fill).find((name) => !(name in FILLED));
  if (missing !== undefined) throw new Error(`no example for ${missing}`);
  return { ...args, ...Object.fromEntries(Object.keys(fill).map((name) => [name, FILLED[name]])) };
}
