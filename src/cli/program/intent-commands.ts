// Commands about what agents may do: intents, questions, grants, modes, tasks.

import * as commands from '../commands.ts';
import { confirmEdit, confirmSettings, discardEdit } from '../edit-commands.ts';
import { endGrant, grantLike, grants } from '../grant-commands.ts';
import { commandRules, decideRule } from '../rule-commands.ts';
import * as modes from '../mode-commands.ts';
import * as tasks from '../task-commands.ts';
import { INTENT_TEMPLATES, withTemplate } from '../intent-templates.ts';
import { type CommandLine, collect } from './command-line.ts';

export function addIntentCommands({ program, connected }: CommandLine): void {
  program
    .command('intent')
    .description('grant work: what should change, and where (a folder means all of it)')
    .argument('<title>')
    .argument('<paths...>')
    .option('--constraint <text>', 'what must hold (repeatable)', collect, [])
    .option('--criterion <text>', 'when it is done (repeatable)', collect, [])
    .option('--template <name>', `constraints and criteria of a kind of work: ${Object.keys(INTENT_TEMPLATES).join(', ')}`)
    .action(async (title: string, paths: string[], more: { constraint: string[]; criterion: string[]; template?: string }) =>
      commands.declareIntent(await connected(), title, paths, withTemplate(more)),
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

  const onlyText = ['--text <digest>', 'only this text, by what countersign status calls it'] as const;
  intents
    .command('confirm')
    .description('take over what was edited in the intents file')
    .argument('<id>')
    .option(...onlyText)
    .action(async (id: string, { text }: { text?: string }) => confirmEdit(await connected(), id, text));
  intents
    .command('discard')
    .description('keep what holds, and make the intents file say it again')
    .argument('<id>')
    .action(async (id: string) => discardEdit(await connected(), id));

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
    .option('--grant <pattern>', 'also let commands that fit pass without a question, for this intent; * stands for any text')
    .option('--for <time>', 'how long the grant lasts: 30m, 2h, 1d', '1h')
    .action(async (id: string, { answer, grant, for: time }: { answer?: string; grant?: string; for: string }) =>
      grant === undefined ? commands.approve(await connected(), id, answer) : grantLike(await connected(), id, grant, time),
    );
  program
    .command('reject')
    .description('say no; the agent gets the reason')
    .argument('<id>')
    .option('--reason <text>')
    .action(async (id: string, { reason }: { reason?: string }) => commands.reject(await connected(), id, reason));

  program
    .command('grants')
    .description('what passes without a question, until when')
    .option('--all', 'ended ones too')
    .action(async ({ all = false }: { all?: boolean }) => grants(await connected(), all))
    .command('end')
    .description('take a grant back')
    .argument('<id>')
    .action(async (id: string) => endGrant(await connected(), id));

  const rules = program
    .command('rules')
    .description('commands that an import proposed to allow here, and those that you allowed')
    .option('--all', 'ended ones too')
    .action(async ({ all = false }: { all?: boolean }) => commandRules(await connected(), all));
  for (const [name, state, says] of [
    ['allow', 'active', 'put a proposed rule in force'],
    ['end', 'ended', 'take a rule back, or turn a proposed one down'],
  ] as const)
    rules
      .command(name)
      .description(says)
      .argument('<id>')
      .action(async (id: string) => decideRule(await connected(), id, state));

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

  mode
    .command('confirm')
    .description("take over a lower pin or minimum that stands in the settings' files")
    .option(...onlyText)
    .action(async ({ text }: { text?: string }) => confirmSettings(await connected(), text));

  program
    .command('tasks')
    .description('the tasks of this work tree, from tinyTasks.md')
    .action(async () => tasks.tasks(await connected()))
    .command('confirm')
    .description('say that you have read the open tasks and want them done')
    .option(...forIntent)
    .action(async ({ intent }: { intent?: string }) => tasks.confirmTasks(await connected(), intent));
}
