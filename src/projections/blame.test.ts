import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { type Gate, gateForThisTest } from '../kernel/gate.fixture.ts';
import { blame } from './blame.ts';
import { changeByAgent, seenChange, type Sureness } from './file-changes.fixture.ts';
import { FileChanges } from './file-changes.ts';

const PATH = 'src/a.ts';

const edit = (gate: Gate, session: string, content: string) => changeByAgent(gate, session, PATH, content);

function blaming(gate: Gate) {
  const changes = new FileChanges(gate.store, gate.kernel.state);
  const context = {
    ...{ store: gate.store, changes, privateFolders: [], intentName: () => null },
    locate: async () => ({ root: gate.root }),
  };
  return async (path = PATH) =>
    (await blame(context, { cwd: gate.root, path })).rows.map(({ origin, action, candidates }) => [origin, action ?? candidates.join()]);
}

verifies('N3', 'what was seen without a receipt says how sure it is', async () => {
  const gate = await gateForThisTest();
  const origins = blaming(gate);
  const session = await gate.working();
  const first = await edit(gate, session, 'const firstLineOfAll = 1;\n');
  const second = await edit(gate, session, 'const firstLineOfAll = 1;\nconst secondLine = 2;\n');
  expect(await origins()).toEqual([
    ['receipt', first],
    ['receipt', second],
  ]);
  let text = 'const firstLineOfAll = 1;\nconst secondLine = 2;\n';
  const add = async (line: string, more: Sureness) => {
    await seenChange(gate, PATH, text, `${text}${line}\n`, more);
    text = `${text}${line}\n`;
  };
  await add('by the shell of an action', { attribution: 'window', actions: [first] });
  await add('by one of two', { attribution: 'ambiguous', actions: [first, second] });
  await add('by no agent that was at work', { attribution: 'human-unproven', actions: [] });
  await add('by whoever', { attribution: 'unknown', actions: [] });
  writeFileSync(join(gate.root, PATH), `${text}just now\n`);
  expect(await origins()).toEqual([
    ['receipt', first],
    ['receipt', second],
    ['receipt', first],
    ['ambiguous', `${first},${second}`],
    ['human-unproven', ''],
    ['untracked', ''],
    ['untracked', ''],
  ]);
});

test('a file that was renamed outside the gate is one look with two findings', async () => {
  const gate = await gateForThisTest();
  const session = await gate.working();
  const text = 'export const oneThing = 1;\nexport const another = 2;\n';
  const action = await edit(gate, session, text);
  await seenChange(gate, PATH, text, null, { attribution: 'human-unproven', actions: [] });
  await seenChange(gate, 'src/b.ts', null, text, { attribution: 'human-unproven', actions: [] });
  expect(await blaming(gate)('src/b.ts')).toEqual([['receipt', action]]);
});

test('the record is read on from where it was', async () => {
  const gate = await gateForThisTest();
  const changes = new FileChanges(gate.store, gate.kernel.state);
  const session = await gate.working();
  const seqs = async () => (await changes.in(gate.root)).map(({ by }) => by.kind === 'receipt' && by.author.action);
  const first = await edit(gate, session, 'one\n');
  expect(await seqs()).toEqual([first]);
  const second = await edit(gate, session, 'two\n');
  expect(await Promise.all([seqs(), seqs()])).toEqual([
    [first, second],
    [first, second],
  ]);
});
