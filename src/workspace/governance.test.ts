import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { GOVERNANCE_RULES, governanceRule } from './governance.ts';

verifies('N11', 'every rule refuses its own examples and leaves the others', () => {
  for (const rule of GOVERNANCE_RULES) {
    for (const path of rule.examples.refused) expect([path, governanceRule(path)]).toEqual([path, rule.why]);
    for (const path of rule.examples.left) expect([path, governanceRule(path)]).toEqual([path, null]);
  }
});

verifies('N11', 'the named governance files are refused at every depth, in any case', () => {
  const named = [
    '.git/hooks/pre-commit',
    '.orchestration/active_intents.yaml',
    '.ai/config/repo.json',
    '.ai/memory/overrides/x.json',
    '.control-room/audit/x',
    '.mcp.json',
    '.vscode/settings.json',
  ];
  for (const path of named) {
    for (const twin of [path, `packages/web/${path}`, path.toUpperCase()])
      expect([twin, governanceRule(twin)]).toEqual([twin, expect.any(String)]);
  }
});

test('ordinary files, tasks and scratch work are not governance files', () => {
  for (const path of [
    'src/auth/login.ts',
    'tinyTasks.md',
    'AGENTS.md',
    'CLAUDE.md',
    '.ai/tmp/work/run/scratch/notes.md',
    '.env',
    'package.json',
    '',
  ])
    expect([path, governanceRule(path)]).toEqual([path, null]);
});

verifies('N11', 'settings may be read, credentials may not', () => {
  expect(governanceRule('.vscode/settings.json', 'read')).toBe(null);
  expect(governanceRule('.git/config', 'read')).toBe(null);
  expect(governanceRule('.ai/auth/jira.token', 'read')).toBe('it holds credentials');
  expect(governanceRule('.ai/auth/jira.token', 'delete')).toBe('it holds credentials');
});
