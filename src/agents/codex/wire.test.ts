import { expect, test } from 'vitest';
import type { WirePaths } from '../adapter.ts';
import { clientRunner, DECISION } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';
import { unwireConfig, unwireHooks, wireConfig, wireHooks, wiring } from './wire.ts';

const paths: WirePaths = {
  hookClient: '/opt/countersign/bin/countersign-hook',
  cli: '/opt/countersign/bin/countersign',
  home: "/home/ada o'neil/.local/share/countersign",
};
const theirs = { hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: 'theirs' }] }], Notification: [] } };

test('hooks are added after what is there, wired twice is wired once, and undone they are as they were', () => {
  const wired = wireHooks(theirs, paths) as { hooks: Record<string, unknown[]> };
  expect(wired.hooks['PreToolUse']).toEqual([
    ...theirs.hooks.PreToolUse,
    {
      hooks: [
        {
          type: 'command',
          command: `POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: DECISION }, {})}' /opt/countersign/bin/countersign-hook --home '/home/ada o'\\''neil/.local/share/countersign' --deadline 110 --reads ${READ_TOOLS.join(',')} codex PreToolUse`,
          timeout: 120,
          statusMessage: expect.stringContaining('countersign approve'),
        },
      ],
    },
  ]);
  expect(wireHooks(wired, paths)).toEqual(wired);
  expect(unwireHooks(wired)).toEqual(theirs);
  expect(unwireHooks(wireHooks({}, paths))).toEqual({});
  expect([wired, theirs, {}, null].map((value) => wiring[0]!.form === 'json' && wiring[0]!.isWired(value))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test.each(['', 'model = "gpt-5.5"\n', '# mine\n[mcp_servers.mini]\ncommand = "mini"'])(
  'the server is a block of its own in %j',
  (before) => {
    const wired = wireConfig(before, paths);
    expect(wired.startsWith(before)).toBe(true);
    expect(wired).toContain(
      '[mcp_servers.countersign]\ncommand = "/opt/countersign/bin/countersign"\nargs = ["mcp","--home","/home/ada o\'neil/',
    );
    expect(wireConfig(wired, paths)).toBe(wired);
    expect(unwireConfig(wired) ?? '').toBe(before);
    expect(unwireConfig(`${wired}\n[theirs]\n`)).toMatch(/\n\[theirs\]\n$/);
  },
);

test.each(['', 'model = "gpt-5.5"\n', '\n# mine\n[mcp_servers.mini]\ncommand = "mini"'])(
  'the walls are named before every table in %j',
  (before) => {
    const walled = { ...paths, profile: { root: '/home/ada/shop', temp: '/tmp/countersign-shop' } };
    const wired = wireConfig(before, walled);
    expect(wired).toMatch(
      /^# Countersign: begin walls[^\n]*\ndefault_permissions = "countersign_[0-9a-f]{12}"\nshell_environment_policy\.set\.TMPDIR = "\/tmp\/countersign-shop"\n/,
    );
    expect([wireConfig(wired, walled), unwireConfig(wired) ?? '']).toEqual([wired, before]);
    expect(wireConfig(wired, paths)).toBe(wireConfig(before, paths));
  },
);

test('our tools are offered without a search, unless the human has settings of their own for that', () => {
  const table = '[features.code_mode]\ndirect_only_tool_namespaces = ["mcp__countersign"]';
  expect(wireConfig('[features]\nmemories = true\n', paths)).toContain(table);
  for (const theirs of ['[features.code_mode]\nenabled = true\n', '[features]\ncode_mode = true\n', 'features = { memories = true }\n'])
    expect(wireConfig(theirs, paths)).not.toContain(table);
});

test('permissions that a human chose stay, and there are no walls then', () => {
  const before = 'sandbox_mode = "danger-full-access"\n';
  expect(wireConfig(before, { ...paths, profile: { root: '/r', temp: '/t' } })).toBe(wireConfig(before, paths));
});

test('a file that held only ours is removed', () => {
  expect(unwireConfig(wireConfig(null, paths))).toBe(null);
  expect(unwireConfig('')).toBe('');
});
