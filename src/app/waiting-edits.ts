// Edits of the documents that humans own which wait for one, in words: what they would change, and how to say yes.

import { type Dial, loosens, type State } from '../kernel/index.ts';
import type { Intent, WorkspaceRow } from '../protocol/index.ts';
import { INTENTS_FILE } from '../workspace/index.ts';
import { readConfig } from './config.ts';

export async function waitingEdits(state: State, workspace: string, root: string): Promise<WorkspaceRow['edits']> {
  const intents = state.documents.waitingIn(workspace).map(({ intent, reason }) => ({
    what: `${INTENTS_FILE}: ${intent.id}: ${changesOf(state.intent(workspace, intent.id)?.intent, intent).join('; ')} (${reason})`,
    confirm: `countersign intents confirm ${intent.id}`,
  }));
  const taken = state.documents.dialOf(root);
  const now = taken && (await readConfig(root).catch(() => null))?.mode;
  const dial =
    now && loosens(taken, now)
      ? [{ what: `.ai/config: ${dialText(taken)} becomes ${dialText(now)}`, confirm: 'countersign mode confirm' }]
      : [];
  return [...intents, ...dial];
}

const dialText = ({ pin, minimum }: Dial): string => `pin ${pin ?? 'none'}, minimum ${minimum ?? 'none'}`;

function changesOf(known: Intent | undefined, edited: Intent): string[] {
  if (!known) return ['new'];
  const added = edited.owned_scope.filter((glob) => !known.owned_scope.includes(glob));
  const removed = known.owned_scope.filter((glob) => !edited.owned_scope.includes(glob));
  const dropped = (before: readonly string[], after: readonly string[]) => before.filter((line) => !after.includes(line)).length;
  const rules = dropped(known.constraints, edited.constraints) + dropped(known.acceptance_criteria, edited.acceptance_criteria);
  return [
    ...(known.name === edited.name ? [] : [`called ${edited.name}`]),
    ...(known.status === edited.status ? [] : [`${known.status} becomes ${edited.status}`]),
    ...(added.length > 0 ? [`may also change ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`no longer ${removed.join(', ')}`] : []),
    ...(rules > 0 ? [`${rules} ${rules === 1 ? 'constraint or criterion' : 'constraints or criteria'} dropped`] : []),
  ];
}
