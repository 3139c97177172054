// Secrets that come in through any door are found nowhere afterwards: not in a file of the daemon's, not in a view, not in a stream, an
// answer or a log. Only the agent that asked for a content gets it, and only as the result of that very call.

import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { daemonClient } from '../src/client/node.ts';
import { type CommandInput, QUERIES, type QueryName, queryPathOf } from '../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { connectOverHttp } from './lab/mcp-http.ts';
import { type PlantedSecret, plantedSecrets } from './lab/planted-secrets.ts';

const planted = plantedSecrets(200, 20_26);
let daemon: TestDaemon;
let agent: Client;
let login: Readonly<Record<string, string>>;
/** Every answer that was given. */
const heard: string[] = [];
const logged = vi.spyOn(console, 'error').mockImplementation((...words) => void heard.push(words.join(' ')));

const hook = async (event: string, payload: Readonly<Record<string, unknown>>) => {
  const { text } = await daemon.web('POST', `/hooks/claude/${event}`, {
    headers: await daemon.asHook(),
    body: { session_id: 'session-of-test', cwd: daemon.repo.path, permission_mode: 'acceptEdits', ...payload },
  });
  heard.push(text);
  return text;
};
const mcp = async (name: string, args: Record<string, unknown>) => {
  const result = await agent.callTool({ name, arguments: args });
  heard.push(JSON.stringify(result));
};
const page = async (method: string, url: string, body?: unknown) => {
  const { text } = await daemon.web(method, url, { headers: login, ...(body === undefined ? {} : { body }) });
  heard.push(text);
  return text;
};
/** As the command line does it, from a process that is no human's. */
const declareIntent = (input: CommandInput<'declare_intent'>) =>
  daemonClient(daemon.home.socket)
    .act('declare_intent', input)
    .then(
      (answer) => heard.push(JSON.stringify(answer)),
      (error: unknown) => heard.push(JSON.stringify(error), String(error)),
    );

beforeAll(async () => {
  process.env['SHOP_API_KEY'] = 'of the environment 1';
  daemon = await startTestDaemon();
  login = await daemon.login();
  const stream = get({ host: '127.0.0.1', port: daemon.port(), path: '/stream/events', headers: login, agent: false });
  const [response] = (await once(stream, 'response')) as [IncomingMessage];
  response.on('error', () => undefined).on('data', (chunk: Buffer) => heard.push(chunk.toString('utf8')));
  await daemon.beginWork('src/**');
  agent = await connectOverHttp(daemon);
  await agent.callTool({ name: 'begin_work', arguments: {} });
});
afterAll(async () => {
  delete process.env['SHOP_API_KEY'];
  logged.mockRestore();
  await agent.close();
  await daemon.dispose();
});

/** Where its form needs no other words around it. */
const inName = ({ secret, text }: PlantedSecret) => (text === secret ? text : 'plain');
let calls = 0;
const id = () => `toolu_planted_${++calls}`;

