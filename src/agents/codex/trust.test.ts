import { expect, test } from 'vitest';
import type { WirePaths } from '../adapter.ts';
import { isTrustStored, store, trustedHooks } from './trust.ts';
import { wireHooks } from './wire.ts';

const paths: WirePaths = { hookClient: '/opt/countersign/bin/countersign-hook', cli: '/opt/countersign/bin/countersign', home: null };
const root = '/home/ada/my "repo"';
const theirs = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: 'theirs' }] }] } };
const hooks = JSON.stringify(wireHooks(theirs, paths));
const grant = (before: string | null) => store.grant(before, { root, hooks });
const look = (config: string | null, now = hooks) => ({
  ...{ root, userHome: '/home/ada', paths },
  readText: (file: string) => Promise.resolve(file.endsWith('hooks.json') ? now : config),
});

test('a hook is known by what it runs, and by its place among others', () => {
  const line = 'exec /opt/countersign/bin/countersign-hook x';
  const one = { hooks: { PreToolUse: [{ hooks: [{ type: 'command', command: line, timeout: 120 }] }] } };
  expect(trustedHooks('/repo', JSON.stringify(one))).toEqual([
    // As Codex 0.166.0 has it.
    {
      key: '/repo/.codex/hooks.json:pre_tool_use:0:0',
      hash: 'sha256:816151b17f623662a12be5f7d1646b6c25634ab63db513e6d898f3a0044239f2',
    },
  ]);
  expect(trustedHooks(root, hooks).map(({ key }) => key.slice(root.length))).toEqual(
    ['pre_tool_use:1:0', 'session_start:0:0', 'user_prompt_submit:0:0', 'post_tool_use:0:0', 'stop:0:0', 'session_end:0:0'].map(
      (each) => `/.codex/hooks.json:${each}`,
    ),
  );
});

test.each([null, 'model = "gpt-5.5"\n', 'model = "gpt-5.5"', '[projects."/other"]\ntrust_level = "trusted"\n'])(
  'trust is added behind %j, once, and taken out again',
  async (before) => {
    const granted = grant(before)!;
    expect(granted.startsWith(before ?? '')).toBe(true);
    expect(granted).toContain('[projects."/home/ada/my \\"repo\\""]\ntrust_level = "trusted"\n');
    expect(grant(granted)).toBe(granted);
    expect(await isTrustStored(look(granted))).toBe(true);
    expect(await isTrustStored(look(before))).toBe(false);
    expect(store.withdraw(granted, root)).toBe(before);
    expect(store.withdraw(granted, '/other')).toBe(granted);
  },
);

test('of two work trees each has its own', () => {
  for (const before of ['model = "x"\n', 'model = "x"']) {
    const both = store.grant(grant(before), { root: '/second', hooks })!;
    expect(store.withdraw(both, '/second')).toBe(grant(before));
    expect(store.withdraw(store.withdraw(both, root)!, '/second')).toBe(before);
  }
});

test('a table that is there already is not written twice, which would keep Codex from starting', () => {
  const folder = `[projects.${JSON.stringify(root)}]\n`;
  expect(grant(`${folder}trust_level = "untrusted"\n`)!.split(folder)).toHaveLength(2);
  for (const other of ['projects = {}\n', '[projects]\n', 'hooks.state = {}\n', '[hooks.state]\n', `[projects.'${root}']\n`])
    expect(grant(other)).toBe(other);
});

test('a hook that is rewritten keeps the trust that a human gave it, here and in Codex’s own tables', async () => {
  const earlier = hooks.replaceAll('POSIXLY_CORRECT=1 exec', 'exec').replaceAll(/bash -p -c '[^']*'/g, 'bash');
  const old = store.grant('model = "x"\n', { root, hooks: earlier })!;
  const again = { root, hooks, hooksBefore: earlier };
  expect(await isTrustStored(look(old))).toBe(false);
  expect(store.grant(old, again)).toBe(grant('model = "x"\n'));
  // As Codex writes it when a human says so: without our marks, and with more in a table.
  const own = old.replaceAll(/^# Countersign.*\n/gm, '').replaceAll(/^(trusted_hash.*)$/gm, 'enabled = true\n$1');
  expect(await isTrustStored(look(own, earlier))).toBe(true);
  for (const shared of [true, false]) {
    const carried = store.grant(own, { ...again, shared })!;
    expect([await isTrustStored(look(carried)), carried.split('[hooks.state.').length]).toEqual([true, 7]);
  }
  // They trusted a different hook.
  const other = own.replaceAll('sha256:', 'sha256:0');
  expect([store.grant(other, { ...again, shared: true }), await isTrustStored(look(store.grant(other, again)))]).toEqual([other, false]);
  expect(store.grant(null, { ...again, shared: true })).toBe(null);
});

test('our hook keeps its place, by which Codex knows those behind it', () => {
  const wired = wireHooks(theirs, paths) as { hooks: { PreToolUse: unknown[] } };
  const last = { hooks: [{ type: 'command', command: 'last' }] };
  wired.hooks.PreToolUse.push(last);
  const again = wireHooks(wired, { ...paths, home: '/elsewhere' }) as typeof wired;
  expect([again.hooks.PreToolUse.length, again.hooks.PreToolUse[2]]).toEqual([3, last]);
});

test('hooks that were changed since are not trusted, nor are those of a folder that is not', async () => {
  const granted = grant(null)!;
  expect(await isTrustStored(look(granted, hooks.replace('--deadline 110', '--deadline 111')))).toBe(false);
  expect(await isTrustStored(look(granted, 'no json'))).toBe(false);
  expect(await isTrustStored(look(granted.replace('trust_level = "trusted"', 'trust_level = "untrusted"')))).toBe(false);
});
