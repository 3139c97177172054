import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Fault } from '../../protocol/index.ts';
import type { WirePaths } from '../adapter.ts';
import { clientRunner, DECISION, NOTICE } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';
import { unwireMcp, unwireSettings, wireMcp, wireSettings } from './wire.ts';

type Json = Record<string, unknown>;

const paths: WirePaths = {
  hookClient: '/opt/countersign/bin/countersign-hook',
  cli: '/opt/countersign/bin/countersign',
  home: '/home/ada/.local/share/countersign',
  wall: '/opt/countersign/bin/countersign-wall-bash',
};
const elsewhere: WirePaths = {
  hookClient: '/usr/lib/countersign/bin/countersign-hook',
  cli: '/usr/bin/countersign',
  home: '/var/lib/countersign',
  wall: '/usr/lib/countersign/bin/countersign-wall-zsh',
};

const invalid = (message: string) =>
  new Fault('DOCUMENT_INVALID', message, { fix: 'Fix it, then run countersign init again; nothing was written' });

const OUR_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'ConfigChange',
  'Stop',
  'SessionEnd',
];

const name = fc.oneof(fc.string(), fc.constantFrom('permissions', 'env', 'model', '__proto__', 'constructor'));
const foreignHook = fc.oneof(
  fc.record(
    {
      type: fc.constant('command'),
      command: fc.oneof(
        fc.constantFrom('prettier', '/opt/x/countersign-hooked', 'echo countersign-hook'),
        fc.string().filter((text) => !text.endsWith('/countersign-hook')),
      ),
      timeout: fc.nat(),
    },
    { requiredKeys: ['type', 'command'] },
  ),
  fc.record({ type: fc.constant('http'), url: fc.webUrl() }),
);
const foreignGroup = fc.oneof(
  fc.record({ matcher: fc.string(), hooks: fc.array(foreignHook) }, { requiredKeys: ['hooks'] }),
  // Not a group as the client knows it, but a human's all the same.
  fc.constantFrom(null, 'x', {}, { hooks: null }, { hooks: [] }, { hooks: [null] }),
);
const event = fc.oneof(fc.constantFrom(...OUR_EVENTS), fc.constantFrom('Notification', 'ConfigChange', 'PreCompact'), fc.string());

const through = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Json> => arbitrary.map((value) => JSON.parse(JSON.stringify(value)) as Json);

/** Settings in which nothing is ours; the lists that `init` adds to are absent or hold something. */
const settings = through(
  fc
    .tuple(
      fc.dictionary(
        name.filter((key) => key !== 'hooks' && key !== 'enabledMcpjsonServers' && key !== 'env'),
        fc.jsonValue(),
      ),
      fc.record(
        {
          hooks: fc.dictionary(event, fc.array(foreignGroup, { minLength: 1, maxLength: 3 }), { minKeys: 1 }),
          enabledMcpjsonServers: fc.array(
            fc.string().filter((server) => server !== 'countersign'),
            { minLength: 1 },
          ),
          env: fc.oneof(
            fc.dictionary(fc.string(), fc.string(), { minKeys: 1 }),
            fc.constantFrom(null, 'x', ['x'], { CLAUDE_CODE_SHELL: '/usr/bin/zsh' }),
          ),
        },
        { requiredKeys: [] },
      ),
    )
    .map(([rest, lists]) => ({ ...rest, ...lists })),
);
const mcp = through(
  fc
    .tuple(
      fc.dictionary(
        name.filter((key) => key !== 'mcpServers'),
        fc.jsonValue(),
      ),
      fc.option(
        fc.dictionary(
          fc.string().filter((server) => server !== 'countersign'),
          fc.jsonValue(),
          { minKeys: 1 },
        ),
      ),
    )
    .map(([rest, mcpServers]) => ({ ...rest, ...(mcpServers === null ? {} : { mcpServers }) })),
);

