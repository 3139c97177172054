import { expect, test } from 'vitest';
import type { WirePaths } from '../adapter.ts';
import { clientRunner, DECISION, NOTICE } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';
import { isTrustStored, unwireHooks, wireHooks } from './wire.ts';

const paths: WirePaths = { hookClient: '/opt/bin/countersign-hook', cli: '/opt/bin/countersign', home: '/home/ada/cs' };
const shared: WirePaths = { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true };

test('its own file is written, wired twice is wired once, and goes away when undone', () => {
  const wired = wireHooks({}, paths) as { version: number; hooks: Record<string, unknown[]> };
  expect(wired.version).toBe(1);
  expect(Object.keys(wired.hooks)).toEqual([
    ...['sessionStart', 'userPromptSubmitted', 'preToolUse', 'postToolUse', 'postToolUseFailure', 'agentStop', 'sessionEnd'],
  ]);
  expect(wired.hooks['preToolUse']).toEqual([
    {
      type: 'command',
      bash: `POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: DECISION, denyAs: 'copilot' }, {})}' /opt/bin/countersign-hook --home /home/ada/cs --deadline 110 --reads ${READ_TOOLS.join(',')} --deny-as copilot copilot preToolUse`,
      env: { BASH_ENV: '', SHELLOPTS: '' },
      timeoutSec: 120,
    },
  ]);
  expect(wireHooks(wired, paths)).toEqual(wired);
  expect(wireHooks(wired, shared)).toEqual(wireHooks({}, shared));
  expect(unwireHooks(wired)).toEqual({});
});

test('a person’s own hooks in it stay', () => {
  const theirs = { version: 1, hooks: { preToolUse: [{ type: 'command', bash: './check.sh' }] } };
  expect(unwireHooks(wireHooks(theirs, paths))).toEqual(theirs);
});

test('a committed file asks first whether Countersign is there', () => {
  const { hooks } = wireHooks({}, shared) as { hooks: Record<string, [{ bash: string }]> };
  expect(hooks['agentStop']?.[0].bash).toBe(
    `command -v countersign-hook >/dev/null 2>&1 || exit 0; POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: NOTICE }, {})}' countersign-hook --deadline 80 --notice copilot agentStop`,
  );
});

test('a folder is trusted with what is below it', async () => {
  const look = (config: string | null) => ({ root: '/work/repo', userHome: '/home/ada', paths, readText: () => Promise.resolve(config) });
  expect(await isTrustStored(look('// comment\n{"trusted_folders": ["/work"]}'))).toBe(true);
  expect(await isTrustStored(look('{"trustedFolders": ["/work/repo"]}'))).toBe(true);
  expect(await isTrustStored(look('{"trusted_folders": ["/work/rep"]}'))).toBe(false);
  expect(await isTrustStored(look('{}'))).toBe(false);
  expect(await isTrustStored(look(null))).toBe(false);
});
