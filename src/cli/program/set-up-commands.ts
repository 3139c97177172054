// Commands that set a work tree up: wiring agents, checking that it works, importing existing rules.

import os from 'node:os';
import path from 'node:path';
import type { CommandContext } from '../command-context.ts';
import { daemonClient } from '../../client/node.ts';
import { CODES, Fault } from '../../protocol/plain.ts';
import { type CommandLine, collect, locatedHere } from './command-line.ts';

interface GivenToInit {
  readonly observe?: boolean;
  readonly enforce?: boolean;
  readonly shared?: boolean;
  readonly git?: boolean;
  readonly undo?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly diff?: boolean;
  readonly agent: string[];
  readonly instructions: string[];
  readonly intent?: string;
  readonly paths?: string[];
  readonly pack?: string;
}

export function addSetUpCommands(line: CommandLine): void {
  const { program, options, connected, print } = line;
  program
    .command('init')
    .description('wire the agents of this work tree to the gate; shows the change first')
    .argument('[dir]', 'with --pack: the folder')
    .option('--pack <name>', 'prose: make a folder of texts ready for grounded answers; needs no git')
    .option('--agent <name...>', 'these agents, found or not; without it, those that are found', several, [])
    .option('--observe', 'record verdicts, and block nothing')
    .option('--enforce', 'enforce verdicts again')
    .option('--shared', 'write files to commit; they do nothing on a machine without Countersign')
    .option('--git', "also look for changes without a receipt before each commit, in git's pre-commit hook")
    .option('--instructions <file>', 'also write instructions for agents without hooks into this file (repeatable)', collect, [])
    .option('--undo', 'remove it again')
    .option('--yes', 'do not ask')
    .option('--diff', 'show every line of the change, not only a summary')
    .option('--dry-run', 'only show what would be done')
    .option('--intent <title>', 'also grant agents a standing intent')
    .option('--paths <path...>', 'the paths that this intent may change')
    .action(async (dir: string | undefined, given: GivenToInit) =>
      given.pack === undefined ? runInit(line, dir, given) : runPack(line, given.pack, dir, given),
    );

  program
    .command('doctor')
    .description('check the installation, each agent and what is in force; names a fix for each problem')
    .action(async () => {
      const { doctor, doctorText } = await import('../../install/doctor.ts');
      const { json = false } = options();
      const report = await doctor({ cwd: process.cwd(), home: line.home(), userHome: os.homedir(), searchPath: process.env.PATH ?? '' });
      print(json ? JSON.stringify(report, null, 2) : doctorText(report));
      if (!report.ok) process.exitCode = 1;
    });

  program
    .command('import')
    .description(
      'import existing rules and plans: rules as pending constraints, allowed commands as proposed rules, issues as proposed intents',
    )
    .argument('[file]', 'a rules file, an export of GitHub, Jira or Linear, or a spec-kit folder')
    .option('--as <kind>', 'github, jira, linear, spec-kit or rules; by default detected from the file')
    .option('--paths <path...>', 'what the intents may change, where the text names nothing that is there')
    .option('--all', 'also finished and closed issues')
    .option('--yes', 'do not ask')
    .option('--dry-run', 'only show what would be done')
    .option('--list', 'list what was imported and waits for your approval')
    .action(
      async (
        file: string | undefined,
        { list, ...request }: { list?: boolean; as?: string; paths?: string[]; all?: boolean; yes?: boolean; dryRun?: boolean },
      ) => {
        const { importFrom, listWaiting } = await import('../import-command.ts');
        if (list) return listWaiting(await connected());
        if (file === undefined)
          throw new Fault('BAD_REQUEST', 'There is nothing to import.', { fix: 'Name a file, or see what waits: --list' });
        await importFrom(file, request, { cwd: process.cwd(), json: options().json ?? false, print, say: line.say, connected });
      },
    );
}

const several = (name: string, before: string[]): string[] => [...before, name];

