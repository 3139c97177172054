// What an accepted plan holds at execution besides file, definition and order: its evidence, a recall for each node in STRICT, and what commands change.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { connectController, PLAN, SHOP, writeShop } from '../lab/controller.ts';
import { oneDaemon } from '../lab/one-daemon.ts';
import { approvePlans, codeOf, joined, strictAgent } from '../lab/strict-agent.ts';
import { verifies } from '../verifies.ts';

const newPlace = oneDaemon();
const [CHANGE, CHECK] = PLAN.nodes;
const PRINT = {
  nodeId: 'print',
  targetFile: 'src/print.js',
  whyThisFile: 'print() shows total()',
  editIntent: 'Show two decimals in print()',
  verificationHooks: ['test'],
};

verifies('G7', 'a change is held while the evidence of its node has changed, and a plan with what it says now goes on', async () => {
  const { place, agent, submit } = await strictAgent(await newPlace());
  const file = join(place.repo.path, 'src/total.js');
  expect(await submit({ nodes: [CHANGE, { ...PRINT, codeEvidence: ['src/total.js:6-8'] }, CHECK] })).toMatchObject({ accepted: true });
  await approvePlans(place);
  await writeFile(file, SHOP['src/total.js'].replace('Order', 'Bill'));
  const read = () => agent.before('Read', { file_path: file });
  expect(await read()).toBeNull();
  const edit = () => agent.edit('src/print.js', '} EUR', '} Euro');
  const refused = await edit();
  expect(codeOf(refused)).toBe('PLAN_EVIDENCE_INSUFFICIENT');
  expect(refused).toContain('src/total.js:6-8');
  expect(await submit({ nodes: [CHANGE, { ...PRINT, codeEvidence: ['src/total.js:6-8'] }, CHECK] })).toMatchObject({ version: 2 });
  await approvePlans(place);
  expect(await edit()).toBeNull();
});

verifies('G7', 'what the plan itself has changed is not stale', async () => {
  const { place, agent, submit } = await strictAgent(await newPlace());
  const print = { ...PRINT, dependsOn: ['round'], codeEvidence: ['src/total.js:2-4'] };
  expect(await submit({ nodes: [CHANGE, print, CHECK] })).toMatchObject({ accepted: true });
  await approvePlans(place);
  expect(await agent.edit('src/total.js', 'sum + price', 'sum - price')).toBeNull();
  expect(await agent.call('begin_work')).toMatchObject({ mode: 'STRICT' });
  expect(await agent.edit('src/print.js', '} EUR', '} Euro')).toBeNull();
});

verifies('E1', 'STRICT: each node of a plan needs a recall of its own', async () => {
  const { place, agent, submit } = await strictAgent(await newPlace());
  expect(await submit({ nodes: [CHANGE, PRINT, CHECK] })).toMatchObject({ accepted: true });
  await approvePlans(place);
  expect(await agent.edit('src/total.js', 'sum + price', 'sum - price')).toBeNull();
  expect(await agent.edit('src/total.js', 'sum - price', 'sum + price')).toBeNull();
  const refused = await agent.edit('src/print.js', '} EUR', '} Euro');
  expect(codeOf(refused)).toBe('RECALL_REQUIRED');
  expect(refused).toContain('node round');
  expect((await agent.call('memory_query', { query: 'print()' })).isError).toBe(false);
  expect(await agent.edit('src/print.js', '} EUR', '} Euro')).toBeNull();
});

verifies('G5', 'STRICT on the controller: the turn that lacks a recall makes it, and the same turn then passes', async () => {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  expect((await place.human(['mode', 'min', 'STRICT'])).code).toBe(0);
  const { turn, close } = await connectController(place);
  onTestFinished(() => close());
  for (const targetFile of ['src/total.js', 'src/print.js']) await turn('read_file_lines', { targetFile });
  expect((await turn('submit_execution_plan', { planGraph: { nodes: [CHANGE, PRINT, CHECK] } })).denyReasons).toEqual([]);
  const patch = (planNodeId: string, targetFile: string, oldText: string, newText: string) =>
    turn('apply_code_patch', { planNodeId, targetFile, edits: [{ oldText, newText }] });
  expect((await patch('round', 'src/total.js', 'sum + price', 'price + sum')).denyReasons).toEqual(['APPROVAL_REQUIRED']);
  await approvePlans(place);
  expect((await patch('round', 'src/total.js', 'sum + price', 'price + sum')).denyReasons).toEqual([]);
  const denied = await patch('print', 'src/print.js', '} EUR', '} Euro');
  expect(denied).toMatchObject({ denyReasons: ['RECALL_REQUIRED'], result: { recalled: expect.anything() } });
  expect(denied.suggestedAction).toMatchObject({ verb: 'apply_code_patch', args: { planNodeId: 'print' } });
  expect((await turn(denied.suggestedAction!.verb, denied.suggestedAction!.args)).denyReasons).toEqual([]);
  expect(await readFile(join(place.repo.path, 'src/print.js'), 'utf8')).toContain('Euro');
});

verifies('G9', 'GUARDED: a command of an agent that works by a plan changes only what the plan names', async () => {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  const client = await place.mcpClient({ surface: 'contract' });
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown>) =>
    (await client.callTool({ name, arguments: args })).structuredContent as Record<string, unknown>;
  await call('read_file', { path: 'src/total.js' });
  expect(await call('submit_execution_plan', { planGraph: { nodes: [{ ...CHANGE, targetSymbols: [] }] } })).toMatchObject({
    accepted: true,
  });
  // Its text names the file.
  expect(await call('run_command', { command: 'echo x > src/print.js' })).toMatchObject({ error_code: 'PLAN_SCOPE_VIOLATION' });
  // It does not: the command cannot write there, or what it wrote is taken back.
  const write = (file: string) => call('run_command', { command: `node -e "require('fs').appendFileSync('${file}', '\\n')"` });
  await write('src/print.js');
  expect(await readFile(join(place.repo.path, 'src/print.js'), 'utf8')).toBe(SHOP['src/print.js']);
  expect(await write('src/total.js')).toMatchObject({ exit_code: 0, changed: [{ path: 'src/total.js' }] });
});

verifies('G9', 'the folder of a planned new file may be made by a command, and then the file', async () => {
  const place = await newPlace();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  const agent = await joined(place);
  const node = { ...CHANGE, targetFile: 'src/money/round.js', targetSymbols: [], codeEvidence: ['src/total.js:2-4'] };
  expect(await agent.call('submit_execution_plan', { planGraph: { nodes: [node] } })).toMatchObject({ accepted: true });
  expect(await agent.before('Bash', { command: 'mkdir -p src/money' })).toBeNull();
  await mkdir(join(place.repo.path, 'src/money'));
  expect(codeOf(await agent.write('src/money/other.js', 'export {};\n'))).toBe('PLAN_SCOPE_VIOLATION');
  expect(await agent.write('src/money/round.js', 'export const round = Math.round;\n')).toBeNull();
});
