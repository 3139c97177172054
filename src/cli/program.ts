// cli: the command line: arguments, output, exit codes. `program/` adds the commands by theme; what a command does is in a file beside this.
// Invariant: a command only asks the daemon or the files that a human may read; it decides nothing.
// Refuses: to load what a command does not need.

import { Command, CommanderError } from 'commander';
import { daemonClient, ensureDaemon, type Home, homeOf, VERSION } from '../client/node.ts';
import type { CommandContext } from './command-context.ts';
import { groupsFor } from './command-groups.ts';
import type { CommandLine, GlobalOptions } from './program/command-line.ts';

/** `wanted`: the command's name, where one is given. What the command line cannot do by itself is passed in. */
export async function runCli(
  argv: readonly string[],
  wanted: string | undefined,
  { startInForeground, checkPlan }: Pick<CommandLine, 'startInForeground' | 'checkPlan'>,
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

  const line: CommandLine = { program, options, home, connected, print, say, startInForeground, checkPlan };
  const groups = groupsFor(wanted);
  const adders = await Promise.all(groups.map(({ load }) => load()));
  for (const [at, add] of adders.entries()) {
    program.commandsGroup(`${groups[at]!.title}:`);
    add(line);
  }
  // A known command needs the help only when it is called wrongly.
  if (groups.length > 1) (await import('./help.ts')).addExamples(program);

  try {
    await program.parseAsync(argv);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return;
    throw (await import('./help.ts')).usageFault(program, argv.slice(2), error);
  }
}
