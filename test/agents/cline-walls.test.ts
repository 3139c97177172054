// Cline behind walls, the real client: its commands are replaced by short calls of the wall program.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { Receipt, Status } from '../../src/protocol/index.ts';
import { clineClient } from '../lab/clients/cline.ts';
import { makeWorld } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

const shell = (...commands: string[]) => ({ tool: 'run_commands', args: { commands } });
const beginWork = { tool: 'countersign__begin_work', args: {} };

const ATTACK = `
  import fs from 'node:fs';
  const tries = {
    readme: () => fs.writeFileSync('README.md', 'BROKEN'),
    gate: () => console.log(fs.readFileSync(process.env.GATE + '/run/hook', 'utf8')),
  };
  for (const [name, run] of Object.entries(tries)) try { run(); console.log(name, 'WORKED'); } catch (e) { console.log(name, e.code); }
  fs.writeFileSync('src/new.txt', 'in scope');`;

describe.skipIf(process.env[clineClient.variable] === undefined)('Cline, walled', () => {
  verifies('N20', 'Cline’s commands run behind walls by a ticket, each once, with their own output', async () => {
    const world = await makeWorld(clineClient);
    onTestFinished(() => world.dispose());
    await writeFile(join(world.repo.path, 'attack.mjs'), ATTACK);
    world.repo.git('add', '-A');
    world.repo.git('commit', '-qm', 'programs');
    expect((await world.human(['init', '--agent', 'cline', '--yes'])).code).toBe(0);
    expect((await world.human(['intent', 'work in src', 'src/**'])).code).toBe(0);
    await writeFile(join(world.repo.path, '.ai/config/repo.json'), JSON.stringify({ walls: { level: 'required' } }));
    const before = await world.file('README.md');
    const { model } = await world.agent('try an attack', [
      beginWork,
      shell(`GATE=${world.home} node attack.mjs`),
      shell(`echo "it's 'one'"; printf '%s\\n' 'a\\nb' | wc -l`, 'node -e "console.log(40 + 2)"'),
      { text: 'Done.' },
    ]);
    const [, attack = '', several = ''] = model.toolResults();
    expect(attack).toMatch(/readme EROFS(?:\\n|\n)gate ENOENT/);
    expect(attack).not.toContain('WORKED');
    expect(several).toMatch(/it's 'one'[^]*42/);
    expect([await world.file('README.md'), await world.file('src/new.txt')]).toEqual([before, 'in scope']);
    const receipts = await world.ask<Receipt[]>('receipts');
    expect(receipts.find(({ inputs }) => JSON.stringify(inputs).includes('attack.mjs'))?.walls).toEqual({ level: 'walled' });
    expect((await world.ask<Status>('status')).workspaces[0]).toMatchObject({ level: 'walled' });
  });
});
