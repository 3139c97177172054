// Bombs behind the walls of one session, as whoever starts it: `node limits-box.ts FOLDER`. The limits are small, so that the test is. Prints what
// happened, as JSON.

import { spawn } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { claude } from '../../src/agents/claude/adapter.ts';
import { readWallCall, writeWallAnswer } from '../../src/doors/hooks/wall-call.ts';
import { findWalls, WallSessions, writingAccess } from '../../src/sandbox/index.ts';

const base = realpathSync(process.argv[2] ?? '');
const at = (...names: string[]) => path.join(base, ...names);
for (const folder of ['repo/src', 'home', 'gate/run']) mkdirSync(at(folder), { recursive: true });
const found = await findWalls(at('gate/run/boxes'));
const PROCESSES = 60;
const sessions = new WallSessions({
  found: () => Promise.resolve(found),
  limits: { processes: PROCESSES, memoryBytes: 300 * 1024 * 1024 },
  ...{ folder: at('gate/run/boxes'), userHome: at('home'), privateFolders: [at('gate')], agentSettings: [] },
  seamOf: () => claude.wall ?? null,
  settingsOf: () => Promise.resolve({ level: 'required', readable: [], writable: [], hosts: [] }),
  rootOf: () => Promise.resolve(at('repo')),
  isEnforced: () => Promise.resolve(true),
  accessOf: (root) =>
    Promise.resolve(writingAccess({ root, gitCommonDir: null, scope: ['src/**'], paths: { derived: [], companions: {} }, files: [] })),
});
let isGrouped = false;
const door = http.createServer((request, answer) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    answer.setHeader('x-countersign-answer', 'secret');
    sessions.enter(readWallCall('claude', Buffer.concat(chunks))).then(
      (walls) => {
        if (walls.kind === 'walled') isGrouped = walls.limits.join.length > 0;
        answer.end(writeWallAnswer(walls));
      },
      (error: unknown) => answer.end(writeWallAnswer({ kind: 'refused', why: String(error) })),
    );
  });
});
await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
writeFileSync(at('gate/run/hook'), `${(door.address() as AddressInfo).port} token secret\n`);

async function run(command: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(path.join(import.meta.dirname, '../../bin/countersign-wall-bash'), ['-c', command], {
    cwd: at('repo'),
    env: { PATH: process.env['PATH'], HOME: at('home'), COUNTERSIGN_WALL_HOME: at('gate'), CLAUDE_CODE_SESSION_ID: 's', LANG: 'C' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const code = await new Promise<number | null>((done) => child.once('close', done));
  return { code, output };
}

const FORKS = `python3 - <<'P'
import os
made = 0
try:
    for _ in range(1000):
        if os.fork() == 0:
            import time; time.sleep(2); os._exit(0)
        made += 1
    print("WITHOUT END")
except BlockingIOError:
    print("stopped after", made)
P`;
const MEMORY = `python3 -c '
held = []
while len(held) < 1000: held.append(bytearray(10_000_000))
print("WITHOUT END")'`;
const forks = await run(FORKS);
const made = Number(/stopped after (\d+)/.exec(forks.output)?.[1] ?? Number.NaN);
const adjusted = await run('cat /proc/self/oom_score_adj');
// Without a group nothing limits memory before the machine has none left.
const memory = isGrouped ? await run(MEMORY) : null;
const after = await run('echo still here');
await sessions.end('claude', 's');
await sessions.close();
door.close();
process.stdout.write(
  JSON.stringify({
    ...{ isGrouped, isStopped: made > 0 && made < PROCESSES, oom: adjusted.output.trim(), after: after.output.trim() },
    memory: memory && { isKilled: memory.code !== 0, isEndless: memory.output.includes('WITHOUT END') },
  }),
);
process.exit(0);
