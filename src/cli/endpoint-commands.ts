// Where models are, for people: add, test, list, remove. A key comes from the environment or from standard input, never from an argument: other
// processes can read arguments.

import { text as readAll } from 'node:stream/consumers';
import { type EndpointRow, PATH_ID, ProviderName } from '../protocol/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { table } from './table.ts';
import { paint } from './terminal-text.ts';

export interface EndpointOptions {
  readonly provider: string;
  readonly model: string;
  readonly url?: string;
  readonly keyEnv?: string;
  readonly keyStdin?: boolean;
}

export const NO_ENDPOINTS = [
  'No model is set up. One on this machine:',
  '  countersign endpoints add local --provider lmstudio --model NAME     (or ollama, llamacpp, vllm)',
  'One on the internet:',
  '  countersign endpoints add cloud --provider anthropic --model NAME --key-env ANTHROPIC_API_KEY',
  'Without a model, ask, chat and canon index cannot answer; everything else works.',
].join('\n');

export async function addEndpoint(context: CommandContext, id: string, options: EndpointOptions): Promise<void> {
  const { data: provider } = ProviderName.safeParse(options.provider);
  if (provider === undefined)
    throw new Fault('BAD_REQUEST', `${visible(options.provider)} is not a provider.`, {
      fix: `Name one of: ${ProviderName.options.join(', ')}`,
    });
  const { url: address = null, model } = options;
  if (!PATH_ID.test(id))
    throw new Fault('BAD_REQUEST', `${visible(id)} cannot be the name of an endpoint.`, {
      fix: 'Use letters, digits, dots, underscores and hyphens, beginning with a letter or digit',
    });
  if (address !== null && !URL.canParse(address))
    throw new Fault('BAD_REQUEST', `${visible(address)} is not an address.`, { fix: 'Name one such as http://127.0.0.1:1234/v1' });
  const row = await context.client.act('add_endpoint', { cwd: context.cwd, id, provider, model, address, key: await keyIn(options) });
  show(context, row, `${endpointText(row)}\nTry it: countersign endpoints test ${row.id}`);
}

async function keyIn({ keyEnv, keyStdin = false }: EndpointOptions): Promise<string | null> {
  if (keyEnv !== undefined) {
    const key = process.env[keyEnv];
    if (key) return key;
    throw new Fault('BAD_REQUEST', `The variable ${visible(keyEnv)} is not set.`, { fix: `export ${visible(keyEnv)}=… and run it again` });
  }
  if (!keyStdin) return null;
  const key = (await readAll(process.stdin)).trim();
  if (key !== '') return key;
  throw new Fault('BAD_REQUEST', 'There is no key on standard input.', { fix: 'pass show KEY | countersign endpoints add … --key-stdin' });
}

export async function listEndpoints(context: CommandContext): Promise<void> {
  const rows = await context.client.ask('endpoints', {});
  const cells = (row: EndpointRow) => [
    `${row.id}${row.is_default ? ' *' : ''}`,
    row.provider,
    visible(row.model),
    visible(row.host),
    row.network,
    row.has_key ? 'yes' : 'no',
    row.state === 'waiting' ? paint('yellow', 'waits for you') : row.report ? visible(row.report.good_for) : 'not tested',
  ];
  const header = ['ID', 'PROVIDER', 'MODEL', 'HOST', 'WHERE', 'KEY', 'GOOD FOR'];
  show(context, rows, rows.length === 0 ? NO_ENDPOINTS : `${table(header, rows.map(cells))}\n* is used where nothing else is said.`);
}

export async function testEndpoint(context: CommandContext, id: string): Promise<boolean> {
  const known = (await context.client.ask('endpoints', {})).map((row) => row.id);
  if (known.includes(id)) context.say('Asking the model seven short questions; a small machine takes minutes.');
  const report = await context.client.act('test_endpoint', { id }, { follow: { signal: context.signal, onProgress: () => {} } });
  const { answers, json_schema, context_words, tool_call, evidence, good_for, troubles, tokens } = report;
  const yes = (value: boolean) => (value ? paint('green', 'yes') : paint('red', 'no'));
  show(
    context,
    report,
    [
      `answers               ${yes(answers)}`,
      `holds to a schema     ${json_schema === 'unknown' ? 'unknown' : yes(json_schema === 'yes')}`,
      `calls a tool          ${yes(tool_call)}`,
      `finds words back      ${context_words === 0 ? paint('red', 'no') : `after ${context_words} words`}`,
      `quotes its evidence   ${yes(evidence)}`,
      `tokens used           ${tokens.input} in, ${tokens.output} out`,
      ...troubles.map((trouble) => paint('yellow', visible(trouble))),
      good_for,
    ].join('\n'),
  );
  return answers;
}

export async function confirmEndpoint(context: CommandContext, id: string): Promise<void> {
  const row = await context.client.act('confirm_endpoint', { id });
  show(context, row, `${endpointText(row)}\nIts questions and the texts that its tools read are sent there from now on.`);
}

export async function removeEndpoint(context: CommandContext, id: string): Promise<void> {
  await context.client.act('remove_endpoint', { id });
  show(context, { removed: id }, `${visible(id)} is removed, its key too.`);
}

const WHERE = { loopback: 'on this machine', local: 'in the local network', public: 'on the internet' } as const;

const endpointText = ({ id, provider, model, host, network, has_key }: EndpointRow): string =>
  `${paint('bold', id)}  ${provider}, model ${visible(model)} at ${visible(host)}, ${WHERE[network]}${has_key ? ', with a key for this host' : ''}`;
