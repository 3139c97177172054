// Undo as a person runs it: shown, agreed to, done, and on the record; and refused to an agent.

import { chmod, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { UndoView } from '../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { hookedAgent } from './lab/hooked-agent.ts';
import { makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

describe('in a terminal', () => {
  verifies('N17', 'undo shows, asks, takes back, and keeps what a human changed', async () => {
    const place = await makeInstallation();
    onTestFinished(() => place.dispose());
    const file = (name: string) => join(place.repo.path, name);
    await place.human(['intent', 'change payments', 'src']);
    const agent = await hookedAgent(place, await place.mcpClient({ surface: 'hooked' }));
    await agent.prompt('do it');
    await agent.call('begin_work', {});
    const before = await readFile(file('src/payments/index.ts'), 'utf8');
    expect(await agent.write('src/payments/index.ts', `${before}export const CURRENCY = 'EUR';\n`)).toBeNull();
    expect(await agent.write('src/payments/rates.ts', 'export const RATE = 1;\n')).toBeNull();
    await writeFile(file('src/payments/index.ts'), `// by a human\n${before}export const CURRENCY = 'EUR';\n`);

    expect(await place.run(['undo', 'turn', '--yes'])).toMatchObject({ code: 0 });
    expect([await readFile(file('src/payments/index.ts'), 'utf8'), await stat(file('src/payments/rates.ts')).catch(() => null)]).toEqual([
      `// by a human\n${before}`,
      null,
    ]);

    // Once informed that it is gone, the agent may create it again.
    expect(await agent.write('src/payments/rates.ts', 'export const RATE = 2;\n')).toContain('was deleted since you last saw it');
    expect(await agent.write('src/payments/rates.ts', 'export const RATE = 2;\n')).toBeNull();
    const no = await place.humanTries(['undo', 'session'], [{ after: '[y/N]', type: 'n\n' }]);
    expect(no.output).toContain('-export const RATE = 2;');
    expect(no.output).toContain('Nothing was changed.');
    expect(await readFile(file('src/payments/rates.ts'), 'utf8')).toBe('export const RATE = 2;\n');
    const yes = await place.humanTries(['undo', 'session'], [{ after: '[y/N]', type: 'y\n' }]);
    expect(yes.output).toContain('removed  src/payments/rates.ts');
    expect(await stat(file('src/payments/rates.ts')).catch(() => null)).toBeNull();

    const shown = await place.run(['undo', 'session', '--dry-run', '--json']);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      files: [],
      kept: [{ path: 'src/payments/index.ts' }, { path: 'src/payments/rates.ts' }],
      done: false,
    });
    const words = await Promise.all([
      place.run(['undo', 'act_1']),
      place.run(['undo', 'intent']),
      place.run(['undo', 'intent', 'INT-009']),
      place.run(['undo', 'session']),
    ]);
    expect(words.map(({ code }) => code)).toEqual([2, 2, 1, 0]);
  });
});

