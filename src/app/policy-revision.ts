// The policy revision: a short digest of the names and versions of everything that decides. Every decision and every question to a human
// carries it. An answer counts only under the revision that asked.

import { AGENT_REVISIONS } from '../agents/index.ts';
import { KERNEL_REVISIONS } from '../kernel/index.ts';
import { sha256Hex } from '../ledger/index.ts';
import { POLICY_REVISIONS } from '../policy/index.ts';
import { PROTOCOL_REVISIONS, type Revision } from '../protocol/index.ts';
import { SHELL_REVISIONS } from '../shell/index.ts';
import { TOOL_REVISIONS } from '../tools/index.ts';
import { WORKSPACE_REVISIONS } from '../workspace/index.ts';

/** Each room's own list. */
export const DECIDING: readonly (readonly Revision[])[] = [
  PROTOCOL_REVISIONS,
  POLICY_REVISIONS,
  SHELL_REVISIONS,
  WORKSPACE_REVISIONS,
  KERNEL_REVISIONS,
  AGENT_REVISIONS,
  TOOL_REVISIONS,
];

export function policyRevision(lists: readonly (readonly Pick<Revision, 'name' | 'version'>[])[]): string {
  const stated = lists.flat().map(({ name, version }) => `${name}@${version}`);
  return sha256Hex(stated.toSorted().join('\n')).slice(0, 16);
}
