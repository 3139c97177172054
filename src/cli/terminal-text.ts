// Text for a terminal. Whatever came from an agent is made visible first: control characters, escape sequences and characters
// that turn or hide text could make a person read something other than what is there.

import { styleText } from 'node:util';
import type { ActionRow, ApprovalRow, EditRow, Intent, Signatory } from '../protocol/index.ts';
import { type ActionWord, foreignTextNote, riskWords, type Sign, SIGNS, visible } from '../protocol/plain.ts';
import { localTime } from './local-time.ts';
import { type Asked, askedIn } from './question.ts';

type Style = Parameters<typeof styleText>[0];
export const paint = (style: Style, text: string): string => styleText(style, text, { stream: process.stdout });

const STYLES: Readonly<Record<Sign['tone'], Style>> = { good: 'green', wait: 'yellow', bad: 'red', quiet: 'dim' };

/** The sign and the word, the same in every list. */
export const wordText = (word: ActionWord): string => paint(STYLES[SIGNS[word].tone], `${SIGNS[word].mark} ${word}`);

export const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

/** The id that leads on from an action: the question that it waits for, its receipt, or the action itself. */
export const referenceOf = ({ id, word, receipt_id, approval_id }: ActionRow): string =>
  (word === 'waiting' || word === 'lapsed' ? approval_id : receipt_id) ?? id;

/** One action as it happens: lines that come one by one have no columns. */
export function actionLine(row: ActionRow): string {
  const { at, word, agent, tool, subject, code, overtaken_by, undone_by, paused } = row;
  const since = overtaken_by ? `, overtaken by ${overtaken_by}` : undone_by ? `, undone by ${undone_by}` : '';
  const detail = `${word === 'refused' && code !== null ? code : referenceOf(row)}${since}${paused ? ' in a pause' : ''}`;
  return `${paint('dim', localTime(at))} ${wordText(word)}${' '.repeat(Math.max(0, 8 - word.length))} ${visible(agent)} ${visible(tool)} ${cut(visible(subject), 80)} ${paint('dim', detail)}`.trimEnd();
}

/** Names a question, where a person decides about something else. */
export function approvalLine(row: ApprovalRow): string {
  const { command } = row.input;
  const asked = askedIn(row);
  const what = asked?.kind === 'question' ? asked.question : typeof command === 'string' ? command : JSON.stringify(row.input);
  return `${row.id}  ${visible(row.agent)} ${visible(row.tool)}  ${cut(visible(what), 80)}`;
}

/** Everything a person needs to decide, nothing cut. */
export function approvalText(row: ApprovalRow): string {
  const asked = askedIn(row);
  const effect = row.state === 'pending' ? effectLines(row, asked) : [];
  return [...(asked ? askedLines(row, asked) : callLines(row)), ...[...effect, stateLine(row, asked)].map((line) => `  ${line}`)].join(
    '\n',
  );
}

const head = ({ id, agent }: ApprovalRow, what: string): string =>
  `${paint(STYLES[SIGNS.waiting.tone], SIGNS.waiting.mark)} ${paint('bold', id)}  ${visible(agent)} ${what}`;

/** Marked line by line: its content cannot imitate a line of ours. */
export const block = (text: string): string[] =>
  visible(text, 'block')
    .split('\n')
    .map((line) => `  │ ${line}`);

/** All that an intent says: what is signed or confirmed is shown whole. */
export const intentText = ({ id, name, status, owned_scope, constraints, acceptance_criteria }: Intent): string =>
  [
    `${id}  ${status}  ${visible(name)}`,
    ...owned_scope.map((glob) => `  may change  ${visible(glob)}`),
    ...constraints.map((line) => `  constraint  ${visible(line)}`),
    ...acceptance_criteria.map((line) => `  criterion   ${visible(line)}`),
  ].join('\n');

/** What an edit that waits would change, line by line. */
export const editText = ({ what, changes }: EditRow): string =>
  [
    visible(what),
    ...changes.flatMap(({ field, before, after }) => [
      ...before.filter((line) => !after.includes(line)).map((line) => `  - ${field}: ${visible(line)}`),
      ...after.filter((line) => !before.includes(line)).map((line) => `  + ${field}: ${visible(line)}`),
    ]),
  ].join('\n');

const asJson = (value: unknown): string => JSON.stringify(value, null, 2);

