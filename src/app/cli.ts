// The command line: names, arguments, help. What a command does is in `doors/cli/commands.ts` or in a file of its own.

import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { blame } from '../doors/cli/blame-command.ts';
import type { CommandContext } from '../doors/cli/command-context.ts';
import * as commands from '../doors/cli/commands.ts';
import { daemonClient } from '../doors/cli/daemon-client.ts';
import * as memory from '../doors/cli/memory-commands.ts';
import * as modes from '../doors/cli/mode-commands.ts';
import * as stamps from '../doors/cli/stamp-commands.ts';
import * as tasks from '../doors/cli/task-commands.ts';
import { undo } from '../doors/cli/undo-command.ts';
import * as violations from '../doors/cli/violation-commands.ts';
import { CODES, Fault, type Intent } from '../protocol/index.ts';
import { type Home, homeOf } from './home.ts';
import { ensureDaemon } from './spawn-daemon.ts';
import { VERSION } from './version.ts';

interface GlobalOptions {
  readonly home?: string;
  readonly json?: boolean;
}

export async function runCli(argv: readonly string[]): Promise<void> {
  const program = new Command('countersign');
  const quit = new AbortController();
  const options = () => program.opts<GlobalOptions>();
  const home = (): Home => homeOf(options().home);
  const print = (text: string) => void process.stdout.write(`${text}\n`);
  const say = (text: string) => void (options().json || process.stderr.write(`${text}\n`));

  /** A context with a daemon that answers; started when there is none. */
  const connected = async (): Promise<CommandContext> => {
    const client = daemonClient(home().socket);
    await ensureDaemon(client, home());
    process.once('SIGINT', () => quit.abort());
    return { client, json: options().json ?? false, cwd: process.cwd(), print, say, signal: quit.signal };
  };

  /** Rewiring an agent is a human's to do. Taking the gate out works with the daemon dead: hooks then deny, so no agent got this far. */
  const permit = async (undo: boolean): Promise<void> => {
    try {
      const { client } = await connected();
      await client.act('/api/permissions', { command: undo ? 'init --undo' : 'init' });
    } catch (error) {
      if (!undo || !(error instanceof Fault) || CODES[error.code].exit !== 3) throw error;
      say(`${error.message} This is not on the record.`);
    }
  };

  program
    .description('The gate that AI agents pass before they change anything, and the signed record of what they did.')
    .version(VERSION)
    .option('--home <dir>', "the daemon's folder (default: COUNTERSIGN_HOME, or the user's data directory)")
    .option('--json', 'answers and errors as JSON on standard output')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError();

  program
    .command('start')
    .description('start the daemon, if it is not running')
    .option('--foreground', 'stay until Ctrl-C and show what happens')
    .option('--workspace <dir>', 'the folder to work in (with --foreground)')
    .option('--sample', 'work in a copy of the sample workspace (with --foreground)')
    .option('--quiet', 'say nothing')
    .action(async ({ foreground, workspace, quiet }: { foreground?: boolean; workspace?: string; quiet?: boolean }) => {
      if (foreground) {
        const { startInForeground } = await import('./start.ts');
        return startInForeground({
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

  program
    .command('init')
    .description('wire Claude Code in this work tree to the gate; shows the change first')
    .option('--undo', 'take it out again')
    .option('--yes', 'write without asking')
    .option('--dry-run', 'show only')
    .option('--intent <title>', 'also grant agents a standing intent')
    .option('--paths <path...>', 'the paths that this intent may change')
    .action(async (given: { undo?: boolean; yes?: boolean; dryRun?: boolean; intent?: string; paths?: string[] }) => {
      const { undo = false, yes = false, dryRun = false, intent: title, paths } = given;
      const intent = title === undefined && paths === undefined ? null : { title, paths };
      if (undo && intent) throw new Fault('BAD_REQUEST', '--undo grants nothing.', { fix: 'Leave --intent and --paths out' });
      if (!dryRun) await permit(undo);
      const { init } = await import('./init.ts');
      const cwd = process.cwd();
      await init({
        ...{ cwd, home: home(), undo, yes, dryRun, json: options().json ?? false, print, say, intent },
        hasActiveIntent: async () => {
          const { client } = await connected();
          return (await client.ask('intents', { cwd })).some(({ status }) => status === 'active');
        },
        grant: async (name, wanted) => {
          const { client } = await connected();
          const body = { cwd, name, paths: wanted, constraints: [], acceptance_criteria: [] };
          return (await client.act('/api/intents', body)) as Intent;
        },
      });
    });

  const collect = (value: string, before: string[]) => [...before, value];
  program
    .command('intent')
    .description('grant work: what should change, and where (a folder means all of it)')
    .argument('<title>')
    .argument('<paths...>')
    .option('--constraint <text>', 'what must hold (repeatable)', collect, [])
    .option('--criterion <text>', 'when it is done (repeatable)', collect, [])
    .action(async (title: string, paths: string[], more: { constraint: string[]; criterion: string[] }) =>
      commands.declareIntent(await connected(), title, paths, more),
    );
  const intents = program
    .command('intents')
    .description('the intents of this workspace')
    .option('--all', 'of every workspace')
    .action(async ({ all = false }: { all?: boolean }) => commands.intents(await connected(), all));
  for (const verb of commands.INTENT_VERBS) {
    intents
      .command(verb)
      .description(`make an intent ${commands.STATUS_OF[verb]}`)
      .argument('<id>')
      .action(async (id: string) => commands.changeIntent(await connected(), verb, id));
  }

  program
    .command('approvals')
    .description('what waits for you')
    .option('--all', 'answered ones too')
    .action(async ({ all = false }: { all?: boolean }) => commands.approvals(await connected(), all));
  program
    .command('approve')
    .description('let the action pass, once, for exactly its input; or answer an agent’s question')
    .argument('<id>')
    .option('--answer <text>', 'of a question: what the agent is told; of options, one of them or its number')
    .action(async (id: string, { answer }: { answer?: string }) => commands.approve(await connected(), id, answer));
  program
    .command('reject')
    .description('say no; the agent gets the reason')
    .argument('<id>')
    .option('--reason <text>')
    .action(async (id: string, { reason }: { reason?: string }) => commands.reject(await connected(), id, reason));

  const forIntent = ['--intent <id>', 'only for this intent'] as const;
  const mode = program
    .command('mode')
    .description('what agents here are held to, and where that comes from')
    .action(async () => modes.showModes(await connected()));
  mode
    .command('pin')
    .description('hold agents to observation: PASSIVE, or off')
    .argument('<mode>')
    .option(...forIntent)
    .action(async (wanted: string, { intent }: { intent?: string }) => modes.limitMode(await connected(), 'pin', wanted, intent));
  mode
    .command('min')
    .description('the least that an agent may declare, short of PASSIVE: GUARDED, STRICT, or off')
    .argument('<mode>')
    .option(...forIntent)
    .action(async (wanted: string, { intent }: { intent?: string }) => modes.limitMode(await connected(), 'min', wanted, intent));

  program
    .command('tasks')
    .description('the tasks of this work tree, from tinyTasks.md')
    .action(async () => tasks.tasks(await connected()))
    .command('confirm')
    .description('say that you have read the open tasks and want them done')
    .option(...forIntent)
    .action(async ({ intent }: { intent?: string }) => tasks.confirmTasks(await connected(), intent));

  const remembered = program.command('memory').description('what is remembered of this workspace');
  remembered
    .command('query')
    .description('what is known about something, best first')
    .argument('<words...>')
    .option('--limit <n>', 'how many', number, 10)
    .action(async (words: string[], { limit }: { limit: number }) => memory.queryMemory(await connected(), words, limit));
  remembered
    .command('recent')
    .description('what was said last')
    .option('--limit <n>', 'how many', number, 20)
    .action(async ({ limit }: { limit: number }) => memory.recentMemory(await connected(), limit));
  remembered
    .command('show')
    .description('one memory, with what speaks for it')
    .argument('<id>')
    .action(async (id: string) => memory.showMemory(await connected(), id));
  remembered
    .command('add')
    .description('remember something yourself: a fact, decision, constraint, claim or note')
    .argument('<kind>')
    .argument('<statement>')
    .option('--rationale <text>', 'why; a decision or a constraint needs it')
    .option('--cite <lines>', 'lines that say so, as PATH:START-END; a fact needs them (repeatable)', collect, [])
    .option('--scope <glob>', 'what it is about; without it, everything (repeatable)', collect, [])
    .action(async (kind: string, statement: string, more: memory.AddOptions) => memory.addMemory(await connected(), kind, statement, more));
  remembered
    .command('approve')
    .description('countersign a memory')
    .argument('<id>')
    .action(async (id: string) => memory.approveMemory(await connected(), id));
  remembered
    .command('retire')
    .description('take a memory back; the record keeps it')
    .argument('<id>')
    .requiredOption('--reason <text>')
    .action(async (id: string, { reason }: { reason: string }) => memory.retireMemory(await connected(), id, reason));
  remembered
    .command('export')
    .description('every memory as JSON Lines')
    .argument('[file]', 'a new file; without it, standard output')
    .action(async (file: string | undefined) => memory.exportMemory(await connected(), file));
  remembered
    .command('import')
    .description('take in what was exported elsewhere; evidence is looked at again here')
    .argument('<file>')
    .action(async (file: string) => memory.importMemory(await connected(), file));

  program
    .command('violations')
    .description('what agents tried and were refused, newest first')
    .option('--session <id>', 'only of this session')
    .option('--rule <rule>', 'only of this rule, such as R1 or scope')
    .option('--counts', 'counted by rule, agent and session')
    .option('--limit <n>', 'how many', number, 50)
    .action(async (wanted: violations.ViolationOptions) => violations.violations(await connected(), wanted));
  program
    .command('verify-stamp')
    .description('tell whether the compliance stamps in a text are real')
    .argument('[file]', 'without it, or with -, standard input')
    .option('--session <id>', 'the session that the text is said to come from')
    .option('--turn <turn>', 'and its turn')
    .action(async (file: string | undefined, origin: stamps.StampOptions) => {
      const text = await textOf(file ?? '-');
      if (!(await stamps.verifyStamps(await connected(), text, origin))) process.exitCode = 1;
    });

  program
    .command('blame')
    .description('who wrote each line, and for which intent; FILE:LINE tells the whole way')
    .argument('<file[:line]>')
    .action(async (place: string) => blame(await connected(), place));
  program
    .command('undo')
    .description('take back what an action, a turn, a session or an intent did to files; shows it first')
    .argument('<what>', 'act_…, turn, session or intent')
    .argument('[id]', "the session's or the intent's id; without it, the newest session")
    .option('--yes', 'do it without asking')
    .option('--dry-run', 'show only')
    .action(async (what: string, id: string | undefined, { yes = false, dryRun = false }: { yes?: boolean; dryRun?: boolean }) => {
      const { confirm } = await import('./confirm.ts');
      const nobody = 'Run it in a terminal, or with --yes after reading countersign undo … --dry-run';
      await undo(await connected(), what, id, { yes, dryRun, confirm: (question) => confirm(question, nobody) });
    });
  program
    .command('receipts')
    .description('what really happened, newest first')
    .argument('[id]')
    .option('--limit <n>', 'how many', number, 50)
    .action(async (id: string | undefined, { limit }: { limit: number }) => commands.receipts(await connected(), limit, id));
  program
    .command('log')
    .description('actions, oldest first')
    .option('--limit <n>', 'how many', number, 50)
    .option('--follow', 'go on until Ctrl-C')
    .action(async ({ limit, follow = false }: { limit: number; follow?: boolean }) => commands.log(await connected(), limit, follow));
  program
    .command('sessions')
    .description('agents that were here')
    .action(async () => commands.sessions(await connected()));

  program
    .command('verify')
    .description('check the ledger; needs only its files and the public key')
    .argument('[dir]', "the ledger's folder")
    .option('--head <file>', 'a head that you kept: finds records cut off at the end')
    .action(async (dir: string | undefined, { head }: { head?: string }) => {
      const { verify, verificationText } = await import('./verify.ts');
      const result = await verify(path.resolve(dir ?? path.join(home().dir, 'ledger')), head);
      print(options().json ? JSON.stringify(result, null, 2) : verificationText(result));
      if (!result.ok) process.exitCode = 5;
    });

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

async function textOf(file: string): Promise<string> {
  if (file === '-') return readText(process.stdin);
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new Fault('NOT_FOUND', `${file} cannot be read (${(cause as NodeJS.ErrnoException).code}).`, { cause });
  });
}

function number(text: string): number {
  if (!/^[1-9][0-9]{0,2}$|^1000$/.test(text)) throw new InvalidArgumentError('a number from 1 to 1000');
  return Number(text);
}
