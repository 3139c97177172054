import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { beforeAll, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { COMMAND_GROUPS } from './command-groups.ts';
import { COMPLETED_SHELLS, completionFor } from './completion.ts';
import { EXAMPLES } from './examples.ts';
import { addExamples, commandsIn, examplesOf } from './help.ts';
import type { CommandLine } from './program/command-line.ts';

let program: Command;
beforeAll(async () => {
  program = new Command('countersign').option('--home <dir>').option('--json').exitOverride();
  for (const { title, load } of COMMAND_GROUPS) {
    program.commandsGroup(`${title}:`);
    (await load())({ program } as CommandLine);
  }
  for (const [, command] of commandsIn(program)) command.exitOverride().configureOutput({ writeErr: () => {} });
});

/** As a shell would, for what stands in the examples. */
function wordsOf(example: string): string[] {
  const call = /countersign ([^|)<]*)/.exec(example)?.[1] ?? '';
  return [...call.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}

verifies('N21', 'every command has two examples or more, and every example is a call that the command line accepts', async () => {
  const names = program.commands.map((command) => command.name());
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(names.toSorted());
  expect(names.filter((name) => examplesOf([name]).length < 2)).toEqual([]);
  const withoutExample = commandsIn(program).filter(([words, command]) => command.commands.length === 0 && examplesOf(words).length === 0);
  expect(withoutExample.map(([words]) => words.join(' '))).toEqual([]);

  for (const example of Object.values(EXAMPLES).flat()) {
    const words = wordsOf(example);
    if (words[0] === 'hook') continue;
    const called: string[] = [];
    for (const [path, command] of commandsIn(program)) command.action(() => void called.push(path.join(' ')));
    await program.parseAsync(words, { from: 'user' }).catch((error: Error) => expect.fail(`${example}: ${error.message}`));
    expect(`${words.join(' ')} `.startsWith(`${called[0]} `), `${example} called ${called[0]}`).toBe(true);
  }
});

test('the help has its commands under the titles of the registry, in their order', () => {
  const help = program.helpInformation();
  const titles = [...new Set(COMMAND_GROUPS.map(({ title }) => `${title}:`))];
  const places = titles.map((title) => help.indexOf(`\n${title}\n`));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places.every((place) => place > 0)).toBe(true);
});

test('the help of a command ends with its examples, that of a subcommand with its own', () => {
  addExamples(program);
  let shown = '';
  const intents = program.commands.find((command) => command.name() === 'intents')!;
  const done = intents.commands.find((command) => command.name() === 'done')!;
  done.configureOutput({ writeOut: (text) => void (shown += text) }).outputHelp();
  expect(shown.split('Examples:\n')[1]).toBe('  countersign intents done INT-001\n');
});

test('bash completes commands, subcommands and options, and leaves the rest to file names', async () => {
  const complete = async (...words: string[]) => {
    const script = `${completionFor('bash', program)}
COMP_WORDS=(countersign ${words.map((word) => `'${word}'`).join(' ')})
COMP_CWORD=${words.length}
_countersign
printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    return stdout.split('\n').filter(Boolean);
  };
  expect(await complete('appro')).toEqual(['approvals', 'approve', 'approver']);
  expect(await complete('intents', 'd')).toEqual(['done', 'discard']);
  expect(await complete('--json', 'receipts', '--s')).toEqual(['--since', '--status', '--steps']);
  expect(await complete('blame', 'src/')).toEqual([]);
});

test.each(COMPLETED_SHELLS)('the script for %s names every command', (shell) => {
  const script = completionFor(shell, program);
  expect(commandsIn(program).filter(([words]) => !words.every((word) => script.includes(word)))).toEqual([]);
});
