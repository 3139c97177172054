// The package as npm makes and installs it: packed here, installed from the tarball into an empty folder, and run from there, once with
// the product's Node first on PATH and once where the only Node is too old.

import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pretendNode } from '../../scripts/scratch-clone.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { ROOT } from '../source-files.ts';

interface Packed {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

const base = mkdtempSync(join(tmpdir(), 'countersign-packed-'));
const local = join(base, 'local');
const prefix = join(base, 'global');
const NPM = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
/** npm's settings are the person's; everything else of theirs stays out. */
const NPM_SETTINGS = {
  npm_config_userconfig: process.env['npm_config_userconfig'] ?? join(homedir(), '.npmrc'),
  npm_config_cache: process.env['npm_config_cache'] ?? join(homedir(), '.npm'),
};
let packed: Packed;

function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

beforeAll(() => {
  mkdirSync(local);
  const [made] = JSON.parse(npm(ROOT, 'pack', '--json', '--pack-destination', base).replace(/^[^[]*(?=\[\s*\{)/, '')) as Packed[];
  packed = made!;
  const tarball = join(base, packed.filename);
  npm(local, 'install', tarball, ...NPM);
  npm(base, 'install', '--global', '--prefix', prefix, tarball, ...NPM);
}, 300_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

test('the package holds the program as JavaScript, the page, the sample and what brings Node, and nothing else', () => {
  const kinds = packed.files.map(({ path }) => path.replace(/^((?:bin|lib|clients|examples|scripts)\/).*/, '$1'));
  expect([...new Set(kinds)].toSorted()).toEqual([
    'LICENSE',
    'README.md',
    ...['bin/', 'clients/', 'examples/', 'lib/', 'package.json', 'scripts/'],
  ]);
  const paths = packed.files.map(({ path }) => path);
  expect(paths.filter((path) => path.startsWith('lib/') && !/^lib\/[\w/-]+\.js$/.test(path))).toEqual(['lib/manifest.json']);
  expect(paths.filter((path) => path.startsWith('scripts/')).length).toBe(7);
  expect(paths).toEqual(expect.arrayContaining(['clients/web/dist/index.html', 'lib/codeindex/tree/parse-thread.js']));
  expect(existsSync(join(ROOT, 'lib'))).toBe(false);
});

const LOGIN = 'export const allowed = false;\n';

/** The hook client beside the command, below a shell: its parent counts as the agent, and this process is the human too. */
function hook(place: Installation, bin: string, event: string, payload: object) {
  const input = JSON.stringify({
    ...{ session_id: 'packed', cwd: place.repo.path, hook_event_name: event, permission_mode: 'acceptEdits' },
    ...payload,
  });
  const { status, stdout, stderr } = spawnSync(
    '/bin/sh',
    ['-c', '"$0" "$@"; exit $?', join(bin, 'countersign-hook'), '--home', place.home, 'claude', event],
    {
      env: { PATH: process.env['PATH'], ...place.env },
      input,
      encoding: 'utf8',
    },
  );
  return { status, stdout, stderr };
}

/** From nothing to a verified record. */
async function tellTheStory(place: Installation, bin: string): Promise<void> {
  const file = join(place.repo.path, 'src/login.ts');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, LOGIN);
  const edit = { tool_name: 'Edit', tool_input: { file_path: file, old_string: 'false', new_string: 'true' } };

  expect(await place.run(['init', '--yes', '--agent', 'claude'])).toMatchObject({ code: 0 });
  hook(place, bin, 'SessionStart', { source: 'startup' });
  hook(place, bin, 'UserPromptSubmit', { prompt: 'fix login', prompt_id: 'p1' });
  const refused = hook(place, bin, 'PreToolUse', { ...edit, tool_use_id: 't1' });
  expect(refused).toMatchObject({ status: 0, stderr: '' });
  expect(refused.stdout).toMatch(/"permissionDecision":"deny".*INTENT_REQUIRED/);

  expect((await place.human(['intent', 'fix login', 'src'])).output).toMatch(/^INT-001 is active/);
  const agent = await place.mcpClient({ surface: 'hooked' });
  onTestFinished(() => agent.close());
  hook(place, bin, 'PreToolUse', { tool_name: 'mcp__countersign__begin_work', tool_input: {}, tool_use_id: 't2' });
  const begun = await agent.callTool({ name: 'begin_work', arguments: {}, _meta: { 'claudecode/toolUseId': 't2' } });
  expect(begun.isError ?? false).toBe(false);

  const passed = hook(place, bin, 'PreToolUse', { ...edit, tool_use_id: 't3' });
  expect([passed.status, passed.stdout.includes('"deny"')]).toEqual([0, false]);
  writeFileSync(file, LOGIN.replace('false', 'true'));
  hook(place, bin, 'PostToolUse', { ...edit, tool_use_id: 't3', tool_response: { filePath: file } });

  const receipts = await place.ask<{ tool_id: string; status: string }[]>('receipts');
  expect(receipts.map(({ tool_id, status }) => `${tool_id} ${status}`)).toContain('edit_file done');
  expect(await place.run(['verify'])).toMatchObject({ code: 0 });
}

describe('installed into a folder, with a Node that is new enough', () => {
  const bin = join(local, 'node_modules/.bin');
  const cli = join(bin, 'countersign');

  test('it tells its version and the whole story', async () => {
    // The machine's own Node may be too old.
    const place = await makeInstallation(cli, { PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` });
    onTestFinished(() => place.dispose());
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await place.run(['--version'])).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' });
    await tellTheStory(place, bin);

    const command = readFileSync(`/proc/${await place.daemonPid()}/cmdline`, 'utf8');
    expect(command).toContain(join(local, 'node_modules/countersign/lib/app/main.js'));
    // Threads have files of their own.
    expect((await place.run(['outline', 'src/login.ts'])).stdout).toContain('allowed');
    expect((await place.run(['symbols', 'allowed'])).stdout).toContain('src/login.ts');
    const { address } = await place.client.ask('status', {});
    const page = await fetch(`${address}ui/`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<div id="room">')]);
    const doctor = await place.run(['doctor']);
    expect(doctor.stdout).toMatch(/ok {4}package /);
    expect(doctor.code).toBe(0);

    // A newer package over a daemon that runs, and a file that was changed.
    const manifest = join(local, 'node_modules/countersign/package.json');
    writeFileSync(manifest, readFileSync(manifest, 'utf8').replace(`"version": "${version}"`, '"version": "9.9.9"'));
    writeFileSync(join(local, 'node_modules/countersign/lib/policy/scope.js'), '', { flag: 'a' });
    writeFileSync(join(local, 'node_modules/countersign/lib/policy/lock.js'), '// changed\n', { flag: 'a' });
    const later = await place.run(['doctor']);
    expect(later.code).toBe(1);
    expect(later.stdout).toMatch(
      /BAD {3}package +Not as it was packed: lib\/policy\/lock\.js was changed\.\n +fix: Install the package again/,
    );
    expect(later.stdout).toMatch(/BAD {3}daemon +\d+ is version .*, this is 9\.9\.9\.\n +fix: countersign stop, then countersign start/);
  }, 300_000);
});

describe('installed for everybody, where the only Node is too old', () => {
  test('it brings its own, says so once, and tells the story with it', async () => {
    const old = join(base, 'old');
    mkdirSync(old);
    writeFileSync(join(old, 'node'), `#!/bin/sh\nexec '${process.execPath}' "${pretendNode('20.20.2')}" "$@"\n`);
    chmodSync(join(old, 'node'), 0o755);
    const bin = join(prefix, 'bin');
    const cache = join(base, 'cache');
    const more = { ...NPM_SETTINGS, XDG_CACHE_HOME: cache, PATH: `${old}:${process.env['PATH']}` };
    const place = await makeInstallation(join(bin, 'countersign'), more);
    onTestFinished(() => place.dispose());

    const first = await place.run(['--version']);
    expect(first.code).toBe(0);
    expect(first.stderr).toMatch(/^Fetching Node 24\.\d+\.\d+ into .*\nFetching Node 24.*: done after \d+ s\n$/);
    expect(await place.run(['--version'])).toEqual({ ...first, stderr: '' });
    expect(readlinkSync(join(cache, 'countersign/node-24.15'))).toMatch(/^.*\/cache\/countersign\/node-24\.\d+\.\d+-/);
    await tellTheStory(place, bin);
    expect(readlinkSync(`/proc/${await place.daemonPid()}/exe`)).toContain(cache);
  }, 300_000);
});
