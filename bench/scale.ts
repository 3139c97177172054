// A start after a million records beside one after a thousand, in the same run: with a snapshot it reads only what came after, so
// both should take the same time and the same memory. node bench/scale.ts [--records N] [--json FILE]

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeOf } from '../src/client/node.ts';
import { loadOrCreateKeys, verifyLedger } from '../src/ledger/index.ts';
import { type Decision, type Event, newId, type Receipt, streams } from '../src/protocol/index.ts';
import { openEmbeddedStore } from '../src/stores/index.ts';
import { caseOf } from '../test/policy-case.ts';
import { report } from './report/report.ts';

const at = process.argv.indexOf('--records');
const RECORDS = at < 0 ? 1_000_000 : Number(process.argv[at + 1]);
const FEW = 1_000;
const PER_SESSION = 200;
const WRITERS = 64;
const ROUNDS = 5;
const CLI = fileURLToPath(new URL('../bin/countersign', import.meta.url));

const { action, facts } = caseOf();
const decision: Decision = { outcome: 'allow', verdicts: [], facts, policy_revision: 'bench' };
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** What one session of an agent leaves: an opening, then edits that were let through and settled. */
function* lifeOf(session: string): Generator<Event> {
  const { workspace, root } = action;
  const inherited = { agent_id: null, parent: null, inherited: null };
  yield {
    type: 'session_opened',
    data: { session, workspace, root, agent: 'bench', native_session: session, level: 'hooked', ...inherited },
  };
  for (let i = 0; i < PER_SESSION / 2 - 1; i++) {
    const own = { ...action, id: newId('act'), session, actor: { agent: 'bench' } };
    yield { type: 'action_admitted', data: { action: own, decision, approval: null } };
    yield { type: 'action_settled', data: { action: own.id, session, receipt: receiptOf(own.id, session, i) } };
  }
  yield { type: 'session_closed', data: { session, reason: 'end' } };
}

function receiptOf(id: string, session: string, number: number): Receipt {
  const sha256 = number.toString(16).padStart(64, '0');
  const ranges = [{ start_line: 1, end_line: 9, sha256 }];
  const file = { path: `src/auth/file-${number}.ts`, before_sha256: sha256, after_sha256: sha256, ranges };
  return {
    ...{ receipt_id: newId('rcp'), action_id: id, task_id: session, turn_id: '1', agent_id: 'bench', tool_id: 'write_file' },
    ...{ inputs: action.input, status: 'done', excerpt: 'ok', sha256, full_size: 2, file_refs: [file] },
    ...{ intent: 'INT-001', revision: null, timestamp: action.at },
  };
}

async function fill(dir: string, records: number): Promise<void> {
  const home = homeOf(dir);
  const store = await openEmbeddedStore({ dir, keys: await loadOrCreateKeys(home.keys) });
  let left = Math.ceil(records / PER_SESSION);
  const write = async (): Promise<void> => {
    while (left-- > 0) {
      const session = newId('ses');
      const stream = streams.session(session);
      for (const event of lifeOf(session)) await store.append([{ stream, expected_seq: null, events: [event] }]);
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, write));
  await store.close();
}

const countersign = (home: string, ...args: string[]) =>
  execFileSync(CLI, [...args, '--home', home], {
    env: { PATH: process.env['PATH'], HOME: scratch, MCP_DASHBOARD_PORT: '0' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });

/** A command waits only so long for a daemon that reads the whole record. */
function untilUp(home: string): void {
  try {
    countersign(home, 'start', '--quiet');
  } catch (error) {
    if (!String(error).includes('still starting')) throw error;
    untilUp(home);
  }
}

/** From the call to an answer, and what the daemon holds in memory then. */
function start(home: string): { ms: number; megabytes: number } {
  const begun = performance.now();
  untilUp(home);
  const ms = performance.now() - begun;
  const { pid } = JSON.parse(countersign(home, 'status', '--json')) as { pid: number };
  const kilobytes = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
  countersign(home, 'stop');
  while (isAlive(pid)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  return { ms, megabytes: kilobytes / 1024 };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const scratch = mkdtempSync(join(tmpdir(), 'cs-scale-'));
try {
  const [many, few] = [join(scratch, 'm'), join(scratch, 'f')];
  process.stderr.write(`writing ${RECORDS} records …\n`);
  await fill(many, RECORDS);
  await fill(few, FEW);
  const first = start(many);
  start(few);
  const rounds = Array.from({ length: ROUNDS }, () => ({ many: start(many), few: start(few) }));
  const of = (which: 'many' | 'few', what: 'ms' | 'megabytes') => median(rounds.map((round) => round[which][what]));
  const { publicKeyPem } = await loadOrCreateKeys(homeOf(many).keys);
  const begun = performance.now();
  const { ok, size } = await verifyLedger({ dir: join(many, 'ledger'), publicKeyPem });
  if (!ok) throw new Error('the ledger that was written does not verify');
  const verifySeconds = (performance.now() - begun) / 1000;

  report('scale', [
    { what: `first start on ${size} records, without a snapshot`, value: first.ms, unit: 'ms' },
    { what: `start on ${size} records`, value: of('many', 'ms'), unit: 'ms' },
    { what: `start on ${FEW} records`, value: of('few', 'ms'), unit: 'ms' },
    { what: 'start on many against few', value: of('many', 'ms') / of('few', 'ms'), unit: '×', atMost: 2 },
    { what: `memory on ${size} records`, value: of('many', 'megabytes'), unit: 'MB' },
    { what: 'memory on many against few', value: of('many', 'megabytes') / of('few', 'megabytes'), unit: '×', atMost: 2 },
    { what: `verify of ${size} records`, value: verifySeconds, unit: 's' },
  ]);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
