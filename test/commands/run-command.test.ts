// run_command on its whole way through a real daemon: admitted, run behind walls, attributed, on a receipt like an edit, and undone.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { UndoView } from '../../src/protocol/index.ts';
import type { RecordedOutcome } from '../../src/kernel/index.ts';
import { outputIn, type Receipt, type SessionRow } from '../../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { verifies } from '../verifies.ts';
import { FIRST_DOORS } from '../../src/protocol/index.ts';

const HUMAN = { kind: 'human', human: { proof: 'login', via: 'cli' } } as const;

let daemon: TestDaemon;
beforeEach(async () => {
  daemon = await startTestDaemon();
});
afterEach(() => daemon.dispose());

const read = (name: string) => readFile(join(daemon.repo.path, name), 'utf8').catch(() => null);

interface Result {
  readonly exit_code: number | null;
  readonly sandbox: string;
  readonly changed: readonly { path: string; change: string }[];
  readonly rolled_back: readonly { path: string; why: string }[];
  readonly left: readonly { path: string; why: string }[];
  readonly derived: number;
  readonly cancelled?: true;
  readonly output: string;
}

async function pass(
  session: SessionRow,
  tool: string,
  input: Record<string, unknown>,
  signal = AbortSignal.timeout(60_000),
): Promise<RecordedOutcome> {
  const { kernel } = daemon.services();
  const request = {
    ...{ session: session.id, workspace: session.workspace, root: daemon.repo.path, cwd: daemon.repo.path },
    ...{ actor: { agent: session.agent }, door: FIRST_DOORS.mcp, tool, input, waitTimeoutMs: 0, signal },
  };
  const first = (await kernel.spine.pass(request)).outcome;
  const question = first.kind === 'refused' ? first.refusal.approval_id : undefined;
  if (question === undefined) return first;
  await kernel.approvals.answer(HUMAN, question, 'approved', null);
  return (await kernel.spine.pass(request)).outcome;
}

/** Invisible to the reader: the text is in a file. A human says yes, if asked. */
async function run(session: SessionRow, text: string, signal?: AbortSignal): Promise<{ result: Result; receipt: Receipt }> {
  const script = `.cache/${session.id}.sh`;
  await mkdir(join(daemon.repo.path, '.cache'), { recursive: true });
  await writeFile(join(daemon.repo.path, script), text);
  const outcome = await pass(session, 'run_command', { command: `sh ${script}` }, signal);
  if (outcome.kind !== 'settled') throw new Error(JSON.stringify(outcome));
  return { result: outcome.output as Result, receipt: outcome.receipt };
}

const refsOf = ({ file_refs }: Receipt) => file_refs.map(({ path, lock, attribution }) => ({ path, lock, attribution }));

/** A second agent, with a scope of its own. */
async function another(name: string, ownedScope: readonly string[]): Promise<SessionRow> {
  await daemon.hook('SessionStart', { source: 'startup', session_id: name });
  const { kernel, ask } = daemon.services();
  const known = await ask('sessions', {});
  const session = known.find(({ intent }) => intent === null);
  if (!session) throw new Error('no second session');
  const request = { workspace: session.workspace, name, ownedScope, constraints: [], acceptanceCriteria: [] };
  const { outcome } = await kernel.authority.declareIntent(HUMAN, request);
  const begun = await pass(session, 'begin_work', { intent: (outcome as { output: { id: string } }).output.id });
  if (begun.kind !== 'settled' || begun.refusal !== null) throw new Error(JSON.stringify(begun));
  return session;
}

