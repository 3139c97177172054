// The versions of the policies, and of what all of them share. A policy states its own, in the file of its name.

import type { Revision } from '../protocol/index.ts';
import { policies } from './policies.ts';

const from = import.meta.url;

export const POLICY_REVISIONS: readonly Revision[] = [
  ...policies.map(({ name, version }) => ({ name: `policy/${name}`, version, from, files: [`${name}.ts`] })),
  { name: 'policy/verdicts', version: 3, from, files: ['admit.ts', 'await-human.ts', 'policies.ts', 'policy.ts', 'propose.ts'] },
  { name: 'policy/examples', version: 1, from, files: ['check-examples.ts', 'ordinary-case.ts'] },
];
