// An attacker who can write the ledger's files: edits, drops, swaps, inserts, cuts, splices, rolls back. `countersign verify`, from the
// files and the public key alone, names the first record that is not as it was written.

import { writeFileSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type Verification, verifyFolder } from '../../src/ledger/index.ts';
import { verifyOwn } from '../../src/install/verify-own.ts';
import { verificationText } from '../../src/cli/verify.ts';
import { daemonClient } from '../../src/client/node.ts';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { CLI, runCommand } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

let daemon: TestDaemon;
/** The ledger of a daemon that worked and ended, line by line. */
let lines: readonly string[];
/** The positions of records, and of signed heads; from 0. */
let records: readonly number[];
let heads: readonly number[];
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
  for (const [at, command] of ['ls', 'rm -rf src/a', 'cat README.md', 'rm -rf src/b'].entries())
    await daemon.hook('PreToolUse', { tool_name: 'Bash', tool_input: { command }, tool_use_id: `toolu_${at}` });
  await daemon.restart();
  lines = await linesOf(daemon);
  records = lines.flatMap((line, at) => (seqOf(line) === null ? [] : [at]));
  heads = lines.flatMap((line, at) => (seqOf(line) === null ? [at] : []));
});
afterAll(() => daemon.dispose());

const linesOf = async ({ home }: TestDaemon) => (await readFile(join(home.dir, 'ledger/00000001.jsonl'), 'utf8')).split('\n').slice(0, -1);
const seqOf = (line: string): number | null => (JSON.parse(line) as { seq?: number }).seq ?? null;

interface Verified {
  readonly dir: string;
  readonly result: Verification;
  readonly text: string;
}

/** What the command reports for a copy of the ledger with these lines; `end` comes after the last line break. */
async function verified(written: readonly string[], { end = '', head }: { end?: string; head?: object } = {}): Promise<Verified> {
  const dir = await mkdtemp(join(tmpdir(), 'countersign-tampered-'));
  onTestFinished(() => rm(dir, { recursive: true }));
  await cp(join(daemon.home.dir, 'ledger'), dir, { recursive: true });
  await writeFile(join(dir, '00000001.jsonl'), written.map((line) => `${line}\n`).join('') + end);
  await writeFile(join(dir, 'head.json'), JSON.stringify(head ?? {}));
  const result = await verifyFolder(dir, head && join(dir, 'head.json'));
  return { dir, result, text: verificationText(result) };
}

async function expectBroken(written: readonly string[], line: number, how: string): Promise<void> {
  const { result, text } = await verified(written);
  expect([result.ok, result.problem]).toEqual([false, expect.objectContaining({ segment: '00000001.jsonl', line, how })]);
  expect(text).toMatch(new RegExp(`^BROKEN at 00000001\\.jsonl line ${line}( \\(record \\d+\\))?: ${how}\\.`));
}

/** The first record of a batch of several. */
const inside = () => records.find((at) => at > 8 && records.includes(at + 1))!;
const without = (at: number, count = 1) => lines.toSpliced(at, count);

verifies('N2', 'untouched, it is intact, and what was not checked is said', async () => {
  const { dir, result, text } = await verified(lines);
  expect([result.ok, result.size, result.heads]).toEqual([true, records.length, heads.length]);
  expect(text).toContain('Not checked: whether records were cut off at the end.');
  expect(await runCommand(CLI, ['verify', dir], { cwd: dir })).toEqual({ code: 0, stdout: `${text}\n`, stderr: '' });
});

