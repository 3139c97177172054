// Commands about the daemon itself, and where it can be seen.

import { daemonClient } from '../../client/node.ts';
import * as commands from '../commands.ts';
import { type CommandLine, OF_ALL } from './command-line.ts';

export function addDaemonCommands({ program, options, home, connected, print, startInForeground }: CommandLine): void {
  program
    .command('start')
    .description('start the daemon, if it is not running')
    .option('--foreground', 'run until Ctrl-C and print what happens')
    .option('--workspace <dir>', 'the folder to work in (with --foreground)')
    .option('--sample', 'work in a copy of the sample workspace (with --foreground)')
    .option('--quiet', 'say nothing')
    .action(async ({ foreground, workspace, quiet }: { foreground?: boolean; workspace?: string; quiet?: boolean }) => {
      if (foreground) {
        return startInForeground({
          home: home(),
          client: daemonClient(home().socket),
          workspace: workspace === undefined ? null : (await import('node:path')).resolve(workspace),
          print,
        });
      }
      const context = await connected();
      // Any request starts it.
      await (quiet ? context.client.ask('status', {}) : commands.status(context));
    });
  program
    .command('stop')
    .description('stop the daemon')
    .action(async () => {
      if (await daemonClient(home().socket).isAlive()) return commands.stop(await connected());
      print(options().json ? JSON.stringify({ stopped: false }, null, 2) : 'No daemon is running.');
    });
  program
    .command('reindex')
    .description('rebuild the index of the ledger from the ledger alone')
    .action(async () => commands.reindex(await connected()));
}

export function addStatusCommands({ program, home, connected }: CommandLine): void {
  program
    .command('status')
    .description('show the daemon, this workspace and what waits')
    .option(...OF_ALL)
    .action(async ({ all = false }: { all?: boolean }) => commands.status(await connected(), all));
  program
    .command('open')
    .description('open the page in a browser, and print a one-time login link for it')
    .option('--no-browser', 'only print the link')
    .action(async ({ browser }: { browser: boolean }) => commands.open(await connected(), browser ? home().loginPage : null));
}
