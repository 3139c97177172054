// The lab's own parts, without an agent: if these fail, no suite that uses them proves anything.

import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { CLI, makeInstallation } from './installation.ts';
import { pathWithout } from './path-without-agents.ts';
import { makeScratchRepo } from './scratch-repo.ts';
import { startScriptedModel } from './scripted-model.ts';
import type { ModelMessage, ScriptedModelOptions } from './scripted-model.ts';
import { runInTerminal } from './terminal.ts';

const tools = [{ name: 'Read', input_schema: { type: 'object' } }];
const prompt: ModelMessage = { role: 'user', content: 'go' };

async function modelFor(options: ScriptedModelOptions) {
  const model = await startScriptedModel(options);
  onTestFinished(() => model.close());
  const ask = (body: object): Promise<Response> =>
    fetch(`${model.url}/v1/messages`, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) });
  return { model, ask };
}

function answered(id: string, content: string): ModelMessage[] {
  return [
    { role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] },
  ];
}

test('the step played is the number of assistant turns in the request, so a retry gets the same answer', async () => {
  const { model, ask } = await modelFor({ steps: [{ tool: 'Read', args: { file_path: 'a' } }, { text: 'bye' }] });
  const first = { messages: [prompt], tools };
  const second = { messages: [prompt, ...answered('t1', 'content of a')], tools };

  const turns = [await ask(first), await ask(first), await ask(second)].map(async (response) => {
    const { content, stop_reason } = (await response.json()) as { content: object[]; stop_reason: string };
    return { content, stop_reason };
  });

  expect(await Promise.all(turns)).toEqual([
    { content: [{ type: 'tool_use', id: 'toolu_0001_0', name: 'Read', input: { file_path: 'a' } }], stop_reason: 'tool_use' },
    { content: [{ type: 'tool_use', id: 'toolu_0002_0', name: 'Read', input: { file_path: 'a' } }], stop_reason: 'tool_use' },
    { content: [{ type: 'text', text: 'bye' }], stop_reason: 'end_turn' },
  ]);
  expect(model.requests).toHaveLength(3);
});

test('a request without tools plays no step', async () => {
  const { ask } = await modelFor({ steps: [{ text: 'the script' }] });
  const side = (await (await ask({ messages: [prompt] })).json()) as { content: object[] };
  const main = (await (await ask({ messages: [prompt], tools })).json()) as { content: object[] };
  expect([side.content, main.content]).toEqual([[{ type: 'text', text: 'ok' }], [{ type: 'text', text: 'the script' }]]);
});

test('a step that is a function decides by what the agent showed the model', async () => {
  const { ask } = await modelFor({ steps: [(request) => ({ text: `saw ${request.messages.length}` })] });
  const reply = (await (await ask({ messages: [prompt], tools })).json()) as { content: object[] };
  expect(reply.content).toEqual([{ type: 'text', text: 'saw 1' }]);
});

test('a step that throws fails the request instead of stopping the model', async () => {
  const step = (): never => {
    throw new Error('no such file');
  };
  const { ask } = await modelFor({ steps: [step] });
  const reply = await ask({ messages: [prompt], tools });
  expect([reply.status, await reply.json()]).toEqual([
    400,
    { type: 'error', error: { type: 'invalid_request_error', message: 'scripted model: Error: no such file' } },
  ]);
});

test('a streamed turn carries text and several calls', async () => {
  const { ask } = await modelFor({ steps: [{ text: 'both', calls: [{ tool: 'Read', args: { n: 1 } }, { tool: 'Read' }] }] });
  const body = await (await ask({ messages: [prompt], tools, stream: true })).text();
  const events = body
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice(6)) as { type: string });
  expect(events.map((event) => event.type)).toEqual([
    'message_start',
    ...Array.from({ length: 3 }, () => ['content_block_start', 'content_block_delta', 'content_block_stop']).flat(),
    'message_delta',
    'message_stop',
  ]);
  expect(events[2]).toEqual({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'both' } });
  expect(events[5]).toEqual({ type: 'content_block_delta', index: 1, delta: { type: 'input_json_delta', partial_json: '{"n":1}' } });
});

