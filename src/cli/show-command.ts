// One thing by its id, whatever kind of thing it is: all that is known of it.

import { Fault, ID_FORMS, outputIn, visible } from '../protocol/plain.ts';
import type { ActionRow, ReceiptRow, RunRow } from '../protocol/index.ts';
import { type CommandContext, show } from './command-context.ts';
import { diffText } from './diff-text.ts';
import { subjectOf } from './record-lists.ts';
import { isPartOf, resolveId, type Resolved } from './resolve-id.ts';
import { localTime } from './local-time.ts';
import { actionLine, approvalText, block, intentText, paint, signedText, wordText } from './terminal-text.ts';

const KINDS: Readonly<Record<string, Resolved>> = {
  rcp: 'receipt',
  apr: 'approval',
  act: 'action',
  ses: 'session',
  run: 'run',
  clm: 'claim',
  grt: 'grant',
  rul: 'commandRule',
};
const FIX = 'countersign approvals, receipts, log, sessions, intents, grants and run list show ids';
const MOST = 1000;

const SHOWN: { readonly [K in Resolved]: (context: CommandContext, id: string) => Promise<void> } = {
  receipt: showReceipt,
  approval: async (context, id) => {
    const [row] = await context.client.ask('approvals', { id });
    show(context, row ?? missing(id), row ? approvalText(row) : '');
  },
  action: showAction,
  session: showSession,
  run: showRun,
  claim: async (context, id) => (await import('./memory-commands.ts')).showMemory(context, id),
  grant: async (context, id) => {
    const row = (await context.client.ask('grants', { all: true, limit: MOST })).find((each) => each.id === id) ?? missing(id);
    const until = row.expires_at === null ? '' : `until ${localTime(row.expires_at)}`;
    const used = `used ${row.uses} ${row.uses === 1 ? 'time' : 'times'}`;
    const facts = [
      ['pattern', visible(row.pattern)],
      ['intent', row.intent ?? 'every'],
      ['state', `${row.state} ${until}`.trim()],
      ['used', used],
    ];
    show(context, row, [paint('bold', row.id), ...factLines([...facts, ['by', signedText(row.by)]])].join('\n'));
  },
  commandRule: async (context, id) => {
    const row = (await context.client.ask('command_rules', { all: true, limit: MOST })).find((each) => each.id === id) ?? missing(id);
    show(context, row, `${row.id}  ${row.state}  ${visible(row.pattern)}`);
  },
};

export async function showOne(context: CommandContext, given: string): Promise<void> {
  const { client, cwd } = context;
  if (ID_FORMS.intent.test(given)) {
    const [intent] = await client.ask('intents', { cwd, id: given });
    if (!intent) throw new Fault('NOT_FOUND', `There is no intent ${given} in this workspace.`, { fix: 'countersign intents lists them' });
    const granted = intent.by
      ? [`  granted     ${intent.confirmed_at ? `${localTime(intent.confirmed_at)}, ` : ''}${signedText(intent.by)}`]
      : [];
    return show(
      context,
      intent,
      [intentText(intent), ...granted, `  countersign receipts --intent ${intent.id} lists what was done for it`].join('\n'),
    );
  }
  if (given.startsWith('pack:')) {
    const pack = await client.ask('context_pack', { ref: given });
    return show(context, pack, visible(JSON.stringify(pack, null, 2), 'block'));
  }
  const { kind, id } = await found(context, given);
  return SHOWN[kind](context, id);
}

/** What it changed, line by line, and why it was allowed to. */
export async function showReceipt(context: CommandContext, given: string): Promise<void> {
  const { client } = context;
  const row = await receiptNamed(context, given);
  const id = row.receipt_id;
  const changed = row.file_refs.length > 0 ? (await client.ask('receipt_diff', { id })).files : [];
  const [action, approval] = await askedFor(context, row);
  const facts = [
    ['when', localTime(row.timestamp)],
    ['agent', `${visible(row.agent_id)}${row.model === undefined ? '' : ` (${visible(row.model)})`}`],
    ['tool', visible(row.tool_id)],
    ['outcome', `${wordText(row.word)}${row.undone_by === undefined ? '' : ` by ${row.undone_by}`}`],
    ['reason', await reasonOf(context, row)],
    ...(approval === null ? [] : [['asked', `${approval.id}, ${approval.state}${approval.by ? ` ${signedText(approval.by)}` : ''}`]]),
    ...(action?.paused ? [['paused', 'it passed while a human had paused the gate']] : []),
    ['subject', visible(subjectOf(row))],
    ...readFacts(row),
    ...(row.walls === undefined
      ? []
      : [['level', `${row.walls.level}${row.walls.bypassed ? ': it was given walls, and ran without them' : ''}`]]),
    ...(row.walls?.taken_back ?? []).map((each) => ['taken back', visible(each)]),
    ...(row.task_id === null ? [] : [['session', row.task_id]]),
    ...(row.action_id === null ? [] : [['action', row.action_id]]),
    ['record', `#${row.seq}, signed`],
  ];
  const said = outputIn(row);
  const output = row.status === 'failed' && said !== '' ? ['', 'Its output begins:', ...block(said)] : [];
  const diffs = changed.map(({ path, diff, why }) => (diff === null ? `${visible(path)}: no difference is shown, ${why}` : diffText(diff)));
  show(
    context,
    { ...row, changes: changed },
    [paint('bold', row.receipt_id), ...factLines(facts), ...output, ...diffs.flatMap((each) => ['', each])].join('\n'),
  );
}

export async function receiptNamed(context: CommandContext, given: string): Promise<ReceiptRow> {
  const id = await resolveId(context, 'receipt', given, 'countersign receipts lists them');
  const [row] = await context.client.ask('receipts', { id });
  return row ?? missing(`receipt ${id}`, 'countersign receipts lists them');
}

