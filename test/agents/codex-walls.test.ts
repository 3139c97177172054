// Codex behind walls of its own, the real client: the profile that `init` wrote and the daemon keeps, checked on each call.

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import type { Receipt, Status } from '../../src/protocol/index.ts';
import type { Client } from '../lab/clients/client.ts';
import { codexClient } from '../lab/clients/codex.ts';
import { eventually } from '../lab/eventually.ts';
import { makeWorld } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

const shell = (command: string, more: object = {}) => ({ tool: 'exec_command', args: { cmd: command, ...more } });
const beginWork = (intent?: string) => ({
  tool: 'begin_work',
  namespace: 'mcp__countersign',
  args: intent === undefined ? {} : { intent },
});

const ATTACK = `
  import fs from 'node:fs'; import net from 'node:net'; import { execFileSync } from 'node:child_process';
  const tries = {
    readme: () => fs.writeFileSync('README.md', 'BROKEN'),
    moved: () => fs.renameSync('README.md', 'src/README.md'),
    bashrc: () => fs.appendFileSync(process.env.HOME + '/.bashrc', 'BROKEN'),
    cache: () => fs.writeFileSync(process.env.HOME + '/.cache/p10k.zsh', 'BROKEN'),
    key: () => console.log(fs.readFileSync(process.env.HOME + '/.ssh/id_rsa', 'utf8')),
    gate: () => console.log(fs.readFileSync(process.env.GATE + '/run/hook', 'utf8')),
    settings: () => fs.appendFileSync(process.env.HOME + '/.codex/config.toml', '# BROKEN'),
    hooks: () => fs.writeFileSync('.codex/hooks.json', '{}'),
    gitHook: () => fs.writeFileSync('.git/hooks/pre-commit', 'BROKEN'),
    temp: () => fs.writeFileSync('/tmp/countersign-broken', 'BROKEN'),
  };
  for (const [name, run] of Object.entries(tries)) try { run(); console.log(name, 'WORKED'); } catch (e) { console.log(name, e.code); }
  for (const where of [{ host: '127.0.0.1', port: Number(process.env.PORT) }, { path: process.env.GATE + '/run/daemon.sock' }])
    await new Promise((done) => net.connect(where).on('connect', () => { console.log('net WORKED'); done(); }).on('error', (e) => { console.log('net', e.code); done(); }));
  execFileSync('git', ['config', 'core.fsmonitor', '/tmp/x'], { stdio: 'ignore' });
  fs.writeFileSync(fs.mkdtempSync(process.env.TMPDIR + '/t-') + '/x', 'kept');
  fs.writeFileSync('src/new.txt', 'in scope');
  console.log('ended');`;

