// Cases for policies: the ordinary one, and examples of what differs from it.

import { Action, Facts } from '../src/protocol/index.ts';
import { ORDINARY_ACTION, ORDINARY_FACTS } from '../src/policy/ordinary-case.ts';
import type { PolicyExample } from '../src/policy/index.ts';

/** Parsed and copied: an example that is no possible case fails here, and no test sees what another did. */
export const caseOf = (example: Pick<PolicyExample, 'action' | 'facts'> = {}): { action: Action; facts: Facts } => ({
  action: Action.parse(structuredClone({ ...ORDINARY_ACTION, ...example.action })),
  facts: Facts.parse(structuredClone({ ...ORDINARY_FACTS, ...example.facts })),
});
