// The command line as a person meets it: each command a real process, through pipes or in a real terminal.

import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type ActionRow, type IntentRow, QUERIES, type Receipt, type Status } from '../src/protocol/index.ts';
import { CLI, hasEnded, type Installation, makeInstallation, runCommand } from './lab/installation.ts';
import { runInTerminal } from './lab/terminal.ts';
import { verifies } from './verifies.ts';

async function placeForThisTest(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  return place;
}

/** A process that counts as an agent's from now on, and ends with the test. */
async function agentProcess(place: Installation): Promise<void> {
  const agent = spawn('cat', { stdio: ['pipe', 'ignore', 'inherit'] });
  onTestFinished(() => void agent.stdin.end());
  await place.hook('SessionStart', {}, agent.pid);
}

/** The agent of `hook` has begun to work on the only active intent. */
async function beginWork(place: Installation): Promise<void> {
  const client = await place.mcpClient();
  await place.hook('PreToolUse', { tool_name: 'mcp__countersign__begin_work', tool_input: {}, tool_use_id: 'toolu_begin' });
  const begun = await client.callTool({ name: 'begin_work', arguments: {}, _meta: { 'claudecode/toolUseId': 'toolu_begin' } });
  expect(begun.isError).toBeUndefined();
  await client.close();
}

const before = (place: Installation, tool_name: string, tool_input: object, tool_use_id: string) => place.hook('PreToolUse', { tool_name, tool_input, tool_use_id });
const after = (place: Installation, tool_name: string, tool_input: object, tool_use_id: string) =>
  place.hook('PostToolUse', { tool_name, tool_input, tool_use_id, tool_response: 'ok' });

/** Would clear the line that it stands on, and turn round what follows. */
const HOSTILE_TOOL = 'mcp__other__tidy\u001b[2K';
const HOSTILE_TEXT = '\u202eenod \u009b2K';

