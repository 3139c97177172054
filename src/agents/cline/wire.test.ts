import { expect, test } from 'vitest';
import type { WirePaths } from '../adapter.ts';
import { clientRunner, DECISION } from '../wire.ts';
import { READ_TOOLS } from './translate.ts';
import { isOurProgram, unwireServer, wireProgram, wireServer, wiring } from './wire.ts';

const paths: WirePaths = { hookClient: '/opt/bin/countersign-hook', cli: '/opt/bin/countersign', home: '/home/ada/cs' };
const shared: WirePaths = { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true };

test('a program for each event, which the client starts itself', () => {
  expect(wireProgram('PreToolUse', null, paths)).toBe(
    [
      '#!/bin/sh',
      '# Countersign: written by `countersign init`, taken away by `countersign init --undo`.',
      `POSIXLY_CORRECT=1 exec bash -p -c '${clientRunner({ timing: DECISION, denyAs: 'cline' }, {})}' /opt/bin/countersign-hook --home /home/ada/cs --deadline 110 --reads ${READ_TOOLS.join(',')} --deny-as cline cline PreToolUse`,
      '',
    ].join('\n'),
  );
  expect(wiring.map(({ file, place, holds }) => [file, place, holds])).toEqual([
    ['.cline/hooks/TaskStart', 'workspace', []],
    ['.cline/hooks/TaskResume', 'workspace', []],
    ['.cline/hooks/UserPromptSubmit', 'workspace', []],
    ['.cline/hooks/PreToolUse', 'workspace', ['hooks']],
    ['.cline/hooks/PostToolUse', 'workspace', []],
    ['.cline/hooks/TaskComplete', 'workspace', []],
    ['.cline/hooks/TaskCancel', 'workspace', []],
    ['.cline/hooks/TaskError', 'workspace', []],
    ['.cline/hooks/SessionShutdown', 'workspace', []],
    ['.cline/data/settings/cline_mcp_settings.json', 'home', ['mcp']],
  ]);
});

test('only our own file is changed, and undone it is gone', () => {
  const once = wireProgram('PreToolUse', null, paths);
  expect([wireProgram('PreToolUse', once, paths), isOurProgram(once), isOurProgram('#!/bin/sh\n')]).toEqual([once, true, false]);
  expect(wireProgram('PreToolUse', once, shared)).toContain('command -v countersign-hook');
  expect(() => wireProgram('PreToolUse', '#!/bin/sh\necho mine\n', paths)).toThrow(
    '.cline/hooks/PreToolUse is a hook that Countersign did not write.',
  );
  const [program] = wiring;
  expect(program?.form === 'text' && [program.unwire(once), program.unwire('theirs')]).toEqual([null, 'theirs']);
});

test('our server is added beside the others, and removed without a trace', () => {
  const before = { mcpServers: { mini: { command: 'mini' } } };
  const once = wireServer(before, paths);
  expect(once).toEqual({
    mcpServers: {
      ...before.mcpServers,
      countersign: { command: paths.cli, args: ['mcp', '--home', '/home/ada/cs'], disabled: false, timeout: 120 },
    },
  });
  expect([wireServer(once, paths), unwireServer(once), unwireServer(wireServer({}, paths))]).toEqual([once, before, {}]);
});