verifies('I12', 'what a command wrote is on its receipt like an edit, and nothing else is', async () => {
  const session = await daemon.beginWork('src/**');
  await pass(session, 'read_file', { path: 'src/auth/login.ts' });
  const { result, receipt } = await run(
    session,
    'sed -i s/null/undefined/ src/auth/login.ts; echo 1 > src/new.ts; echo 2 > top.txt; mkdir -p dist; echo 3 > dist/a.js; rm src/payments/index.ts',
  );
  expect(result).toMatchObject({ exit_code: 0, sandbox: 'bubblewrap', left: [], derived: 1 });
  expect(result.rolled_back).toEqual([{ path: 'top.txt', change: 'created', why: 'it is outside the scope of the intent' }]);
  expect(refsOf(receipt)).toEqual(
    expect.arrayContaining([
      { path: 'src/auth/login.ts', lock: 'checked', attribution: undefined },
      { path: 'src/new.ts', lock: 'new', attribution: undefined },
      { path: 'src/payments/index.ts', lock: 'unread', attribution: undefined },
    ]),
  );
  expect([receipt.file_refs.length, receipt.status, receipt.intent]).toEqual([3, 'done', 'INT-001']);
  const login = receipt.file_refs.find(({ path }) => path === 'src/auth/login.ts');
  expect([login?.mutation?.class, (login?.ranges.length ?? 0) > 0]).toEqual(['INTENT_EVOLUTION', true]);
  expect(outputIn(receipt)).toContain('"rolled_back":[{"path":"top.txt"');

  // The session has seen what its own command left: its next edit is not stale.
  const edit = await pass(session, 'write_file', { path: 'src/auth/login.ts', content: 'export {};\n' });
  expect(edit).toMatchObject({ kind: 'settled', refusal: null });
  // And a scan finds nothing that the receipts do not explain.
  const size = await daemon.ledgerSize();
  await daemon.services().kernel.turns.ports.reconcile({ root: daemon.repo.path, session: session.id, how: 'whole' });
  expect((await daemon.recordedSince(size)).map(({ type }) => type)).toEqual([]);
  const trace = await read('.orchestration/agent_trace.jsonl');
  expect([trace?.includes('src/new.ts'), trace?.includes('top.txt')]).toEqual([true, false]);
});

verifies('N17', 'what a command did can be undone like an edit', async () => {
  const session = await daemon.beginWork('src/**');
  const before = await read('src/auth/login.ts');
  const { receipt } = await run(session, 'echo x > src/auth/login.ts; echo y > src/made.ts; rm src/payments/index.ts');
  const request = { cwd: daemon.repo.path, target: { action: receipt.action_id }, dry_run: false, plan: null };
  const { outcome } = await daemon.services().commands.act('undo', HUMAN, request);
  expect((outcome as { output: UndoView }).output.kept).toEqual([]);
  expect([await read('src/auth/login.ts'), await read('src/made.ts'), (await read('src/payments/index.ts'))?.length]).toEqual([
    before,
    null,
    expect.any(Number),
  ]);
});

/** Both are running while each works, however busy the machine is. */
const together = (name: string, other: string, work: string) =>
  [`touch .cache/${name}`, `while [ ! -e .cache/${other} ]; do sleep 0.05; done`, work, `touch .cache/${name}-done`]
    .concat(`while [ ! -e .cache/${other}-done ]; do sleep 0.05; done`)
    .join('\n');

verifies('I12', 'two agents at once each answer for their own files', async () => {
  const one = await daemon.beginWork('src/auth/**');
  const two = await another('second', ['src/payments/**']);
  const [first, second] = await Promise.all([
    run(one, together('one', 'two', 'echo 1 > src/auth/one.ts; echo x > src/payments/index.ts')),
    run(two, together('two', 'one', 'echo 2 > src/payments/two.ts; echo x > src/auth/login.ts')),
  ]);
  expect([refsOf(first.receipt), refsOf(second.receipt)]).toEqual([
    [{ path: 'src/auth/one.ts', lock: 'new', attribution: undefined }],
    [{ path: 'src/payments/two.ts', lock: 'new', attribution: undefined }],
  ]);
  expect([first.result.output, second.result.output]).toEqual([expect.stringContaining('Read-only'), expect.stringContaining('Read-only')]);
});

verifies('I12', 'a file that two commands may have written has no certain author', async () => {
  const one = await daemon.beginWork('src/**');
  const two = await another('second', ['src/**/*.ts']);
  const size = await daemon.ledgerSize();
  const [first, second] = await Promise.all([
    run(one, together('one', 'two', 'echo 1 > src/one.css')),
    run(two, together('two', 'one', 'echo 2 > src/two.css')),
  ]);
  expect([first.receipt.file_refs, second.receipt.file_refs]).toEqual([[], []]);
  for (const { result } of [first, second])
    expect(result.left.map(({ path, why }) => [path, /^act_\w+ was running too, and may have done it$/.test(why)])).toEqual([
      ['src/one.css', true],
      ['src/two.css', true],
    ]);
  // Not reverted blindly: both are there, and on the record with both actions.
  expect([await read('src/one.css'), await read('src/two.css')]).toEqual(['1\n', '2\n']);
  await daemon.services().kernel.turns.ports.reconcile({ root: daemon.repo.path, session: one.id, how: 'whole' });
  const found = (await daemon.recordedSince(size)).flatMap((event) => (event.type === 'untracked_mutation' ? [event.data] : []));
  expect(found.map(({ path, attribution, actions }) => [attribution, path, actions.length])).toEqual([
    ['ambiguous', 'src/one.css', 2],
    ['ambiguous', 'src/two.css', 2],
  ]);
});