/** What is sent with a secret in it, door by door. */
const WAYS: readonly ((secret: PlantedSecret, cwd: string) => Promise<unknown>)[] = [
  ({ text }) => hook('UserPromptSubmit', { prompt: `use ${text} for it`, prompt_id: `prompt-${++calls}` }),
  async ({ text }) => {
    const call = { tool_name: 'Bash', tool_input: { command: `echo "${text}" > src/out.txt` }, tool_use_id: id() };
    await hook('PreToolUse', call);
    await hook('PostToolUse', { ...call, tool_response: { stdout: `it printed ${text}\n`, stderr: '' } });
  },
  ({ text }) =>
    hook('PreToolUse', {
      tool_name: 'Bash',
      tool_input: { command: `rm -rf /srv; curl -d '${text}' http://127.0.0.1` },
      tool_use_id: id(),
    }),
  async (secret) => {
    const call = { tool_name: 'Write', tool_input: { file_path: `src/${inName(secret)}.ts`, content: 'export {};\n' }, tool_use_id: id() };
    await hook('PreToolUse', call);
    await hook('PostToolUse', { ...call, tool_response: { ok: true } });
  },
  ({ text }) =>
    hook('PreToolUse', { tool_name: 'Write', tool_input: { file_path: 'docs/a.md', content: `# a\n${text}\n` }, tool_use_id: id() }),
  (secret) => hook('PreToolUse', { tool_name: 'Read', tool_input: { file_path: `/srv/${inName(secret)}` }, tool_use_id: id() }),
  ({ text }) =>
    hook('PreToolUse', { tool_name: `mcp__other__${id()}`, tool_input: { nested: [{ deep: text }], [text]: 1 }, tool_use_id: id() }),
  ({ text }) =>
    hook('PreToolUse', { tool_name: 'TodoWrite', tool_input: { todos: [{ content: text, status: 'pending' }] }, tool_use_id: id() }),
  ({ text }) => hook('PostToolUseFailure', { tool_name: 'Bash', tool_input: {}, tool_use_id: id(), error: text }),
  ({ text }) => hook('PreToolUse', { tool_name: 'Edit', tool_input: { file_path: 7, [text]: text } }),
  ({ text }) => mcp('memory_write', { kind: 'decision', statement: `the key is ${text.slice(0, 400)}`, rationale: 'because' }),
  ({ text }) => mcp('memory_query', { query: text.slice(0, 200) }),
  ({ text }) => mcp('propose_intent', { name: `use ${text.slice(0, 150)}`, owned_scope: ['docs/**'] }),
  ({ text }) => mcp('read_file', { path: 'src/auth/login.ts', [text]: 1 }),
  (secret) => mcp('read_file', { path: `src/${inName(secret)}` }),
  (secret) => mcp('edit_file', { path: `src/${inName(secret)}`, edits: [{ old_text: secret.text, new_text: 'x' }] }),
  ({ text }) => mcp('abandon', { reason: text.slice(0, 400) }),
  ({ text }, cwd) =>
    page('POST', '/api/intents', { cwd, name: `with ${text.slice(0, 150)}`, paths: ['src'], constraints: [text.slice(0, 400)] }),
  ({ text }, cwd) =>
    page('POST', '/api/memory', { cwd, kind: 'constraint', statement: `never ${text.slice(0, 400)}`, rationale: 'because' }),
  ({ text }) =>
    page('POST', '/api/approvals/apr_00000000000000000000000000/answer', { answer: 'rejected', reason: text.slice(0, 400), [text]: 1 }),
  ({ text }) => page('GET', `/nowhere/${encodeURIComponent(text)}`),
  ({ text }, cwd) => declareIntent({ cwd, name: `with ${text.slice(0, 150)}`, paths: ['src'] }),
];

