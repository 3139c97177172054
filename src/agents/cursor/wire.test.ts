import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, WirePaths } from '../adapter.ts';
import { clientRunner, DECISION } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';
import { decides, unwireHooks, unwireMcp, wireHooks, wireMcp } from './wire.ts';

const paths: WirePaths = { hookClient: '/opt/cs/bin/countersign-hook', cli: '/opt/cs/bin/countersign', home: '/home/ada/cs' };
const shared: WirePaths = { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true };

test('a hook on every event that counts; those that decide fail closed', () => {
  const { version, hooks } = wireHooks({}, paths) as { version: number; hooks: Record<string, Json[]> };
  expect(version).toBe(1);
  expect(Object.entries(hooks).map(([event, [hook]]) => [event, hook!['failClosed'] ?? false])).toEqual([
    ['sessionStart', false],
    ['beforeSubmitPrompt', false],
    ['preToolUse', true],
    ['beforeMCPExecution', true],
    ['postToolUse', false],
    ['postToolUseFailure', false],
    ['stop', false],
    ['sessionEnd', false],
  ]);
  expect(hooks['preToolUse']).toEqual([
    {
      command: `POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: DECISION, denyAs: 'cursor' }, {})}' /opt/cs/bin/countersign-hook --home /home/ada/cs --deadline 110 --reads ${READ_TOOLS.join(',')} --deny-as cursor cursor preToolUse`,
      timeout: 120,
      failClosed: true,
    },
  ]);
  expect(hooks['stop']![0]).toMatchObject({ loop_limit: 5 });
});

test('committed, it answers for a machine without Countersign', () => {
  const { hooks } = wireHooks({}, shared) as { hooks: Record<string, { command: string }[]> };
  expect(hooks['preToolUse']![0]!.command).toMatch(/^command -v countersign-hook .*\{"permission":"allow"\}/);
});

test('undone, files are as they were; wired twice is wired once', () => {
  const hook = fc.record({ command: fc.string(), timeout: fc.nat() });
  const file = fc
    .record(
      {
        version: fc.constant(1),
        hooks: fc.dictionary(fc.constantFrom('stop', 'preToolUse', 'afterFileEdit'), fc.array(hook, { minLength: 1 }), { minKeys: 1 }),
        x: fc.jsonValue(),
      },
      { requiredKeys: ['version', 'hooks'] },
    )
    .map((value) => JSON.parse(JSON.stringify(value)) as Json);
  fc.assert(
    fc.property(file, fc.constantFrom(paths, shared), (before, where) => {
      const once = wireHooks(before, where);
      expect(unwireHooks(once)).toEqual(before);
      expect(unwireHooks(before)).toEqual(before);
      expect(wireHooks(once, where)).toEqual(once);
      expect([decides(before), decides(once)]).toEqual([false, true]);
    }),
    { numRuns: 100 },
  );
  expect(unwireHooks(wireHooks({}, paths))).toEqual({});
  expect(unwireMcp(wireMcp({ mcpServers: { other: {} } }, paths))).toEqual({ mcpServers: { other: {} } });
});