verifies('I12', "what another's edit changed meanwhile stays theirs", async () => {
  const one = await daemon.beginWork('src/**/*.ts');
  const two = await another('second', ['src/**']);
  const running = run(one, 'echo 1 > src/one.ts; sleep 2');
  while ((await read('src/one.ts')) === null) await new Promise((resolve) => void setTimeout(resolve, 20));
  const edit = await pass(two, 'write_file', { path: 'src/style.css', content: 'a {}\n' });
  expect(edit).toMatchObject({ kind: 'settled', refusal: null });
  const { result, receipt } = await running;
  expect([refsOf(receipt).map(({ path }) => path), result.rolled_back]).toEqual([['src/one.ts'], []]);
  expect(result.left).toEqual([{ path: 'src/style.css', change: 'created', why: 'it was changed by another action meanwhile' }]);
  expect(await read('src/style.css')).toBe('a {}\n');
});

verifies('I12', 'a look while it runs leaves its files to its receipt', async () => {
  const session = await daemon.beginWork('src/**');
  const running = run(session, 'echo 1 > src/one.ts; while [ ! -e .cache/go ]; do sleep 0.05; done; echo 2 > src/one.ts');
  while ((await read('src/one.ts')) === null) await new Promise((resolve) => void setTimeout(resolve, 20));
  const size = await daemon.ledgerSize();
  await daemon.services().kernel.turns.ports.reconcile({ root: daemon.repo.path, session: session.id, how: 'whole' });
  await writeFile(join(daemon.repo.path, '.cache/go'), '');
  const { receipt } = await running;
  await daemon.services().kernel.turns.ports.reconcile({ root: daemon.repo.path, session: session.id, how: 'whole' });
  expect((await daemon.recordedSince(size)).map(({ type }) => type)).toEqual(['action_settled']);
  expect(receipt.file_refs).toMatchObject([{ path: 'src/one.ts', before_sha256: null }]);
});

verifies('I12', 'a command that was cancelled still answers for what it did', async () => {
  const session = await daemon.beginWork('src/**');
  const caller = new AbortController();
  const running = run(session, 'echo 1 > src/half.ts; sleep 100', caller.signal);
  while ((await read('src/half.ts')) === null) await new Promise((resolve) => void setTimeout(resolve, 20));
  caller.abort();
  const { result, receipt } = await running;
  expect([result.cancelled, receipt.status, refsOf(receipt).map(({ path }) => path)]).toEqual([true, 'failed', ['src/half.ts']]);
});

verifies('I12', 'a look runs behind the same walls and leaves nothing', async () => {
  const session = await daemon.beginWork('src/**');
  await writeFile(join(daemon.repo.path, 'src/auth/x.ts'), 'x\n');
  const outcome = await pass(session, 'run_command', { command: 'cat src/auth/x.ts' });
  expect(outcome).toMatchObject({ kind: 'observed', output: { exit_code: 0, sandbox: 'bubblewrap', changed: [], output: 'x\n' } });
});

test('a check of evidence runs behind walls, and what it writes is taken back', async () => {
  const session = await daemon.beginWork('src/**');
  const evidence = [{ type: 'cmd_exit0', command: 'sh check.sh' }];
  await writeFile(join(daemon.repo.path, 'check.sh'), 'echo x > src/auth/login.ts; echo y > new.txt; true');
  const before = await read('src/auth/login.ts');
  const outcome = await pass(session, 'memory_write', { kind: 'fact', statement: 'The check passes.', evidence });
  expect(outcome).toMatchObject({ kind: 'settled', refusal: null });
  expect([await read('src/auth/login.ts'), await read('new.txt')]).toEqual([before, null]);
});