describe('a day with it', () => {
  let place: Installation;
  beforeAll(async () => {
    place = await makeInstallation();
  });
  afterAll(() => place.dispose());

  test('empty-handed, every listing says what to do or that there is nothing', async () => {
    const { code, stdout, stderr } = await place.run(['status']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^Countersign \d+\.\d+\.\d+, daemon \d+, http:\/\/127\.0\.0\.1:\d+\/\nledger +1 records in .*\nwaiting +0\nunknown +0\n$/);
    const said = async (...args: string[]) => (await place.run(args)).stdout;
    expect([await said('intents'), await said('approvals'), await said('receipts'), await said('log'), await said('sessions')]).toEqual([
      'No intents yet. Make one: countersign intent "what should change" PATH\n',
      'Nothing waits for you.\n',
      'No receipts yet.\n',
      'No actions yet.\n',
      'No agent has been here yet.\n',
    ]);
  });

  verifies('N15', 'intent grants work in one command; a folder means all of it', async () => {
    expect(await place.human(['intent', 'fix login', 'src/auth', '--constraint', 'no new packages'])).toEqual({
      code: 0,
      output: 'INT-001 is active: fix login\n  may change: src/auth/**\nAgents cite it with begin_work. End it with: countersign intents done INT-001\n',
    });
    const made = await place.ask<IntentRow>('intent', 'docs', 'README.md', 'src/**/*.md', '--criterion', 'reads well');
    expect(made).toEqual({ id: 'INT-002', name: 'docs', status: 'active', owned_scope: ['README.md', 'src/**/*.md'], constraints: [], acceptance_criteria: ['reads well'] });
    expect((await place.human(['intents', 'pause', 'INT-002'])).output).toBe('INT-002 is paused.\n');
    expect(await place.ask<IntentRow>('intents', 'abandon', 'INT-002')).toMatchObject({ id: 'INT-002', status: 'abandoned' });
    expect((await place.run(['intents'])).stdout).toBe('INT-002  abandoned docs  [README.md, src/**/*.md]  proof: login\nINT-001  active    fix login  [src/auth/**]  proof: login\n');
  });

  test('an agent’s change, refusal and question show up in log, receipts, sessions, approvals and status', async () => {
    await mkdir(join(place.repo.path, '.ai/config'), { recursive: true });
    await writeFile(join(place.repo.path, '.ai/config/repo.json'), '{"mode":{"minimum":"GUARDED"}}');
    await beginWork(place);
    const file = join(place.repo.path, 'src/auth/login.ts');
    const edit = { file_path: file, content: 'export const login = 1;\n' };
    expect(await before(place, 'Write', edit, 'toolu_1')).toEqual({});
    await writeFile(file, edit.content);
    await after(place, 'Write', edit, 'toolu_1');
    await before(place, 'Write', { ...edit, file_path: join(place.repo.path, 'src/payments/index.ts') }, 'toolu_2');
    await before(place, 'Bash', { command: 'rm -rf \u202etxt.old \u001b[2K' }, 'toolu_3');
    await before(place, HOSTILE_TOOL, { note: HOSTILE_TEXT }, 'toolu_ask');

    const log = (await place.run(['log'])).stdout;
    expect(log).toMatch(/● settled {2}claude-code Write src\/auth\/login\.ts rcp_[0-9A-Z]{26}\n/);
    expect(log).toMatch(/■ refused {2}claude-code Write src\/payments\/index\.ts SCOPE_VIOLATION\n/);
    expect(log).toContain('■ refused  claude-code Bash rm -rf ⟦U+202E⟧txt.old ⟦U+001B⟧[2K HIDDEN_CHARACTERS\n');
    expect((await place.run(['receipts'])).stdout).toMatch(/^\S+Z {2}rcp_\w{26} {2}claude-code {2}write_file {2}done {2}INT-001 {2}src\/auth\/login\.ts:1-1\n/);
    expect((await place.run(['sessions'])).stdout).toMatch(/^ses_\w{26} {2}claude-code {2}hooked {2}GUARDED {2}INT-001 {2}open {2}\S+Z\n/);
    const status = (await place.run(['status'])).stdout;
    expect(status).toContain(`workspace  ${place.repo.path}\n           hooked: `);
    expect(status).toContain('Minimum mode: GUARDED.\nwaiting    1  (countersign approvals)\n');
  });

  test('what waits is shown with nothing hidden, and answered by id', async () => {
    const shown = (await place.run(['approvals'])).stdout;
    expect(shown).toContain('claude-code asks to use mcp__other__tidy⟦U+001B⟧[2K in');
    expect(shown).toContain('"note": "⟦U+202E⟧enod ⟦U+009B⟧2K"');
    expect(shown).toMatch(/^[^\u001b\u009b\u202e]*$/);
    const [waiting] = await place.client.ask('approvals', { state: 'pending' });
    expect(await place.human(['reject', waiting!.id, '--reason', 'keep it'])).toEqual({ code: 0, output: `${waiting!.id} is rejected. The agent is told.\n` });
    expect((await place.run(['approvals'])).stdout).toBe('Nothing waits for you.\n');
    expect((await place.run(['approvals', '--all'])).stdout).toContain(waiting!.id);
    expect(await before(place, HOSTILE_TOOL, { note: HOSTILE_TEXT }, 'toolu_4')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: expect.stringContaining('A human rejected this: keep it') },
    });
    const late = await place.human(['approve', waiting!.id]);
    expect(late).toEqual({ code: 1, output: expect.stringContaining(`${waiting!.id} is rejected; it can no longer be answered.`) });

    await before(place, 'Bash', { command: 'rm -rf build' }, 'toolu_5');
    const [again] = await place.client.ask('approvals', { state: 'pending' });
    expect((await place.human(['approve', again!.id])).output).toBe(`${again!.id} is approved, once, for exactly this input.\n`);
    expect(await before(place, 'Bash', { command: 'rm -rf build' }, 'toolu_6')).toMatchObject({ hookSpecificOutput: { permissionDecision: 'allow' } });
  });

  test('with --json each answer is what the registry of queries says', async () => {
    const json = async (...args: string[]): Promise<unknown> => {
      const { code, stdout, stderr } = await place.run([...args, '--json']);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      return JSON.parse(stdout);
    };
    expect(QUERIES.status.output.parse(await json('status'))).toMatchObject({ home: place.home, counts: { waiting: 0 } });
    expect(QUERIES.intents.output.parse(await json('intents'))).toHaveLength(2);
    expect(QUERIES.approvals.output.parse(await json('approvals'))).toEqual([]);
    expect(QUERIES.approvals.output.parse(await json('approvals', '--all'))).toHaveLength(2);
    const receipts = QUERIES.receipts.output.parse(await json('receipts'));
    expect(await json('receipts', receipts[0]!.receipt_id)).toEqual([receipts[0]]);
    expect(QUERIES.receipts.output.parse(await json('receipts', '--limit', '1'))).toEqual([receipts[0]]);
    expect(QUERIES.sessions.output.parse(await json('sessions')).length).toBeGreaterThan(0);
    const log = QUERIES.actions.output.parse(await json('log'));
    expect(log.map(({ at }) => at)).toEqual(log.map(({ at }) => at).toSorted());
    expect(await json('verify')).toMatchObject({ ok: true, kept_head: 'not checked', problem: null });
    expect(z.strictObject({ link: z.url() }).parse(await place.ask('open'))).toEqual({ link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/ui\/#code=[\w-]{22}$/) });
  });

  test('log --follow goes on until Ctrl-C, and with --json is a line a row', async () => {
    const following = spawn(CLI, ['log', '--follow', '--json', '--limit', '1'], { cwd: place.repo.path, env: { PATH: process.env['PATH'], ...place.env }, stdio: ['ignore', 'pipe', 'inherit'] });
    const lines: ActionRow[] = [];
    const ended = new Promise((resolve) => following.once('close', resolve));
    for await (const chunk of following.stdout.setEncoding('utf8')) {
      for (const line of (chunk as string).split('\n').filter(Boolean)) lines.push(JSON.parse(line) as ActionRow);
      if (lines.at(-1)?.subject === 'README.md') break;
      // It may not be listening yet when its first row is out: look until it is seen.
      await before(place, 'Read', { file_path: 'README.md' }, `toolu_look_${lines.length}`);
      await before(place, 'Read', { file_path: 'README.md' }, `toolu_again_${lines.length}`);
    }
    following.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(lines.at(-1)).toMatchObject({ tool: 'Read', subject: 'README.md', state: 'observed' });
  });

  test('a reader that has seen enough is no trouble', async () => {
    const line = 'set -o pipefail; "$0" sessions | true && "$0" log --json | head -c 1';
    expect(await runCommand('bash', ['-c', line, CLI], { cwd: place.repo.path, env: place.env })).toEqual({ code: 0, stdout: '[', stderr: '' });
  });

  verifies('N2', 'verify needs no daemon; a broken ledger ends with 5, and nothing else is done with it', async () => {
    const { ledger } = await place.ask<Status>('status');
    const head = join(place.base, 'head.json');
    await writeFile(head, JSON.stringify(ledger));
    const sound = await place.run(['verify', '--head', head]);
    expect(sound).toMatchObject({ code: 0, stdout: expect.stringContaining('nothing is missing') });
    expect(sound.stdout).not.toContain('cut off');

    const pid = await place.daemonPid();
    await place.human(['stop']);
    await hasEnded(pid);
    const segment = join(place.home, 'ledger/00000001.jsonl');
    const bytes = await readFile(segment);
    const broken = Buffer.from(bytes);
    broken[200]! ^= 1;
    await writeFile(segment, broken);
    expect(await place.run(['verify'])).toMatchObject({ code: 5, stdout: expect.stringMatching(/^BROKEN at 00000001\.jsonl line 1/) });
    expect(JSON.parse((await place.run(['verify', '--json'])).stdout)).toMatchObject({ ok: false, problem: { line: 1 } });
    const refused = await place.run(['status']);
    expect(refused).toMatchObject({ code: 3, stdout: '', stderr: expect.stringMatching(/^countersign: No daemon came up: The ledger does not verify: 00000001\.jsonl, line 1/) });
    expect(await readFile(segment)).toEqual(broken);
    await writeFile(segment, bytes);
    expect((await place.run(['verify', join(place.home, 'ledger'), '--head', head])).code).toBe(0);
    expect(await place.run(['verify', place.base])).toMatchObject({ code: 1, stderr: expect.stringContaining(`There is no ledger in ${place.base}.`) });
  });
});

