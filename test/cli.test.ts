// The command line as a person meets it, through pipes or in a real terminal.

import { spawn } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type ActionRow, type IntentRow, QUERIES, type Receipt, type Status } from '../src/protocol/index.ts';
import { CLI, hasEnded, type Installation, makeInstallation, runCommand } from './lab/installation.ts';
import { verifies } from './verifies.ts';

async function placeForThisTest(): Promise<Installation> {
  const place = await makeInstallation();
  onTestFinished(() => place.dispose());
  return place;
}

/** The agent of `hook` has begun to work on the only active intent. */
async function beginWork(place: Installation): Promise<void> {
  const client = await place.mcpClient();
  await place.hook('PreToolUse', { tool_name: 'mcp__countersign__begin_work', tool_input: {}, tool_use_id: 'toolu_begin' });
  const begun = await client.callTool({ name: 'begin_work', arguments: {}, _meta: { 'claudecode/toolUseId': 'toolu_begin' } });
  expect(begun).toMatchObject({ structuredContent: { mode: 'GUARDED', intent: 'INT-001' } });
  await client.close();
}

const before = (place: Installation, tool_name: string, tool_input: object, tool_use_id: string) =>
  place.hook('PreToolUse', { tool_name, tool_input, tool_use_id });
const after = (place: Installation, tool_name: string, tool_input: object, tool_use_id: string) =>
  place.hook('PostToolUse', { tool_name, tool_input, tool_use_id, tool_response: 'ok' });

