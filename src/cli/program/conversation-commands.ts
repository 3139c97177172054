// Commands about models: ask them, set them up, and keep what came of it.

import { InvalidArgumentError } from 'commander';
import type { AskOptions } from '../chat-commands.ts';
import type { EndpointOptions } from '../endpoint-commands.ts';
import type { IssueFilters, OpenOptions } from '../issue-commands.ts';
import { type CommandLine, collect } from './command-line.ts';

const chats = () => import('../chat-commands.ts');
const endpoints = () => import('../endpoint-commands.ts');
const issues = () => import('../issue-commands.ts');

const oneOf =
  <T extends string>(...values: readonly T[]) =>
  (text: string): T => {
    const found = values.find((value) => value === text);
    if (found === undefined) throw new InvalidArgumentError(`one of ${values.join(', ')}`);
    return found;
  };
const priority = oneOf('low', 'normal', 'high', 'urgent');
const level = (text: string): number => Number(oneOf('1', '2', '3', '4', '5')(text));

export function addConversationCommands({ program, connected }: CommandLine): void {
  program
    .command('ask')
    .description('ask a question about the files here; the answer is shown only if its quotes are really in them')
    .argument('<question...>')
    .option('--agent <id>', 'who answers (default: chief)')
    .option('--endpoint <id>', 'which model answers')
    .option('--tool <id>', 'a tool that may be used; without it, all (repeatable)', collect, [])
    .option('--require-tool', 'the first step has to be a tool call')
    .action(async (words: string[], options: AskOptions) => {
      if (!(await (await chats()).ask(await connected(), words.join(' '), options))) process.exitCode = 1;
    });
  program
    .command('chat')
    .description('a conversation with an agent about the files here, with checked evidence')
    .option('--agent <id>', 'who answers (default: chief)')
    .option('--endpoint <id>', 'which model answers')
    .action(async (options: AskOptions) => (await chats()).chat(await connected(), process.stdin, options));

  const where = program.command('endpoints').description('manage the models that answer questions');
  where
    .command('add')
    .description('name a model, or change one; its key stays with the daemon')
    .argument('<id>')
    .requiredOption('--provider <name>', 'lmstudio, ollama, llamacpp, vllm, openai-compatible, openai, anthropic or google')
    .requiredOption('--model <name>', 'as the provider calls it')
    .option('--url <address>', 'where it is; without it, where the provider usually is')
    .option('--key-env <variable>', 'the variable that holds the key')
    .option('--key-stdin', 'the key is on standard input')
    .action(async (id: string, options: EndpointOptions) => (await endpoints()).addEndpoint(await connected(), id, options));
  where
    .command('list', { isDefault: true })
    .description('list them')
    .action(async () => (await endpoints()).listEndpoints(await connected()));
  where
    .command('test')
    .description('find out what the model is good for')
    .argument('<id>')
    .action(async (id: string) => {
      if (!(await (await endpoints()).testEndpoint(await connected(), id))) process.exitCode = 1;
    });
  where
    .command('confirm')
    .description('allow a host that was only proposed')
    .argument('<id>')
    .action(async (id: string) => (await endpoints()).confirmEndpoint(await connected(), id));
  where
    .command('remove')
    .description('remove one and its key')
    .argument('<id>')
    .action(async (id: string) => (await endpoints()).removeEndpoint(await connected(), id));

  const kept = program.command('issues').description('manage the issues of this workspace');
  kept
    .command('list', { isDefault: true })
    .description('list them, newest first')
    .option('--tag <tag>', 'with this tag (repeatable)', collect, [])
    .option('--assigned <agent>', 'for this agent')
    .option('--status <status>', 'open, closed or all (default: open)', oneOf('open', 'closed', 'all'))
    .option('--priority <priority>', 'low, normal, high or urgent', priority)
    .option('--personal-tag <tag>', 'that an agent marked so (repeatable)', collect, [])
    .option('--personal-agent <agent>', "only this agent's marks count")
    .option('--exclude-personal-tag <tag>', 'that no agent marked so (repeatable)', collect, [])
    .option('--min-interest <level>', 'that matter at least this much to an agent, 1 to 5', level)
    .action(async (filters: IssueFilters) => (await issues()).listIssues(await connected(), filters));
  kept
    .command('show')
    .description('show one')
    .argument('<id>')
    .action(async (id: string) => (await issues()).showIssue(await connected(), id));
  kept
    .command('open')
    .description('open a new one')
    .argument('<title>')
    .option('--body <text>', 'what it is about')
    .option('--tag <tag>', 'a tag (repeatable)', collect, [])
    .option('--assign <agent>', 'for this agent')
    .option('--priority <priority>', 'low, normal, high or urgent', priority)
    .action(async (title: string, options: OpenOptions) => (await issues()).openIssue(await connected(), title, options));
  kept
    .command('close')
    .description('close one')
    .argument('<id>')
    .action(async (id: string) => (await issues()).closeIssue(await connected(), id));
  kept
    .command('link')
    .description('link the receipts of a session to an issue')
    .argument('<id>')
    .argument('<session>')
    .action(async (id: string, session: string) => (await issues()).linkIssue(await connected(), id, session));
}
