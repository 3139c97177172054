// `countersign init` for several agents: which ones are found, what is written for each, what a teammate without the product sees, and that
// undo restores every byte.

import { spawn } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { hookAdapters } from '../src/agents/index.ts';
import { governanceRule } from '../src/workspace/index.ts';
import type { Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { ownInstallation } from './lab/own-installation.ts';
import { verifies } from './verifies.ts';

const placeForThisTest = oneDaemon();

async function put(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
}

/** Every file and link of a tree with its bytes; git's own and the ledger's views left out. */
async function treeOf(root: string, below = ''): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(join(root, below), { withFileTypes: true }).catch(() => [])) {
    const name = join(below, entry.name);
    if (name === '.git' || name === '.orchestration') continue;
    if (entry.isDirectory()) Object.assign(found, { [`${name}/`]: '' }, await treeOf(root, name));
    else found[name] = await readFile(join(root, name), 'latin1');
  }
  return found;
}

const shownIn = (stdout: string): string[] => [...stdout.matchAll(/^\+\+\+ (.*)$/gm)].map(([, file]) => file!);

describe('who is found', () => {
  test('a program on PATH, a folder in the home, a file in the tree; each is named with the reason', async () => {
    const place = await ownInstallation();
    const bin = join(place.base, 'bin');
    await put(bin, { gemini: '#!/bin/sh\n', 'codex-not-executable': '' });
    await chmod(join(bin, 'gemini'), 0o755);
    await put(place.repo.path, { '.cursorrules': 'Be kind.\n' });
    await mkdir(join(place.env['HOME']!, '.qwen'), { recursive: true });
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const { stdout } = await place.run(['init', '--dry-run', '--json'], { env });
    expect((JSON.parse(stdout) as { agents: unknown }).agents).toEqual([
      { name: 'cursor', because: '.cursorrules is in this work tree' },
      { name: 'gemini', because: `${join(bin, 'gemini')} is on PATH` },
      { name: 'qwen', because: '~/.qwen is there' },
    ]);
  });

  test('named ones are wired whether they are here or not; an unknown name is a sentence', async () => {
    const place = await placeForThisTest();
    const { stdout } = await place.run(['init', '--dry-run', '--agent', 'cursor', 'codex']);
    expect(shownIn(stdout)).toEqual(expect.arrayContaining(['.cursor/hooks.json', '.cursor/mcp.json', '.codex/hooks.json']));
    expect(shownIn(stdout)).not.toContain('.claude/settings.local.json');
    expect(await place.run(['init', '--dry-run', '--agent', 'hal'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/There is no agent hal\.\n {2}The agents are claude, /),
    });
  });
});