test('tool results are listed once each, without the remarks the client appends', async () => {
  const { model, ask } = await modelFor({ steps: [] });
  const remark = '\n\n<system-reminder>\n9 tokens left\n</system-reminder>';
  await ask({ messages: [prompt, ...answered('t1', `one${remark}`)], tools });
  await ask({ system: 'be kind', messages: [prompt, ...answered('t1', `one${remark}`), ...answered('t2', 'two')], tools });
  expect(model.toolResults()).toEqual(['one', 'two']);
  expect(model.seen()).toContain('be kind');
});

test('a command in the terminal has a terminal, its own exit code and only the environment it was given', async () => {
  const script = 'test -t 0 && test -t 1 && echo "terminal $GREETING $HOME"; exit 7';
  const result = await runInTerminal('/bin/sh', ['-c', script], { cwd: '/', env: { GREETING: "it's" } });
  expect(result).toEqual({ code: 7, output: "terminal it's \n" });
});

test('typed input reaches the command and is not echoed', async () => {
  const result = await runInTerminal('/bin/sh', ['-c', 'read name; echo "hello $name"'], { cwd: '/', input: 'Ada\n' });
  expect(result).toEqual({ code: 0, output: 'hello Ada\n' });
});

test('answers wait for their prompts', async () => {
  const script = 'printf "first? "; read a; printf "second? "; read b; echo "$a$b"';
  const input = [
    { after: 'first? ', type: 'x\n' },
    { after: 'second? ', type: 'y\n' },
  ];
  const result = await runInTerminal('/bin/sh', ['-c', script], { cwd: '/', input });
  expect(result).toEqual({ code: 0, output: 'first? second? xy\n' });
});

test('a command that never ends is given up on abort', async () => {
  const stop = new AbortController();
  const waiting = runInTerminal('tail', ['-f', '/dev/null'], { cwd: '/', signal: stop.signal });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toMatchObject({ code: 'ABORT_ERR' });
});

test('a scratch repository starts clean, at the same commit everywhere', async () => {
  const [one, two] = [await makeScratchRepo(), await makeScratchRepo()];
  onTestFinished(async () => {
    await Promise.all([one.dispose(), two.dispose()]);
  });
  expect(one.git('status', '--porcelain')).toBe('');
  expect(one.git('ls-files')).toBe('README.md\nsrc/auth/login.ts\nsrc/payments/index.ts\n');
  expect(one.git('rev-parse', 'HEAD')).toBe(two.git('rev-parse', 'HEAD'));
});

test('a command in the process that is ready ends, shows and exits as a process of its own', async () => {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  await place.run(['start', '--quiet']);
  const codes: (number | null)[] = [];
  for (const line of ['intents', 'aprove --json', 'verify /nowhere']) {
    const args = line.split(' ');
    const [ready, alone] = await Promise.all([place.run(args), place.runAlone(args)]);
    expect(ready).toEqual(alone);
    const [shown, inTerminal] = await Promise.all([
      place.humanTries(args),
      runInTerminal(CLI, args, { cwd: place.repo.path, env: place.env }),
    ]);
    expect(shown).toEqual(inTerminal);
    codes.push(ready.code);
  }
  expect(codes).toEqual([0, 2, 1]);
});

test('no program of an agent is on the PATH of a test, and everything else still is', () => {
  const place = mkdtempSync(join(tmpdir(), 'countersign-lab-path-'));
  onTestFinished(() => rmSync(place, { recursive: true }));
  for (const file of ['one/claude', 'one/tool', 'two/tool']) {
    mkdirSync(join(place, file, '..'), { recursive: true });
    writeFileSync(join(place, file), '');
    chmodSync(join(place, file), 0o755);
  }
  const [one, two] = [join(place, 'one'), join(place, 'two')];
  const [first, second] = pathWithout(['claude'], [one, two].join(delimiter), place).split(delimiter);
  expect([readdirSync(first!), second]).toEqual([['tool'], two]);
});