/** Would clear its line, and reverse what follows. */
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
    expect(stdout).toMatch(
      /^Countersign \d+\.\d+\.\d+, daemon \d+, http:\/\/127\.0\.0\.1:\d+\/\nledger +1 record in .*\nworkspace +.*: nothing is known of it yet; --all shows the others\nwaiting +0\nunknown +0\n$/,
    );
    const said = async (...args: string[]) => (await place.run(args)).stdout;
    expect([await said('intents'), await said('approvals'), await said('receipts'), await said('log'), await said('sessions')]).toEqual([
      'No intents yet. Make one: countersign intent "what should change" PATH\n',
      'Nothing waits for you.\n',
      'No receipts in this workspace; --all shows the others.\n',
      'No actions in this workspace; --all shows the others.\n',
      'No sessions in this workspace; --all shows the others.\n',
    ]);
  });

  test('the index can be rebuilt while everything goes on', async () => {
    const { stdout, stderr } = await place.run(['reindex']);
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(/^The index was rebuilt from \d+ records\.\n$/),
      'Reading the whole record …\n',
    ]);
    expect(await place.ask('reindex')).toEqual({ records: expect.any(Number) as number });
  });

  verifies('N15', 'intent grants work in one command; a folder means all of it', async () => {
    expect(await place.humanTries(['intent', 'fix login', 'src/auth', '--constraint', 'no new packages'])).toEqual({
      code: 0,
      output:
        'INT-001 is active: fix login\n  may change: src/auth/**\nAgents cite it with begin_work. End it with: countersign intents done INT-001\n',
    });
    const made = await place.ask<IntentRow>('intent', 'docs', 'README.md', 'src/**/*.md', '--criterion', 'reads well');
    expect(made).toEqual({
      id: 'INT-002',
      name: 'docs',
      status: 'active',
      owned_scope: ['README.md', 'src/**/*.md'],
      constraints: [],
      acceptance_criteria: ['reads well'],
    });
    expect((await place.human(['intents', 'pause', 'INT-002'])).output).toBe('INT-002 is paused.\n');
    expect(await place.ask<IntentRow>('intents', 'abandon', 'INT-002')).toMatchObject({ id: 'INT-002', status: 'abandoned' });
    expect((await place.run(['intents'])).stdout).toBe(
      'INT-002  abandoned docs  [README.md, src/**/*.md]  proof: login\nINT-001  active    fix login  [src/auth/**]  proof: login\n',
    );
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
    expect(log).toMatch(/^time +id +outcome +agent +tool +intent +subject\n/);
    expect(log).toMatch(/ rcp_…\w{6} {2}● ran +claude-code +begin_work +- +\(4 steps\)\n/);
    expect(log).toMatch(/ rcp_…\w{6} {2}● ran +claude-code +Write +INT-001 +src\/auth\/login\.ts\n/);
    expect(log).toMatch(/ act_…\w{6} {2}■ refused +claude-code +Write +INT-001 +src\/payments\/index\.ts {2}SCOPE_VIOLATION\n/);
    expect(log).toContain('rm -rf ⟦U+202E⟧txt.old ⟦U+001B⟧[2K  HIDDEN_CHARACTERS\n');
    expect((await place.run(['log', '--steps'])).stdout).toMatch(/● observed +claude-code +memory_query/);
    expect((await place.run(['receipts'])).stdout).toMatch(
      /^time +receipt +outcome +agent +tool +intent +subject\n\d\d:\d\d:\d\d {2}rcp_…\w{6} {2}● ran +claude-code +Write +INT-001 +src\/auth\/login\.ts:1-1\n/,
    );
    expect((await place.run(['sessions'])).stdout).toMatch(/\n\d\d:\d\d:\d\d +ses_…\w{6} +open +claude-code +hooked +GUARDED +INT-001\n/);
    const words = async (...filter: string[]) => new Set((await place.ask<ActionRow[]>('log', ...filter)).map(({ word }) => word));
    expect([...(await words('--status', 'refused', '--since', '1h'))]).toEqual(['refused']);
    expect([...(await words('--path', 'auth/login.ts', '--tool', 'Write'))]).toEqual(['ran']);
    expect([...(await words('--path', 'auth/login.ts', '--tool', 'write_file'))]).toEqual(['ran']);
    expect((await place.run(['receipts', '--tool', 'Delete'])).stdout).toBe('No receipts fit these filters in this workspace.\n');
    expect((await words('--agent', 'nobody')).size).toBe(0);
    const [receipt] = await place.ask<Receipt[]>('receipts', '--path', 'login.ts');
    const shown = (await place.run(['show', receipt!.receipt_id.slice(-6)])).stdout;
    expect(shown).toMatch(/^rcp_\w{26}\n {2}when .*\n {2}agent +claude-code\n/);
    expect(shown).toContain('  reason   INT-001  fix login\n');
    expect(shown).toContain('\n-export function login(');
    expect(shown).toContain('\n+export const login = 1;\n');
    expect((await place.run(['show', receipt!.task_id])).stdout).toContain('src/auth/login.ts');
    const status = (await place.run(['status'])).stdout;
    expect(status).toContain(`workspace  ${place.repo.path}\n           advisory: `);
    expect(status).toContain('Minimum mode: GUARDED.\nwaiting    1  (countersign approvals)\n');
  });

  test('what waits is shown with nothing hidden, and answered by id', async () => {
    const shown = (await place.run(['approvals'])).stdout;
    expect(shown).toContain('claude-code asks to use mcp__other__tidy⟦U+001B⟧[2K in');
    expect(shown).toContain('"note": "⟦U+202E⟧enod ⟦U+009B⟧2K"');
    expect(shown).toMatch(/^[^\u001b\u009b\u202e]*$/);
    const [waiting] = await place.client.ask('approvals', { state: 'pending' });
    expect(await place.humanTries(['reject', waiting!.id, '--reason', 'keep it'])).toEqual({
      code: 0,
      output: `${waiting!.id} is rejected. The agent gets this answer.\n`,
    });
    expect((await place.run(['approvals'])).stdout).toBe('Nothing waits for you.\n');
    expect((await place.run(['approvals', '--all'])).stdout).toContain(waiting!.id);
    expect(await before(place, HOSTILE_TOOL, { note: HOSTILE_TEXT }, 'toolu_4')).toMatchObject({
      hookSpecificOutput: {
        permissionDecision: 'deny',
        permissionDecisionReason: expect.stringContaining('A human rejected this: keep it'),
      },
    });
    const late = await place.humanTries(['approve', waiting!.id]);
    expect(late).toEqual({ code: 1, output: expect.stringContaining(`${waiting!.id} is rejected; it can no longer be answered.`) });

    await before(place, 'Bash', { command: 'rm -rf src/auth/build' }, 'toolu_5');
    const [again] = await place.client.ask('approvals', { state: 'pending' });
    expect((await place.human(['approve', again!.id])).output).toContain(`${again!.id} is approved, once, for exactly this input.`);
    expect(await before(place, 'Bash', { command: 'rm -rf src/auth/build' }, 'toolu_6')).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'allow' },
    });
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
    expect(await json('verify')).toMatchObject({ ok: true, hmac: 'checked', problem: null });
    expect(z.strictObject({ link: z.url() }).parse(await place.ask('open'))).toEqual({
      link: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/ui\/#code=[\w-]{22}$/),
    });
  });

  test('log --follow goes on until Ctrl-C, and with --json is a line a row', async () => {
    const following = spawn(CLI, ['log', '--follow', '--json', '--limit', '1'], {
      cwd: place.repo.path,
      env: { PATH: process.env['PATH'], ...place.env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
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
    expect(await runCommand('bash', ['-c', line, CLI], { cwd: place.repo.path, env: place.env })).toEqual({
      code: 0,
      stdout: '[',
      stderr: '',
    });
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
    expect(refused).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^countersign: No daemon came up: The ledger does not verify: 00000001\.jsonl, line 1/),
    });
    expect(await readFile(segment)).toEqual(broken);
    await writeFile(segment, bytes);
    expect((await place.run(['verify', join(place.home, 'ledger'), '--head', head])).code).toBe(0);
    expect(await place.run(['verify', place.base])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`There is no ledger in ${place.base}.`),
    });
  });
});

