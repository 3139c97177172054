// The gate's own files, and those that decide whether an agent asks the gate at all, under a scope that covers everything.

import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import type { SessionRow } from '../../src/protocol/index.ts';
import { startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { verifies } from '../verifies.ts';
import { FIRST_DOORS } from '../../src/protocol/index.ts';

let daemon: TestDaemon;
let session: SessionRow;
let root: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  session = await daemon.beginWork('**');
  root = daemon.repo.path;
});
afterAll(() => daemon.dispose());

const GOVERNANCE = [
  '.git/hooks/pre-commit',
  '.git/config',
  '.orchestration/active_intents.yaml',
  '.orchestration/agent_trace.jsonl',
  '.ai/config/repo.json',
  '.ai/memory/overrides/a.json',
  '.ai/auth/jira.token',
  '.control-room/audit/a.jsonl',
  '.mcp.json',
  '.vscode/settings.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.cursor/hooks.json',
  '.codex/hooks.json',
  '.gemini/settings.json',
  '.github/hooks/gate.json',
  'opencode.json',
  'packages/web/.vscode/settings.json',
  '.GIT/hooks/pre-commit',
];

let calls = 0;

async function answers(path: string): Promise<Record<string, string>> {
  const byTool = async (tool: string, input: Record<string, unknown>): Promise<string> => {
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
  };
  const hook = (tool_name: string, tool_input: object): Promise<string> =>
    daemon.hook('PreToolUse', { tool_name, tool_input, tool_use_id: `toolu_${++calls}` }).then((answer) => codeIn(JSON.stringify(answer)));
  return {
    Write: await hook('Write', { file_path: join(root, path), content: 'x' }),
    Edit: await hook('Edit', { file_path: path, old_string: 'a', new_string: 'b' }),
    write_file: await byTool('write_file', { path, content: 'x' }),
    edit_file: await byTool('edit_file', { path, edits: [{ old_text: 'a', new_text: 'b' }] }),
    delete_file: await byTool('delete_file', { path }),
    'move_file from': await byTool('move_file', { from: path, to: 'src/x' }),
    'move_file to': await byTool('move_file', { from: 'README.md', to: path }),
    apply_patch: await byTool('apply_patch', {
      patch: `*** Begin Patch\n*** Delete File: README.md\n*** Add File: ${path}\n+x\n*** End Patch\n`,
    }),
  };
}

const codeIn = (answer: string): string => /GOVERNANCE_FILE|SCOPE_VIOLATION|[A-Z]+_REQUIRED/.exec(answer)?.[0] ?? 'passed';
const REFUSED = Object.fromEntries(
  ['Write', 'Edit', 'write_file', 'edit_file', 'delete_file', 'move_file from', 'move_file to', 'apply_patch'].map((tool) => [
    tool,
    'GOVERNANCE_FILE',
  ]),
);

verifies('N11', 'governance files are refused to every tool, even with scope **', async () => {
  // The gate itself writes it for the intent of this test.
  await expect.poll(() => existsSync(join(root, '.orchestration/active_intents.yaml'))).toBe(true);
  for (const path of GOVERNANCE) {
    const before = existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null;
    expect([path, await answers(path)]).toEqual([path, REFUSED]);
    expect([path, existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null]).toEqual([path, before]);
  }
  expect(existsSync(join(root, 'README.md'))).toBe(true);
});

verifies('N11', 'a link to a governance file is the governance file', async () => {
  const target = join(root, '.vscode/tasks.json');
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, '{}');
  symlinkSync('../.vscode', join(root, 'src/settings'));
  expect(await answers('src/settings/tasks.json')).toEqual(REFUSED);
  expect(readFileSync(target, 'utf8')).toBe('{}');
});
