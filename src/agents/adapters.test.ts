// The rules that every adapter keeps, whatever its agent.

import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { HookEvent, Json, WirePaths } from './adapter.ts';
import { hookAdapters } from './index.ts';
import { writtenHooks } from './wire.ts';

const adapters = [...hookAdapters.values()];
const paths: WirePaths = {
  hookClient: '/opt/countersign/bin/countersign-hook',
  cli: '/opt/countersign/bin/countersign',
  home: '/home/ada/.local/share/countersign',
};
const shared: WirePaths = { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true };

verifies('N1', 'there is an adapter for each of the agents', () => {
  expect([...hookAdapters.keys()].sort()).toEqual([
    'claude',
    'cline',
    'codex',
    'copilot',
    'cursor',
    'gemini',
    'opencode',
    'qwen',
    'vscode',
  ]);
});

test.each(adapters)('$name: wired twice is wired once, undone nothing is left, and each file says whether it is wired', ({ wiring }) => {
  for (const each of wiring) {
    for (const where of [paths, shared]) {
      if (each.form === 'json') {
        const once = each.wire({}, where);
        expect(each.wire(once, where)).toEqual(once);
        expect(each.unwire(once)).toEqual({});
        expect([each.isWired(once), each.isWired({}), each.isWired(null)]).toEqual([true, false, false]);
      } else {
        const once = each.wire(null, where);
        expect(each.wire(once, where)).toBe(once);
        expect(each.unwire(once)).toBe(null);
        expect([each.isWired(once), each.isWired('')]).toEqual([true, false]);
      }
    }
  }
});

/** The text as versions before this one wrote it. At first the line ran the client by itself, then with an `exec` that may be a function. */
const asFirst = (text: string) =>
  text
    .replaceAll('POSIXLY_CORRECT=1 exec ', 'exec ')
    .replaceAll(/exec bash -p -c '[^']*' countersign-hook/g, 'exec countersign-hook')
    .replaceAll(/bash -p -c '[^']*' /g, 'bash ')
    .replace(/^#!\/bin\/sh/, '#!/usr/bin/env bash')
    .replace(/^const (?:BASH|RUNNER|OBSERVES) = .*\n/gm, '');

const asSecond = (text: string) => text.replaceAll('POSIXLY_CORRECT=1 exec ', 'exec ');

test.each(
  adapters.flatMap(({ name, wiring }) => [
    { name, wiring, asEarlier: asFirst },
    ...(name === 'opencode' ? [] : [{ name, wiring, asEarlier: asSecond }]),
  ]),
)('$name: what an earlier version wrote is known as such, wired again, and undone', ({ wiring, asEarlier }) => {
  for (const each of wiring.filter(({ holds }) => !holds.includes('mcp') || holds.includes('hooks'))) {
    for (const where of [paths, shared]) {
      if (each.form === 'json') {
        const now = each.wire({}, where);
        const text = JSON.stringify(now);
        // Not in JSON's own quotes: those of the line are escaped in it.
        const earlier = JSON.parse(asEarlier(text)) as Json;
        expect(earlier).not.toEqual(now);
        expect([each.isWired(earlier), each.wire(earlier, where), each.unwire(earlier)]).toEqual([true, now, {}]);
      } else {
        const now = each.wire(null, where);
        const earlier = asEarlier(now);
        expect(earlier).not.toBe(now);
        const written = (text: string) => (each.written?.(text) ?? writtenHooks(text.split('\n'))).failClosed;
        expect([written(now), written(earlier)]).toEqual([true, false]);
        expect([each.isWired(earlier), each.wire(earlier, where), each.unwire(earlier)]).toEqual([true, now, null]);
      }
    }
  }
});

test.each(adapters)('$name: hooks and our server are wired, for one person and for a team', ({ wiring }) => {
  for (const audience of ['local', 'shared'] as const) {
    const holds = wiring.filter((each) => each.audience === audience || each.audience === 'both').flatMap((each) => each.holds);
    expect([audience, holds.includes('hooks')]).toEqual([audience, true]);
  }
  expect(wiring.flatMap(({ holds }) => holds)).toContain('mcp');
});

test.each(adapters)('$name: what others wrote into its files stays', ({ wiring }) => {
  const theirs: Json = { theirs: { a: [1] } };
  for (const each of wiring) if (each.form === 'json') expect(each.unwire(each.wire(theirs, paths))).toMatchObject(theirs);
});

test.each(adapters)('$name: what cannot be read where something is decided is denied, in words', ({ name, write, capabilities }) => {
  const nowhere = { nativeSession: '', cwd: '', planning: false };
  const event: HookEvent = { kind: 'before', native: { tool: '' }, call: { kind: 'own', tool: '', input: {} }, ...nowhere };
  const refusal = {
    error_code: 'BAD_REQUEST',
    message: 'what',
    recoverable: true,
    required_action: 'do',
    remedy: null,
    also_missing: [],
  } as const;
  const said = write(event, { kind: 'trouble', refusal: { ...refusal, also_missing: [] } });
  expect([name, JSON.stringify(JSON.parse(said))]).toEqual([name, expect.stringMatching(/deny|cancel|block/)]);
  expect(said).toContain('Countersign BAD_REQUEST: what');
  expect(said).not.toContain('\n');
  expect(capabilities.deny).toBe(true);
});

test.each(adapters)('$name: an event that it does not know is one at which something may be decided', ({ decides }) => {
  expect(decides('AnEventOfTomorrow')).toBe(true);
});
