// What a person types, as calls of the daemon. Data goes to standard output, prose to standard error.

import type { ApprovalRow, InboxItem, IntentRow, IntentStatus, WorkspaceRow } from '../protocol/index.ts';
import { Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import type { Signer } from '../client/index.ts';
import { checkId, type CommandContext, show } from './command-context.ts';
import { inboxLines, inboxText } from './inbox-text.ts';
import { localTime } from './local-time.ts';
import { approvalText, intentText, signedText } from './terminal-text.ts';

/** More would push the rest of the status off the screen. */
const SHOWN_IN_STATUS = 10;

export async function status(context: CommandContext, all = false): Promise<void> {
  const now = await context.client.ask('status', all ? {} : { cwd: context.cwd });
  const { address, version, pid, home, ledger, workspaces, counts, waiting_elsewhere = 0 } = now;
  const waiting = await context.client.ask('inbox', all ? {} : { cwd: context.cwd });
  const elsewhere = waiting_elsewhere > 0 ? `  (${waiting_elsewhere} more in other workspaces: countersign status --all)` : '';
  const isShown = (root: string) => all || workspaces.some((each) => each.root === root);
  const runs = (await context.client.ask('runs', {})).filter(({ state, root }) => state === 'running' && isShown(root));
  show(
    context,
    now,
    [
      `Countersign ${version}, daemon ${pid}, ${address}`,
      `ledger     ${ledger.size} ${ledger.size === 1 ? 'record' : 'records'} in ${home}${ledger.writable ? '' : '  (NOT WRITABLE: changes are refused, reads go on)'}`,
      ...workspaces.map(
        ({ root, level, level_note, minimum_mode, untracked, paused, troubles }) =>
          `workspace  ${root}\n           ${level}: ${level_note} Minimum mode: ${minimum_mode ?? 'none set'}.${untrackedText(untracked)}${pausedText(paused)}${troubles.map((each) => `\n           CANNOT BE READ, so changes are refused: ${visible(each)}`).join('')}`,
      ),
      ...(workspaces.length > 0 || all ? [] : [`workspace  ${visible(context.cwd)}: nothing is known of it yet; --all shows the others`]),
      ...runs.map(({ id, agent, root }) => `run        ${id}  sealed: ${agent ?? 'an agent without hooks'} for ${visible(root)}`),
      `waiting    ${counts.waiting}${counts.waiting > 0 ? '  (countersign approvals)' : ''}${elsewhere}`,
      ...waiting.slice(0, SHOWN_IN_STATUS).flatMap((item) => inboxLines(item).map((line) => `           ${line}`)),
      ...(waiting.length > SHOWN_IN_STATUS ? [`           … and ${waiting.length - SHOWN_IN_STATUS} more`] : []),
      `unknown    ${counts.unknown}`,
    ].join('\n'),
  );
}

/** `loginPage`: where to write the file that leads a browser there; null: only print the link. */
export async function open(context: CommandContext, loginPage: string | null): Promise<void> {
  const { code } = await context.client.act('issue_login_code', {});
  const { address } = await context.client.ask('status', {});
  const link = `${address}ui/#code=${code}`;
  show(context, { link }, link);
  context.say('This link logs one browser in, once, within two minutes. Do not give it to an agent.');
  if (loginPage === null || context.json || !process.stdout.isTTY) return;
  const { openBrowser } = await import('../install/open-browser.ts');
  if (await openBrowser(link, loginPage)) context.say('A browser opens it now. If none appears, open the link yourself.');
}

export async function stop(context: CommandContext): Promise<void> {
  await context.client.act('stop', {});
  show(context, { stopped: true }, 'The daemon stops. The next hook, MCP client or command starts it again.');
}

export async function reindex(context: CommandContext): Promise<void> {
  context.say('Reading the whole record …');
  const { records } = await context.client.act('reindex', {});
  show(context, { records }, `The index was rebuilt from ${records} records.`);
}

export async function declareIntent(
  context: CommandContext,
  name: string,
  paths: readonly string[],
  more: { constraint: string[]; criterion: string[] },
): Promise<void> {
  const fix = 'countersign intent "what should change" PATH';
  if (name.trim() === '') throw new Fault('BAD_REQUEST', 'An intent needs a title that says what should change.', { fix });
  if (paths.includes('')) throw new Fault('BAD_REQUEST', 'A path is empty; the whole work tree is a dot.', { fix });
  const input = { cwd: context.cwd, name, paths: [...paths], constraints: more.constraint, acceptance_criteria: more.criterion };
  const key = await keyInStrict(context, `${visible(name)}\n  may change: ${paths.map((path) => visible(path)).join(', ')}`);
  const intent = await context.client.act('declare_intent', input, { sign: key && { signer: key } });
  for (const missing of await missingFrom(context.cwd, paths))
    context.say(`Warning: ${visible(missing)} does not exist yet. If that is a typing error, end the intent again.`);
  show(
    context,
    intent,
    `${intent.id} is active: ${visible(intent.name)}\n  may change: ${intent.owned_scope.map((glob) => visible(glob)).join(', ')}\nAgents cite it with begin_work. End it with: countersign intents done ${intent.id}`,
  );
}

/** Of a glob, the folder that it begins in. */
async function missingFrom(cwd: string, paths: readonly string[]): Promise<string[]> {
  const [{ existsSync }, path] = await Promise.all([import('node:fs'), import('node:path')]);
  const base = (given: string) => (given.includes('*') ? given.slice(0, given.indexOf('*')).replace(/[^/]*$/, '') : given);
  return paths.filter((given) => !existsSync(path.resolve(cwd, base(given))));
}

export const STATUS_OF = { activate: 'active', pause: 'paused', done: 'done', abandon: 'abandoned' } as const satisfies Record<
  string,
  IntentStatus
>;
export const INTENT_VERBS = Object.keys(STATUS_OF) as (keyof typeof STATUS_OF)[];

/** `shown`: what the human has read and decided about; without it, what the intent says now. */
export async function changeIntent(
  context: CommandContext,
  verb: keyof typeof STATUS_OF,
  id: string,
  shown?: InboxItem['proposal'],
): Promise<void> {
  checkId(ID_FORMS.intent, id, "an intent's id, such as INT-001", 'countersign intents lists them');
  const { cwd, client } = context;
  const status = STATUS_OF[verb];
  const [row] = status !== 'active' ? [] : shown ? [shown.intent] : await client.ask('intents', { cwd, id });
  const granted = row && { ...row, status };
  const key = granted ? await keyInStrict(context, intentText(granted)) : null;
  const sha256 = granted ? (shown?.sha256 ?? (await context.intentDigest(granted))) : null;
  const intent = await client.act('set_intent_status', { id, cwd, status, sha256 }, { sign: key && { signer: key } });
  show(context, intent, `${intent.id} is ${intent.status}.`);
}

/** In STRICT an intent is granted with the strongest proof there is. */
export async function keyInStrict(context: CommandContext, shown: string): Promise<Signer | null> {
  const { minimum } = await context.client.ask('modes', { cwd: context.cwd });
  return minimum === 'STRICT' ? context.unlock(shown) : null;
}

const intentLine = ({ id, status, name, owned_scope, proof, edited }: IntentRow): string =>
  `${id}  ${status.padEnd(9)} ${visible(name)}  [${owned_scope.map((glob) => visible(glob)).join(', ')}]${proof ? `  proof: ${proof}` : ''}${edited ? `  (an edit of the file waits: countersign intents confirm ${id})` : ''}`;

export async function intents(context: CommandContext, all: boolean): Promise<void> {
  const rows = await context.client.ask('intents', all ? {} : { cwd: context.cwd });
  const { workspaces } = await context.client.ask('status', {});
  const troubles = workspaces.filter(({ root }) => all || `${context.cwd}/`.startsWith(`${root}/`)).flatMap((each) => each.troubles);
  for (const each of troubles) context.say(`Cannot be read, so changes are refused: ${visible(each)}`);
  const none = troubles.length > 0 ? 'No intents are in force.' : 'No intents yet. Make one: countersign intent "what should change" PATH';
  show(context, rows, rows.map(intentLine).join('\n') || none);
}

/** As many as the daemon returns at once: an agent with many requests must not push a question out of sight unnoticed. */
const MAX_APPROVALS = 1000;

export async function approvals(context: CommandContext, all: boolean): Promise<void> {
  const { client } = context;
  const { workspaces } = await client.ask('status', {});
  const held = new Set(workspaces.flatMap(({ paused }) => paused?.waiting ?? []));
  const items = await client.ask('inbox', {});
  const text = (item: InboxItem) => `${inboxText(item)}${held.has(item.id) ? '\n  The gate is paused; that does not answer this.' : ''}`;
  const past = await client.ask('approvals', { limit: MAX_APPROVALS, ...(all ? {} : { state: 'withdrawn' }) });
  const shown = past.filter((row) => (all ? row.state !== 'pending' : isInTime(row)));
  if (past.length === MAX_APPROVALS) context.say(`Only the newest ${MAX_APPROVALS} are shown.`);
  // What was answered keeps its form; what waits has its kind and its answers besides.
  const rows = items.map(({ approval, ...item }) => ({ ...approval, ...item }));
  const open = items.length > 0 ? items.map(text) : ['Nothing waits for you.'];
  show(context, all ? [...rows, ...shown] : rows, [...open, ...shown.map(approvalText)].join('\n\n'));
}

/** A person who saw the question may look for it until then. */
const isInTime = ({ expires_at }: ApprovalRow): boolean => Date.parse(expires_at) > Date.now();

export function pausedText(paused: WorkspaceRow['paused']): string {
  if (!paused) return '';
  const { from, until, reason, by, waiting } = paused;
  const still = `${waiting.length} ${waiting.length === 1 ? 'call still waits' : 'calls still wait'} for an answer`;
  const held = waiting.length === 0 ? 'Nothing is stopped.' : `No new call is stopped; ${still}: ${waiting.join(', ')}.`;
  const who = by === null ? 'hooks were removed without a daemon; by whom is not proven' : signedText(by);
  return `\n           PAUSED since ${localTime(from)}${until ? ` until ${localTime(until)}` : ''} (${who}): ${visible(reason)}. ${held} End it with: countersign pause --end`;
}

/** Nothing when there is nothing to report. */
function untrackedText({ in_agents_windows, human_unproven, unknown, by_git }: WorkspaceRow['untracked']): string {
  const parts = [
    [in_agents_windows, 'while an agent worked'],
    [human_unproven, 'human, unproven'],
    [unknown, 'unknown'],
  ] as const;
  const counted = parts.flatMap(([count, whose]) => (count > 0 ? [`${count} ${whose}`] : []));
  const git = by_git > 0 ? ` Git itself moved ${by_git}.` : '';
  return counted.length > 0 ? `\n           Changes without a receipt: ${counted.join(', ')}.${git}` : '';
}
