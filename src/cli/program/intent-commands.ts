// Commands about what agents may change: intents.

import * as commands from '../commands.ts';
import { INTENT_TEMPLATES, withTemplate } from '../intent-templates.ts';
import { type CommandLine, collect, ONLY_TEXT } from './command-line.ts';

const edits = () => import('../edit-commands.ts');

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
    .description('list the intents of this workspace')
    .option('--all', 'of every workspace')
    .action(async ({ all = false }: { all?: boolean }) => commands.intents(await connected(), all));
  for (const verb of commands.INTENT_VERBS) {
    intents
      .command(verb)
      .description(`make an intent ${commands.STATUS_OF[verb]}`)
      .argument('<id>')
      .action(async (id: string) => commands.changeIntent(await connected(), verb, id));
  }

  intents
    .command('confirm')
    .description('accept an edit of the intents file')
    .argument('<id>')
    .option(...ONLY_TEXT)
    .action(async (id: string, { text }: { text?: string }) => (await edits()).confirmEdit(await connected(), id, text));
  intents
    .command('discard')
    .description('reject an edit of the intents file, and restore the file')
    .argument('<id>')
    .action(async (id: string) => (await edits()).discardEdit(await connected(), id));
}
