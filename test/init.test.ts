// `countersign init` in a real repository: shown first, written once, undone byte for byte.

import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { IntentRow } from '../src/protocol/index.ts';
import { CLI, type Place } from './lab/installation.ts';
import { oneDaemon } from './lab/one-daemon.ts';
import { ownInstallation, spoilLedger } from './lab/own-installation.ts';
import { verifies } from './verifies.ts';

const placeForThisTest = oneDaemon();

describe('init', () => {
  const SETTINGS = '.claude/settings.local.json';
  const wired = async (place: Place) => {
    const read = (file: string) => readFile(join(place.repo.path, file), 'utf8').catch(() => null);
    return {
      settings: await read(SETTINGS),
      mcp: await read('.mcp.json'),
      config: await read('.ai/config/env.local.json'),
      exclude: await read('.git/info/exclude'),
    };
  };
  const existing = async (place: Place, files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(place.repo.path, file, '..'), { recursive: true });
      await writeFile(join(place.repo.path, file), text);
    }
  };

  test('--dry-run shows the change and writes nothing; it needs no daemon', async () => {
    const place = await ownInstallation();
    const untouched = await wired(place);
    const { code, stdout } = await place.run(['init', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout.match(/^\+\+\+ .*/gm)).toEqual(['+++ .claude/settings.local.json', '+++ .mcp.json', '+++ .ai/config/env.local.json']);
    const summary = JSON.parse((await place.run(['init', '--dry-run', '--json'])).stdout) as {
      changes: { file: string; before: string | null; after: string }[];
    };
    expect(summary).toMatchObject({ workspace: place.repo.path, undo: false, written: false });
    expect(summary.changes.map(({ file, before }) => ({ file, before }))).toEqual(
      [SETTINGS, '.mcp.json', '.ai/config/env.local.json'].map((file) => ({ file, before: null })),
    );
    expect(await wired(place)).toEqual(untouched);
    await expect(stat(place.home)).rejects.toThrow('ENOENT');
  });

  test('asked in a terminal: no writes nothing, yes writes, and a second time there is nothing to do', async () => {
    const place = await placeForThisTest();
    const untouched = await wired(place);
    const declined = await place.humanTries(['init'], [{ after: '[y/N]', type: 'n\n' }]);
    expect([declined.code, declined.output]).toEqual([0, expect.stringMatching(/Nothing was written\.\n$/)]);
    expect(declined.output).toContain(
      [
        'This is written now; `countersign init --undo` restores every byte:',
        '  Claude Code: .claude/settings.local.json (new), .mcp.json (new)',
        '  Settings: .ai/config/env.local.json (new) (minimum mode GUARDED: agents read freely, change files only under an intent that you granted, and risky commands wait for your answer)',
        "  Git: .git/info/exclude keeps the new files and the gate's views out of commits",
        '  Later, while agents work: .orchestration/ (intents, trace, map of intents), tinyTasks.md, .ai/tmp/ and a marked block in AGENTS.md',
      ].join('\n'),
    );
    expect(declined.output).not.toContain('+++');
    expect(await wired(place)).toEqual(untouched);

    const accepted = await place.humanTries(
      ['init'],
      [
        { after: `Write this in ${place.repo.path}? (d shows every line) [y/N]`, type: 'd\n' },
        { after: '+++ .ai/config/env.local.json', type: '' },
        { after: '[y/N]', type: 'yes\n' },
        { after: 'or n for none:', type: 'n\n' },
      ],
    );
    expect([accepted.code, accepted.output]).toEqual([
      0,
      expect.stringMatching(
        /Done\. Claude Code asks the gate before each tool[^]*Next: {2}countersign intent "what should change" PATH\n$/,
      ),
    ]);
    const written = await wired(place);
    expect(JSON.parse(written.config!)).toEqual({ mode: { minimum: 'GUARDED' } });
    expect(JSON.parse(written.mcp!)).toMatchObject({ mcpServers: { countersign: { command: CLI, args: ['mcp', '--home', place.home] } } });

    const again = await place.run(['init', '--yes']);
    expect(again).toEqual({ code: 0, stdout: '', stderr: `${place.repo.path} is wired already; nothing to change.\n` });
    expect(JSON.parse((await place.run(['init', '--json'])).stdout)).toEqual({
      workspace: place.repo.path,
      undo: false,
      agents: [{ name: 'claude', because: '.claude is in this work tree' }],
      written: false,
      changes: [],
      intent: null,
    });
    expect(await place.ask('intents')).toEqual([]);
    expect(await wired(place)).toEqual(written);
    // What the gate keeps there later does not make git dirty, nor can `git add -A` commit it.
    await existing(place, { 'tinyTasks.md': '', '.orchestration/active_intents.yaml': '', '.orchestration/tasks_archive.md': '' });
    expect(place.repo.git('status', '--porcelain')).toBe('');

    const undone = await place.run(['init', '--undo', '--yes']);
    expect(undone.stdout).toBe('');
    expect(undone.stderr).toMatch(/^This is undone; [^]*\nUndone\. Claude Code.* without the gate from the next session on\.\n$/);
    expect(await wired(place)).toEqual(untouched);
    expect(await place.run(['init', '--undo', '--yes'])).toMatchObject({
      code: 0,
      stderr: `Nothing of Countersign is wired in ${place.repo.path}.\n`,
    });
  });

  test('what others wired stays, and --undo brings their files back byte for byte', async () => {
    const place = await placeForThisTest();
    const foreign = { type: 'command', command: '/usr/local/bin/audit' };
    const settings = {
      permissions: { allow: ['Bash(ls:*)'], deny: [] },
      hooks: { PreToolUse: [{ matcher: 'Bash', hooks: [foreign] }], Notification: [{ hooks: [foreign] }] },
      enabledMcpjsonServers: ['other'],
      zażółć: '👍',
    };
    const mcp = { mcpServers: { other: { command: 'other', args: [] } } };
    const files = {
      [SETTINGS]: `${JSON.stringify(settings, null, 3)}\n`,
      '.mcp.json': `${JSON.stringify(mcp, null, '\t')}\n`,
      '.ai/config/env.local.json': '{"mode":{"minimum":"STRICT"}}',
    };
    await existing(place, files);
    const untouched = await wired(place);
    expect((await place.run(['init', '--yes'])).code).toBe(0);
    const written = JSON.parse((await wired(place)).settings!) as typeof settings;
    expect(written.hooks.PreToolUse[0]).toEqual(settings.hooks.PreToolUse[0]);
    expect(written.hooks.PreToolUse).toHaveLength(2);
    expect(written.enabledMcpjsonServers).toEqual(['other', 'countersign']);
    expect((await place.run(['init', '--undo', '--yes'])).code).toBe(0);
    expect(await wired(place)).toEqual(untouched);
  });

  test('--undo works if no daemon can run', async () => {
    const place = await ownInstallation();
    await place.run(['init', '--yes']);
    await spoilLedger(place);
    const { code, stderr } = await place.run(['init', '--undo', '--yes']);
    expect([code, stderr]).toEqual([
      0,
      expect.stringMatching(/^No daemon came up: .* This is not on the record yet: an unsigned note says so, .*\nUndone\./s),
    ]);
    expect(await wired(place)).toMatchObject({ settings: null, mcp: null });
    expect(await place.run(['init', '--yes'])).toMatchObject({ code: 3 });
  });

  test('a file that is not JSON, or not what it should be, is a sentence, and nothing is written', async () => {
    const place = await placeForThisTest();
    for (const [file, text, message] of [
      ['.mcp.json', '{"mcpServers": {', /^\.mcp\.json is not JSON: /],
      ['.mcp.json', '[]', /^\.mcp\.json does not hold a JSON object\.$/],
      ['.mcp.json', '{"mcpServers": []}', /^\.mcp\.json: mcpServers is not an object\.$/],
    ] as const) {
      await existing(place, { [file]: text });
      const untouched = await wired(place);
      const { code, stdout } = await place.run(['init', '--yes', '--json']);
      expect([code, JSON.parse(stdout)]).toEqual([
        1,
        {
          error: {
            code: 'DOCUMENT_INVALID',
            message: expect.stringMatching(message),
            fix: 'Fix it, then run countersign init again; nothing was written',
          },
        },
      ]);
      expect(await wired(place)).toEqual(untouched);
    }
  });

  test('--yes shows the summary, and every line only with --diff', async () => {
    const place = await placeForThisTest();
    const summary = '  Claude Code: .claude/settings.local.json (new), .mcp.json (new)\n';
    const brief = await place.run(['init', '--yes']);
    expect(brief).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining(summary) });
    expect((await place.run(['init', '--undo', '--yes'])).code).toBe(0);
    const whole = await place.run(['init', '--yes', '--diff']);
    expect(whole).toMatchObject({ stdout: expect.stringContaining('+++ .mcp.json\n'), stderr: brief.stderr });
  });

  test('without a terminal: an error, and nothing is written', async () => {
    const place = await placeForThisTest();
    const untouched = await wired(place);
    expect(await place.run(['init'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /\ncountersign: This is not a terminal, so the question cannot be asked\.\n {2}Run it in a terminal, or with --yes after reading countersign init --dry-run\n$/,
      ),
    });
    expect(await wired(place)).toEqual(untouched);
  });

  test('Ctrl-C and the end of input at the question mean no', async () => {
    const place = await placeForThisTest();
    const untouched = await wired(place);
    for (const key of ['\u0003', '\u0004']) {
      const { output } = await place.humanTries(['init'], [{ after: '[y/N]', type: key }]);
      expect(output).toMatch(/Nothing was written\.\n$/);
      expect(await wired(place)).toEqual(untouched);
    }
  });

  describe('a standing intent', () => {
    const intents = async (place: Place) =>
      (await place.ask<IntentRow[]>('intents')).map(({ name, status, owned_scope }) => ({ name, status, owned_scope }));

    test('is offered once, with the folders that hold sources, and not where one is active', async () => {
      const place = await placeForThisTest();
      const { code, output } = await place.humanTries(
        ['init'],
        [
          { after: '[y/N]', type: 'y\n' },
          { after: 'Title [everyday work], or n for none:', type: '\n' },
          { after: 'with spaces between them [1]', type: '\n' },
        ],
      );
      expect([code, output]).toEqual([
        0,
        expect.stringMatching(/INT-001 is active: everyday work, for src\/\*\*.*\. End it with: countersign intents done INT-001\n$/),
      ]);
      expect(await intents(place)).toMatchObject([{ name: 'everyday work', status: 'active' }]);

      await place.human(['init', '--undo'], [{ after: `Undo this in ${place.repo.path}? (d shows every line) [y/N]`, type: 'y\n' }]);
      const again = await place.humanTries(['init'], [{ after: '[y/N]', type: 'y\n' }]);
      expect(again).toMatchObject({ code: 0, output: expect.not.stringContaining('standing intent') });
    });

    test('takes a title and paths of a person’s own; Ctrl-C grants nothing', async () => {
      const place = await placeForThisTest();
      const left = await place.humanTries(
        ['init'],
        [
          { after: '[y/N]', type: 'y\n' },
          { after: 'or n for none:', type: 'mine\n' },
          { after: 'with spaces between them', type: '\u0003' },
        ],
      );
      expect(left).toMatchObject({ code: 0, output: expect.stringContaining('Next:  countersign intent') });
      expect(await intents(place)).toEqual([]);
      await place.run(['init', '--undo', '--yes']);
      await place.human(
        ['init'],
        [
          { after: '[y/N]', type: 'y\n' },
          { after: 'or n for none:', type: 'fix login\n' },
          { after: 'with spaces between them', type: 'src/auth README.md\n' },
        ],
      );
      expect(await intents(place)).toEqual([{ name: 'fix login', status: 'active', owned_scope: ['src/auth/**', 'README.md'] }]);
    });

    test('without a terminal is granted only when it is asked for, also where all is wired', async () => {
      const place = await placeForThisTest();
      await place.run(['init', '--yes']);
      expect(await intents(place)).toEqual([]);
      const { code, stdout } = await place.run(['init', '--yes', '--intent', 'fix login', '--paths', 'src/auth', 'README.md', '--json']);
      expect([code, JSON.parse(stdout)]).toMatchObject([
        0,
        { written: false, changes: [], intent: { id: 'INT-001', name: 'fix login', owned_scope: ['src/auth/**', 'README.md'] } },
      ]);
      expect(await place.run(['init', '--undo', '--yes', '--intent', 'x'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--undo grants nothing.'),
      });
    });
  });

  describe('instructions for agents that read files', () => {
    const FILE = '.github/copilot-instructions.md';
    const read = (place: Place) => readFile(join(place.repo.path, FILE), 'utf8').catch(() => null);

    verifies('E6', 'are in a marked block; people’s own words stay', async () => {
      const place = await placeForThisTest();
      for (const before of ['# Ours\r\n\r\nBe kind.\r\n', '# Ours\n\nNo line end', '\n']) {
        await existing(place, { [FILE]: before });
        const { stdout } = await place.run(['init', '--yes', '--diff']);
        expect(stdout).toContain(`+++ ${FILE}\n`);
        const written = (await read(place))!;
        expect(written.startsWith(before)).toBe(true);
        const block = written.slice(before.length).replaceAll('\r\n', '\n').trim();
        expect(block).toMatch(/^<!-- countersign:begin .*-->\n[^]*\n<!-- countersign:end -->$/);
        expect(block).toContain('elefanteAssertCompliance');
        expect(block).toContain('signal_task_complete');
        expect(await place.run(['init', '--yes'])).toMatchObject({ stdout: '' });
        expect((await place.run(['init', '--undo', '--yes'])).code).toBe(0);
        expect(await read(place)).toBe(before);
      }
    });

    test('are written where .github is, and not for an agent that does not read them; --undo takes the file away again', async () => {
      const place = await placeForThisTest();
      await place.run(['init', '--yes']);
      expect(await read(place)).toBe(null);
      await mkdir(join(place.repo.path, '.github'));
      await place.run(['init', '--yes']);
      expect(await read(place)).toMatch(/^<!-- countersign:begin /);
      await place.run(['init', '--undo', '--yes']);
      expect(await read(place)).toBe(null);
    });

    verifies('E6', 'are written where an agent that reads them is chosen; --undo takes file and folder away', async () => {
      for (const agent of ['copilot', 'vscode']) {
        const place = await placeForThisTest();
        expect((await place.run(['init', '--yes', '--agent', agent])).code).toBe(0);
        expect([agent, await read(place)]).toEqual([agent, expect.stringMatching(/^<!-- countersign:begin /)]);
        expect((await place.run(['init', '--undo', '--yes'])).code).toBe(0);
        expect([agent, existsSync(join(place.repo.path, '.github'))]).toEqual([agent, false]);
      }
    });

    test('whose marks were broken are left alone, and the line is named', async () => {
      const place = await placeForThisTest();
      const broken = 'a\n<!-- countersign:begin -->\nb\n';
      await existing(place, { [FILE]: broken });
      const untouched = await wired(place);
      expect(await place.run(['init', '--yes'])).toMatchObject({ code: 1, stderr: expect.stringContaining(`${FILE}:2: the marks`) });
      expect([await read(place), await wired(place)]).toEqual([broken, untouched]);
    });
  });
});
