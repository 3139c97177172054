// cli: the command line: arguments, output, exit codes. `program/` adds the commands by theme; what a command does is in a file beside this.
// Invariant: a command only asks the daemon or the files that a human may read; it decides nothing.
// Refuses: to load what a command does not need.

import { Command, CommanderError } from 'commander';
import { daemonClient, ensureDaemon, type Home, homeOf, VERSION } from '../client/node.ts';
import { Fault } from '../protocol/plain.ts';
import type { CommandContext } from './command-context.ts';
import type { CommandLine, GlobalOptions } from './program/command-line.ts';

interface CommandGroup {
  /** The commands that it adds. */
  readonly names: readonly string[];
  readonly load: () => Promise<(line: CommandLine) => void>;
}

/** In the order of the help. */
export const COMMAND_GROUPS: readonly CommandGroup[] = [
  { names: ['start', 'stop', 'status', 'open'], load: async () => (await import('./program/daemon-commands.ts')).addDaemonCommands },
  { names: ['init', 'doctor', 'stats', 'import'], load: async () => (await import('./program/set-up-commands.ts')).addSetUpCommands },
  { names: ['service'], load: async () => (await import('./program/service-commands.ts')).addServiceCommands },
  { names: ['intent', 'intents'], load: async () => (await import('./program/intent-commands.ts')).addIntentCommands },
  {
    names: ['approvals', 'approve', 'reject', 'grants', 'rules'],
    load: async () => (await import('./program/approval-commands.ts')).addApprovalCommands,
  },
  { names: ['mode', 'settings', 'tasks'], load: async () => (await import('./program/mode-commands.ts')).addModeCommands },
  { names: ['approver'], load: async () => (await import('./program/approver-commands.ts')).addApproverCommands },
  { names: ['pause', 'ack'], load: async () => (await import('./program/gap-commands.ts')).addGapCommands },
  { names: ['run'], load: async () => (await import('./program/run-commands.ts')).addRunCommands },
  { names: ['memory'], load: async () => (await import('./program/memory-commands.ts')).addMemoryCommands },
  {
    names: ['violations', 'verify-stamp', 'blame', 'reindex', 'reconcile', 'undo', 'receipts', 'log', 'sessions', 'show', 'verify'],
    load: async () => (await import('./program/record-commands.ts')).addRecordCommands,
  },
  {
    names: ['validate', 'explain', 'index', 'symbols', 'refs', 'search', 'outline', 'graph'],
    load: async () => (await import('./program/code-commands.ts')).addCodeCommands,
  },
  { names: ['envelope'], load: async () => (await import('./program/grounding-commands.ts')).addGroundingCommands },
];

/** Only the group of the wanted command: loading all of them takes longer than most commands do. Help needs them all. */
function groupsFor(wanted: string | undefined): readonly CommandGroup[] {
  const group = COMMAND_GROUPS.find(({ names }) => wanted !== undefined && names.includes(wanted));
  return group ? [group] : COMMAND_GROUPS;
}

/** `wanted`: the command's name, where one is given. `startInForeground`: runs the daemon in this process, until it ends. */
export async function runCli(
  argv: readonly string[],
  wanted: string | undefined,
  startInForeground: CommandLine['startInForeground'],
): Promise<void> {
  const program = new Command('countersign');
  const quit = new AbortController();
  const options = () => program.opts<GlobalOptions>();
  const home = (): Home => homeOf(options().home);
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  const say = (text: string) => void (options().json || process.stderr.write(`${text}\n`));

  const connected = async (): Promise<CommandContext> => {
    const { socket } = home();
    const client = daemonClient(socket, async () => {
      const { PROGRAM } = await import('../install/wiring/program-paths.ts');
      // For a person; a script reads what the command itself says.
      await ensureDaemon(daemonClient(socket), home(), PROGRAM, { say: (text) => void (process.stderr.isTTY && say(text)) });
    });
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
      digest: async (files) => (await import('../ledger/index.ts')).acknowledgedSha256(files),
      intentDigest: async (intent) => (await import('../ledger/index.ts')).intentSha256(intent),
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

  const line: CommandLine = { program, options, home, connected, print, say, startInForeground };
  for (const add of await Promise.all(groupsFor(wanted).map(({ load }) => load()))) add(line);

  program.command('mcp').description('serve MCP on stdio (agents start this)').option('--surface <name>', 'hooked or contract');
  program
    .command('hook')
    .description('pass a hook event to the gate (agents start this)')
    .argument('<agent>')
    .argument('<event>')
    .action(() => {
      // No output would look like success.
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