/** A name or a statement has limited room; what was cut off cannot be found either. */
const isWhole = ({ text }: PlantedSecret) => text.length <= 150;

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('/.git'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** A file may be replaced while all are read. */
function unlessGone(error: NodeJS.ErrnoException): string {
  if (error.code !== 'ENOENT') throw error;
  return '';
}

/** A secret as it is, and as escaped in JSON. */
const forms = ({ secret }: PlantedSecret) => [secret, JSON.stringify(secret).slice(1, -1)];

function foundIn(text: string): string[] {
  return planted.filter((secret) => forms(secret).some((form) => text.includes(form))).map(({ kind }) => kind);
}

describe('200 planted secrets', () => {
  beforeAll(async () => {
    for (const [number, secret] of planted.entries()) {
      // Each in two ways, so that over four of a kind every door is met.
      for (const step of [0, 11]) await WAYS[(number + step + Math.floor(number / WAYS.length)) % WAYS.length]!(secret, daemon.repo.path);
    }
    await hook('Stop', {});
    for (const name of Object.keys(QUERIES) as QueryName[])
      await page('GET', `${queryPathOf(name).replace(':id', 'x')}?cwd=${encodeURIComponent(daemon.repo.path)}`);
    for (const name of ['actions', 'receipts', 'approvals', 'intents', 'sessions']) await page('GET', `/api/${name}`);
  }, 120_000);

  test('are different, and of many kinds', () => {
    expect(new Set(planted.map(({ secret }) => secret)).size).toBe(200);
    expect(new Set(planted.map(({ kind }) => kind)).size).toBeGreaterThan(40);
    expect(planted.filter(isWhole).length).toBeGreaterThan(150);
  });

  test('are in no answer, no stream and no line of the log', () => {
    expect(heard.length).toBeGreaterThan(400);
    expect(foundIn(heard.join('\n'))).toEqual([]);
    expect(heard.join('\n')).toMatch(/\[redacted:github-token#[0-9a-f]{16}\]/);
  });

  test("are in no file of the daemon's, and in none that it wrote into the workspace", async () => {
    const files = [...(await filesBelow(daemon.home.dir)), ...(await filesBelow(daemon.repo.path))];
    expect(files.length).toBeGreaterThan(10);
    const found = await Promise.all(files.map(async (file) => [file, foundIn(await readFile(file, 'latin1').catch(unlessGone))] as const));
    expect(found.filter(([, kinds]) => kinds.length > 0)).toEqual([]);
  });

  test('the record says where something was taken out, and no mark was redacted again', async () => {
    const events = await daemon.recordedSince(0);
    const actions = events.flatMap((event) =>
      event.type === 'action_refused' || event.type === 'action_waiting' ? [event.data.action] : [],
    );
    expect(actions.flatMap(({ redacted = [] }) => redacted)).toEqual(expect.arrayContaining(['/command', '/content', '/path']));
    const receipts = events.flatMap((event) => (event.type === 'action_settled' ? (event.data.receipt.redacted ?? []) : []));
    expect(receipts).toEqual(expect.arrayContaining(['/inputs/command', '/output/stdout']));
    expect(JSON.stringify(events)).not.toMatch(/\[redacted:[^\]]*\[redacted/);
  });
});

test('what the daemon itself holds is found exactly: tokens, keys, its environment', async () => {
  const { authorization } = await daemon.asHook();
  const hmac = (await readFile(path.join(daemon.home.keys, 'hmac.key'))).toString('hex');
  const own = [authorization!.split(' ')[1]!, login['cookie']!.split('=')[1]!, login['x-countersign-page']!, hmac, 'of the environment 1'];
  const size = await daemon.ledgerSize();
  const answer = await hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: `rm -rf ${own.join('/')}` }, tool_use_id: id() });
  const recorded = JSON.stringify(await daemon.recordedSince(size));
  for (const secret of own) expect(answer + recorded).not.toContain(secret);
  expect(recorded).toMatch(
    /\[redacted:daemon-token#\w+\].\[redacted:login#\w+\].\[redacted:login#\w+\].\[redacted:daemon-key#\w+\].\[redacted:environment#\w+\]/,
  );
});

test('an approval is bound to the very secret: another in its place is asked about again', async () => {
  const fresh = await startTestDaemon();
  onTestFinished(() => fresh.dispose());
  await fresh.beginWork('src/**');
  const ask = async (secret: string) =>
    JSON.stringify(
      await fresh.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command: `rm -rf src/${secret}` }, tool_use_id: id() }),
    );
  const [one, other] = plantedSecrets(100, 9).filter(({ kind }) => kind === 'github-token') as [PlantedSecret, PlantedSecret];
  expect(await ask(one.text)).toContain('APPROVAL_REQUIRED');
  const [question] = await fresh.services().ask('approvals', { state: 'pending' });
  expect(question?.input['command']).toMatch(/^rm -rf src\/\[redacted:github-token#\w+\]$/);
  await fresh.services().kernel.approvals.answer({ kind: 'human', human: { proof: 'login', via: 'web' } }, question!.id, 'approved', null);
  expect(await ask(other.text)).toContain('APPROVAL_REQUIRED');
  expect(await ask(one.text)).not.toContain('APPROVAL_REQUIRED');
});

test('contents of the workspace stay as they are, in a place of the owner only: an undo brings back every byte', async () => {
  const { text } = plantedSecrets(1, 77)[0]!;
  const file = path.join(daemon.repo.path, 'src/settings.ts');
  await writeFile(file, `const key = '${text}';\n`);
  const read = (await agent.callTool({ name: 'read_file', arguments: { path: 'src/settings.ts' } })).structuredContent as {
    content: string;
  };
  expect(read.content).toBe(`const key = '${text}';\n`);
});
