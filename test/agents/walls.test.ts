// Claude Code behind walls, the real client: what works as it does without them, and what does not get through.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { PortsView, Receipt, SessionRow, SignedReceipt, Status } from '../../src/protocol/index.ts';
import type { Client } from '../lab/clients/client.ts';
import { claudeClient } from '../lab/clients/claude.ts';
import { eventually } from '../lab/eventually.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import { ORDINARY_TASKS } from '../walls/ordinary-tasks.ts';
import { tellOfAttacks, tellOfAttacksOfOthers } from './attacks.ts';
import { sameForTheModel } from './ordinary-behind-walls.ts';

const shell = (command: string, more: object = {}) => ({ tool: 'Bash', args: { command, description: 'as the story needs it', ...more } });
const beginWork = { tool: 'mcp__countersign__begin_work', args: {} };

/** Programs of the repository: the reader of commands does not see what they do. */
const PROGRAMS = {
  'attack.mjs': `
    import fs from 'node:fs';
    const tries = {
      readme: () => fs.writeFileSync('README.md', 'BROKEN'),
      bashrc: () => fs.appendFileSync(process.env.HOME + '/.bashrc', 'BROKEN'),
      key: () => console.log(fs.readFileSync(process.env.HOME + '/.ssh/id_rsa', 'utf8')),
      gate: () => console.log(fs.readFileSync(process.env.GATE + '/run/hook', 'utf8')),
      settings: () => fs.writeFileSync('.claude/settings.local.json', '{}'),
    };
    for (const [name, run] of Object.entries(tries)) try { run(); console.log(name, 'WORKED'); } catch (e) { console.log(name, e.code); }
    console.log('net', await fetch(process.env.ANTHROPIC_BASE_URL).then(() => 'WORKED', () => 'closed'));
    fs.writeFileSync('src/new.txt', 'in scope');`,
  'serve.mjs': `import http from 'node:http'; http.createServer((q, r) => r.end('SERVED')).listen(4567);`,
  'temp.mjs': `
    import fs from 'node:fs'; import os from 'node:os';
    const file = fs.mkdtempSync(os.tmpdir() + '/t-') + '/x';
    fs.writeFileSync(file, 'kept');
    console.log(fs.readFileSync(file, 'utf8'));`,
  'get.mjs': `console.log(await fetch('http://127.0.0.1:4567').then((r) => r.text(), (e) => 'no server: ' + e.cause?.code));`,
  'config.mjs': `
    import { execFileSync } from 'node:child_process';
    execFileSync('git', ['config', 'branch.x.remote', 'origin']);
    execFileSync('git', ['config', 'core.fsmonitor', '/tmp/x']);`,
};

/** Work that the gate asks no human about: the client waits for no answer. */
const SHOWN = [
  'the working folder is kept',
  'a folder that a call makes is the next one’s',
  'heredocs and quotes',
  'errors and output in their order',
  'standard input is empty',
  'pipes, process substitution and pipefail',
  'temporary files',
  'a time limit',
  'a shell in a shell',
  'limits of processes and files',
  'a cache of npm from one call to the next',
  'a build',
  'a build with a cache of its own',
  'tests with temporary files',
  'tests that start processes and servers',
  'a server on a socket in the temporary folder',
  'a language server over standard input',
  'commit on a branch',
  'an interactive rebase with a script as editor',
];

let world: World;
/** What the human gives the client beside its settings. */
let more: readonly string[] = [];
const client: Client = {
  ...claudeClient,
  start: async (run) => {
    const start = await claudeClient.start(run);
    return { ...start, args: [...start.args, ...more] };
  },
};

