// One thing by its id, whatever kind of thing it is.

import { Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { receipts } from './record-lists.ts';
import { isPartOf, resolveId, type Resolved } from './resolve-id.ts';
import { localTime } from './table.ts';
import { actionLine, approvalText, intentText } from './terminal-text.ts';

const KINDS: Readonly<Record<string, Resolved>> = {
  rcp: 'receipt',
  apr: 'approval',
  act: 'action',
  ses: 'session',
  grt: 'grant',
  rul: 'commandRule',
};
const FIX = 'countersign approvals, receipts, log, sessions, intents and grants list ids';

export async function showOne(context: CommandContext, given: string): Promise<void> {
  const { client, cwd } = context;
  if (ID_FORMS.intent.test(given)) {
    const [intent] = await client.ask('intents', { cwd, id: given });
    if (!intent) throw new Fault('NOT_FOUND', `There is no intent ${given} in this workspace.`, { fix: 'countersign intents lists them' });
    return show(context, intent, intentText(intent));
  }
  const { kind, id } = await found(context, given);
  if (kind === 'receipt') return receipts(context, id, { limit: 1 });
  if (kind === 'approval') {
    const [row] = await client.ask('approvals', { id });
    if (row) return show(context, row, approvalText(row));
  }
  if (kind === 'action') {
    const row = (await client.ask('actions', { limit: 1000 })).find((each) => each.id === id);
    if (row) return show(context, row, [actionLine(row), ...(row.message === null ? [] : [`  ${visible(row.message)}`])].join('\n'));
  }
  if (kind === 'session') {
    const [row, actions] = [
      (await client.ask('sessions', { limit: 1000 })).find((each) => each.id === id),
      await client.ask('actions', { session: id }),
    ];
    if (row) {
      const head = `${row.id}  ${visible(row.agent)}  ${row.open ? 'open' : 'closed'} since ${localTime(row.opened_at)}, last seen ${localTime(row.last_at)}`;
      return show(context, { ...row, actions }, [head, ...actions.toReversed().map((each) => `  ${actionLine(each)}`)].join('\n'));
    }
  }
  if (kind === 'grant' || kind === 'commandRule') {
    const rows = await (kind === 'grant'
      ? client.ask('grants', { all: true, limit: 1000 })
      : client.ask('command_rules', { all: true, limit: 1000 }));
    const row = rows.find((each) => each.id === id);
    if (row) return show(context, row, `${row.id}  ${row.state}  ${visible(row.pattern)}`);
  }
  throw new Fault('NOT_FOUND', `There is no ${id}.`, { fix: FIX });
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