describe('through the daemon', () => {
  let daemon: TestDaemon;
  let calls = 0;
  const file = (name: string) => join(daemon.repo.path, name);
  const read = (name: string) => readFile(file(name), 'utf8').catch(() => null);
  const human = { kind: 'human', human: { proof: 'login', via: 'cli' } } as const;

  beforeAll(async () => {
    daemon = await startTestDaemon();
    await daemon.beginWork('src/**');
  });
  afterAll(() => daemon.dispose());

  /** As the agent does it with a tool of its own. The action's id. */
  async function change(name: string, content: string): Promise<string> {
    const call = { tool_name: 'Write', tool_input: { file_path: file(name), content }, tool_use_id: `toolu_${++calls}` };
    expect(JSON.stringify(await daemon.hook('PreToolUse', call))).not.toContain('"deny"');
    await writeFile(file(name), content);
    await daemon.hook('PostToolUse', { ...call, tool_response: 'ok' });
    const [receipt] = await daemon.services().ask('receipts', { limit: 1 });
    return receipt!.action_id!;
  }
  async function undo(target: object, more: object = {}): Promise<UndoView> {
    const request = { cwd: daemon.repo.path, target: target as { action: string }, dry_run: false, plan: null, ...more };
    const { outcome } = await daemon.services().commands.act('undo', human, request);
    if (outcome.kind !== 'noted' || outcome.refusal !== null) throw new Error(JSON.stringify(outcome));
    return outcome.output as UndoView;
  }
  const brief = ({ files, kept }: UndoView) => ({ files: files.map(({ path, change: how }) => `${how} ${path}`), kept });

  verifies('N17', 'an undo is recorded as allowed first and as done after', async () => {
    const action = await change('src/a.ts', 'first\n');
    const size = await daemon.ledgerSize();
    const shown = await undo({ action }, { dry_run: true });
    expect([shown.done, await read('src/a.ts')]).toEqual([false, 'first\n']);
    await undo({ action }, { plan: shown.plan });
    expect(await read('src/a.ts')).toBeNull();
    const events = await daemon.recordedSince(size);
    expect(events.map(({ type }) => type)).toEqual(['authority_allowed', 'authority_allowed', 'changes_undone']);
    expect(events[2]?.data).toMatchObject({
      target: action,
      files: [{ path: 'src/a.ts', before_sha256: shown.files[0]?.before_sha256, after_sha256: null, ranges: [] }],
      kept: [],
      human: human.human,
    });
  });

  verifies('N21', 'what was taken back whole is called undone in the log and by its receipt; what was kept in part is not', async () => {
    const [whole, part] = [await change('src/whole.ts', 'one\n'), await change('src/part.ts', 'a\nb\nc\nd\n')];
    await writeFile(file('src/part.ts'), 'a\nby a human\nc\nd\n');
    const { receipts } = await undo({ action: whole });
    await undo({ action: part });
    const actions = await daemon.services().ask('actions', { limit: 50 });
    const rows = await daemon.services().ask('receipts', { limit: 50 });
    const wordsOf = (id: string) => [
      actions.find((row) => row.id === id)!.word,
      rows.find((row) => row.action_id === id)!.word,
      rows.find((row) => row.action_id === id)!.undone_by,
    ];
    expect(wordsOf(whole)).toEqual(['undone', 'undone', receipts[0]]);
    expect(wordsOf(part)).toEqual(['ran', 'ran', undefined]);
  });

  verifies('N17', 'an undo leaves a receipt, signed like every other', async () => {
    const action = await change('src/signed.ts', 'first\n');
    const { files, receipts } = await undo({ action });
    const [id] = receipts;
    const [receipt] = await daemon.services().ask('receipts', { id: id! });
    expect(receipt).toMatchObject({
      ...{ receipt_id: id, action_id: null, task_id: null, agent_id: 'human', tool_id: 'undo', status: 'done', intent: null },
      root: daemon.repo.path,
      inputs: { target: action, proof: human.human.proof },
      file_refs: [{ path: 'src/signed.ts', before_sha256: files[0]!.before_sha256, after_sha256: null }],
      signature_alg: 'HMAC-SHA256',
    });
    const newest = await daemon.services().ask('receipts', { cwd: daemon.repo.path, limit: 1 });
    expect(newest).toEqual([receipt]);
    const session = (await daemon.services().ask('receipts', { limit: 2 }))[1]!.task_id!;
    expect(await daemon.services().ask('receipts', { session, id: id! })).toEqual([]);
  });

  verifies('N17', 'a file that was changed keeps its mode', async () => {
    await change('src/run.sh', '#!/bin/sh\n');
    await chmod(file('src/run.sh'), 0o755);
    const edited = await change('src/run.sh', '#!/bin/sh\nexit 1\n');
    await undo({ action: edited });
    expect([await read('src/run.sh'), (await stat(file('src/run.sh'))).mode & 0o777]).toEqual(['#!/bin/sh\n', 0o755]);
  });

  verifies('N17', "another's change between two of them stays", async () => {
    const lines = (...words: string[]) => words.map((word) => `${word}\n`).join('');
    const one = await change('src/between.ts', lines('a', 'b', 'c', 'd', 'e', 'f'));
    const two = await change('src/between.ts', lines('A', 'b', 'c', 'd', 'e', 'f'));
    await change('src/between.ts', lines('A', 'b', 'C', 'd', 'e', 'f'));
    await change('src/between.ts', lines('A', 'b', 'C', 'd', 'e', 'F'));
    const view = await undo({ action: two });
    expect(await read('src/between.ts')).toBe(lines('a', 'b', 'C', 'd', 'e', 'F'));
    expect(brief(view).files).toEqual(['merged src/between.ts']);
    const again = await undo({ action: one });
    expect(brief(again)).toEqual({
      files: [],
      kept: [
        {
          path: 'src/between.ts',
          why: expect.stringMatching(/^it was made then, and claude-code \(act_.*an undo.* changed it since$/) as string,
        },
      ],
    });
  });

  verifies('N17', 'a conflict and a link are left and listed', async () => {
    const first = await change('src/conflict.ts', 'one\ntwo\nthree\n');
    const action = await change('src/conflict.ts', 'one\nzwei\nthree\n');
    await writeFile(file('src/conflict.ts'), 'one\ndeux\nthree\n');
    expect(brief(await undo({ action }))).toEqual({
      files: [],
      kept: [{ path: 'src/conflict.ts', why: 'the same lines were changed again: someone without a receipt changed it since' }],
    });
    await unlink(file('src/conflict.ts'));
    await symlink('/etc/hostname', file('src/conflict.ts'));
    expect(brief(await undo({ action: first })).kept).toEqual([
      { path: 'src/conflict.ts', why: expect.stringContaining('cannot be used') as string },
    ]);
    await unlink(file('src/conflict.ts'));
  });

  test('a plan that is out of date is not carried out', async () => {
    const action = await change('src/late.ts', 'late\n');
    const { plan } = await undo({ action }, { dry_run: true });
    await writeFile(file('src/late.ts'), 'later\n');
    await expect(undo({ action }, { plan })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await read('src/late.ts')).toBe('later\n');
  });

  test('an undo can be shown line by line, and the lines that come back have their old origin', async () => {
    const first = await change('src/noted.ts', 'const firstLineOfAll = 1;\n');
    const second = await change('src/noted.ts', 'const somethingElse = 2;\n');
    await undo({ action: second });
    const { rows } = await daemon.services().ask('blame', { cwd: daemon.repo.path, path: 'src/noted.ts' });
    expect(rows.map(({ action, origin }) => [origin, action])).toEqual([['receipt', first]]);
  });

  verifies('N17', 'an agent cannot undo', async () => {
    const action = await change('src/mine.ts', 'mine\n');
    const size = await daemon.ledgerSize();
    const request = { cwd: daemon.repo.path, target: { action }, dry_run: true, plan: null };
    const caller = { kind: 'agent', session: (await daemon.services().ask('sessions', {}))[0]!.id, why: 'it runs below an agent' } as const;
    const { outcome } = await daemon.services().commands.act('undo', caller, request);
    expect(outcome).toMatchObject({ kind: 'noted', refusal: { error_code: 'HUMAN_CHANNEL_REQUIRED' } });
    expect((await daemon.recordedSince(size)).map(({ type, data }) => [type, (data as { command?: string }).command])).toEqual([
      ['authority_refused', `undo ${action}`],
    ]);
    expect(await read('src/mine.ts')).toBe('mine\n');
  });
});