/** The intent that it was done for, in the human's own words. */
async function reasonOf({ client }: CommandContext, { intent, root, tool_id, inputs }: ReceiptRow): Promise<string> {
  if (tool_id === 'undo') return `a human took back ${typeof inputs['target'] === 'string' ? visible(inputs['target']) : 'a change'}`;
  if (intent === null) return 'no intent was cited';
  const rows = await client.ask('intents', { id: intent, ...(root === undefined ? {} : { cwd: root }) }).catch(() => []);
  return rows[0] ? `${intent}  ${visible(rows[0].name)}` : intent;
}

async function askedFor({ client }: CommandContext, { action_id, root }: ReceiptRow) {
  const actions = await client.ask('actions', { limit: MOST, ...(root === undefined ? {} : { cwd: root }) }).catch(() => []);
  const action = actions.find(({ id }) => id === action_id) ?? null;
  const [approval = null] = action?.approval_id ? await client.ask('approvals', { id: action.approval_id }) : [];
  return [action, approval] as const;
}

/** Which lines of which file, and the content that the file had. */
const readFacts = ({ reads = [] }: Pick<ActionRow, 'reads'>): string[][] =>
  reads.map(({ path, sha256, start_line, end_line }) => ['read', `${visible(path)}:${start_line}-${end_line ?? 'end'}  sha256 ${sha256}`]);

async function showAction(context: CommandContext, id: string): Promise<void> {
  const rows = await context.client.ask('actions', { limit: MOST });
  const row: ActionRow = rows.find((each) => each.id === id) ?? missing(id);
  if (row.receipt_id !== null && !context.json) return showReceipt(context, row.receipt_id);
  const steps = rows.filter(({ parent }) => parent === id).toReversed();
  const facts = [
    ['when', localTime(row.at)],
    ['agent', visible(row.agent)],
    ['tool', visible(row.tool)],
    ['outcome', wordText(row.word)],
    ['intent', row.intent ?? 'no intent was cited'],
    ['subject', visible(row.subject)],
    ...readFacts(row),
    ...(row.code === null ? [] : [['code', row.code]]),
    ...(row.approval_id === null ? [] : [['asked', row.approval_id]]),
    ['session', row.session],
  ];
  const why = row.message === null ? [] : [`  ${visible(row.message)}`];
  show(context, row, [paint('bold', row.id), ...factLines(facts), ...why, ...steps.map((each) => `  ${actionLine(each)}`)].join('\n'));
}

async function showSession(context: CommandContext, id: string): Promise<void> {
  const { client } = context;
  const row = (await client.ask('sessions', { limit: MOST })).find((each) => each.id === id) ?? missing(id);
  const actions = await client.ask('actions', { session: id });
  const facts = [
    ['agent', visible(row.agent)],
    ['state', row.open ? 'open' : 'closed'],
    ['from', `${localTime(row.opened_at)} to ${localTime(row.last_at)}`],
    ['level', row.level],
    ...(row.bypassed_by === undefined ? [] : [['walls', `${row.bypassed_by} was given walls, and ran without them`]]),
    ['mode', row.mode ?? 'undeclared'],
    ['intent', row.intent ?? 'none'],
    ...(row.parent === null ? [] : [['below', row.parent]]),
  ];
  const lines = actions.toReversed().map((each) => `  ${actionLine(each)}`);
  show(context, { ...row, actions }, [paint('bold', row.id), ...factLines(facts), ...lines].join('\n'));
}

async function showRun(context: CommandContext, id: string): Promise<void> {
  const row: RunRow = (await context.client.ask('runs', {})).find((each) => each.id === id) ?? missing(id);
  const facts = [
    ['command', row.command.map((word) => visible(word)).join(' ')],
    ['state', `${row.state}${row.exit_code === null ? '' : `, exit code ${row.exit_code}`}`],
    ['from', `${localTime(row.started_at)}${row.ended_at === null ? '' : ` to ${localTime(row.ended_at)}`}`],
    ['for', visible(row.root)],
    ['tree', visible(row.tree)],
    ...(row.refused_hosts.length === 0 ? [] : [['refused', row.refused_hosts.map((host) => visible(host)).join(', ')]]),
  ];
  const merge = row.state === 'ended' ? [`  countersign run merge ${id} --dry-run shows what it changed`] : [];
  show(context, row, [paint('bold', row.id), ...factLines(facts), ...merge].join('\n'));
}

const factLines = (facts: readonly (readonly string[])[]): string[] =>
  facts.map(([name = '', value = '']) => `  ${name.padEnd(8)} ${value}`);

function missing(id: string, fix = FIX): never {
  throw new Fault('NOT_FOUND', `There is no ${id}.`, { fix });
}

async function found(context: CommandContext, given: string): Promise<{ kind: Resolved; id: string }> {
  const named = KINDS[/^([a-z]{3})_/.exec(given)?.[1] ?? ''];
  if (named) return { kind: named, id: await resolveId(context, named, given, FIX) };
  const each = await Promise.all(
    Object.values(KINDS).map(async (kind) => ({ kind, id: await resolveId(context, kind, given, FIX).catch(() => null) })),
  );
  const fits = each.flatMap(({ kind, id }) => (id !== null && isPartOf(given, id) ? [{ kind, id }] : []));
  if (fits.length === 1) return fits[0]!;
  const message =
    fits.length === 0
      ? `${visible(given)} is not an id, nor a part of one.`
      : `${visible(given)} fits several: ${fits.map(({ id }) => id).join(', ')}`;
  throw new Fault('BAD_REQUEST', message, { fix: FIX });
}
