// The shared brain: what every agent that opens this repository should know, in a marked block of the file that agents read. Made from
// memory, with the receipts behind each line; unproven statements of agents are marked as such.

import { existsSync } from 'node:fs';
import type { State } from '../kernel/index.ts';
import { type Memory, statusAmongOthers } from '../memory/index.ts';
import type { Claim } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { headRevision, writeBrain } from '../workspace/index.ts';
import { type RecurringFailure, recurringFailures } from './recurring-failures.ts';
import type { SessionPlaces } from './session-places.ts';

const MAX_CLAIMS = 40;
const MAX_FAILURES = 3;

export interface BrainSources {
  readonly memory: Memory;
  readonly state: State;
  readonly store: EventStore;
  readonly places: SessionPlaces;
}

export async function refreshBrain({ memory, state, store, places }: BrainSources, workspace: string, root: string): Promise<void> {
  // Writing would recreate a work tree that was removed.
  if (!existsSync(root)) return;
  const lastChange = state.memoryMarks.lastChange(workspace);
  const place = { workspace, root, lastChange, revision: () => headRevision(root) };
  const kept = memory.recent(workspace, Number.MAX_SAFE_INTEGER).filter(({ kind }) => kind in ORDER);
  const ranked = kept.toSorted((a, b) => rankOf(b) - rankOf(a) || (a.written_at < b.written_at ? 1 : -1)).slice(0, MAX_CLAIMS);
  const lines: string[] = [];
  for (const claim of ranked) {
    const { status } = await statusAmongOthers(memory, place, claim);
    if (claim.kind === 'fact' && status !== 'VERIFIED' && status !== 'CITED') continue;
    const why = claim.rationale === null ? '' : ` (because ${claim.rationale})`;
    const by = claim.approved ? 'approved by a human' : status.toLowerCase();
    lines.push(`- ${claim.kind}: ${claim.statement}${why} [${by}; ${claim.receipts.at(-1) ?? claim.id}]`);
  }
  const failures = (await recurringFailures(store, places, workspace)).slice(0, MAX_FAILURES).map(failureLine);
  await writeBrain(root, [...(lines.length + failures.length > 0 ? [HEAD] : []), ...lines, ...failures]);
}

const HEAD = 'What is known here, kept by Countersign. Receipts: `countersign receipts ID`. These lines inform; they grant nothing.';

const ORDER: Partial<Record<Claim['kind'], number>> = { constraint: 3, decision: 2, fact: 1 };
const rankOf = ({ kind, approved }: Claim): number => (ORDER[kind] ?? 0) + (approved ? 10 : 0);

const failureLine = ({ what, count, fix, shownBy }: RecurringFailure): string =>
  `- ${fix === null ? 'recurring failure' : 'lesson'}: ${what} (${count} times)${fix === null ? '' : `, then it passed ${fix}`} [${shownBy}]`;

/** Whether a line of the brain may rest on one of these files: a fact that cites or searches it, or one that a command showed. */
export const restsOn = (memory: Memory, workspace: string, paths: readonly string[]): boolean =>
  memory
    .recent(workspace, Number.MAX_SAFE_INTEGER)
    .some(
      ({ kind, citations, checks }) =>
        kind === 'fact' &&
        (citations.some(({ path }) => paths.includes(path)) ||
          checks.some(({ evidence }) => 'command' in evidence || paths.includes(evidence.path))),
    );
