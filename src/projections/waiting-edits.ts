// Pending edits of the documents that humans own: what they would change, in words and line by line, and how to confirm them.

import { settingValues, type State } from '../kernel/index.ts';
import { intentSha256, settingsSha256 } from '../ledger/index.ts';
import { DEFAULT_CONFIG, type EditRow, type Intent, TEXT_DIGITS } from '../protocol/index.ts';
import { INTENTS_FILE } from '../workspace/index.ts';

export function waitingEdits(state: State, workspace: string, root: string): EditRow[] {
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
  return [...intents, ...settingsEdits(state, root)];
}

const shortDigest = (sha256: string): string => sha256.slice(0, TEXT_DIGITS);

function settingsEdits({ documents }: State, root: string): EditRow[] {
  const waiting = documents.waitingSettings(root);
  if (!waiting) return [];
  const sha256 = settingsSha256(waiting.values);
  const held = documents.settingsOf(root)?.values ?? settingValues(DEFAULT_CONFIG);
  const changes = Object.entries(waiting.values).map(([key, value]) => ({ field: key, before: textsOf(held[key]), after: textsOf(value) }));
  const words = changes.map(({ field, before, after }) => `${field}: ${before.join(', ') || 'none'} becomes ${after.join(', ') || 'none'}`);
  return [
    {
      what: `.ai/config: ${words.join('; ')} (${waiting.reason})`,
      confirm: `countersign settings confirm --text ${shortDigest(sha256)}`,
      ...{ intent: null, sha256, changes },
    },
  ];
}

/** A setting's value, one line for each part of it. */
export function textsOf(value: unknown): string[] {
  if (value === null || value === undefined) return [];
  if (Array.isArray(value)) return value.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)));
  if (typeof value === 'object') return Object.entries(value).map(([key, each]) => `${key}: ${JSON.stringify(each)}`);
  return [typeof value === 'string' ? value : JSON.stringify(value)];
}

const linesOf = (value: string | null): string[] => (value === null ? [] : [value]);

const LISTS = ['owned_scope', 'constraints', 'acceptance_criteria'] as const;

/** Only what differs; a list whole, because its order may be what differs. */
function intentChanges(known: Intent | undefined, edited: Intent): EditRow['changes'] {
  const fields = [
    ...(['name', 'status'] as const).map((field) => ({ field, before: linesOf(known?.[field] ?? null), after: [edited[field]] })),
    ...LISTS.map((field) => ({ field, before: known?.[field] ?? [], after: edited[field] })),
  ];
  return fields.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after));
}

/** Only where that is plain: a folder and what is below it. */
const covers = (wide: string, narrow: string): boolean => wide.endsWith('**') && narrow.startsWith(wide.slice(0, -2));

function inWords(known: Intent | undefined, edited: Intent): string[] {
  if (!known) return ['new'];
  const isNew = (glob: string) => !known.owned_scope.includes(glob);
  const isGone = (glob: string) => !edited.owned_scope.includes(glob);
  // A glob that a new one covers was not taken away: the scope became wider.
  const wider = edited.owned_scope.filter(isNew).flatMap((glob) => {
    const covered = known.owned_scope.filter((old) => isGone(old) && covers(glob, old));
    return covered.length > 0 ? [{ glob, covered }] : [];
  });
  const added = edited.owned_scope.filter((glob) => isNew(glob) && !wider.some((each) => each.glob === glob));
  const removed = known.owned_scope.filter((glob) => isGone(glob) && !wider.some(({ covered }) => covered.includes(glob)));
  const dropped = (before: readonly string[], after: readonly string[]) => before.filter((line) => !after.includes(line)).length;
  const rules = dropped(known.constraints, edited.constraints) + dropped(known.acceptance_criteria, edited.acceptance_criteria);
  return [
    ...(known.name === edited.name ? [] : [`called ${edited.name}`]),
    ...(known.status === edited.status ? [] : [`${known.status} becomes ${edited.status}`]),
    ...wider.map(({ glob, covered }) => `widens ${covered.join(', ')} to ${glob}`),
    ...(added.length > 0 ? [`may also change ${added.join(', ')}`] : []),
    ...(removed.length > 0 ? [`no longer ${removed.join(', ')}`] : []),
    ...(rules > 0 ? [`${rules} ${rules === 1 ? 'constraint or criterion' : 'constraints or criteria'} dropped`] : []),
  ];
}
