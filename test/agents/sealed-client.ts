// A client in a sealed run, the real one: it works there, what has a receipt is merged, and nothing else is reached.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { Receipt, RunRow, SessionRow } from '../../src/protocol/index.ts';
import { findSandbox } from '../../src/sandbox/index.ts';
import { programOf } from '../lab/clients/client.ts';
import { startScriptedModel } from '../lab/scripted-model.ts';
import { runInTerminal } from '../lab/terminal.ts';
import { CLI, makeWorld } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import type { ClientWords } from './client-words.ts';

const canRun = (await findSandbox()).kind === 'bubblewrap';

export function tellOfSeal({ client, agent, own, shell }: ClientWords): void {
  describe.skipIf(!canRun)('sealed', () => {
    verifies('N12', 'in a seal it has hooks and MCP, reaches its model and nothing else, and its receipts are merged', async () => {
      const world = await makeWorld(client);
      onTestFinished(() => world.dispose());
      expect((await world.human(['intent', 'work in src', 'src/**'])).code).toBe(0);
      const places = JSON.stringify([world.home, join(world.repo.path, 'src'), world.userHome]);
      const check = `const fs = require('fs');
        for (const place of ${places}) try { console.log(fs.readdirSync(place)) } catch (e) { console.log(e.code) }
        fs.writeFileSync('README.md', 'BROKEN');`;
      await writeFile(join(world.repo.path, 'check.cjs'), check);
      const before = await world.file('README.md');
      const model = await startScriptedModel({
        steps: [own('begin_work'), shell('echo from the shell > src/notes.md'), shell('node check.cjs'), { text: 'Done.' }],
      });
      onTestFinished(() => model.close());
      // The seal is around it: Codex needs no sandbox of its own, and cannot make one there as root.
      const start = await client.start({ workspace: world.repo.path, home: world.userHome, model, prompt: 'work' });
      const host = new URL(model.url).host;
      const passed = Object.keys(start.env)
        .filter((name) => name !== 'HOME')
        .flatMap((name) => ['--env', name]);
      const args = [
        'run',
        '--sealed',
        '--merge',
        'policy',
        '--agent',
        client.name,
        '--model-host',
        host,
        ...passed,
        '--',
        programOf(client),
      ];
      const { output } = await runInTerminal(
        CLI,
        [...args, ...start.args.map((each) => (each === 'workspace-write' ? 'danger-full-access' : each))],
        {
          ...{ cwd: world.repo.path, env: { ...start.env, HOME: world.userHome, COUNTERSIGN_HOME: world.home } },
          signal: AbortSignal.timeout(100_000),
        },
      );
      const [run] = await world.ask<RunRow[]>('run', 'list');
      expect(run).toMatchObject({ agent: client.name, hosts: [] });
      const results = model.toolResults();
      expect([results.length, output]).toEqual([3, output]);
      expect(results.at(-1)).toMatch(/ENOENT[^]*ENOENT[^]*ENOENT/);
      const [session] = (await world.ask<SessionRow[]>('sessions')).filter(({ level }) => level === 'sealed');
      expect(session).toMatchObject({ agent, by_hooks: true, intent: 'INT-001' });
      const receipts = await world.ask<Receipt[]>('receipts');
      expect(receipts.find(({ inputs }) => JSON.stringify(inputs).includes('notes.md'))?.walls).toEqual({ level: 'sealed' });
      const merged = await world.human(['run', 'merge', run?.id ?? '', '--yes']);
      expect([await world.file('README.md'), await world.file('src/notes.md').catch(() => merged.output)]).toEqual([
        before,
        'from the shell\n',
      ]);
    });
  });
}
