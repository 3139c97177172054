// What a daemon does when a part of its folder is lost: keys, the end of the ledger, the saved checkpoint, the folder itself.

import { existsSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { hasEnded, type Installation, makeInstallation } from './lab/installation.ts';
import { startTestDaemon, type TestDaemon } from './lab/daemon.ts';
import { verifies } from './verifies.ts';

async function installation(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  return place;
}

verifies('N2', 'a lost key stops every start: nothing is written with a new one, and putting it back is enough', async () => {
  const place = await installation();
  expect((await place.human(['intent', 'work', 'src'])).code).toBe(0);
  expect((await place.run(['stop'])).code).toBe(0);
  const ledger = () => readFile(join(place.home, 'ledger/00000001.jsonl'), 'utf8');
  await expect.poll(() => existsSync(join(place.home, 'run/hook'))).toBe(false);
  const before = await ledger();
  for (const name of ['hmac.key', 'signing-key.pem']) {
    const key = join(place.home, 'keys', name);
    await rename(key, `${key}-away`);
    const refused = await place.run(['intent', 'more', 'lib']);
    expect([refused.code === 0, refused.stderr]).toEqual([false, expect.stringContaining(`${name} is gone`)]);
    expect([await ledger(), existsSync(key)]).toEqual([before, false]);
    await rename(`${key}-away`, key);
  }
  expect((await place.human(['intents'])).output).toContain('INT-001');
});

verifies('N2', 'a ledger shorter than its index and a vanished checkpoint are recorded at the start', async () => {
  let ms = Date.parse('2026-03-01T10:00:00Z');
  const daemon: TestDaemon = await startTestDaemon(() => new Date((ms += 1_000)));
  onTestFinished(() => daemon.dispose());
  for (let turn = 0; turn < 8; turn++) await daemon.hook('UserPromptSubmit', { prompt: 'x', prompt_id: `p${turn}` });
  const suspicions = async () => (await daemon.services().ask('status', {})).ledger.suspicions;
  await daemon.restart();
  expect(await suspicions()).toEqual([]);
  await daemon.restart(() => {
    const file = join(daemon.home.dir, 'ledger/00000001.jsonl');
    const lines = readFileSync(file, 'utf8').split('\n');
    // Cut exactly behind a signed head, so that what is left verifies.
    const heads = lines.flatMap((line, index) => (line.includes('"head":') ? [index] : []));
    const kept = lines.slice(0, heads.at(-4)! + 1).join('\n');
    truncateSync(file, Buffer.byteLength(`${kept}\n`));
    for (const name of ['saved-checkpoint.json', 'kept-head.json', 'snapshot'])
      rmSync(join(daemon.home.dir, name), { recursive: true, force: true });
  });
  const suspected = await suspicions();
  expect(new Set(suspected.map((each) => /index had|checkpoint was gone/.exec(each)?.[0]))).toEqual(
    new Set(['checkpoint was gone', 'index had']),
  );
  await daemon.restart();
  expect(await suspicions()).toEqual(suspected);
});

test('temporary files of writers that were killed are removed at the start; others stay', async () => {
  const daemon = await startTestDaemon();
  onTestFinished(() => daemon.dispose());
  await daemon.beginWork('src/**');
  const old = [
    join(daemon.home.dir, 'saved-checkpoint.json.0123456789abcdef'),
    join(daemon.home.keys, 'hmac.key.0123456789abcdef'),
    join(daemon.repo.path, '.tinyTasks.md.0123456789abcdef01234567.tmp'),
    join(daemon.repo.path, '.orchestration/.agent_trace.jsonl.0123456789abcdef01234567.tmp'),
  ];
  const young = join(daemon.repo.path, '.AGENTS.md.0123456789abcdef01234567.tmp');
  const others = [join(daemon.repo.path, 'notes.tmp'), join(daemon.home.dir, 'mine.0123')];
  await mkdir(join(daemon.repo.path, '.orchestration'), { recursive: true });
  for (const file of [...old, young, ...others]) await writeFile(file, 'x');
  for (const file of [...old, ...others]) await utimes(file, 1, 1);
  await daemon.restart();
  await expect.poll(() => old.filter((file) => existsSync(file))).toEqual([]);
  expect([young, ...others].every((file) => existsSync(file))).toBe(true);
});

test('a request with two Hosts is refused, whichever comes first', async () => {
  const daemon = await startTestDaemon();
  onTestFinished(() => daemon.dispose());
  const ours = `127.0.0.1:${daemon.port()}`;
  for (const hosts of [
    [ours, 'evil.example'],
    ['evil.example', ours],
    [ours, ours],
  ]) {
    const socket = connect(daemon.port(), '127.0.0.1');
    socket.end(`GET /health HTTP/1.1\r\n${hosts.map((host) => `Host: ${host}\r\n`).join('')}Connection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[03] /);
  }
});

test('a daemon whose folder is gone ends', async () => {
  const place = await installation();
  expect((await place.run(['start'])).code).toBe(0);
  const pid = await place.daemonPid();
  await rename(place.home, `${place.home}-gone`);
  await hasEnded(pid);
  expect(existsSync(place.home) ? readdirSync(place.home) : []).toEqual([]);
  await rm(`${place.home}-gone`, { recursive: true });
});