describe.skipIf(process.env[claudeClient.variable] === undefined)('Claude Code, walled', () => {
  beforeAll(async () => {
    world = await makeWorld(client);
    for (const [name, text] of Object.entries(PROGRAMS)) await writeFile(join(world.repo.path, name), text);
    world.repo.git('add', '-A');
    world.repo.git('commit', '-qm', 'programs');
    for (const home of [world.userHome, join(world.userHome, '../agent')]) {
      await mkdir(join(home, '.ssh'), { recursive: true });
      await writeFile(join(home, '.ssh/id_rsa'), 'PRIVATE-KEY\n');
    }
    expect((await world.human(['init', '--agent', 'claude', '--yes'])).code).toBe(0);
    expect((await world.human(['intent', 'work in src', 'src/**'])).code).toBe(0);
  });
  afterAll(() => world?.dispose());

  verifies('N20', 'a program that no reader understands changes nothing outside the scope, reads no key and reaches no host', async () => {
    const before = await world.file('README.md');
    const { model } = await world.agent('attack', [beginWork, shell(`GATE=${world.home} node attack.mjs`), { text: 'Done.' }]);
    const [, seen = ''] = model.toolResults();
    expect(seen).not.toMatch(/WORKED|PRIVATE-KEY/);
    expect(seen).toMatch(/readme EROFS\nbashrc EROFS\nkey ENOENT\ngate ENOENT\nsettings EROFS\nnet closed/);
    expect([await world.file('README.md'), await world.file('src/new.txt')]).toEqual([before, 'in scope']);
    const receipts = await world.ask<Receipt[]>('receipts');
    expect(receipts.find(({ inputs }) => JSON.stringify(inputs).includes('attack.mjs'))?.walls).toEqual({ level: 'walled' });
    expect((await world.ask<SessionRow[]>('sessions')).at(-1)).toMatchObject({ level: 'walled', by_hooks: true });
    expect((await world.ask<Status>('status')).workspaces.map(({ level, level_note }) => ({ level, level_note }))).toMatchObject([
      { level: 'walled', level_note: expect.stringContaining('behind walls') as string },
    ]);
    expect(model.seen()).toContain('Commands can write src/**, build output, caches and $TMPDIR');
  });

  verifies('N20', 'working folder, exit code, output, temporary files, servers and background jobs are as without walls', async () => {
    const { model } = await world.agent('ordinary work', [
      beginWork,
      shell(`node -e "console.log(process.cwd()); process.exitCode = 3"`),
      shell('cd src && pwd'),
      shell('pwd; node ../temp.mjs; node ../serve.mjs & sleep 1; echo started'),
      shell('node ../get.mjs; ls $TMPDIR | wc -l'),
      shell('node -e "setTimeout(() => console.log(40 + 2), 500)"', { run_in_background: true }),
      shell(`printf 'a\\nb\\n' | sort -r; git log --oneline | wc -l`),
      { text: 'Done.' },
    ]);
    const results = model.toolResults().slice(1);
    expect(results.shift()).toMatch(new RegExp(`Exit code 3[^]*${world.repo.path}`));
    expect(results[0]).toMatch(/\/src$/m);
    expect(results[1]).toMatch(/\/src\nkept\nstarted/);
    expect(results[2]).toMatch(/^SERVED\n/);
    expect(results[3]).toContain('running in background');
    expect(results[4]).toMatch(/b\na\n\s*\d/);
  });

  verifies('N20', 'a port that the human opens leads to the agent’s server, and closes with its session', async () => {
    const waiting = shell('node serve.mjs & until [ -e src/seen ]; do sleep 0.2; done');
    const running = world.agent('serve', [beginWork, waiting, { text: 'Done.' }]);
    const ports = () => world.ask<PortsView>('port', 'list');
    await eventually('the server listens', async () => ((await ports()).listening.includes(4567) ? true : undefined));
    const refused = await world.human(['port', 'open', '4568']);
    expect([refused.code, refused.output]).toEqual([1, expect.stringMatching(/No server[^]*4567/)]);
    const opened = await world.human(['port', 'open', '4567']);
    expect([opened.code, opened.output]).toEqual([0, expect.stringContaining('until its session ends')]);
    const [{ port } = { port: 0 }] = (await ports()).open;
    const get = () => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text());
    expect(await get()).toBe('SERVED');
    expect((await world.human(['port', 'close', '4567'])).code).toBe(0);
    await expect(get()).rejects.toThrow('fetch failed');
    await world.human(['port', 'open', '4567']);
    await writeFile(join(world.repo.path, 'src/seen'), '');
    await running;
    expect(await ports()).toEqual({ open: [], listening: [] });
  });

  verifies('N20', 'git settings stay, but for those that name a program, and the record says so', async () => {
    await world.agent('settings', [beginWork, shell('node config.mjs'), { text: 'Done.' }]);
    expect(world.repo.git('config', '--get-regexp', 'remote|fsmonitor|bare')).not.toContain('fsmonitor');
    const receipts = await world.ask<Receipt[]>('receipts');
    const { walls } = receipts.find(({ inputs }) => JSON.stringify(inputs).includes('config.mjs')) ?? {};
    expect(walls).toEqual({ level: 'walled', taken_back: [expect.stringContaining('fsmonitor')] });
  });

  verifies('N20', "the user's own rules stay in force, and where walls are required nothing runs without them", async () => {
    const settings = join(world.repo.path, '.claude/settings.local.json');
    const wired = JSON.parse(await world.file('.claude/settings.local.json')) as { env: Record<string, string> };
    await writeFile(settings, JSON.stringify({ ...wired, permissions: { deny: ['Bash(sort:*)'] } }));
    const denied = await world.agent('denied', [beginWork, shell('sort README.md'), { text: 'Done.' }]);
    expect(denied.model.toolResults()[1]).toMatch(/denied|permission/i);
    await writeFile(settings, JSON.stringify(wired));
    await writeFile(join(world.repo.path, '.ai/config/repo.json'), JSON.stringify({ walls: { level: 'required' } }));
    // Its settings name the wall program, and something else wins: only the command itself shows it.
    more = ['--settings', JSON.stringify({ env: { CLAUDE_CODE_SHELL: '/bin/bash' } })];
    const bypassed = await world.agent('bypassed', [beginWork, shell('node -e "7"'), shell('node -e "8"'), { text: 'Done.' }]);
    more = [];
    expect(bypassed.model.toolResults()[2]).toMatch(/WALLS_REQUIRED[^]*did not ask for its walls/);
    const ofBypassed = (await world.ask<SignedReceipt[]>('receipts')).find(({ inputs }) => JSON.stringify(inputs).includes('\\"7\\"'));
    expect(ofBypassed?.walls).toEqual({ level: 'hooked', bypassed: true });
    const [session] = (await world.ask<SessionRow[]>('sessions')).filter(({ bypassed_by }) => bypassed_by === ofBypassed?.action_id);
    expect((await world.human(['show', session?.id ?? ''])).output).toContain('was given walls, and ran without them');
    expect((await world.human(['show', ofBypassed?.receipt_id ?? ''])).output).toContain('it was given walls, and ran without them');
    const { CLAUDE_CODE_SHELL: _wall, ...env } = wired.env;
    await writeFile(settings, JSON.stringify({ ...wired, env }));
    const refused = await world.agent('refused', [beginWork, shell('node -e "1"'), { text: 'Done.' }]);
    expect(refused.model.toolResults()[1]).toContain('WALLS_REQUIRED');
  });

  verifies('N20', 'ordinary work shows the model the same behind walls and without them', async () => {
    const tasks = ORDINARY_TASKS.filter(({ name }) => SHOWN.includes(name));
    const { ran, of } = await sameForTheModel(tasks);
    expect([tasks.length, ran]).toEqual([SHOWN.length, of]);
  });

  tellOfAttacks(claudeClient);
  describe.skipIf(process.getuid?.() !== 0)('as another user, which only root can be', () => {
    tellOfAttacksOfOthers(claudeClient);
  });
});
