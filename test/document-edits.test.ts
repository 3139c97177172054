// Edits of the intents file and the settings, with a real daemon and an agent's hooks.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { agentProcess } from './lab/agent-process.ts';
import { connectOverHttp } from './lab/mcp-http.ts';
import { codeOf, startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

async function daemonForThisTest(now?: () => Date): Promise<TestDaemon> {
  const daemon = await startTestDaemon(now);
  onTestFinished(() => daemon.dispose());
  return daemon;
}

const fileOf = (daemon: TestDaemon) => join(daemon.repo.path, '.orchestration/active_intents.yaml');
const edit = async (daemon: TestDaemon, change: (text: string) => string) =>
  writeFile(fileOf(daemon), change(await readFile(fileOf(daemon), 'utf8')));
const intent = async (daemon: TestDaemon) => (await daemon.services().ask('intents', { cwd: daemon.repo.path, id: 'INT-001' }))[0];
const workspace = async (daemon: TestDaemon) => (await daemon.services().ask('status', {})).workspaces[0]!;
const begin = (daemon: TestDaemon) => daemon.hook('SessionStart', { source: 'startup' });
const end = (daemon: TestDaemon) => daemon.hook('SessionEnd', { reason: 'exit' });
const prompt = (daemon: TestDaemon) => daemon.hook('UserPromptSubmit', { prompt: 'go on' });

verifies('I3', 'an edit of a known intent becomes an event: taken over between sessions, waiting within one', async () => {
  let ahead = 0;
  const daemon = await daemonForThisTest(() => new Date(Date.now() + ahead));
  await daemon.beginWork('src/**');
  await prompt(daemon);
  await expect.poll(() => readFile(fileOf(daemon), 'utf8').catch(() => '')).toContain('INT-001');
  await end(daemon);
  // Its process is unknown: it counts as present for another half hour. Then the daemon checks again by itself.
  ahead = 31 * 60_000;
  await daemon.housekeep();

  await edit(daemon, (text) => text.replace('src/**', 'docs/**'));
  await begin(daemon);
  expect(await intent(daemon)).toMatchObject({ owned_scope: ['docs/**'], status: 'active', proof: 'none' });

  await edit(daemon, (text) => text.replace('docs/**', 'lib/**'));
  await prompt(daemon);
  const waits = (await workspace(daemon)).edits;
  expect(waits).toEqual([
    {
      what: expect.stringContaining('INT-001: paused becomes active; may also change lib/**; no longer docs/**'),
      confirm: `countersign intents confirm INT-001 --text ${waits[0]!.sha256.slice(0, 32)}`,
      intent: 'INT-001',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      changes: [
        { field: 'status', before: ['paused'], after: ['active'] },
        { field: 'owned_scope', before: ['docs/**'], after: ['lib/**'] },
      ],
    },
  ]);
  // Nothing of the old scope is left, and the new one is not granted: it is pending.
  expect(await intent(daemon)).toMatchObject({ status: 'paused', edited: { owned_scope: ['lib/**'] } });

  // After a restart and without a session it still waits: who wrote it has not become clearer.
  await end(daemon);
  await daemon.restart();
  await begin(daemon);
  expect((await intent(daemon))?.status).toBe('paused');
  const headers = await daemon.login();
  const discard = { headers, body: { cwd: daemon.repo.path, take: false } };
  expect((await daemon.web('POST', '/api/intents/INT-001/edit', discard)).status).toBe(200);
  await expect.poll(() => readFile(fileOf(daemon), 'utf8')).toContain('docs/**');
  expect([(await workspace(daemon)).edits, await daemon.web('POST', '/api/intents/INT-001/edit', discard)]).toMatchObject([
    [],
    { status: 404 },
  ]);
});

verifies('I3', 'an edit is confirmed by the text that was shown; one that changed since is refused', async () => {
  const daemon = await daemonForThisTest();
  await daemon.beginWork('src/**');
  await prompt(daemon);
  await expect.poll(() => readFile(fileOf(daemon), 'utf8').catch(() => '')).toContain('INT-001');
  const granted = await readFile(fileOf(daemon), 'utf8');
  const widen = async (glob: string) => {
    await writeFile(fileOf(daemon), granted.replace(/^( *- ).*src\/\*\*.*$/m, `$&\n$1${JSON.stringify(glob)}`));
    await prompt(daemon);
    return (await workspace(daemon)).edits[0]!;
  };
  const seen = await widen('docs/**');
  const now = await widen('lib/**');
  expect(now.changes).toEqual([{ field: 'owned_scope', before: ['src/**'], after: ['src/**', 'lib/**'] }]);
  const headers = await daemon.login();
  const take = (body: object) => daemon.web('POST', '/api/intents/INT-001/edit', { headers, body: { cwd: daemon.repo.path, ...body } });
  expect(codeOf(await take({ take: true }))).toBe('BAD_REQUEST');
  const stale = await take({ take: true, sha256: seen.sha256 });
  expect([stale.status, codeOf(stale)]).toEqual([409, 'CONFLICT']);
  expect((await intent(daemon))?.owned_scope).toEqual(['src/**']);
  expect((await take({ take: true, sha256: now.sha256 })).status).toBe(200);
  expect((await intent(daemon))?.owned_scope).toEqual(['src/**', 'lib/**']);
});

verifies('I3', 'a stash under a working agent does not take its intent away; a human who removes it does', async () => {
  const daemon = await daemonForThisTest();
  const { git } = daemon.repo;
  await daemon.beginWork('src/**');
  await prompt(daemon);
  await expect.poll(() => readFile(fileOf(daemon), 'utf8').catch(() => '')).toContain('INT-001');
  const granted = await readFile(fileOf(daemon), 'utf8');
  await writeFile(fileOf(daemon), 'intents: []\n');
  git('add', '.orchestration/active_intents.yaml');
  git('commit', '-q', '-m', 'intents');
  await writeFile(fileOf(daemon), granted);
  await prompt(daemon);
  git('stash', '-q');
  await prompt(daemon);
  expect((await intent(daemon))?.status).toBe('active');
  git('stash', 'pop', '-q');
  await prompt(daemon);
  expect([(await intent(daemon))?.status, (await workspace(daemon)).edits]).toEqual(['active', []]);
  await writeFile(fileOf(daemon), '# nothing for now\nintents: []\n');
  await prompt(daemon);
  expect((await intent(daemon))?.status).toBe('abandoned');
  expect(await readFile(fileOf(daemon), 'utf8')).toBe('# nothing for now\nintents: []\n');
});

verifies('T5', 'a minimum that an agent lowered in the settings is no human’s when the agent has gone', async () => {
  let ahead = 0;
  const daemon = await daemonForThisTest(() => new Date(Date.now() + ahead));
  /** Longer than a process that only passed an event on may live. */
  const pass = async () => {
    ahead += 3_000;
    await daemon.housekeep();
  };
  const settings = join(daemon.repo.path, '.ai/config/repo.json');
  await mkdir(join(daemon.repo.path, '.ai/config'), { recursive: true });
  await writeFile(settings, '{"mode":{"minimum":"GUARDED"}}');
  const place = { home: daemon.home.dir, root: daemon.repo.path };
  const agent = await agentProcess(place);
  await agent.hook('SessionStart', { source: 'startup' });
  await agent.shell(`echo '{}' > '${settings}'`);
  await pass();
  await agent.hook('SessionEnd', { reason: 'exit' });
  await agent.end();
  await pass();
  const next = await agentProcess(place, 'the next one');
  await next.hook('SessionStart', { source: 'startup' });
  expect((await workspace(daemon)).minimum_mode).toBe('GUARDED');
  // What a human saves after that counts. What the agent wrote waits, until a human confirms it or writes something else.
  await pass();
  await next.end();
  await pass();
  await writeFile(settings, '{"commands":{"network":true}}');
  await (await agentProcess(place, 'a third')).hook('SessionStart', { source: 'startup' });
  const { minimum_mode, edits } = await workspace(daemon);
  expect([minimum_mode, edits.flatMap(({ changes }) => changes.map(({ field }) => field))]).toEqual(['GUARDED', ['mode.minimum']]);
  const { settings: held } = await daemon.services().ask('settings', { cwd: daemon.repo.path });
  expect(held.find(({ key }) => key === 'commands.network')?.value).toBe(true);
});

verifies('T5', 'a minimum that is lowered in the settings under an agent holds until a human confirms', async () => {
  const daemon = await daemonForThisTest();
  const settings = join(daemon.repo.path, '.ai/config/repo.json');
  await mkdir(join(daemon.repo.path, '.ai/config'), { recursive: true });
  await writeFile(settings, '{"mode":{"minimum":"GUARDED"}}');
  await begin(daemon);
  await writeFile(settings, '{}');
  await prompt(daemon);
  expect(await workspace(daemon)).toMatchObject({
    minimum_mode: 'GUARDED',
    edits: [
      {
        what: '.ai/config: mode.minimum: GUARDED becomes none (it was edited while an agent was present)',
        confirm: expect.stringMatching(/^countersign settings confirm --text [0-9a-f]{32}$/) as string,
        intent: null,
        changes: [{ field: 'mode.minimum', before: ['GUARDED'], after: [] }],
      },
    ],
  });
  const headers = await daemon.login();
  const [{ sha256 } = { sha256: '' }] = (await workspace(daemon)).edits;
  const confirm = (shown: string) =>
    daemon.web('POST', '/api/settings/confirm', { headers, body: { cwd: daemon.repo.path, sha256: shown } });
  // The text that was reviewed is not the current one.
  await writeFile(settings, '{"mode":{"minimum":"GUARDED"}}');
  expect((await confirm(sha256)).status).toBe(404);
  await writeFile(settings, '{"commands":{"network":true}}');
  expect((await confirm(sha256)).status).toBe(409);
  await writeFile(settings, '{}');
  expect((await confirm(sha256)).status).toBe(200);
  expect(await workspace(daemon)).toMatchObject({ minimum_mode: null, edits: [] });
});

verifies('I3', 'an agent without hooks gets what the intents file says now: a new intent, a pause, a narrower scope', async () => {
  const daemon = await daemonForThisTest();
  const { repo } = daemon;
  await mkdir(join(repo.path, '.orchestration'), { recursive: true });
  const write = (status: string, scope: string) =>
    writeFile(
      fileOf(daemon),
      `intents:\n  - id: INT-001\n    owner: ada\n    name: by hand\n    status: ${status}\n    owned_scope: [${scope}]\n`,
    );
  await write('active', '"src/**", "lib/**"');
  const client = await connectOverHttp(daemon);
  onTestFinished(() => client.close());
  const call = async (name: string, args: Record<string, unknown>) => JSON.stringify(await client.callTool({ name, arguments: args }));
  expect(await call('begin_work', { mode: 'GUARDED', intent: 'INT-001', query: 'q' })).toContain('INT-001');
  expect(await call('write_file', { path: 'lib/a.txt', content: 'x' })).not.toContain('SCOPE_VIOLATION');
  await write('active', '"src/**"');
  expect(await call('write_file', { path: 'lib/b.txt', content: 'x' })).toContain('SCOPE_VIOLATION');
  await write('paused', '"src/**"');
  expect(await call('write_file', { path: 'src/b.txt', content: 'x' })).toMatch(/INTENT/);
  expect(await intent(daemon)).toMatchObject({ status: 'paused', owned_scope: ['src/**'] });
  // It cannot be read: nothing is decided about intents, and status names the file.
  await writeFile(fileOf(daemon), 'intents: 7\n');
  const declare = { cwd: repo.path, name: 'x', paths: ['src'], constraints: [], acceptance_criteria: [] };
  const refused = await daemon.web('POST', '/api/intents', { headers: await daemon.login(), body: declare });
  expect([refused.status, codeOf(refused)]).toEqual([422, 'DOCUMENT_INVALID']);
  expect((await workspace(daemon)).troubles).toEqual(['.orchestration/active_intents.yaml:1: `intents` has to be a list']);
});

verifies('I3', 'an edit right after a human’s command waits like any other', async () => {
  const daemon = await daemonForThisTest();
  const headers = await daemon.login();
  const declare = { cwd: daemon.repo.path, name: 'work', paths: ['src/**'], constraints: [], acceptance_criteria: [] };
  expect((await daemon.web('POST', '/api/intents', { headers, body: declare })).status).toBe(200);
  await expect.poll(() => readFile(fileOf(daemon), 'utf8').catch(() => '')).toContain('INT-001');
  await begin(daemon);
  await edit(daemon, (text) => text.replace(/^( *- ).*src\/\*\*.*$/m, '$1"**"'));
  await prompt(daemon);
  const { edits } = await workspace(daemon);
  expect(edits.map(({ intent: id, changes }) => [id, changes])).toEqual([
    ['INT-001', [{ field: 'owned_scope', before: ['src/**'], after: ['**'] }]],
  ]);
});
