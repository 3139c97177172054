// Blame of a file with 10,000 lines that 200 receipted changes went over, from a real ledger with real contents.
// node bench/blame.ts [--json FILE]

import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blame } from '../src/projections/blame.ts';
import { FileChanges } from '../src/projections/file-changes.ts';
import { State } from '../src/kernel/index.ts';
import { loadOrCreateKeys } from '../src/ledger/index.ts';
import { type Event, newId, type Receipt, streams } from '../src/protocol/index.ts';
import { openEmbeddedStore } from '../src/stores/index.ts';
import { changedRanges } from '../src/workspace/index.ts';
import { report } from './report/report.ts';

const LINES = 10_000;
const RECEIPTS = 200;
const EDITS_EACH = 20;

const base = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
const store = await openEmbeddedStore({ dir: join(base, 'home'), keys: await loadOrCreateKeys(join(base, 'keys')) });
try {
  const root = join(base, 'tree');
  mkdirSync(root);
  const state = new State();
  store.subscribe((records) => records.forEach((record) => state.apply(record)));
  const session = newId('ses');
  const workspace = newId('wsp');
  const write = (event: Event) => store.append([{ stream: streams.session(session), expected_seq: null, events: [event] }]);
  await write({
    type: 'session_opened',
    data: {
      ...{ session, workspace, root, agent: 'bench', native_session: 'bench', agent_id: null, level: 'hooked' },
      ...{ parent: null, inherited: null },
    },
  });

  // Always the same numbers, so that two runs measure the same work.
  let seed = 20_300_601;
  const upTo = (limit: number): number => (seed = (seed * 48_271) % 2_147_483_647) % limit;
  let made = 0;
  const line = () => (++made % 7 === 0 ? '  }' : `  const value${made} = compute('argument ${made}', other${upTo(1_000)});`);
  const lines = Array.from({ length: LINES }, line);
  const bytesOf = () => Buffer.from(`${lines.join('\n')}\n`);
  let before = bytesOf();
  await store.putBlob(before);
  for (let receipt = 0; receipt < RECEIPTS; receipt++) {
    for (let edit = 0; edit < EDITS_EACH; edit++) lines[upTo(lines.length)] = line();
    if (receipt % 10 === 0) lines.splice(upTo(lines.length), 0, ...lines.splice(upTo(lines.length), 40));
    if (receipt === RECEIPTS / 2) lines.forEach((text, at) => (lines[at] = text.replaceAll("'", '"').replace(/^ {2}/, '\t')));
    const after = bytesOf();
    const [before_sha256, after_sha256] = [await store.putBlob(before), await store.putBlob(after)];
    await write({
      type: 'action_settled',
      data: settled([{ path: 'large.ts', before_sha256, after_sha256, ranges: changedRanges(before, after) }]),
    });
    before = after;
  }
  writeFileSync(join(root, 'large.ts'), before);

  function settled(file_refs: Receipt['file_refs']): { action: string; session: string; receipt: Receipt } {
    const action = newId('act');
    const text = 'done';
    const receipt: Receipt = {
      ...{
        receipt_id: newId('rcp'),
        action_id: action,
        task_id: session,
        turn_id: '1',
        agent_id: 'bench',
        tool_id: 'write_file',
        inputs: {},
      },
      ...{ status: 'done', excerpt: text, sha256: createHash('sha256').update(text).digest('hex'), full_size: text.length },
      ...{ file_refs, intent: 'INT-001', revision: null, timestamp: new Date().toISOString() },
    };
    return { action, session, receipt };
  }

  const context = {
    ...{ store, changes: new FileChanges(store, state), privateFolders: [], intentName: () => null },
    locate: async () => ({ root }),
  };
  const timed = async () => {
    const start = performance.now();
    const cpu = process.cpuUsage();
    const { rows } = await blame(context, { cwd: root, path: 'large.ts' });
    const used = process.cpuUsage(cpu);
    return {
      ms: performance.now() - start,
      cpu: (used.user + used.system) / 1_000,
      receipted: rows.filter(({ origin }) => origin === 'receipt').length,
    };
  };
  const first = await timed();
  const again = await timed();
  report('blame', [
    { what: `${LINES} lines, ${RECEIPTS} receipts, first time`, value: first.ms, unit: 'ms', atMost: 2_000 },
    { what: `${LINES} lines, ${RECEIPTS} receipts, again`, value: again.ms, unit: 'ms', atMost: 2_000 },
    { what: 'processor time of that', value: again.cpu, unit: 'ms' },
    { what: 'ranges with a receipt', value: again.receipted, unit: '', atLeast: 1 },
  ]);
} finally {
  await store.close();
  rmSync(base, { recursive: true, force: true });
}
