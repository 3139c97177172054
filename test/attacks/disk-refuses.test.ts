// The disk under the ledger is full, broken or read-only, in a daemon of its own process: what cannot be recorded is not done. Reading
// continues, and so does work once the disk accepts writes again.

import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { verifyFolder } from '../../src/ledger/index.ts';
import { type HookedAgent, hookedAgent } from '../lab/hooked-agent.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

const MAIN = fileURLToPath(new URL('../../src/app/main.ts', import.meta.url));
const FAILING_DISK = new URL('../lab/failing-disk.ts', import.meta.url).href;
const FIXES = {
  ENOSPC: 'Free some space on the disk',
  EIO: 'Check the disk and the kernel log',
  EROFS: 'Make the file system writable again',
} as const;

const place: Installation = await makeInstallation();

afterAll(() => place.dispose());

describe('a disk that refuses', () => {
  const fault = join(place.base, 'fault');
  let client: Client;
  let agent: HookedAgent;
  beforeAll(async () => {
    mkdirSync(place.home, { recursive: true, mode: 0o700 });
    const daemon = spawn(process.execPath, ['--import', FAILING_DISK, MAIN, 'daemon', '--home', place.home], {
      env: { ...place.env, PATH: process.env['PATH'], MCP_DASHBOARD_PORT: '0', DISK: JSON.stringify({ folders: [place.home], fault }) },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    while (!(await place.client.isAlive())) if (daemon.exitCode !== null) throw new Error('no daemon came up');
    await place.human(['intent', 'work of the test', 'src']);
    client = await place.mcpClient();
    agent = await hookedAgent(place, client);
    await agent.prompt('go on');
    expect(await agent.call('begin_work')).toMatchObject({ isError: false });
  }, 60_000);
  afterAll(() => client.close());

  for (const [name, fix] of Object.entries(FIXES)) {
    verifies('T10', `${name}: nothing is changed, looking goes on, and so does work when it is over`, async () => {
      const before = await place.client.ask('status', {});
      writeFileSync(fault, name);

      expect(await agent.before('Write', { file_path: join(place.repo.path, `src/${name}.ts`), content: 'x' })).toContain(
        'AUDIT_UNAVAILABLE',
      );
      const written = await agent.call('write_file', { path: `src/${name}.ts`, content: 'x' });
      expect(written).toMatchObject({ isError: true, error_code: 'AUDIT_UNAVAILABLE', required_action: expect.stringContaining(fix) });
      expect(await agent.call('run_command', { command: `touch src/${name}.ts` })).toMatchObject({ error_code: 'AUDIT_UNAVAILABLE' });
      const human = await place.humanTries(['intent', `another, while ${name}`, 'docs']);
      expect([human.code === 0, human.output.includes(fix)]).toEqual([false, true]);
      expect(existsSync(join(place.repo.path, `src/${name}.ts`))).toBe(false);

      expect(await agent.before('Read', { file_path: join(place.repo.path, 'README.md') })).toBeNull();
      expect(await agent.call('read_file', { path: 'README.md' })).toMatchObject({ isError: false });
      const meanwhile = await place.client.ask('status', {});
      expect(meanwhile.ledger).toEqual({ ...before.ledger, writable: false });

      rmSync(fault);
      expect(await agent.write(`src/${name}.ts`, 'written\n')).toBeNull();
      expect(readFileSync(join(place.repo.path, `src/${name}.ts`), 'utf8')).toBe('written\n');
      const { ledger } = await place.client.ask('status', {});
      expect([ledger.writable, ledger.size > before.ledger.size]).toEqual([true, true]);
      const head = join(place.base, 'head.json');
      writeFileSync(head, JSON.stringify({ size: ledger.size, chain: ledger.chain }));
      expect(await verifyFolder(join(place.home, 'ledger'), head)).toMatchObject({
        ok: true,
        saved_checkpoint: 'checked',
        torn_tail_bytes: 0,
      });
    });
  }
});
