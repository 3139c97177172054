// Commands that put things right: pausing the gate, also without a daemon; finding and acknowledging changes that no receipt explains; undo.

import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { daemonClient } from '../../client/node.ts';
import { acknowledge, endPause, pause, showPause } from '../gap-commands.ts';
import { localTime } from '../local-time.ts';
import { secondsOf } from '../grant-commands.ts';
import type { ReconciliationView } from '../../protocol/index.ts';
import { CODES, Fault, visible } from '../../protocol/plain.ts';
import { type CommandLine, locatedHere } from './command-line.ts';

const MAX_PAUSE_SECONDS = 8 * 3600;

export function addGapCommands(line: CommandLine): void {
  const { program, connected, home } = line;
  program
    .command('pause')
    .description('suspend enforcement for a limited time (recorded); works without a daemon too')
    .option('--for <time>', 'how long: 30m, 2h; at most 8h')
    .option('--reason <text>', 'why')
    .option('--end', 'end the pause, and restore hooks that were removed')
    .action(async ({ for: time, reason, end = false }: { for?: string; reason?: string; end?: boolean }) => {
      if (end)
        return orWithoutDaemon(
          line,
          async () => endPause(await connected()),
          () => endAlone(line),
        );
      if (time === undefined && reason === undefined && (await connected().then(showPause, () => false))) return;
      if (time === undefined || !reason?.trim())
        throw new Fault('BAD_REQUEST', 'pause needs a time and a reason.', { fix: 'countersign pause --for 30m --reason "…"' });
      const seconds = secondsOf(time, MAX_PAUSE_SECONDS, 'eight hours');
      return orWithoutDaemon(
        line,
        async () => pause(await connected(), seconds, reason.trim()),
        () => pauseWithoutDaemon(line, seconds, reason.trim()),
      );
    });

  program
    .command('ack')
    .description('acknowledge changes made outside the gate')
    .argument('[paths...]', 'files or folders')
    .option('--all', 'every such change of this work tree')
    .option('--reason <text>', 'why; recorded, and shown by blame')
    .action(async (paths: string[], { all = false, reason }: { all?: boolean; reason?: string }) => {
      if (all === paths.length > 0)
        throw new Fault('BAD_REQUEST', 'ack takes paths, or --all.', { fix: 'countersign reconcile lists the changes' });
      const { confirm } = await import('../../install/confirm.ts');
      const wants = (view: ReconciliationView) => view.unexplained.filter(({ path: file }) => all || isNamed(view.root, file, paths));
      const fix = 'Run it in a terminal of your own';
      if (reason?.trim() === '') throw new Fault('BAD_REQUEST', 'The reason is empty.', { fix: 'countersign ack FILE --reason "…"' });
      await acknowledge(await connected(), wants, reason?.trim(), (question) => confirm(question, fix));
    });

  program
    .command('reconcile')
    .description('compare the work tree with the receipts; exit code 1 if an agent changed something outside the gate')
    .option('--before-commit', 'as a git hook does: reads the staged paths from standard input, prints, and never fails')
    .action(async ({ beforeCommit = false }: { beforeCommit?: boolean }) => {
      const { reconcile, reconcileBeforeCommit } = await import('../reconcile-command.ts');
      if (!beforeCommit) return void ((await reconcile(await connected())) || (process.exitCode = 1));
      const staged = new Set((await text(process.stdin)).split('\0'));
      const client = daemonClient(home().socket);
      if (await client.isAlive()) await reconcileBeforeCommit(await connected(), staged);
    });
  program
    .command('undo')
    .description('undo the file changes of an action, a turn, a session or an intent; shows them first')
    .argument('<what>', 'act_…, turn, session or intent')
    .argument('[id]', "the session's or the intent's id; without it, the newest session")
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show what would be done')
    .action(async (what: string, id: string | undefined, { yes = false, dryRun = false }: { yes?: boolean; dryRun?: boolean }) => {
      const [{ confirm }, { undo }] = await Promise.all([import('../../install/confirm.ts'), import('../undo-command.ts')]);
      const fix = 'Run it in a terminal, or with --yes after reading countersign undo … --dry-run';
      await undo(await connected(), what, id, { yes, dryRun, confirm: (question) => confirm(question, fix) });
    });
}

function isNamed(root: string, file: string, paths: readonly string[]): boolean {
  const absolute = path.join(root, file);
  return paths.some((given) => {
    const named = path.resolve(given);
    return absolute === named || absolute.startsWith(`${named}/`) || named === root;
  });
}

async function orWithoutDaemon({ say }: CommandLine, work: () => Promise<void>, otherwise: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Fault) || CODES[error.code].exit !== 3) throw error;
    say(error.message);
    await otherwise();
  }
}

async function pauseWithoutDaemon({ home, options, print, say }: CommandLine, seconds: number, reason: string): Promise<void> {
  const [{ demandTerminal, removeHooks }, { confirm }] = await Promise.all([
    import('../../install/break-glass.ts'),
    import('../../install/confirm.ts'),
  ]);
  demandTerminal('pause');
  const { root } = await locatedHere();
  const question = `The daemon is not running and cannot be started. Take the hooks out of ${root} for ${seconds / 60} minutes, so that agents go on without the gate?`;
  if (!(await confirm(question, 'Run it in a terminal of your own'))) return say('Nothing was changed.');
  const from = new Date();
  const until = new Date(from.getTime() + seconds * 1000).toISOString();
  const files = await removeHooks(home().dir, { root, userHome: os.homedir() }, { from: from.toISOString(), until, reason });
  print(
    options().json
      ? JSON.stringify({ paused: 'without a daemon', until, files }, null, 2)
      : [
          files.length > 0 ? `Taken out of ${files.map((file) => visible(file)).join(', ')}.` : 'No hooks were wired here.',
          `This is not on the record yet: an unsigned note in ${home().dir} says so, and the next daemon puts it on the record as a gap.`,
          `The hooks come back with countersign pause --end, or when a daemon runs after ${localTime(until)}.`,
        ].join('\n'),
  );
}

async function endAlone({ home, options, print }: CommandLine): Promise<void> {
  const { endWithoutDaemon } = await import('../../install/break-glass.ts');
  const { root } = await locatedHere();
  const done = await endWithoutDaemon(home().dir, { root, userHome: os.homedir() });
  const words = done.restored.length > 0 ? `The hooks are back: ${done.restored.join(', ')}.` : 'No hooks were taken out here.';
  const left = done.left.length > 0 ? `\nNot put back: ${done.left.join(', ')}. Run countersign init.` : '';
  print(options().json ? JSON.stringify(done, null, 2) : `${words}${left} The next daemon puts the gap on the record.`);
}
