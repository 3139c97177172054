// Break-glass and acknowledgement, as calls of the daemon.

import { type ReconciliationView, statements, type UntrackedRow } from '../../protocol/index.ts';
import type { CommandContext, Signer } from './command-context.ts';
import { show } from './command-context.ts';
import { approvalLine, visible } from './terminal-text.ts';

export async function pause(context: CommandContext, seconds: number, reason: string): Promise<void> {
  const { cwd, client } = context;
  const key = await context.unlock(`The gate in ${visible(cwd)} stops no new call for ${seconds / 60} minutes: ${visible(reason)}`);
  const paused = (await client.act('/api/pause', (challenge) => ({
    ...{ cwd, seconds, reason },
    ...(key ? { signed: key.sign(statements.pause(cwd, seconds, reason), challenge) } : {}),
  }))) as { until: string; proof: string; waiting: readonly string[] };
  const waiting = paused.waiting.length === 0 ? '' : await waitingText(context, paused.waiting);
  show(
    context,
    paused,
    `Paused until ${paused.until} (proof: ${paused.proof}). Every new call passes and is recorded as paused. End it with: countersign pause --end${waiting}`,
  );
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

interface Ended {
  readonly ended?: boolean;
  readonly restored?: readonly string[];
  readonly left?: readonly string[];
}

export async function endPause(context: CommandContext): Promise<void> {
  const ended = (await context.client.act('/api/pause/end', { cwd: context.cwd })) as Ended;
  show(context, ended, endText(ended));
}

function endText({ ended, restored, left }: Ended): string {
  if (!restored) return ended ? 'The pause has ended: verdicts count again.' : 'Nothing is paused here.';
  return [
    restored.length > 0
      ? `The hooks are back: ${restored.join(', ')}. They count from the next session on.`
      : 'The hooks were back already.',
    ...(left && left.length > 0 ? [`Not put back: ${left.join(', ')}. Run countersign init.`] : []),
  ].join('\n');
}

/** One request carries so many. */
const AT_ONCE = 200;

/** Tells whether there was anything to sign for. `wants`: which of the changes. */
export async function acknowledge(
  context: CommandContext,
  wants: (view: ReconciliationView) => readonly UntrackedRow[],
  confirm: (question: string) => Promise<boolean>,
): Promise<boolean> {
  const { cwd, client } = context;
  const view = await client.ask('reconciliation', { cwd });
  const rows = wants(view).filter(({ acknowledged }) => acknowledged === undefined);
  if (rows.length === 0) {
    show(context, { acknowledged: 0 }, 'There is no change without a receipt to acknowledge.');
    return false;
  }
  const listed = [`In ${visible(view.root)} no receipt explains:`, ...rows.map(line)].join('\n');
  const key = await context.unlock(`${listed}\nYou sign that you have seen these changes, not that you wrote them.`);
  if (!key) {
    context.say(listed);
    if (!(await confirm('Acknowledge these, as seen and not as written by you?'))) {
      context.say('Nothing was acknowledged.');
      return true;
    }
  }
  let proof = '';
  for (let at = 0; at < rows.length; at += AT_ONCE)
    proof = await send(
      context,
      key,
      view.root,
      rows.slice(at, at + AT_ONCE).map(({ path, after_sha256 }) => ({ path, after_sha256 })),
    );
  show(
    context,
    { acknowledged: rows.length, proof },
    `Acknowledged: ${rows.length} ${rows.length === 1 ? 'change' : 'changes'} (proof: ${proof}).`,
  );
  return true;
}

async function send(
  { cwd, client, digest }: CommandContext,
  key: Signer | null,
  root: string,
  files: readonly { readonly path: string; readonly after_sha256: string | null }[],
): Promise<string> {
  const done = (await client.act('/api/acknowledgements', (challenge) => ({
    ...{ cwd, files },
    ...(key ? { signed: key.sign(statements.ack(root, digest(files)), challenge) } : {}),
  }))) as { proof: string };
  return done.proof;
}

const line = ({ path, before_sha256, after_sha256, attribution, paused }: UntrackedRow): string => {
  const change = before_sha256 === null ? 'new' : after_sha256 === null ? 'removed' : 'changed';
  return `  ${change.padEnd(8)} ${visible(path)}  (${attribution}${paused ? ', while paused' : ''})`;
};
