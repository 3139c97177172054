// Commands about what agents are held to: modes, tasks.

import { type CommandLine, ONLY_TEXT } from './command-line.ts';

const configs = () => import('../config-commands.ts');
const edits = () => import('../edit-commands.ts');
const modes = () => import('../mode-commands.ts');
const tasks = () => import('../task-commands.ts');

export function addModeCommands({ program, connected }: CommandLine): void {
  const forIntent = ['--intent <id>', 'only for this intent'] as const;
  const mode = program
    .command('mode')
    .description('show which mode agents have to use here, and where that is set')
    .action(async () => (await modes()).showModes(await connected()));
  mode
    .command('pin')
    .description('restrict agents to observation: PASSIVE, or off')
    .argument('<mode>')
    .option(...forIntent)
    .action(async (wanted: string, { intent }: { intent?: string }) => (await modes()).limitMode(await connected(), 'pin', wanted, intent));
  mode
    .command('min')
    .description('set the lowest mode that an agent may declare apart from PASSIVE: GUARDED, STRICT, or off')
    .argument('<mode>')
    .option(...forIntent)
    .action(async (wanted: string, { intent }: { intent?: string }) => (await modes()).limitMode(await connected(), 'min', wanted, intent));

  program
    .command('settings')
    .description('the settings that hold here, and edits of their files that wait for you')
    .action(async () => (await edits()).showSettings(await connected()))
    .command('confirm')
    .description("accept what the settings' files say now")
    .option(...ONLY_TEXT)
    .action(async ({ text }: { text?: string }) => (await edits()).confirmSettings(await connected(), text));

  const config = program.command('config').description('show and change the settings of this work tree');
  config
    .command('show', { isDefault: true })
    .description('the settings that hold here')
    .option('--origin', 'with the file and line that say so')
    .action(async (options: { origin?: boolean }) => (await configs()).showConfig(await connected(), options));
  config
    .command('set')
    .description('write one setting into its file; it holds at once')
    .argument('<key>', 'such as commands.network')
    .argument('<value>', 'JSON, or text')
    .option('--layer <layer>', 'base (everyone), repo (this repository) or env.local (this machine, the default)')
    .action(async (key: string, value: string, options: { layer?: string }) =>
      (await configs()).setConfig(await connected(), key, value, options),
    );

  program
    .command('tasks')
    .description('list the tasks of this work tree, from tinyTasks.md')
    .action(async () => (await tasks()).tasks(await connected()))
    .command('confirm')
    .description('confirm the open tasks')
    .option(...forIntent)
    .action(async ({ intent }: { intent?: string }) => (await tasks()).confirmTasks(await connected(), intent));
}
