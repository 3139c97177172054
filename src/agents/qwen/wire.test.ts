import { expect, test } from 'vitest';
import type { Json, WirePaths } from '../adapter.ts';
import { clientRunner, DECISION } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';
import { isWired, switchesHooksOff, unwireSettings, wireSettings } from './wire.ts';

const paths: WirePaths = {
  hookClient: '/opt/countersign/bin/countersign-hook',
  cli: '/opt/countersign/bin/countersign',
  home: '/home/ada/cs',
};
const shared: WirePaths = { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true };
const BEFORES: readonly Json[] = [
  {},
  { security: { auth: { selectedType: 'openai' } }, mcpServers: { mini: { command: 'mini' } } },
  { hooks: { PreToolUse: [{ matcher: 'edit', hooks: [{ type: 'command', command: 'prettier' }] }], Notification: [] } },
];

test.each(BEFORES)('%j: undone, they are as they were; wired twice is wired once; wired from elsewhere is moved', (before) => {
  for (const where of [paths, shared]) {
    const once = wireSettings(before, where);
    expect(unwireSettings(once)).toEqual(before);
    expect(unwireSettings(before)).toEqual(before);
    expect(JSON.stringify(wireSettings(once, where))).toBe(JSON.stringify(once));
    expect(wireSettings(wireSettings(before, where === paths ? shared : paths), where)).toEqual(once);
    expect([isWired(before), isWired(once), isWired({ ...once, disableAllHooks: true })]).toEqual([false, true, false]);
  }
});

test('every tool is hooked, its time-out in seconds; our tools are loaded at once, without a question', () => {
  const { hooks, mcpServers } = wireSettings({}, paths) as { hooks: Record<string, Json[]>; mcpServers: Json };
  expect(Object.keys(hooks)).toEqual([
    'SessionStart',
    'UserPromptSubmit',
    'PreToolUse',
    'PostToolUse',
    'PostToolUseFailure',
    'Stop',
    'SessionEnd',
  ]);
  expect(hooks['PreToolUse']).toEqual([
    {
      hooks: [
        {
          type: 'command',
          name: 'countersign',
          command: `POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: DECISION }, {})}' ${paths.hookClient} --home ${paths.home} --deadline 110 --reads ${READ_TOOLS.join(',')} qwen PreToolUse`,
          env: { BASH_ENV: '', SHELLOPTS: '' },
          timeout: 120,
        },
      ],
    },
  ]);
  expect(mcpServers).toEqual({
    countersign: { command: paths.cli, args: ['mcp', '--home', paths.home], trust: true, alwaysLoadTools: true },
  });
});

test('what the client adds to a file that was only ours goes with it; alone it is not ours to take', () => {
  expect([unwireSettings({ ...wireSettings({}, paths), $version: 4 }), unwireSettings({ $version: 4 })]).toEqual([{}, { $version: 4 }]);
});

test('only the client’s own switch switches them off', () => {
  expect([null, 1, [], {}, { disableAllHooks: false }, { disableAllHooks: true }].map(switchesHooksOff)).toEqual([
    ...[false, false, false, false, false],
    true,
  ]);
});