describe.skipIf(process.env[codexClient.variable] === undefined)('Codex, walled', () => {
  verifies(
    'N20',
    'Codex’s own walls follow the intents, hold what the gate’s hold, and are looked up on each call',
    async () => {
      // Codex refuses to work with a home in the temporary folder once it has walls.
      const place = join(homedir(), '.cache/countersign/repos');
      await mkdir(place, { recursive: true });
      let mode: readonly string[] = [];
      const client: Client = {
        ...codexClient,
        start: async (run) => {
          const { args, ...rest } = await codexClient.start(run);
          return { ...rest, args: args.toSpliced(args.indexOf('-s'), 2, ...mode) };
        },
      };
      const world = await makeWorld(client, place, place);
      onTestFinished(() => world.dispose());
      const { repo, userHome } = world;
      const own = join(userHome, '.codex/config.toml');
      const project = join(repo.path, '.codex/config.toml');
      const before = { [own]: '# mine\nmodel = "gpt-5.5"\n', [project]: 'hide_agent_reasoning = true\n\n[tools]\nweb_search = false' };
      for (const folder of ['.codex', '.ssh', '.cache']) await mkdir(join(userHome, folder), { recursive: true });
      await mkdir(join(repo.path, '.codex'));
      await writeFile(join(userHome, '.ssh/id_rsa'), 'PRIVATE-KEY\n');
      for (const [file, text] of Object.entries(before)) await writeFile(file, text);
      await mkdir(join(repo.path, 'docs'));
      await writeFile(join(repo.path, 'docs/guide.md'), '# Guide\n');
      await writeFile(join(repo.path, 'attack.mjs'), ATTACK);
      repo.git('add', '-A');
      repo.git('commit', '-qm', 'programs');

      const wired = await world.human(['init', '--agent', 'codex', '--yes', '--diff']);
      expect(wired.output).toMatch(
        /default_permissions = "countersign_[^]*\[permissions\.countersign_[^]*start it without -s and --profile/,
      );
      expect((await world.human(['intent', 'work in src', 'src/**'])).code).toBe(0);
      await writeFile(join(repo.path, '.ai/config/repo.json'), JSON.stringify({ walls: { level: 'required' } }));
      expect(await readFile(own, 'utf8')).toContain(`"${repo.path}/src" = "write"`);

      const attack = `GATE=${world.home} PORT=${new URL((await world.ask<Status>('status')).address).port} node attack.mjs`;
      const { model } = await world.agent('attack', [
        beginWork(),
        shell(attack),
        shell('node -e "process.exit(3)"'),
        shell('touch src/escalated', { sandbox_permissions: 'require_escalated', justification: 'because' }),
        { text: 'Done.' },
      ]);
      const [, seen = '', failed = '', escalated = ''] = model.toolResults();
      expect(seen).not.toMatch(/WORKED|PRIVATE-KEY/);
      expect(seen).toMatch(/readme EROFS\nmoved E[A-Z]+\nbashrc EROFS[^]*net E[A-Z]+\nnet E[A-Z]+\nended/);
      expect(failed).toContain('exited with code 3');
      expect(escalated).toMatch(/WALLS_REQUIRED|rejected|not allowed/i);
      expect(await world.file('src/new.txt')).toBe('in scope');
      const receipts = await world.ask<Receipt[]>('receipts');
      expect(receipts.find(({ inputs }) => JSON.stringify(inputs).includes('attack.mjs'))?.walls).toEqual({
        level: 'walled',
        taken_back: [expect.stringContaining('fsmonitor')],
      });
      expect((await world.ask<Status>('status')).workspaces[0]).toMatchObject({ level: 'walled' });

      // With other permissions there are no walls, and no command.
      mode = ['-s', 'workspace-write'];
      const bare = await world.agent('without', [beginWork(), shell('node -e "1"'), { text: 'Done.' }]);
      expect(bare.model.toolResults()[1]).toMatch(/WALLS_REQUIRED[^]*other permissions/);
      mode = [];

      // While Codex runs, its intent ends and another one begins: it keeps the walls that it started with, which are too wide now.
      const running = world.agent('narrowed', [
        beginWork(),
        shell('touch src/one; until [ -e src/go ]; do sleep 0.2; done'),
        beginWork('INT-002'),
        shell('node -e "2"'),
        { text: 'Done.' },
      ]);
      await eventually('the command runs', () => world.file('src/one').catch(() => undefined));
      expect((await world.human(['intents', 'done', 'INT-001'])).code).toBe(0);
      expect((await world.human(['intent', 'write docs', 'docs/**'])).code).toBe(0);
      await writeFile(join(repo.path, 'src/go'), '');
      expect((await running).model.toolResults()[3]).toMatch(/WALLS_REQUIRED[^]*\/src could be written; start it again/);
      // Started again, it has the walls of the intent that is active now.
      const write = (file: string) => shell(`node -e "fs.writeFileSync('${file}', '')"`);
      const again = await world.agent('again', [beginWork(), write('docs/new.md'), write('src/a.txt'), { text: 'Done.' }]);
      expect(again.model.toolResults().slice(1)).toEqual([
        expect.stringContaining('exited with code 0'),
        expect.stringMatching(/EROFS|scope/),
      ]);

      expect((await world.human(['init', '--undo', '--yes'])).code).toBe(0);
      for (const [file, text] of Object.entries(before)) expect(await readFile(file, 'utf8')).toBe(text);
    },
    240_000,
  );
});
