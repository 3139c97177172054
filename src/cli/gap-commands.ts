// `pause`, `pause --end` and `ack`, as calls of the daemon.

import type { Signer } from '../client/index.ts';
import type { PauseEndedView, ReconciliationView, UntrackedRow } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { localTime } from './local-time.ts';
import { approvalLine } from './terminal-text.ts';

export async function pause(context: CommandContext, seconds: number, reason: string): Promise<void> {
  const { cwd, client } = context;
  const key = await context.unlock(`The gate in ${visible(cwd)} stops no new call for ${seconds / 60} minutes: ${visible(reason)}`);
  const paused = await client.act('pause', { cwd, seconds, reason }, { sign: key && { signer: key } });
  const waiting = paused.waiting.length === 0 ? '' : await waitingText(context, paused.waiting);
  show(
    context,
    paused,
    `Paused until ${localTime(paused.until)} (proof: ${paused.proof}). Every new call passes and is recorded as paused. End it with: countersign pause --end${waiting}`,
  );
}

/** Whether a pause is open here; then it is shown. */
export async function showPause(context: CommandContext): Promise<boolean> {
  const { workspaces } = await context.client.ask('status', {});
  const paused = workspaces.find(({ root }) => `${context.cwd}/`.startsWith(`${root}/`))?.paused;
  if (!paused) return false;
  const until = paused.until === null ? 'until it is ended' : `until ${localTime(paused.until)}`;
  const waiting = paused.waiting.length === 0 ? '' : await waitingText(context, paused.waiting);
  show(
    context,
    paused,
    `Paused since ${localTime(paused.from)}, ${until}: ${visible(paused.reason)}. End it with: countersign pause --end${waiting}`,
  );
  return true;
}

async function waitingText({ client }: CommandContext, ids: readonly string[]): Promise<string> {
  const rows = (await Promise.all(ids.map((id) => client.ask('approvals', { id })))).flat();
  const one = ids.length === 1;
  return [
    `\n${ids.length} ${one ? 'call still waits' : 'calls still wait'} for an answer; a pause gives none:`,
    ...rows.map((row) => `  ${approvalLine(row)}`),
    `Answer with countersign approve or countersign reject; countersign approvals shows ${one ? 'it' : 'them'} whole.`,
  ].join('\n');
}

export async function endPause(context: CommandContext): Promise<void> {
  const ended = await context.client.act('end_pause', { cwd: context.cwd });
  show(context, ended, endText(ended));
}

function endText(view: PauseEndedView): string {
  if ('ended' in view) return view.ended ? 'The pause has ended: verdicts count again.' : 'Nothing is paused here.';
  const { restored, left } = view;
  return [
    restored.length > 0
      ? `The hooks are back: ${restored.join(', ')}. They count from the next session on.`
      : 'The hooks were back already.',
    ...(left.length > 0 ? [`Not put back: ${left.join(', ')}. Run countersign init.`] : []),
  ].join('\n');
}

const FILES_PER_REQUEST = 200;

/** Returns whether there was anything to acknowledge. `select`: which of the changes. */
export async function acknowledge(
  context: CommandContext,
  select: (view: ReconciliationView) => readonly UntrackedRow[],
  reason: string | undefined,
  confirm: (question: string) => Promise<boolean>,
): Promise<boolean> {
  const { cwd, client } = context;
  const view = await client.ask('reconciliation', { cwd });
  const rows = select(view).filter(({ acknowledged }) => acknowledged === undefined);
  if (rows.length === 0) {
    show(context, { acknowledged: 0 }, 'There is no change without a receipt to acknowledge.');
    return false;
  }
  const why = reason === undefined ? [] : [`Your reason: ${visible(reason)}`];
  const listed = [`In ${visible(view.root)} no receipt explains:`, ...rows.map(rowLine), ...why].join('\n');
  const key = await context.unlock(`${listed}\nYou sign that you have seen these changes, not that you wrote them.`);
  if (!key) {
    context.say(listed);
    if (!(await confirm('Acknowledge these, as seen and not as written by you?'))) {
      context.say('Nothing was acknowledged.');
      return true;
    }
  }
  let proof = '';
  for (let at = 0; at < rows.length; at += FILES_PER_REQUEST)
    proof = await acknowledgeFiles(
      context,
      key,
      view.root,
      rows.slice(at, at + FILES_PER_REQUEST).map(({ path, after_sha256 }) => ({ path, after_sha256 })),
      reason,
    );
  show(
    context,
    { acknowledged: rows.length, proof },
    `Acknowledged: ${rows.length} ${rows.length === 1 ? 'change' : 'changes'} (proof: ${proof}).`,
  );
  return true;
}

async function acknowledgeFiles(
  { cwd, client, digest }: CommandContext,
  key: Signer | null,
  root: string,
  files: readonly { readonly path: string; readonly after_sha256: string | null }[],
  reason: string | undefined,
): Promise<string> {
  const sign = key && { signer: key, known: { root, files_sha256: await digest(files) } };
  return (await client.act('acknowledge', { cwd, files: [...files], ...(reason === undefined ? {} : { reason }) }, { sign })).proof;
}

const rowLine = ({ path, before_sha256, after_sha256, attribution, paused }: UntrackedRow): string => {
  const change = before_sha256 === null ? 'new' : after_sha256 === null ? 'removed' : 'changed';
  return `  ${change.padEnd(8)} ${visible(path)}  (${attribution}${paused ? ', while paused' : ''})`;
};