async function runPack(
  { options, print }: CommandLine,
  pack: string,
  dir: string | undefined,
  { yes = false, dryRun = false }: GivenToInit,
): Promise<void> {
  if (pack !== 'prose') throw new Fault('BAD_REQUEST', `There is no pack ${pack}.`, { fix: 'countersign init --pack prose DIR' });
  const { initProse } = await import('../../install/init-prose.ts');
  await initProse({ dir: path.resolve(dir ?? '.'), yes, dryRun, json: options().json ?? false, print });
}

async function runInit(line: CommandLine, dir: string | undefined, given: GivenToInit): Promise<void> {
  if (dir !== undefined)
    throw new Fault('BAD_REQUEST', 'init works where you are; only --pack takes a folder.', { fix: `cd ${dir} && countersign init` });
  const { observe = false, enforce = false, shared = false, git = false, undo = false, yes = false, dryRun = false, diff = false } = given;
  const { agent: agents, instructions, intent: title, paths } = given;
  const intent = title === undefined && paths === undefined ? null : { title, paths };
  if (undo && intent) throw new Fault('BAD_REQUEST', '--undo grants nothing.', { fix: 'Leave --intent and --paths out' });
  if (undo && (observe || enforce || shared || agents.length > 0))
    throw new Fault('BAD_REQUEST', '--undo takes all of it out.', { fix: 'Leave the other options out' });
  if (observe && enforce) throw new Fault('BAD_REQUEST', '--observe and --enforce are opposites.', { fix: 'Give one of them' });
  if (!dryRun) await permit(line, undo);

  const { init } = await import('../../install/init.ts');
  const cwd = process.cwd();
  const { print, say, home, options, connected } = line;
  await init({
    cwd,
    home: home(),
    userHome: os.homedir(),
    xdgConfigHome: process.env.XDG_CONFIG_HOME,
    searchPath: process.env.PATH ?? '',
    agents,
    instructions,
    shared,
    git,
    undo,
    yes,
    dryRun,
    diff,
    json: options().json ?? false,
    print,
    say,
    intent,
    level: observe ? 'observing' : enforce ? 'enforcing' : null,
    hasActiveIntent: async () => {
      const { client } = await connected();
      return (await client.ask('intents', { cwd })).some(({ status }) => status === 'active');
    },
    grant: async (name, wanted) => {
      const { client } = await connected();
      return client.act('declare_intent', { cwd, name, paths: [...wanted] });
    },
    // A read-only command starts no daemon.
    isObserving: async () => (!dryRun || (await daemonClient(home().socket).isAlive())) && observing(await connected()),
    setObserving: async (wanted) => void (await (await connected()).client.act('set_observing', { cwd, observing: wanted })),
  });
}

const observing = async ({ client, cwd }: CommandContext): Promise<boolean> => (await client.ask('modes', { cwd })).observing;

/** Only a human may change an agent's hooks. Taking the gate out works with the daemon dead: hooks then deny, so no agent got this far. */
async function permit({ connected, say, home }: CommandLine, undo: boolean): Promise<void> {
  try {
    const context = await connected();
    await context.client.act('allow_init', { command: undo ? 'init --undo' : 'init' });
    // A person who sets up this tree again expects a gate.
    if (undo && (await observing(context))) await context.client.act('set_observing', { cwd: context.cwd, observing: false });
  } catch (error) {
    if (!undo || !(error instanceof Fault) || CODES[error.code].exit !== 3) throw error;
    const { leaveNote } = await import('../../install/break-glass.ts');
    const { root } = await locatedHere();
    const note = { command: 'init --undo', root, from: new Date().toISOString(), until: null, reason: '', files: [] } as const;
    await leaveNote(home().dir, { ...note, files: [] }).then(
      () => say(`${error.message} This is not on the record yet: an unsigned note says so, and the next daemon puts it on the record.`),
      () => say(`${error.message} This is not on the record.`),
    );
  }
}