function callLines(row: ApprovalRow): string[] {
  const { tool, input, root, cwd, command, foreign_text: foreign, message, intent } = row;
  const { command: line, ...rest } = input;
  // A command is easier to read as text; the rest of the call is below it.
  const parts = typeof line === 'string' ? [line, ...(Object.keys(rest).length > 0 ? [asJson(rest)] : [])] : [asJson(input)];
  const reasons = command?.reasons.map(({ part, message }) => `    ${visible(part)}: ${visible(message)}`) ?? [];
  const writes = [...new Set((command?.writes ?? []).map(({ path, resolved }) => resolved ?? path))];
  return [
    head(row, `asks to use ${visible(tool)} in ${visible(cwd ?? root)}${intent ? ` for ${intent}` : ''}`),
    ...parts.flatMap(block),
    ...(reasons.length > 0 ? [`  ${command ? riskWords(command) : ''}:`, ...reasons] : [`  ${visible(message)}`]),
    ...(reasons.length > 0 && foreign ? [`  ${visible(foreignTextNote(foreign))}`] : []),
    ...(writes.length > 0
      ? [`  Writes ${writes.map((path) => visible(path)).join(', ')}${command?.writes_complete ? '' : ', and maybe more'}`]
      : []),
  ];
}

function askedLines(row: ApprovalRow, asked: Asked): string[] {
  const where = `in ${visible(row.root)}`;
  if (asked.kind === 'question') {
    const options = asked.options.map((option, at) => `    ${at + 1}  ${visible(option)}`);
    return [head(row, `asks you ${where}${row.intent ? `, working on ${row.intent}` : ''}`), ...block(asked.question), ...options];
  }
  return [
    head(row, `wants more scope for ${visible(asked.intent ?? 'no intent')} ${where}`),
    ...asked.paths.map((path) => `  + ${visible(path)}`),
    ...block(asked.reason),
  ];
}

const VIA: Readonly<Record<Signatory['via'], string>> = {
  cli: 'in a terminal',
  web: 'on the page',
  file: 'in the file',
  agent: "in the agent's own dialog",
  client: 'in a client with a key of its own',
};

/** Who decided, and whether the daemon found their signature true. */
export function signedText({ proof, via, key, name, verified }: Signatory): string {
  const signed =
    key === null
      ? ''
      : `, ${verified ? 'signed' : 'said to be signed'} by ${name === null ? '' : `${visible(name)} `}${key}, ${verified ? 'verified' : 'NOT VERIFIED'}`;
  return `${VIA[via]}, proof: ${proof}${signed}`;
}

/** Before an answer: what it will do, where no call waits for it. */
function effectLines({ held, expires_at }: ApprovalRow, asked: Asked | null): string[] {
  if (asked?.kind === 'scope') return ['A yes widens the intent at once, whether or not the agent still waits.'];
  if (held !== false) return [];
  const when = asked ? 'asks again' : 'makes exactly this call again';
  return [`The agent no longer waits: your answer counts when it ${when}, before ${localTime(expires_at)}.`];
}

/** After a yes: what it did. `row` as it was before. */
export function approvedText(row: ApprovalRow, said: string | undefined, signer: string | null): string {
  const asked = askedIn(row);
  const { id, held, expires_at } = row;
  const signed = signer === null ? '' : `, and signed by ${signer}`;
  if (asked?.kind === 'scope')
    return `${id} is approved${signed}. ${visible(asked.intent ?? 'The intent')} may now change ${asked.paths.map((path) => visible(path)).join(', ')}.`;
  const when = held === false ? `when it ${asked ? 'asks again' : 'makes exactly this call again'}, before ${localTime(expires_at)}` : null;
  if (said !== undefined) return `${id} is answered: ${visible(said)}. The agent gets this answer${when === null ? '' : ` ${when}`}.`;
  const late = when === null ? '' : ` The agent no longer waits: it counts ${when}.`;
  return `${id} is approved, once, for exactly this input${signed}.${late}`;
}

function stateLine({ id, state, reason, by, needs, expires_at }: ApprovalRow, asked: Asked | null): string {
  if (state === 'withdrawn') return 'The rules have changed since this was asked, so no answer to it counts; the agent has to ask again.';
  if (state !== 'pending') return `${state}${reason ? `: ${visible(reason)}` : ''}${by ? `  (${signedText(by)})` : ''}`;
  const words = asked?.kind === 'question' ? (asked.options.length > 0 ? ' --answer N' : ' --answer "…"') : '';
  const proof = needs === 'passphrase' || needs === 'passkey' ? `a yes needs a proof by ${needs}; ` : '';
  return `${proof}answer before ${localTime(expires_at)}: countersign approve ${id}${words}   |   countersign reject ${id} --reason "…"`;
}

/** `one file`, `two files` in figures. */
export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