describe('settings', () => {
  test('undone, they are as they were', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const copy = structuredClone(before);
        expect(unwireSettings(wireSettings(before, paths))).toEqual(before);
        expect(unwireSettings(before)).toEqual(before);
        expect(before).toEqual(copy);
      }),
    );
  });

  test('wired twice is wired once, to the letter; wired from elsewhere is moved', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const once = wireSettings(before, paths);
        expect(JSON.stringify(wireSettings(once, paths))).toBe(JSON.stringify(once));
        expect(wireSettings(wireSettings(before, elsewhere), paths)).toEqual(once);
      }),
    );
  });

  test('what others hooked stays, in its order, and ours comes after it', () => {
    fc.assert(
      fc.property(settings, (before) => {
        const wired = wireSettings(before, paths);
        const hooks = wired['hooks'] as Record<string, unknown[]>;
        const foreign = (before['hooks'] ?? {}) as Record<string, unknown[]>;
        for (const [name, groups] of Object.entries(foreign)) expect(hooks[name]?.slice(0, groups.length)).toEqual(groups);
        for (const name of OUR_EVENTS) expect(hooks[name]).toHaveLength((Object.hasOwn(foreign, name) ? foreign[name]!.length : 0) + 1);
        for (const [key, value] of Object.entries(before))
          if (key === 'env') expect({ was: wired[key] }).toMatchObject({ was: value });
          else if (key !== 'hooks' && key !== 'enabledMcpjsonServers') expect(wired[key]).toEqual(value);
      }),
    );
  });

  test('commands get a shell with walls, unless a human chose another one', () => {
    const named = (before: Json) => (wireSettings(before, paths)['env'] as Json | undefined)?.['CLAUDE_CODE_SHELL'];
    expect([named({}), named({ env: { A: 'b' } }), named({ env: { CLAUDE_CODE_SHELL: '/usr/bin/zsh' } })]).toEqual([
      paths.wall,
      paths.wall,
      '/usr/bin/zsh',
    ]);
    expect(wireSettings({}, { ...paths, wall: undefined as never })).not.toHaveProperty('env.CLAUDE_CODE_SHELL', paths.wall);
  });

  test('every tool is hooked, with no shell left in between, and only there a failure blocks', () => {
    const { hooks, enabledMcpjsonServers } = wireSettings({}, paths) as { hooks: Record<string, Json[]>; enabledMcpjsonServers: string[] };
    expect(Object.keys(hooks)).toEqual(OUR_EVENTS);
    expect(enabledMcpjsonServers).toEqual(['countersign']);
    expect(hooks['PreToolUse']).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: `POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: DECISION }, {})}' ${paths.hookClient} --home ${paths.home} --deadline 110 --reads ${READ_TOOLS.join(',')} claude PreToolUse`,
            timeout: 120,
            onFailure: 'block',
            statusMessage: expect.stringContaining('countersign approve'),
          },
        ],
      },
    ]);
    expect(hooks['Stop']).toEqual([
      {
        hooks: [
          {
            type: 'command',
            command: `POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: NOTICE }, {})}' ${paths.hookClient} --home ${paths.home} --deadline 80 --notice claude Stop`,
            timeout: 90,
          },
        ],
      },
    ]);
    // The client gives up before the agent does.
    for (const groups of Object.values(hooks)) {
      const { timeout, command } = (groups[0] as { hooks: [{ timeout: number; command: string }] }).hooks[0];
      expect(Number(/--deadline (\d+)/.exec(command)?.[1])).toBeLessThan(timeout);
    }
  });

  test('lists that held only ours, or nothing, go away with it', () => {
    expect(unwireSettings(wireSettings({ hooks: { PreToolUse: [] }, enabledMcpjsonServers: [] }, paths))).toEqual({});
    expect(unwireSettings({ hooks: {}, enabledMcpjsonServers: [] })).toEqual({ hooks: {}, enabledMcpjsonServers: [] });
  });

  test('a group that a human put together from ours and theirs is theirs', () => {
    const [ours] = ((wireSettings({}, paths)['hooks'] as Record<string, Json[]>)['PreToolUse'] as [{ hooks: unknown[] }])[0].hooks;
    const mixed = { hooks: { PreToolUse: [{ matcher: 'Edit', hooks: [ours, { type: 'command', command: 'theirs' }] }] } };
    expect(unwireSettings(mixed)).toEqual(mixed);
  });

  const MISSHAPEN: readonly [Json, string][] = [
    [{ hooks: [] }, 'hooks is not an object'],
    [{ hooks: null }, 'hooks is not an object'],
    [{ hooks: { PreToolUse: {} } }, 'hooks.PreToolUse is not a list'],
    [{ hooks: { Notification: 'x' } }, 'hooks.Notification is not a list'],
    [{ enabledMcpjsonServers: 'all' }, 'enabledMcpjsonServers is not a list'],
  ];
  test.each(MISSHAPEN)('%j is said to be wrong, and nothing of it is lost', (before, message) => {
    for (const change of [() => wireSettings(before, paths), () => unwireSettings(before)]) {
      expect(change).toThrow(invalid(`.claude/settings.local.json: ${message}.`));
    }
  });
});

describe('MCP servers', () => {
  test('undone, they are as they were; wired twice is wired once', () => {
    fc.assert(
      fc.property(mcp, (before) => {
        const once = wireMcp(before, paths);
        expect(unwireMcp(once)).toEqual(before);
        expect(unwireMcp(before)).toEqual(before);
        expect(JSON.stringify(wireMcp(once, paths))).toBe(JSON.stringify(once));
        expect(wireMcp(wireMcp(before, elsewhere), paths)).toEqual(once);
      }),
    );
  });

  test('ours is offered to the model at once', () => {
    expect(wireMcp({ mcpServers: { mini: { command: 'mini' } } }, paths)).toEqual({
      mcpServers: {
        mini: { command: 'mini' },
        countersign: { type: 'stdio', command: paths.cli, args: ['mcp', '--home', paths.home], alwaysLoad: true },
      },
    });
  });

  test.each([[[]], [null], ['x']])('a list of servers that is %j is said to be wrong', (mcpServers) => {
    for (const change of [() => wireMcp({ mcpServers }, paths), () => unwireMcp({ mcpServers })]) {
      expect(change).toThrow(invalid('.mcp.json: mcpServers is not an object.'));
    }
  });
});