describe('what is typed wrong', () => {
  let place: Installation;
  beforeAll(async () => {
    place = await makeInstallation();
    await place.run(['start', '--quiet']);
  });
  afterAll(() => place.dispose());

  const usage = (of: string) =>
    new RegExp(`^Usage: countersign ${of}[^\\n]*\\n {2}countersign [^]*\\n {2}countersign help \\w+ explains it$`);
  const cases: [args: string[], code: number, message: string | RegExp, fix: string | RegExp][] = [
    [[], 2, 'There is no command.', /^Usage: countersign/],
    [['--quiet', 'hook', 'claude', 'PreToolUse'], 2, "unknown option '--quiet'", usage('hook')],
    [['aprove', 'x'], 2, "unknown command 'aprove'\n(Did you mean approve?)", 'countersign --help lists the commands'],
    [['status', '--jsno'], 2, "unknown option '--jsno'\n(Did you mean --json?)", usage('status')],
    [['intent', 'only a title'], 2, "missing required argument 'paths'", usage('intent \\[options\\] <title> <paths...>')],
    [['intents', 'acti'], 2, 'intents has no command acti.', /\n {2}intents has: activate, pause, /],
    [['log', '--limit', '0'], 2, /option '--limit <n>' argument '0' is invalid\. a number from 1 to 1000/, usage('log')],
    [['log', '--limit', '1e9'], 2, /a number from 1 to 1000/, usage('log')],
    [['log', '--status', 'good'], 2, 'good is not a state of these.', /^Name one of observed, waiting, /],
    [['log', '--since', 'today'], 2, 'today is not a time.', 'Say it as 30m, 2h, 1d or 2026-11-17'],
    [['approve', 'apr_1'], 2, "apr_1 is not a question's id.", 'countersign approvals lists what waits'],
    [['reject', '../../stop'], 2, "../../stop is not a question's id.", 'countersign approvals lists what waits'],
    [
      ['approve', 'apr_00000000000000000000000000'],
      1,
      'There is no open question apr_00000000000000000000000000.',
      'countersign approvals lists what waits',
    ],
    [['intents', 'done', 'one'], 2, "one is not an intent's id, such as INT-001.", 'countersign intents lists them'],
    [['intents', 'done', 'INT-404'], 1, 'There is no intent INT-404 in this workspace.', 'countersign intents lists them'],
    [['receipts', 'rcp_1'], 2, "rcp_1 is not a receipt's id.", 'countersign receipts lists them'],
    [
      ['receipts', 'rcp_00000000000000000000000000'],
      1,
      'There is no receipt rcp_00000000000000000000000000.',
      'countersign receipts lists them',
    ],
    [['intent', '  ', 'src'], 2, 'An intent needs a title that says what should change.', 'countersign intent "what should change" PATH'],
    [['intent', 'x', '/etc'], 2, '"/etc" cannot be a scope: it leads outside the work tree', /^Name a path inside /],
    [['intent', 'x', '../other'], 2, '"../other" cannot be a scope: it leads outside the work tree', /^Name a path inside /],
    [['intent', 'x', ''], 2, 'A path is empty; the whole work tree is a dot.', 'countersign intent "what should change" PATH'],
    [['verify', '/nowhere'], 1, 'There is no ledger in /nowhere.', 'Name the folder that holds 00000001.jsonl and public.pem'],
    [['mcp', '--surface', 'all'], 2, 'There is no surface all.', 'Name hooked, contract or controller'],
  ];

  test.each(cases)('countersign %j', async (args, code, message, fix) => {
    const matching = (wanted: string | RegExp) => (typeof wanted === 'string' ? wanted : expect.stringMatching(wanted));
    const [asData, asWords] = await Promise.all([place.run([...args, '--json']), place.run(args)]);
    expect({ code: asData.code, stderr: asData.stderr }).toEqual({ code, stderr: '' });
    const { error } = JSON.parse(asData.stdout) as { error: { code: string; message: string; fix: string } };
    expect(error).toEqual({ code: expect.stringMatching(/^[A-Z_]+$/), message: matching(message), fix: matching(fix) });
    expect(asWords).toEqual({ code, stdout: '', stderr: `countersign: ${error.message}\n  ${error.fix}\n` });
  });

  test('a hook that is called another way than agents are instructed to is an error: silence would be taken for a yes', async () => {
    expect(await place.run(['--home', place.home, 'hook', 'claude', 'PreToolUse'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'countersign: hook has to be the first word.\n  countersign hook --home DIR AGENT EVENT\n',
    });
  });

  test('help and version are no errors', async () => {
    for (const args of [['--help'], ['help', 'intent'], ['intent', '--help']])
      expect(await place.runAlone(args)).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining('Usage: countersign') });
    expect(await place.runAlone(['--version'])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  test('in a folder that is no repository, the folder itself is the workspace', async () => {
    const folder = join(place.base, 'plain');
    await mkdir(folder);
    const { code, stdout } = await place.run(['intent', 'write', '.', '--json'], { cwd: folder });
    expect([code, (JSON.parse(stdout) as IntentRow).owned_scope]).toEqual([0, ['**']]);
  });
});

test('receipts of all that a human and an agent did verify as one chain', async () => {
  const place = await placeForThisTest();
  await place.human(['intent', 'fix login', 'src/auth']);
  await beginWork(place);
  const receipts = await place.ask<Receipt[]>('receipts');
  expect(receipts.map(({ tool_id }) => tool_id).sort()).toEqual([
    'begin_work',
    'memory_query',
    'memory_set_mode',
    'select_active_intent',
    'task_list',
  ]);
  expect(JSON.parse((await place.run(['verify', '--json'])).stdout)).toMatchObject({ ok: true, outcomes: [] });
});
