// Pending edits of the documents that humans own: what they would change, in words and line by line, and how to confirm them.

import { loosens, type State } from '../kernel/index.ts';
import { dialSha256, intentSha256 } from '../ledger/index.ts';
import { type EditRow, type Intent, type ModeDial, TEXT_DIGITS } from '../protocol/index.ts';
import { INTENTS_FILE, readConfig } from '../workspace/index.ts';

export async function waitingEdits(state: State, workspace: string, root: string): Promise<EditRow[]> {
  const intents = state.documents.waitingIn(workspace).map(({ intent, reason }) => {
    const known = state.intent(workspace, intent.id)?.intent;
    const sha256 = intentSha256(intent);
    return {
      what: `${INTENTS_FILE}: ${intent.id}: ${inWords(known, intent).join('; ')} (${reason})`,
      confirm: `countersign intents confirm ${intent.id} --text ${shortDigest(sha256)}`,
      intent: intent.id,
      sha256,
      changes: intentChanges(known, intent),
    };
  });
  const confirmed = state.documents.dialOf(root);
  const now = confirmed && (await readConfig(root).catch(() => null))?.mode;
  return now && loosens(confirmed, now) ? [...intents, dialEdit(confirmed, { pin: now.pin, minimum: now.minimum })] : intents;
}

const shortDigest = (sha256: string): string => sha256.slice(0, TEXT_DIGITS);

function dialEdit(confirmed: ModeDial, now: ModeDial): EditRow {
  const sha256 = dialSha256(now);
  return {
    what: `.ai/config: ${dialText(confirmed)} becomes ${dialText(now)}`,
    confirm: `countersign mode confirm --text ${shortDigest(sha256)}`,
    intent: null,
    sha256,
    changes: (['pin', 'minimum'] as const)
      .filter((field) => confirmed[field] !== now[field])
      .map((field) => ({ field, before: linesOf(confirmed[field]), after: linesOf(now[field]) })),
  };
}

const linesOf = (value: string | null): string[] => (value === null ? [] : [value]);
const dialText = ({ pin, minimum }: ModeDial): string => `pin ${pin ?? 'none'}, minimum ${minimum ?? 'none'}`;

const LISTS = ['owned_scope', 'constraints', 'acceptance_criteria'] as const;

/** Only what differs; a list whole, because its order may be what differs. */
function intentChanges(known: Intent | undefined, edited: Intent): EditRow['changes'] {
  const fields = [
    ...(['name', 'status'] as const).map((field) => ({ field, before: linesOf(known?.[field] ?? null), after: [edited[field]] })),
    ...LISTS.map((field) => ({ field, before: known?.[field] ?? [], after: edited[field] })),
  ];
  return fields.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}

function inWords(known: Intent | undefined, edited: Intent): string[] {
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
