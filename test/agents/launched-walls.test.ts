// Clients that can only be given our shell by their environment, started by `countersign run`, the real ones: behind walls, and refused without them where they are required.

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { Receipt, Status } from '../../src/protocol/index.ts';
import type { Client } from '../lab/clients/client.ts';
import { copilotClient } from '../lab/clients/copilot.ts';
import { geminiClient } from '../lab/clients/gemini.ts';
import { qwenClient } from '../lab/clients/qwen.ts';
import { CLI, makeWorld } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

interface Words {
  readonly client: Client;
  readonly beginWork: { readonly tool: string; readonly args: Readonly<Record<string, unknown>> };
  readonly shellTool: string;
  /** How the client says that processes were left in the background; null: it does not. */
  readonly background: RegExp | null;
  /** An argument with which it does not take our shell, although it was launched with it. */
  readonly without?: string;
}

const CLIENTS: readonly Words[] = [
  {
    client: geminiClient,
    shellTool: 'run_shell_command',
    beginWork: { tool: 'mcp_countersign_begin_work', args: {} },
    background: /Background PIDs: \d+/,
  },
  { client: qwenClient, shellTool: 'run_shell_command', beginWork: { tool: 'mcp__countersign__begin_work', args: {} }, background: null },
  {
    client: copilotClient,
    shellTool: 'bash',
    beginWork: { tool: 'countersign-begin_work', args: {} },
    background: null,
    without: '--no-bash-env',
  },
];

const ATTACK = `
  import fs from 'node:fs';
  const tries = {
    readme: () => fs.writeFileSync('README.md', 'BROKEN'),
    gate: () => console.log(fs.readFileSync(process.env.GATE + '/run/hook', 'utf8')),
  };
  for (const [name, run] of Object.entries(tries)) try { run(); console.log(name, 'WORKED'); } catch (e) { console.log(name, e.code); }
  fs.writeFileSync('src/new.txt', 'in scope');`;

describe.each(CLIENTS)('$client.name, walled', ({ client, beginWork, background, shellTool, without }) => {
  const shell = (command: string) => ({ tool: shellTool, args: { command, description: 'as asked' } });
  describe.skipIf(process.env[client.variable] === undefined)('the real client', () => {
    verifies('N20', 'a launched client keeps its output and background jobs, and nothing outside the scope changes', async () => {
      let isLaunched = true;
      let more: readonly string[] = [];
      // Below a home, as people work: walls show other temporary files as empty.
      const place = join(homedir(), '.cache/countersign/repos');
      await mkdir(place, { recursive: true });
      const folder = await mkdtemp(join(place, 'walls-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
      const launched: Client = {
        ...client,
        start: async (run) => {
          const start = await client.start(run);
          return { ...start, args: [...start.args, ...more] };
        },
        through: ({ home }) => (isLaunched ? [CLI, '--home', join(home, '../home'), 'run', '--agent', client.name, '--'] : []),
      };
      const world = await makeWorld(launched, folder, folder);
      onTestFinished(() => world.dispose());
      await writeFile(join(world.repo.path, 'attack.mjs'), ATTACK);
      world.repo.git('add', '-A');
      world.repo.git('commit', '-qm', 'programs');
      expect((await world.human(['init', '--agent', client.name, '--yes'])).code).toBe(0);
      expect((await world.human(['intent', 'work in src', 'src/**'])).code).toBe(0);
      await writeFile(join(world.repo.path, '.ai/config/repo.json'), JSON.stringify({ walls: { level: 'required' } }));
      const before = await world.file('README.md');
      const { model } = await world.agent('attack', [
        beginWork,
        shell(`GATE=${world.home} node attack.mjs`),
        shell(`sleep 2 & echo "it's"; bash -c 'exit 3'`),
        { text: 'Done.' },
      ]);
      const [, attack = '', job = ''] = model.toolResults();
      expect(attack).toMatch(/readme EROFS(?:\\n|\n)gate ENOENT/);
      expect(attack).not.toContain('WORKED');
      expect(model.seen()).toContain('Commands can write src/**, build output, caches and $TMPDIR');
      expect(job).toMatch(/(?:^|Output: )it's(?:\\n|\n)/);
      expect(job).toMatch(/Exit Code:? 3/i);
      if (background !== null) expect(job).toMatch(background);
      expect([await world.file('README.md'), await world.file('src/new.txt')]).toEqual([before, 'in scope']);
      const receipts = await world.ask<Receipt[]>('receipts');
      expect(receipts.find(({ inputs }) => JSON.stringify(inputs).includes('attack.mjs'))?.walls).toEqual({ level: 'walled' });
      expect((await world.ask<Status>('status')).workspaces[0]).toMatchObject({ level: 'walled' });
      isLaunched = false;
      const refused = await world.agent('refused', [beginWork, shell('node -e "1"'), { text: 'Done.' }]);
      expect(refused.model.toolResults()[1]).toContain('WALLS_REQUIRED');
      if (without === undefined) return;
      [isLaunched, more] = [true, [without]];
      const unheeding = await world.agent('unheeding', [beginWork, shell('node -e "1"'), { text: 'Done.' }]);
      expect(unheeding.model.toolResults()[1]).toMatch(new RegExp(`WALLS_REQUIRED[^]*${without}`));
    });
  });
});
