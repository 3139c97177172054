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
          command: `exec bash -p -c '${clientRunner({ timing: DECISION }, {})}' /opt/countersign/bin/countersign-hook --home '/home/ada o'\\''neil/.local/share/countersign' --deadline 110 --reads ${READ_TOOLS.join(',')} codex PreToolUse`,
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

test('a file that held only ours is removed', () => {
  expect(unwireConfig(wireConfig(null, paths))).toBe(null);
  expect(unwireConfig('')).toBe('');
});
