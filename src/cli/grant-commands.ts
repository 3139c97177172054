// Approval in advance: for commands that match a pattern, within one intent, for a limited time.

import type { GrantRow } from '../protocol/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { localTime } from './local-time.ts';
import { boundIn } from './question.ts';
import { resolveId } from './resolve-id.ts';
import { approvalText, signedText } from './terminal-text.ts';

const UNITS: Readonly<Record<string, number>> = { m: 60, h: 3600, d: 24 * 3600 };

/** Answers the question and lets similar calls pass until then. */
export async function grantLike(context: CommandContext, given: string, pattern: string, time: string): Promise<void> {
  const id = await resolveId(context, 'approval', given, 'countersign approvals lists what waits');
  const seconds = secondsOf(time, 7 * 24 * 3600, 'seven days');
  const [row] = await context.client.ask('approvals', { id });
  const also = `  and lets ${visible(pattern)} pass for this intent, for ${time}`;
  const key = row?.state === 'pending' ? await context.unlock(`${approvalText(row)}\n${also}`) : null;
  const sign = key && row ? { signer: key, known: boundIn(row) } : null;
  const grant = await context.client.act('make_grant', { id, pattern, seconds }, { sign });
  show(
    context,
    grant,
    `${id} is approved. ${grant.id}: ${visible(grant.pattern)} passes for ${grant.intent} until ${localTime(grant.expires_at)}. End it with: countersign grants end ${grant.id}`,
  );
}

export async function grants(context: CommandContext, all: boolean): Promise<void> {
  const rows = await context.client.ask('grants', { all });
  const line = ({ id, intent, pattern, state, expires_at, tool, by, uses }: GrantRow) => {
    const what = tool
      ? `the unknown tool ${visible(pattern)}  for ${visible(tool.agent)}, while its input keeps its form`
      : visible(pattern);
    return `${id}  ${state.padEnd(7)} ${intent ?? '-'}  ${what}${expires_at === null ? '' : `  until ${localTime(expires_at)}`}  used ${uses === 1 ? 'once' : `${uses} times`}  (${signedText(by)})`;
  };
  show(context, rows, rows.map(line).join('\n') || 'No grants.');
}

export async function endGrant(context: CommandContext, given: string): Promise<void> {
  const id = await resolveId(context, 'grant', given, 'countersign grants lists them');
  show(context, await context.client.act('end_grant', { id }), `${id} is ended.`);
}

/** `most` in words is `limit`. */
export function secondsOf(time: string, most: number, limit: string): number {
  const [, count = '', unit = ''] = /^([1-9][0-9]{0,4})([mhd])$/.exec(time) ?? [];
  const seconds = Number(count) * (UNITS[unit] ?? 0);
  if (seconds < 60 || seconds > most)
    throw new Fault('BAD_REQUEST', `${visible(time)} is not a time from one minute to ${limit}.`, { fix: 'Say it as 30m, 2h or 1d' });
  return seconds;
}
