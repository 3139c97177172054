// Paths that look as if they were in scope, or in the work tree, and are not. A real daemon, an agent with hooks, and the gate's own tools.

import { execFileSync } from 'node:child_process';
import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { SessionRow } from '../../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { verifies } from '../verifies.ts';
import { FIRST_DOORS } from '../../src/protocol/index.ts';

let daemon: TestDaemon;
let session: SessionRow;
let root: string;
let outside: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  session = await daemon.beginWork('src/**');
  root = daemon.repo.path;
  outside = await mkdtemp(join(tmpdir(), 'countersign-outside-'));
  writeFileSync(join(outside, 'secret'), 'secret');
  mkdirSync(join(root, 'src-evil'));
  writeFileSync(join(root, 'src-evil/a.ts'), 'evil');
  symlinkSync(join(outside, 'secret'), join(root, 'src/file-link'));
  symlinkSync(outside, join(root, 'src/folder-link'));
  symlinkSync(join(outside, 'not-yet'), join(root, 'src/dangling-link'));
  linkSync(join(outside, 'secret'), join(root, 'src/hard-link'));
  symlinkSync('/dev/null', join(root, 'src/device'));
  execFileSync('mkfifo', [join(root, 'src/pipe')]);
  writeFileSync(join(root, 'src/caf\u00e9.ts'), 'composed');
});
afterAll(async () => {
  await daemon.dispose();
  await rm(outside, { recursive: true, force: true });
});

let calls = 0;

/** The answer for the agent's own tool. */
async function byHook(path: string): Promise<string> {
  const input = { tool_name: 'Write', tool_input: { file_path: path, content: 'x' }, tool_use_id: `toolu_${++calls}` };
  return codeIn(JSON.stringify(await daemon.hook('PreToolUse', input)));
}

/** What the gate's own tool answers. */
async function byTool(tool: string, input: Record<string, unknown>): Promise<string> {
  const { outcome } = await daemon.services().kernel.spine.pass({
    session: session.id,
    workspace: session.workspace,
    root,
    cwd: root,
    actor: { agent: session.agent },
    door: FIRST_DOORS.mcp,
    tool,
    input,
    waitTimeoutMs: 0,
    signal: AbortSignal.timeout(60_000),
  });
  return codeIn(JSON.stringify(outcome));
}

const codeIn = (answer: string): string => /[A-Z]+_(?:VIOLATION|FILE|REQUIRED|VERSION)\b/.exec(answer)?.[0] ?? 'passed';

/** Everything that must not change: the folder outside, and everything in the tree outside the scope. */
const sight = () =>
  [outside, join(root, 'src-evil'), join(root, 'src')].map((folder) =>
    readdirSync(folder)
      .toSorted()
      .map((name) => [name, lstatSync(join(folder, name)).isFile() ? readFileSync(join(folder, name), 'utf8') : null]),
  );

async function expectRefused(...paths: string[]): Promise<void> {
  const before = sight();
  for (const path of paths) {
    const attempts = {
      hook: await byHook(path),
      write: await byTool('write_file', { path, content: 'x' }),
      edit: await byTool('edit_file', { path, edits: [{ old_text: 'secret', new_text: 'x' }] }),
      patch: path.includes('\0')
        ? 'SCOPE_VIOLATION'
        : await byTool('apply_patch', { patch: `*** Begin Patch\n*** Add File: ${path}\n+x\n*** End Patch\n` }),
      moveTo: await byTool('move_file', { from: 'src/caf\u00e9.ts', to: path }),
    };
    const refused = 'SCOPE_VIOLATION';
    expect([path, attempts]).toEqual([path, { hook: refused, write: refused, edit: refused, patch: refused, moveTo: refused }]);
  }
  expect(sight()).toEqual(before);
}

verifies('I9', 'dots that lead out of the scope or the work tree', () =>
  expectRefused('src/../README.md', '../outside', 'src/../../outside', './src/./../README.md'),
);

verifies('I9', 'absolute paths', () => expectRefused('/etc/passwd', join(outside, 'secret'), join(root, 'README.md')));

verifies('I9', 'a prefix twin of the scope', () => expectRefused('src-evil/a.ts', 'src.ts', 'srcs/a.ts'));

verifies('I9', 'a symlink to a file', () => expectRefused('src/file-link'));

verifies('I9', 'a symlink to a directory', () => expectRefused('src/folder-link/secret', 'src/folder-link/new', 'src/folder-link/../x'));

verifies('I9', 'a dangling symlink', () => expectRefused('src/dangling-link', 'src/dangling-link/x'));

verifies('I9', 'a hard link', () => expectRefused('src/hard-link'));

verifies('I9', 'a FIFO', () => expectRefused('src/pipe'));

verifies('I9', 'a device', () => expectRefused('src/device', '/dev/null', '/proc/self/cwd/src/x'));

verifies('I9', 'a case twin', () => expectRefused('SRC/a.ts', 'Src/auth/login.ts'));

verifies('I9', 'a unicode twin', () => expectRefused('src/cafe\u0301.ts', 'src/a\u200b.ts', 'src/\u202ets.a'));

verifies('I9', 'a very long path', () => expectRefused(`src/${'x'.repeat(300)}`, `src/${'a/'.repeat(3000)}b`));

verifies('I9', 'a NUL in the path', () => expectRefused('src/a.ts\0.png', '\0'));
