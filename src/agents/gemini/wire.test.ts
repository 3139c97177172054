import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, WirePaths } from '../adapter.ts';
import { clientRunner, DECISION } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';
import { isTrusted, isWired, switchesHooksOff, trust, unwireSettings, wireSettings } from './wire.ts';

const paths: WirePaths = {
  hookClient: '/opt/countersign/bin/countersign-hook',
  cli: '/opt/countersign/bin/countersign',
  home: '/home/ada/.local/share/countersign',
};
const elsewhere: WirePaths = { hookClient: '/usr/bin/countersign-hook', cli: '/usr/bin/countersign', home: '/var/lib/countersign' };
const shared: WirePaths = { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true };

const group = fc.record({ matcher: fc.string(), hooks: fc.array(fc.record({ type: fc.constant('command'), command: fc.string() })) });
const settings = fc
  .record(
    {
      general: fc.jsonValue(),
      hooks: fc.dictionary(fc.constantFrom('BeforeTool', 'AfterTool', 'Notification'), fc.array(group, { minLength: 1, maxLength: 2 }), {
        minKeys: 1,
      }),
      mcpServers: fc.dictionary(fc.constantFrom('mini', 'other'), fc.jsonValue(), { minKeys: 1 }),
    },
    { requiredKeys: [] },
  )
  .map((value) => JSON.parse(JSON.stringify(value)) as Json);

describe('settings', () => {
  test('undone, they are as they were; wired twice is wired once, to the letter; wired from elsewhere is moved', () => {
    fc.assert(
      fc.property(settings, fc.constantFrom(paths, shared), (before, where) => {
        const once = wireSettings(before, where);
        expect(unwireSettings(once)).toEqual(before);
        expect(unwireSettings(before)).toEqual(before);
        expect(JSON.stringify(wireSettings(once, where))).toBe(JSON.stringify(once));
        expect(wireSettings(wireSettings(before, elsewhere), where)).toEqual(once);
        expect([isWired(before), isWired(once)]).toEqual([false, true]);
      }),
      { numRuns: 50 },
    );
  });

  test('every tool is hooked, its time-out in milliseconds and above the client’s own; our server is trusted', () => {
    const { hooks, mcpServers } = wireSettings({}, paths) as { hooks: Record<string, Json[]>; mcpServers: Json };
    expect(Object.keys(hooks)).toEqual(['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterTool', 'AfterAgent', 'SessionEnd']);
    expect(hooks['BeforeTool']).toEqual([
      {
        hooks: [
          {
            type: 'command',
            name: 'countersign',
            command: `POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: DECISION }, {})}' ${paths.hookClient} --home ${paths.home} --deadline 110 --reads ${READ_TOOLS.join(',')} gemini BeforeTool`,
            env: { BASH_ENV: '', SHELLOPTS: '' },
            timeout: 120_000,
          },
        ],
      },
    ]);
    expect(mcpServers).toEqual({ countersign: { command: paths.cli, args: ['mcp', '--home', paths.home], trust: true } });
  });

  test('hooks that are switched off are not wired', () => {
    const wired = wireSettings({}, paths);
    for (const hooksConfig of [{ enabled: false }, { disabled: ['countersign'] }])
      expect([switchesHooksOff({ hooksConfig }), isWired({ ...wired, hooksConfig })]).toEqual([true, false]);
    for (const value of [null, 1, [], {}, { hooksConfig: null }, { hooksConfig: { enabled: true, disabled: ['other'] } }])
      expect([value, switchesHooksOff(value)]).toEqual([value, false]);
  });
});

describe('trust', () => {
  test('the longest rule counts, and no rule is no trust', () => {
    const rules = { '/home/ada': 'TRUST_FOLDER', '/home/ada/bad': 'DO_NOT_TRUST', '/srv/app/x': 'TRUST_PARENT' };
    const folders = ['/home/ada', '/home/ada/login', '/home/ada/bad/x', '/home/adam', '/srv/app/y', '/srv'];
    expect(folders.map((folder) => isTrusted(folder, rules))).toEqual([true, true, false, false, true, false]);
    expect(isTrusted('/home/ada', null)).toBe(false);
  });

  test('it is read from the client’s own files', async () => {
    const look = (files: Record<string, string>) =>
      trust.isStored({ root: '/w', userHome: '/h', paths, readText: (file) => Promise.resolve(files[file] ?? null) });
    expect(await look({})).toBe(false);
    expect(await look({ '/h/.gemini/trustedFolders.json': '{"/w":"TRUST_FOLDER"}' })).toBe(true);
    expect(await look({ '/h/.gemini/trustedFolders.json': 'garbage' })).toBe(false);
    expect(await look({ '/h/.gemini/settings.json': '{"security":{"folderTrust":{"enabled":false}}}' })).toBe(true);
  });
});