verifies('N2', 'an edited record is named', async () => {
  const at = inside();
  const edited = lines[at]!.replace(/"at":"2/, '"at":"1');
  expect(edited).not.toBe(lines[at]);
  await expectBroken(lines.with(at, edited), at + 1, 'edited');
  const { dir, text } = await verified(lines.with(at, edited));
  expect(await runCommand(CLI, ['verify', dir], { cwd: dir })).toEqual({ code: 5, stdout: `${text}\n`, stderr: '' });
});

verifies('N2', 'a dropped record, and a dropped batch, are missed at their place', async () => {
  const at = inside();
  await expectBroken(without(at), at + 1, 'dropped');
  const [first, second] = heads.slice(1);
  await expectBroken(without(first! + 1, second! - first!), first! + 2, 'dropped');
});

verifies('N2', 'swapped and inserted records are named', async () => {
  const at = inside();
  await expectBroken(lines.with(at, lines[at + 1]!).with(at + 1, lines[at]!), at + 1, 'swapped');
  await expectBroken(lines.toSpliced(at, 0, lines[3]!), at + 1, 'inserted');
  await expectBroken(lines.toSpliced(at, 0, '{"seq":1}'), at + 1, 'forged');
});

verifies('N2', 'records of another chain are foreign at their first line', async () => {
  const other = await startTestDaemon();
  onTestFinished(() => other.dispose());
  await other.beginWork('src/**');
  const theirs = await linesOf(other);
  const at = heads[3]! + 1;
  await expectBroken([...lines.slice(0, at), ...theirs.slice(at)], at + 1, 'spliced');
});

verifies('N2', 'a tail that was cut within a batch is no acknowledged record', async () => {
  const last = heads.at(-1)!;
  const { result, text } = await verified(lines.slice(0, last), { end: lines[last]!.slice(0, 20) });
  expect([result.ok, result.torn_tail_bytes > 0]).toEqual([true, true]);
  expect(text).toMatch(/The last \d+ bytes are a batch that was never finished or acknowledged/);
});

verifies('N2', 'cut or rolled back at a head, it is found by who kept a later one', async () => {
  const early = heads.at(-3)!;
  const cut = lines.slice(0, early + 1);
  const alone = await verified(cut);
  expect([alone.result.ok, alone.result.saved_checkpoint]).toEqual([true, 'not checked']);
  expect(alone.text).toContain('Not checked: whether records were cut off at the end.');

  const { ledger } = await daemon.services().ask('status', {});
  const head = { size: ledger.size, chain: ledger.chain };
  expect((await verified(lines, { head })).result).toMatchObject({ ok: true, saved_checkpoint: 'checked' });
  const kept = await verified(cut, { head });
  expect([kept.result.ok, kept.result.problem]).toEqual([false, expect.objectContaining({ how: 'rolled back', line: cut.length })]);
});

verifies('N2', 'a daemon does not start on a ledger that ends before the head it kept, or has another record there', async () => {
  const file = join(daemon.home.dir, 'ledger/00000001.jsonl');
  const good = await readFile(file);
  const { size } = (await daemon.services().ask('status', {})).ledger;
  const cut = `${lines.slice(0, heads.at(-3)! + 1).join('\n')}\n`;
  await expect(daemon.restart(() => writeFileSync(file, cut))).rejects.toMatchObject({
    code: 'INTEGRITY_BROKEN',
    message: expect.stringContaining(`The ledger was rolled back: record ${size}`),
    fix: expect.stringContaining(`move ${daemon.home.savedCheckpoint} away`),
  });
  expect(await readFile(file, 'utf8')).toBe(cut);
  const own = await verifyOwn(daemon.home, undefined, daemonClient(daemon.home.socket));
  expect([own.ok, own.saved_checkpoint, own.hmac, own.problem?.how]).toEqual([false, 'checked', 'not checked', 'rolled back']);
  writeFileSync(file, good);
  await daemon.restart();
  expect(await verifyOwn(daemon.home, undefined, daemonClient(daemon.home.socket))).toMatchObject({
    ok: true,
    saved_checkpoint: 'checked',
    hmac: 'checked',
  });
});

test('a daemon does not start on a ledger that was changed', async () => {
  const file = join(daemon.home.dir, 'ledger/00000001.jsonl');
  const good = await readFile(file);
  const at = inside();
  const changed = lines.with(at, lines[at]!.replace(/"at":"2/, '"at":"1')).join('\n');
  await expect(daemon.restart(() => writeFileSync(file, `${changed}\n`))).rejects.toMatchObject({ code: expect.any(String) });
  writeFileSync(file, good);
  await daemon.restart();
});