const CODEX_WALLS = /(?<=# Countersign: begin, walls of ).*?(?=# Countersign: end of walls)/;

describe('all agents at once', () => {
  const ALL = ['--agent', ...hookAdapters.keys()];

  verifies('N1', 'every agent is wired; a second time changes nothing; undo restores', async () => {
    const place = await ownInstallation();
    const { path } = place.repo;
    const userHome = place.env['HOME']!;
    // Spelled as people do, and none of it ours.
    await put(path, {
      '.claude/settings.local.json': '{}',
      '.mcp.json': '{\r\n\t"mcpServers": {}\r\n}',
      '.gemini/settings.json': '{ "theme": "dark" }\n',
      '.cursor/hooks.json': '{"version":1,"hooks":{"afterFileEdit":[{"command":"./fmt.sh"}]}}',
      'AGENTS.md': '# Ours\n\nBe kind.',
      'opencode.json': '{\n    "$schema": "https://opencode.ai/config.json"\n}\n',
    });
    await put(userHome, { '.codex/config.toml': 'model = "gpt-5"\n# mine\n' });
    const before = [await treeOf(path), await treeOf(userHome)];
    const first = await place.run(['init', '--yes', ...ALL]);
    expect(first.code).toBe(0);
    // The daemon fills in the walls of Codex in its own time.
    const written = async () => JSON.stringify([await treeOf(path), await treeOf(userHome)]).replace(CODEX_WALLS, '');
    const once = await written();
    expect(once).not.toBe(JSON.stringify(before));
    expect(
      place.repo
        .git('status', '--porcelain')
        .split('\n')
        .filter((line) => /countersign/.test(line)),
    ).toEqual([]);

    expect(await place.run(['init', '--yes', ...ALL])).toMatchObject({ code: 0, stdout: '' });
    expect(await written()).toBe(once);

    expect((await place.run(['init', '--undo', '--yes'])).code).toBe(0);
    expect([await treeOf(path), await treeOf(userHome)]).toEqual(before);
  });

  test('what the gate keeps in AGENTS.md goes with it', async () => {
    const place = await placeForThisTest();
    await put(place.repo.path, { 'AGENTS.md': '# Ours\n\nBe kind.' });
    await place.run(['init', '--yes']);
    await place.human(['memory', 'add', 'decision', 'Use pnpm', '--rationale', 'one lock file']);
    await expect.poll(() => readFile(join(place.repo.path, 'AGENTS.md'), 'utf8'), { timeout: 20_000 }).toContain('countersign:begin');
    expect((await place.run(['init', '--undo', '--yes'])).code).toBe(0);
    expect(await readFile(join(place.repo.path, 'AGENTS.md'), 'utf8')).toBe('# Ours\n\nBe kind.');
  });

  test('what was changed since is kept, and only ours is taken out', async () => {
    const place = await placeForThisTest();
    const file = join(place.repo.path, '.mcp.json');
    await put(place.repo.path, { '.mcp.json': '{\n  "mcpServers": {}\n}\n' });
    await place.run(['init', '--yes']);
    const mine = JSON.parse(await readFile(file, 'utf8')) as { mcpServers: Record<string, unknown> };
    await writeFile(file, JSON.stringify({ mcpServers: { ...mine.mcpServers, other: { command: 'other' } } }));
    await place.run(['init', '--undo', '--yes']);
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ mcpServers: { other: { command: 'other' } } });
  });

  test('comments stay where the agent reads them; where it does not, such a file is refused', async () => {
    const place = await placeForThisTest();
    const file = join(place.repo.path, '.gemini/settings.json');
    const mine = '// mine\n{\n  "theme": "x", // dark\n  "hooks": {} // none yet\n}\n';
    await put(place.repo.path, { '.gemini/settings.json': mine });
    expect((await place.run(['init', '--yes', '--agent', 'gemini'])).code).toBe(0);
    const wired = await readFile(file, 'utf8');
    expect(wired.startsWith('// mine\n{\n  "theme": "x", // dark\n  "hooks": {\n    "SessionStart"')).toBe(true);
    expect(wired).toContain('}, // none yet\n  "mcpServers"');
    expect(JSON.parse((await place.run(['init', '--dry-run', '--agent', 'gemini', '--json'])).stdout)).toMatchObject({ changes: [] });

    await writeFile(file, wired.replace('"x"', '"y"'));
    expect((await place.run(['init', '--undo', '--yes'])).code).toBe(0);
    expect(await readFile(file, 'utf8')).toBe('// mine\n{\n  "theme": "y" // dark\n   // none yet\n}\n');

    await put(place.repo.path, { '.claude/settings.local.json': '{} // mine\n' });
    expect(await place.run(['init', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringContaining('is not JSON') });

    // VS Code also reads a comma behind the last item. Undoing does not need to understand the other file.
    const servers = '{\n  // mine\n  "servers": {\n    "a": { "command": "x" }, // yes\n  },\n}\n';
    await put(place.repo.path, { '.vscode/mcp.json': servers, '.claude/settings.local.json': '{}' });
    expect((await place.run(['init', '--yes', '--agent', 'vscode'])).code).toBe(0);
    const vscode = join(place.repo.path, '.vscode/mcp.json');
    const both = await readFile(vscode, 'utf8');
    expect(both).toMatch(/^\{\n {2}\/\/ mine\n {2}"servers": \{\n {4}"a": \{ "command": "x" \}, \/\/ yes\n {4}"countersign": /);
    await writeFile(vscode, both.replace('"x"', '"y"'));
    await put(place.repo.path, { '.gemini/settings.json': 'theirs, not JSON' });
    expect((await place.run(['init', '--undo', '--yes'])).code).toBe(0);
    expect(await readFile(vscode, 'utf8')).toBe(servers.replace('"x"', '"y"'));
  });

  test('every file that is written for hooks is one that agents may not touch', () => {
    const files = [...hookAdapters.values()].flatMap(({ wiring }) =>
      wiring.filter(({ place }) => place === 'workspace').map(({ file }) => file),
    );
    expect(files.filter((file) => governanceRule(file) === null)).toEqual([]);
  });
});

describe('--shared', () => {
  const hooks = async (place: Place): Promise<string> => {
    const settings = JSON.parse(await readFile(join(place.repo.path, '.claude/settings.json'), 'utf8')) as {
      hooks: { PreToolUse: { hooks: { command: string }[] }[] };
    };
    return settings.hooks.PreToolUse[0]!.hooks[0]!.command;
  };
  const runLine = async (line: string, env: Record<string, string>) => {
    const child = spawn('/bin/sh', ['-c', line], { env, stdio: ['pipe', 'pipe', 'pipe'] });
    child.stdin.on('error', () => {});
    child.stdin.end('{"session_id":"s","cwd":"/","tool_name":"Write","tool_input":{}}');
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    const [stdout, stderr, code] = await Promise.all([readAll(child.stdout), readAll(child.stderr), ended]);
    return { code, stdout, stderr };
  };

  test('writes committed files that name no path of this machine and replace a local wiring', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--yes']);
    const { code, stderr } = await place.run(['init', '--shared', '--yes', '--agent', 'claude', 'cursor']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Commit these files.')]);
    const tree = await treeOf(place.repo.path);
    const ours = Object.entries(tree).filter(([file]) => /^\.(?:claude|cursor|mcp)/.test(file));
    expect(ours.map(([file]) => file)).toEqual(
      expect.arrayContaining(['.claude/settings.json', '.cursor/hooks.json', '.cursor/mcp.json', '.mcp.json']),
    );
    expect(tree['.claude/settings.local.json']).toBeUndefined();
    for (const [, text] of ours) expect(text).not.toMatch(new RegExp(`${place.home}|/bin/countersign`));
    expect(tree['.ai/config/env.local.json']).toContain('GUARDED');
    expect(place.repo.git('status', '--porcelain', '--untracked-files=all')).toContain('.claude/settings.json');
    await place.run(['init', '--undo', '--yes']);
    expect(Object.keys(await treeOf(place.repo.path)).filter((file) => /^\.(?:claude|cursor|mcp|ai)/.test(file))).toEqual([]);
  });

  test('a teammate without the product is let through with the agent’s own "no opinion"', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--shared', '--yes', '--agent', 'claude', 'cursor']);
    const env = { PATH: '/usr/bin:/bin', HOME: place.env['HOME']! };
    expect(await runLine(await hooks(place), env)).toEqual({ code: 0, stdout: '', stderr: '' });
    const cursor = JSON.parse(await readFile(join(place.repo.path, '.cursor/hooks.json'), 'utf8')) as {
      hooks: { preToolUse: { command: string }[] };
    };
    expect(await runLine(cursor.hooks.preToolUse[0]!.command, env)).toEqual({ code: 0, stdout: '{"permission":"allow"}\n', stderr: '' });
  });

  test('a teammate who has it is gated', async () => {
    const place = await ownInstallation();
    await place.run(['init', '--shared', '--yes']);
    const bin = join(place.base, 'bin');
    await mkdir(bin);
    for (const name of ['countersign', 'countersign-hook']) await symlink(join(import.meta.dirname, '../bin', name), join(bin, name));
    const answer = await runLine(await hooks(place), { ...place.env, PATH: `${bin}:${process.env['PATH']}` });
    expect(JSON.parse(answer.stdout)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
  });
});

test('a file that is in git gets a warning, because what is written names paths of this machine', async () => {
  const place = await placeForThisTest();
  await put(place.repo.path, { '.mcp.json': '{"mcpServers":{}}' });
  place.repo.git('add', '.mcp.json');
  expect((await place.run(['init', '--yes'])).stderr).toContain('.mcp.json is in git');
});

test('other files get the instructions on request, and lose them again', async () => {
  const place = await placeForThisTest();
  await put(place.repo.path, { '.windsurfrules': 'Be kind.\n' });
  await place.run(['init', '--yes', '--instructions', '.windsurfrules', '--instructions', 'CONVENTIONS.md']);
  expect(await readFile(join(place.repo.path, '.windsurfrules'), 'utf8')).toMatch(/^Be kind\.\n\n<!-- countersign:begin[^]*begin_work/);
  expect(await place.run(['init', '--yes', '--instructions', 'AGENTS.md'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('AGENTS.md'),
  });
  expect(await place.run(['init', '--yes', '--instructions', '../x.md'])).toMatchObject({ code: 2 });
  await place.run(['init', '--undo', '--yes']);
  expect(await readFile(join(place.repo.path, '.windsurfrules'), 'utf8')).toBe('Be kind.\n');
  await expect(stat(join(place.repo.path, 'CONVENTIONS.md'))).rejects.toThrow('ENOENT');
});

test('without the book of originals undo still takes out what is ours', async () => {
  const place = await ownInstallation();
  await place.run(['init', '--yes', '--agent', 'claude', 'cursor']);
  await rm(join(place.home, 'init.json'));
  await place.run(['init', '--undo', '--yes']);
  expect(Object.keys(await treeOf(place.repo.path)).filter((file) => /^\.(?:claude|cursor|mcp)/.test(file))).toEqual([]);
});

describe('hook settings that change around the gate', () => {
  const SETTINGS = '.claude/settings.local.json';

  verifies('N11', 'are found by reconciliation and in the level', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--yes']);
    await place.hook('SessionStart', {});
    const level = async () => (await place.client.ask('status', {})).workspaces.find(({ root }) => root === place.repo.path)!.level;
    expect(await level()).toMatch(/^(?:hooked|walled)$/);
    await writeFile(join(place.repo.path, SETTINGS), '{"hooks":{}}');
    const { found } = await place.ask<{ found: { path: string }[] }>('reconcile');
    expect(found.map(({ path }) => path)).toContain(SETTINGS);
    expect(await level()).toBe('advisory');
    expect((await place.run(['doctor'])).stdout).toContain('Somebody took our hooks out of .claude/settings.local.json');
  });
});