describe('what is typed wrong', () => {
  let place: Installation;
  beforeAll(async () => {
    place = await makeInstallation();
    await place.run(['start', '--quiet']);
  });
  afterAll(() => place.dispose());

  const HELP = 'countersign --help lists the commands; countersign help COMMAND explains one';
  const cases: [args: string[], code: number, message: string | RegExp, fix: string | RegExp][] = [
    [['aprove', 'x'], 2, "unknown command 'aprove'\n(Did you mean approve?)", HELP],
    [['status', '--jsno'], 2, "unknown option '--jsno'\n(Did you mean --json?)", HELP],
    [['intent', 'only a title'], 2, "missing required argument 'paths'", HELP],
    [['log', '--limit', '0'], 2, /option '--limit <n>' argument '0' is invalid\. a number from 1 to 1000/, HELP],
    [['log', '--limit', '1e9'], 2, /a number from 1 to 1000/, HELP],
    [['approve', 'apr_1'], 2, "apr_1 is not a question's id.", 'countersign approvals lists what waits'],
    [['reject', '../../stop'], 2, "../../stop is not a question's id.", 'countersign approvals lists what waits'],
    [['approve', 'apr_00000000000000000000000000'], 1, 'There is no open question apr_00000000000000000000000000.', 'countersign approvals lists what waits'],
    [['intents', 'done', 'one'], 2, "one is not an intent's id, such as INT-001.", 'countersign intents lists them'],
    [['intents', 'done', 'INT-404'], 1, 'There is no intent INT-404 in this workspace.', 'countersign intents lists them'],
    [['receipts', 'rcp_1'], 2, "rcp_1 is not a receipt's id.", 'countersign receipts lists them'],
    [['receipts', 'rcp_00000000000000000000000000'], 1, 'There is no receipt rcp_00000000000000000000000000.', 'countersign receipts lists them'],
    [['intent', '  ', 'src'], 2, 'An intent needs a title that says what should change.', 'countersign intent "what should change" PATH'],
    [['intent', 'x', '/etc'], 2, '"/etc" cannot be a scope: it leads outside the work tree', /^Name a path inside /],
    [['intent', 'x', '../other'], 2, '"../other" cannot be a scope: it leads outside the work tree', /^Name a path inside /],
    [['intent', 'x', ''], 2, 'A path is empty; the whole work tree is a dot.', 'countersign intent "what should change" PATH'],
    [['verify', '/nowhere'], 1, 'There is no ledger in /nowhere.', 'Name the folder that holds 00000001.jsonl and public.pem'],
    [['mcp', '--surface', 'all'], 2, 'There is no surface all.', 'Name hooked or contract'],
  ];

  test.each(cases)('countersign %j', async (args, code, message, fix) => {
    const matching = (wanted: string | RegExp) => (typeof wanted === 'string' ? wanted : expect.stringMatching(wanted));
    const [asData, asWords] = await Promise.all([place.run([...args, '--json']), place.run(args)]);
    expect({ code: asData.code, stderr: asData.stderr }).toEqual({ code, stderr: '' });
    const { error } = JSON.parse(asData.stdout) as { error: { code: string; message: string; fix: string } };
    expect(error).toEqual({ code: expect.stringMatching(/^[A-Z_]+$/), message: matching(message), fix: matching(fix) });
    expect(asWords).toEqual({ code, stdout: '', stderr: `countersign: ${error.message}\n  ${error.fix}\n` });
  });

  test('help and version are no errors', async () => {
    for (const args of [['--help'], ['help', 'intent'], ['intent', '--help']]) expect(await place.run(args)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Usage: countersign') });
    expect(await place.run(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test('in a folder that is no repository, the folder itself is the workspace', async () => {
    const folder = join(place.base, 'plain');
    await mkdir(folder);
    const { code, stdout } = await place.run(['intent', 'write', '.', '--json'], { cwd: folder });
    expect([code, (JSON.parse(stdout) as IntentRow).owned_scope]).toEqual([0, ['**']]);
  });
});

describe('the daemon', () => {
  test('several starts at once end with one daemon', async () => {
    const place = await placeForThisTest();
    const starts = await Promise.all(Array.from({ length: 4 }, () => place.run(['start', '--json'])));
    expect(starts.map(({ code, stderr }) => ({ code, stderr }))).toEqual(Array.from({ length: 4 }, () => ({ code: 0, stderr: '' })));
    expect(new Set(starts.map(({ stdout }) => (JSON.parse(stdout) as Status).pid)).size).toBe(1);
    const ledger = await readFile(join(place.home, 'ledger/00000001.jsonl'), 'utf8');
    expect(ledger.match(/"daemon_started"/g)).toHaveLength(1);
  });

  test('a socket that a dead daemon left behind is no obstacle, nor is any other file in its place', async () => {
    const place = await placeForThisTest();
    await place.run(['start', '--quiet']);
    const first = await place.daemonPid();
    process.kill(first, 'SIGKILL');
    await hasEnded(first);
    expect((await stat(join(place.home, 'run/daemon.sock'))).isSocket()).toBe(true);
    expect((await place.run(['status'])).code).toBe(0);
    const second = await place.daemonPid();
    process.kill(second, 'SIGKILL');
    await hasEnded(second);
    await rm(join(place.home, 'run/daemon.sock'));
    await writeFile(join(place.home, 'run/daemon.sock'), 'not a socket');
    expect((await place.run(['status'])).code).toBe(0);
  });

  test('stop stops it, says so when there is none, and starts none for that', async () => {
    const place = await placeForThisTest();
    expect(await place.run(['stop'])).toEqual({ code: 0, stdout: 'No daemon is running.\n', stderr: '' });
    expect(JSON.parse((await place.run(['stop', '--json'])).stdout)).toEqual({ stopped: false });
    await expect(stat(place.home)).rejects.toThrow('ENOENT');
    await place.run(['start', '--quiet']);
    const pid = await place.daemonPid();
    expect(JSON.parse((await place.run(['stop', '--json'])).stdout)).toEqual({ stopped: true });
    await hasEnded(pid);
    await expect(stat(join(place.home, 'run/hook'))).rejects.toThrow('ENOENT');
  });

  test('the usual port when it is free, else another, which status shows', async () => {
    const place = await placeForThisTest();
    const other = createServer();
    // Somebody else on this machine may have it, which is as good.
    await new Promise<void>((resolve) => other.once('error', () => resolve()).listen(8722, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { address } = JSON.parse((await place.run(['status', '--json'])).stdout) as Status;
    expect(new URL(address).port).not.toBe('8722');
    expect(await (await fetch(`${address}health`)).json()).toMatchObject({ status: 'ok' });
  });

  test('a port that was asked for is not traded for another: a sentence says who has it', async () => {
    const place = await placeForThisTest();
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as { port: number };
    expect(await place.run(['start'], { env: { MCP_DASHBOARD_PORT: String(port) } })).toEqual({
      code: 3,
      stdout: '',
      stderr: `countersign: No daemon came up: Port ${port} is taken by another program.\n  Choose another with MCP_DASHBOARD_PORT, or unset it to take any free one\n`,
    });
    expect(await place.run(['start'], { env: { MCP_DASHBOARD_PORT: 'many' } })).toMatchObject({ code: 3, stderr: expect.stringContaining('MCP_DASHBOARD_PORT is not a port: many') });
  });

  test('a home that cannot be written, or whose path is too long, is a sentence', async () => {
    const place = await placeForThisTest();
    const file = join(place.base, 'file');
    await writeFile(file, '');
    expect(await place.run(['--home', join(file, 'home'), 'status'])).toEqual({
      code: 3,
      stdout: '',
      stderr: `countersign: The daemon's folder ${file}/home cannot be written (ENOTDIR).\n  Set COUNTERSIGN_HOME to a folder that you may write to\n`,
    });
    const long = join(place.base, 'h'.repeat(100));
    const { code, stdout } = await place.run(['status', '--json'], { env: { COUNTERSIGN_HOME: long } });
    expect([code, JSON.parse(stdout)]).toEqual([
      2,
      { error: { code: 'BAD_REQUEST', message: `The path of the daemon's socket is too long for this system: ${long}/run/daemon.sock`, fix: 'Set COUNTERSIGN_HOME to a shorter folder' } },
    ]);
  });
});

describe('whose command it is', () => {
  verifies('N14', 'with an agent about, a command without a terminal is not taken for a human’s', async () => {
    const place = await placeForThisTest();
    await place.run(['start', '--quiet']);
    await agentProcess(place);
    const { code, stdout } = await place.run(['intent', 'everything', '.', '--json']);
    expect([code, JSON.parse(stdout)]).toEqual([
      4,
      {
        error: {
          code: 'HUMAN_CHANNEL_REQUIRED',
          message: 'Recorded as the proposal INT-001, not as an active intent: it has no terminal, and an agent is running that could have started it.',
          fix: 'A human confirms it in a terminal of their own with: countersign intents activate INT-001',
        },
        output: expect.objectContaining({ id: 'INT-001', status: 'proposed' }),
      },
    ]);
    for (const args of [['intents', 'activate', 'INT-001'], ['open'], ['stop'], ['init', '--yes'], ['init', '--undo', '--yes']]) {
      expect(await place.run(args)).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('Not done: it has no terminal, and an agent is running') });
    }
    await expect(stat(join(place.repo.path, '.mcp.json'))).rejects.toThrow('ENOENT');
    // Looking is free, and a terminal proves a human.
    expect((await place.run(['status'])).code).toBe(0);
    expect((await place.human(['intents', 'activate', 'INT-001'])).code).toBe(0);
  });

  test('a home behind a link changes nothing of that', async () => {
    const place = await placeForThisTest();
    await mkdir(join(place.base, 'real'));
    await symlink('real', join(place.base, 'link'));
    const env = { ...place.env, COUNTERSIGN_HOME: join(place.base, 'link/home') };
    const { code, output } = await runInTerminal(CLI, ['intent', 'fix', 'src'], { cwd: place.repo.path, env });
    const { output: status } = await runInTerminal(CLI, ['status', '--json'], { cwd: place.repo.path, env });
    process.kill((JSON.parse(status) as Status).pid, 'SIGKILL');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('INT-001 is active: fix') });
  });
});

describe('init', () => {
  const SETTINGS = '.claude/settings.local.json';
  const wired = async (place: Installation) => {
    const read = (file: string) => readFile(join(place.repo.path, file), 'utf8').catch(() => null);
    return { settings: await read(SETTINGS), mcp: await read('.mcp.json'), config: await read('.ai/config/env.local.json'), exclude: await read('.git/info/exclude') };
  };
  const existing = async (place: Installation, files: Record<string, string>) => {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(join(place.repo.path, file, '..'), { recursive: true });
      await writeFile(join(place.repo.path, file), text);
    }
  };

  test('--dry-run shows the change and writes nothing; it needs no daemon', async () => {
    const place = await placeForThisTest();
    const untouched = await wired(place);
    const { code, stdout } = await place.run(['init', '--dry-run']);
    expect(code).toBe(0);
    expect(stdout.match(/^\+\+\+ .*/gm)).toEqual(['+++ .claude/settings.local.json', '+++ .mcp.json', '+++ .ai/config/env.local.json']);
    const summary = JSON.parse((await place.run(['init', '--dry-run', '--json'])).stdout) as { changes: { file: string; before: string | null; after: string }[] };
    expect(summary).toMatchObject({ workspace: place.repo.path, undo: false, written: false });
    expect(summary.changes.map(({ file, before }) => ({ file, before }))).toEqual([SETTINGS, '.mcp.json', '.ai/config/env.local.json'].map((file) => ({ file, before: null })));
    expect(await wired(place)).toEqual(untouched);
    await expect(stat(place.home)).rejects.toThrow('ENOENT');
  });

  test('asked in a terminal: no writes nothing, yes writes, and a second time there is nothing to do', async () => {
    const place = await placeForThisTest();
    const untouched = await wired(place);
    const declined = await place.human(['init'], [{ after: '[y/N]', type: 'n\n' }]);
    expect([declined.code, declined.output]).toEqual([0, expect.stringMatching(/Nothing was written\.\n$/)]);
    expect(await wired(place)).toEqual(untouched);

    const accepted = await place.human(['init'], [{ after: '[y/N]', type: 'yes\n' }]);
    expect([accepted.code, accepted.output]).toEqual([0, expect.stringContaining('Done. Claude Code asks the gate before each tool')]);
    const written = await wired(place);
    expect(JSON.parse(written.config!)).toEqual({ mode: { minimum: 'GUARDED' } });
    expect(JSON.parse(written.mcp!)).toMatchObject({ mcpServers: { countersign: { command: CLI, args: ['mcp', '--home', place.home] } } });

    const again = await place.run(['init', '--yes']);
    expect(again).toEqual({ code: 0, stdout: '', stderr: `${place.repo.path} is wired already; nothing to change.\n` });
    expect(JSON.parse((await place.run(['init', '--json'])).stdout)).toEqual({ workspace: place.repo.path, undo: false, written: false, changes: [] });
    expect(await wired(place)).toEqual(written);
    expect(place.repo.git('status', '--porcelain')).toBe('');

    // Undone, only what a human may have come to rely on stays: the minimum mode.
    expect((await place.run(['init', '--undo', '--yes'])).stderr).toBe('Undone. Claude Code works without the gate from its next session on.\n');
    expect(await wired(place)).toEqual({ ...untouched, config: written.config });
    expect(await place.run(['init', '--undo', '--yes'])).toMatchObject({ code: 0, stderr: `Nothing of Countersign is wired in ${place.repo.path}.\n` });
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
    const files = { [SETTINGS]: `${JSON.stringify(settings, null, 3)}\n`, '.mcp.json': `${JSON.stringify(mcp, null, '\t')}\n`, '.ai/config/env.local.json': '{"mode":{"minimum":"STRICT"}}' };
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

  test('--undo works with no daemon to be had', async () => {
    const place = await placeForThisTest();
    await place.run(['init', '--yes']);
    const pid = await place.daemonPid();
    process.kill(pid, 'SIGKILL');
    await hasEnded(pid);
    const segment = join(place.home, 'ledger/00000001.jsonl');
    const bytes = await readFile(segment);
    bytes[100]! ^= 1;
    await writeFile(segment, bytes);
    const { code, stderr } = await place.run(['init', '--undo', '--yes']);
    expect([code, stderr]).toEqual([0, expect.stringMatching(/^No daemon came up: .* This is not on the record\.\nUndone\./s)]);
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
        { error: { code: 'DOCUMENT_INVALID', message: expect.stringMatching(message), fix: 'Mend it, then run countersign init again; nothing was written' } },
      ]);
      expect(await wired(place)).toEqual(untouched);
    }
  });

  test('nobody to ask: a sentence, and nothing is written', async () => {
    const place = await placeForThisTest();
    const untouched = await wired(place);
    expect(await place.run(['init'])).toMatchObject({
      code: 2,
      stderr: 'countersign: There is nobody to ask: this is not a terminal.\n  Run it in a terminal, or with --yes after reading countersign init --dry-run\n',
    });
    expect(await wired(place)).toEqual(untouched);
  });

  test('Ctrl-C and the end of input at the question mean no', async () => {
    const place = await placeForThisTest();
    const untouched = await wired(place);
    for (const key of ['\u0003', '\u0004']) {
      const { output } = await place.human(['init'], [{ after: '[y/N]', type: key }]);
      expect(output).toMatch(/Nothing was written\.\n$/);
      expect(await wired(place)).toEqual(untouched);
    }
  });
});

test('receipts of all that a human and an agent did verify as one chain', async () => {
  const place = await placeForThisTest();
  await place.human(['intent', 'fix login', 'src/auth']);
  await beginWork(place);
  const receipts = await place.ask<Receipt[]>('receipts');
  expect(receipts.map(({ tool_id }) => tool_id).sort()).toEqual(['begin_work', 'memory_set_mode', 'select_active_intent']);
  expect(JSON.parse((await place.run(['verify', '--json'])).stdout)).toMatchObject({ ok: true, outcomes: [] });
});
