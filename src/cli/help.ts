// The help's examples, and what a wrong call gets to read: the usage of just that command.

import type { Command, CommanderError } from 'commander';
import { Fault, visible } from '../protocol/plain.ts';
import { EXAMPLES } from './examples.ts';

/** `words`: a command and its subcommands. Of a subcommand, those of its command that call it. */
export function examplesOf(words: readonly string[]): readonly string[] {
  const all = EXAMPLES[words[0] ?? ''] ?? [];
  return words.length <= 1 ? all : all.filter((example) => `${example} `.includes(`countersign ${words.join(' ')} `));
}

export function addExamples(program: Command): void {
  for (const [words, command] of commandsIn(program)) {
    const examples = examplesOf(words);
    if (examples.length > 0) command.addHelpText('after', `\nExamples:\n${examples.map((each) => `  ${each}`).join('\n')}`);
  }
  program.addHelpText('after', '\ncountersign help COMMAND explains one, with examples.');
}

/** Every command below, with the words that call it. */
export function commandsIn(command: Command, words: readonly string[] = []): [words: readonly string[], command: Command][] {
  return command.commands.flatMap((each) => {
    const called = [...words, each.name()];
    return [[called, each] as [readonly string[], Command], ...commandsIn(each, called)];
  });
}

/** What commander found wrong, with the usage of the command that was meant. */
export function usageFault(program: Command, given: readonly string[], { code, message }: CommanderError): Fault {
  const [words, command] = meantBy(program, given);
  if (code === 'commander.help' && words.length === 0)
    return new Fault('BAD_REQUEST', 'There is no command.', { fix: program.helpInformation().trim() });
  const said = code === 'commander.help' ? `${words.join(' ')} needs one of its commands.` : message.replace(/^error: /, '');
  if (words.length === 0) return new Fault('BAD_REQUEST', said, { fix: 'countersign --help lists the commands' });
  const below = command.commands.filter((each) => each.name() !== 'help').map((each) => each.name());
  const extra = given.slice(given.indexOf(words.at(-1)!) + 1).find((word) => !word.startsWith('-'));
  const isNoSubcommand = code === 'commander.excessArguments' && below.length > 0 && command.registeredArguments.length === 0;
  const examples = examplesOf(words).slice(0, 2);
  return new Fault('BAD_REQUEST', isNoSubcommand ? `${words.join(' ')} has no command ${visible(extra ?? '')}.` : said, {
    fix: [
      `Usage: countersign ${words.join(' ')} ${command.usage()}`.trimEnd(),
      ...(below.length > 0 ? [`  ${words.join(' ')} has: ${below.join(', ')}`] : []),
      ...examples.map((each) => `  ${each}`),
      `  countersign help ${words[0]} explains it`,
    ].join('\n'),
  });
}

/** The deepest command that the words name. */
function meantBy(program: Command, given: readonly string[]): [words: readonly string[], command: Command] {
  let found: [string[], Command] = [[], program];
  for (const word of given) {
    const next = found[1].commands.find((each) => each.name() === word);
    if (next) found = [[...found[0], word], next];
  }
  return found;
}
