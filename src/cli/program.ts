// cli: the command line: arguments, output, exit codes. `program/` adds the commands by theme; what a command does is in a file beside this.
// Invariant: a command only asks the daemon or the files that a human may read; it decides nothing.
// Refuses: to load what a command does not need.

import { Command, CommanderError } from 'commander';
import path from 'node:path';
import type { CommandContext } from './command-context.ts';
import * as commands from './commands.ts';
import { type DaemonClient, daemonClient, ensureDaemon, type Home, homeOf, VERSION } from '../client/node.ts';
import { acknowledgedSha256, intentSha256 } from '../ledger/index.ts';
import { Fault } from '../protocol/index.ts';
import { addApproverCommands } from './program/approver-commands.ts';
import { addCodeCommands } from './program/code-commands.ts';
import type { CommandLine, GlobalOptions } from './program/command-line.ts';
import { addGapCommands } from './program/gap-commands.ts';
import { addIntentCommands } from './program/intent-commands.ts';
import { addMemoryCommands } from './program/memory-commands.ts';
import { addRecordCommands } from './program/record-commands.ts';
import { addServiceCommands } from './program/service-commands.ts';
import { addSetUpCommands } from './program/set-up-commands.ts';
import { PROGRAM } from '../install/wiring/program-paths.ts';

export interface ForegroundOptions {
  readonly home: Home;
  readonly client: DaemonClient;
  /** Null: the sample. */
  readonly workspace: string | null;
  readonly print: (text: string) => void;
}

/** `start`: runs the daemon in this process, until it ends. */
export async function runCli(argv: readonly string[], start: (options: ForegroundOptions) => Promise<void>): Promise<void> {
  const program = new Command('countersign');
  const quit = new AbortController();
  const options = () => program.opts<GlobalOptions>();
  const home = (): Home => homeOf(options().home);
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  const say = (text: string) => void (options().json || process.stderr.write(`${text}\n`));

  const connected = async (): Promise<CommandContext> => {
    const client = daemonClient(home().socket);
    await ensureDaemon(client, home(), PROGRAM);
    process.once('SIGINT', () => quit.abort());
    const unlock: CommandContext['unlock'] = async (shown) => (await import('./unlock-key.ts')).unlockKey(client, shown, say);
    return {
      client,
      json: options().json ?? false,
      cwd: process.cwd(),
      print,
      say,
      signal: quit.signal,
      unlock,
      digest: acknowledgedSha256,
      intentDigest: intentSha256,
    };
  };

  program
    .description('The gate that AI agents pass before they change anything, and the signed record of what they did.')
    .version(VERSION)
    .option('--home <dir>', "the daemon's folder (default: COUNTERSIGN_HOME, or the user's data directory)")
    .option('--json', 'answers and errors as JSON on standard output')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError();

  const line: CommandLine = { program, options, home, connected, print, say };
  addDaemonCommands(line, start);
  addSetUpCommands(line);
  addServiceCommands(line);
  addIntentCommands(line);
  addApproverCommands(line);
  addGapCommands(line);
  addMemoryCommands(line);
  addRecordCommands(line);
  addCodeCommands(line);

  program.command('mcp').description('serve MCP on stdio (agents start this)').option('--surface <name>', 'hooked or contract');
  program
    .command('hook')
    .description('pass a hook event to the gate (agents start this)')
    .argument('<agent>')
    .argument('<event>')
    .action(() => {
      // Silence would be taken for a yes.
      throw new Fault('BAD_REQUEST', 'hook has to be the first word.', { fix: 'countersign hook --home DIR AGENT EVENT' });
    });

  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    if (error.code === 'commander.help') throw new Fault('BAD_REQUEST', 'There is no command.', { fix: program.helpInformation().trim() });
    throw new Fault('BAD_REQUEST', error.message.replace(/^error: /, ''), {
      fix: 'countersign --help lists the commands; countersign help COMMAND explains one',
    });
  }
}

function addDaemonCommands(
  { program, options, home, connected, print }: CommandLine,
  start: (options: ForegroundOptions) => Promise<void>,
): void {
  program
    .command('start')
    .description('start the daemon, if it is not running')
    .option('--foreground', 'stay until Ctrl-C and show what happens')
    .option('--workspace <dir>', 'the folder to work in (with --foreground)')
    .option('--sample', 'work in a copy of the sample workspace (with --foreground)')
    .option('--quiet', 'say nothing')
    .action(async ({ foreground, workspace, quiet }: { foreground?: boolean; workspace?: string; quiet?: boolean }) => {
      if (foreground) {
        return start({
          home: home(),
          client: daemonClient(home().socket),
          workspace: workspace === undefined ? null : path.resolve(workspace),
          print,
        });
      }
      const context = await connected();
      if (!quiet) await commands.status(context);
    });
  program
    .command('stop')
    .description('stop the daemon')
    .action(async () => {
      if (await daemonClient(home().socket).isAlive()) return commands.stop(await connected());
      print(options().json ? JSON.stringify({ stopped: false }, null, 2) : 'No daemon is running.');
    });
  program
    .command('status')
    .description('the daemon, its workspaces, what waits')
    .action(async () => commands.status(await connected()));
  program
    .command('open')
    .description('a login link for the page, once')
    .action(async () => commands.open(await connected()));
}
