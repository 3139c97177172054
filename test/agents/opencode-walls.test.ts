// opencode behind walls, the real client: what it runs as its shell, and that its own rules stay in force.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Receipt } from '../../src/protocol/index.ts';
import { opencodeClient } from '../lab/clients/opencode.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

const shell = (command: string, more: object = {}) => ({ tool: 'bash', args: { command, description: 'as the story needs it', ...more } });
const beginWork = { tool: 'countersign_begin_work', args: {} };

/** Programs of the repository: the reader of commands does not see what they do. */
const PROGRAMS = {
  'attack.mjs': `
    import fs from 'node:fs';
    const tries = {
      readme: () => fs.writeFileSync('README.md', 'BROKEN'),
      key: () => console.log(fs.readFileSync(process.env.HOME + '/.ssh/id_rsa', 'utf8')),
      gate: () => console.log(fs.readFileSync(process.env.GATE + '/run/hook', 'utf8')),
      settings: () => fs.writeFileSync('.opencode/opencode.json', '{}'),
    };
    for (const [name, run] of Object.entries(tries)) try { run(); console.log(name, 'WORKED'); } catch (e) { console.log(name, e.code); }
    console.log('of walls', Object.keys(process.env).filter((name) => name.includes('WALL')).length, process.env.SHELL);
    fs.writeFileSync('src/new.txt', 'in scope');`,
  'serve.mjs': `import http from 'node:http'; http.createServer((q, r) => r.end('SERVED')).listen(4568);`,
  'get.mjs': `console.log(await fetch('http://127.0.0.1:4568').then((r) => r.text(), (e) => 'no server: ' + e.cause?.code));`,
};

let world: World;

describe.skipIf(process.env[opencodeClient.variable] === undefined)('opencode, walled', () => {
  beforeAll(async () => {
    world = await makeWorld(opencodeClient);
    for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(world.repo.path, name), text);
    world.repo.git('add', '-A');
    world.repo.git('commit', '-qm', 'programs');
    const agentHome = join(world.userHome, '../agent');
    await mkdir(join(agentHome, '.ssh'), { recursive: true });
    await writeFile(join(agentHome, '.ssh/id_rsa'), 'PRIVATE-KEY\n');
    expect((await world.human(['init', '--agent', 'opencode', '--yes'])).code).toBe(0);
    expect((await world.human(['intent', 'work in src', 'src/**'])).code).toBe(0);
  });
  afterAll(() => world?.dispose());

  verifies('N20', 'opencode: a program that no reader understands changes nothing outside the scope, and the agent reads why', async () => {
    const before = await world.file('README.md');
    const { model } = await world.agent('attack', [beginWork, shell(`GATE=${world.home} node attack.mjs`), { text: 'Done.' }]);
    const [, seen = ''] = model.toolResults();
    expect(seen).not.toMatch(/WORKED|PRIVATE-KEY/);
    expect(seen).toMatch(/readme EROFS\nkey ENOENT\ngate ENOENT\nsettings EROFS\nof walls 0 \/bin\/bash/);
    expect(seen).toContain('Commands can write src/**, build output, caches and $TMPDIR');
    expect([await world.file('README.md'), await world.file('src/new.txt')]).toEqual([before, 'in scope']);
    const receipts = await world.ask<Receipt[]>('receipts');
    expect(receipts.find(({ inputs }) => JSON.stringify(inputs).includes('attack.mjs'))?.walls).toEqual({ level: 'walled' });
  });

  verifies('N20', 'opencode: output, quotes, servers, background jobs and time limits are as without walls', async () => {
    const { model } = await world.agent('ordinary work', [
      beginWork,
      shell(`printf '%s|' "it's" 'a"b' $(echo x) # end\ncat <<'X'\nheredoc 'q'\nX\npwd`),
      shell('node serve.mjs >/dev/null 2>&1 & sleep 1; echo started'),
      shell('node get.mjs'),
      shell('sleep 30', { timeout: 500 }),
      { text: 'Done.' },
    ]);
    const results = model.toolResults().slice(1);
    expect(results[0]).toContain(`it's|a"b|x|heredoc 'q'\n${world.repo.path}`);
    expect(results[1]).toContain('started');
    expect(results[2]).toMatch(/^SERVED\n/);
    expect(results[3]).toMatch(/time ?out/i);
  });

  verifies('N20', "opencode: the user's own rules stay in force, and where walls are required nothing runs without them", async () => {
    const file = join(world.repo.path, '.opencode/opencode.json');
    const wired = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
    await writeFile(file, JSON.stringify({ ...wired, permission: { bash: { 'sort *': 'deny' } } }));
    const denied = await world.agent('denied', [beginWork, shell('sort README.md'), { text: 'Done.' }]);
    expect(denied.model.toolResults()[1]).toMatch(/rule|prevents|denied/i);
    // Settings that win over ours: only the client itself knows what it uses.
    await writeFile(join(world.repo.path, '.opencode/opencode.jsonc'), JSON.stringify({ shell: '/bin/bash' }));
    await writeFile(file, JSON.stringify(wired));
    await writeFile(join(world.repo.path, '.ai/config/repo.json'), JSON.stringify({ walls: { level: 'required' } }));
    const refused = await world.agent('refused', [beginWork, shell('node -e "1"'), { text: 'Done.' }]);
    expect(refused.model.toolResults()[1]).toContain('WALLS_REQUIRED');
  });
});
