// Contents that undo and blame look up are kept as long as the settings say; the record itself is never shortened.

import { existsSync, utimesSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';

const DAY_MS = 24 * 3600 * 1000;
let daemon: TestDaemon;
let sha256: string;
let size: number;

beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
  const content = 'export const kept = 1;\n';
  const file = join(daemon.repo.path, 'src/kept.ts');
  const call = { tool_name: 'Write', tool_input: { file_path: file, content }, tool_use_id: 'toolu_kept' };
  await daemon.hook('PreToolUse', call);
  await mkdir(join(daemon.repo.path, 'src'), { recursive: true });
  await writeFile(file, content);
  await daemon.hook('PostToolUse', { ...call, tool_response: { type: 'create', filePath: file } });
  const settled = (await daemon.recordedSince(0)).find(
    (event) => event.type === 'action_settled' && event.data.receipt.file_refs.length > 0,
  );
  sha256 = settled?.type === 'action_settled' ? (settled.data.receipt.file_refs[0]?.after_sha256 ?? '') : '';
  size = Buffer.byteLength(content);
});
afterAll(() => daemon.dispose());

const blob = () => join(daemon.home.dir, 'blobs', sha256.slice(0, 2), sha256);
const expired = async () => (await daemon.recordedSince(0)).flatMap((event) => (event.type === 'contents_expired' ? [event.data] : []));

/** As if it had been kept that long, and then a start. */
async function startAfterDays(days: number): Promise<void> {
  await daemon.restart(() => {
    const then = new Date(Date.now() - days * DAY_MS);
    utimesSync(blob(), then, then);
  });
}

test('without a word in the settings nothing goes', async () => {
  await startAfterDays(1000);
  // An end waits for what the start began.
  await daemon.restart();
  expect([existsSync(blob()), await expired()]).toEqual([true, []]);
});

test('what is older than the settings say goes, on the record', async () => {
  await mkdir(join(daemon.repo.path, '.ai/config'), { recursive: true });
  await writeFile(join(daemon.repo.path, '.ai/config/repo.json'), JSON.stringify({ ledger: { retentionDays: 30 } }));
  // An agent was just here: a human says that these are theirs.
  const [edit] = (await daemon.services().ask('settings', { cwd: daemon.repo.path })).edits;
  const body = { cwd: daemon.repo.path, sha256: edit!.sha256 };
  expect((await daemon.web('POST', '/api/settings/confirm', { headers: await daemon.login(), body })).status).toBe(200);
  await startAfterDays(29);
  await daemon.restart();
  expect([existsSync(blob()), await expired()]).toEqual([true, []]);
  await startAfterDays(31);
  await daemon.restart();
  expect([existsSync(blob()), await expired()]).toEqual([
    false,
    [{ count: 1, bytes: size, older_than: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string }],
  ]);
});
