// The story in the README, with the real Claude Code client against a scripted model, a real daemon, a real browser and a human at a real
// terminal. Each chapter continues where the last one ended.

import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionRow, ApprovalRow, IntentRow, Receipt } from '../../src/protocol/index.ts';
import { openBrowser } from '../lab/browser.ts';
import type { ModelRequest, ScriptedTurn } from '../lab/scripted-model.ts';
import { CLI, makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import { eventually } from '../lab/eventually.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const login = () => join(world.repo.path, 'src/auth/login.ts');
const payments = () => join(world.repo.path, 'src/payments/index.ts');
const read = (path: string) => ({ tool: 'Read', args: { file_path: path } });
const edit = (path: string, old_string: string, new_string: string) => ({
  tool: 'Edit',
  args: { file_path: path, old_string, new_string },
});
const bash = (command: string) => ({ tool: 'Bash', args: { command, description: 'as the story needs it' } });
const beginWork = { tool: 'mcp__countersign__begin_work', args: {} };

/** What an agent that reads refusals does: exactly the call that the last refusal names, with its blanks filled in. */
function followRemedy(request: ModelRequest): ScriptedTurn {
  const text = JSON.stringify(request.messages.at(-1)?.content)
    .replaceAll(/\\+"/g, '"')
    .replaceAll(/\\+n\s*/g, '\n');
  // By a hook in words, by our own tools as JSON.
  const [, named = '', args = '', blanks = ''] =
    /Call: mcp__countersign__(\w+) (\{.*?\})((?:, with "\w+": .*)?)\n/.exec(text) ??
    /"remedy":\s*\{\s*"tool":\s*"(\w+)",\s*"args":\s*(\{[^}]*\})/.exec(text) ??
    [];
  if (named === '') throw new Error(`no remedy in ${text}`);
  const filled = Object.fromEntries([...blanks.matchAll(/, with "(\w+)": /g)].map(([, name = '']) => [name, 'fix the login']));
  return { tool: `mcp__countersign__${named}`, args: { ...(JSON.parse(args) as Record<string, unknown>), ...filled } };
}

describe('one action, the whole way', () => {
  test('init shows the exact change, asks, and wires the client', async () => {
    const refused = await world.human(
      ['init'],
      [
        { after: '(d shows every line) [y/N]', type: 'd\n' },
        { after: '+++ .mcp.json', type: '' },
        { after: '[y/N]', type: 'n\n' },
      ],
    );
    expect(refused.output).toContain('+++ .claude/settings.local.json');
    expect(refused.output).toContain('+++ .mcp.json');
    expect(refused.output).toContain('Nothing was written.');
    await expect(stat(join(world.repo.path, '.mcp.json'))).rejects.toThrow('ENOENT');

    const { code } = await world.human(
      ['init'],
      [
        { after: '[y/N]', type: 'y\n' },
        { after: 'or n for none:', type: 'n\n' },
      ],
    );
    expect(code).toBe(0);
    const settings = JSON.parse(await world.file('.claude/settings.local.json')) as { hooks: Record<string, unknown> };
    expect(Object.keys(settings.hooks)).toEqual([
      'SessionStart',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PostToolUseFailure',
      'ConfigChange',
      'Stop',
      'SessionEnd',
    ]);
    expect(world.repo.git('status', '--porcelain')).toBe('');

    const again = await world.human(['init']);
    expect(again.output).toContain('is wired already; nothing to change');
  });

  verifies('I2', 'an edit without an intent is denied before it happens, with a remedy that the agent can follow', async () => {
    const before = await world.file('src/auth/login.ts');
    const { model } = await world.agent('fix the login', [read(login()), edit(login(), 'return null', 'return undefined'), followRemedy]);
    const [, denied, proposed] = model.toolResults();
    // The gate recalled by itself as the prompt came in: only the intent is missing.
    expect(denied).toContain('Countersign INTENT_REQUIRED: You must cite a valid active Intent ID before mutating tools.');
    expect(denied).toContain('Call: mcp__countersign__propose_intent');
    expect(proposed).toContain('"status":"proposed"');
    expect(await world.file('src/auth/login.ts')).toBe(before);
    expect(model.seen()).toContain('Countersign gates changes in this workspace');

    const actions = await world.ask<ActionRow[]>('log');
    expect(actions.find(({ tool }) => tool === 'Edit')).toMatchObject({
      state: 'refused',
      code: 'INTENT_REQUIRED',
      agent: 'claude-code',
      subject: 'src/auth/login.ts',
    });
  });

  verifies('N15', 'a human grants work in one command, the agent begins in one call, and the edit passes', async () => {
    const granted = await world.human(['intent', 'fix login', 'src/auth']);
    expect(granted.output).toContain('INT-002 is active: fix login');
    expect(granted.output).toContain('may change: src/auth/**');

    const { model } = await world.agent('fix the login', [
      read(login()),
      beginWork,
      edit(login(), 'return null', 'return undefined as never'),
      read(payments()),
      edit(payments(), 'sum + payment.cents', 'sum - payment.cents'),
    ]);
    const results = model.toolResults();
    expect(results[1]).toContain('<intent_context>');
    expect(results[2]).toContain('has been updated');
    expect(results[4]).toContain('Countersign SCOPE_VIOLATION: Scope Violation: INT-002 is not authorized to edit src/payments/index.ts');
    expect(await world.file('src/auth/login.ts')).toContain('return undefined as never');
    expect(await world.file('src/payments/index.ts')).toContain('sum + payment.cents');
  });

  verifies('I4', 'the edit left a receipt with hashes and ranges, and a trace line with intent, model and revision', async () => {
    const receipts = await world.ask<Receipt[]>('receipts');
    const receipt = receipts.find(({ tool_id }) => tool_id === 'edit_file');
    expect(receipt).toMatchObject({
      status: 'done',
      intent: 'INT-002',
      agent_id: 'claude-code',
      model: 'claude-sonnet-4-5',
      revision: world.repo.git('rev-parse', 'HEAD').trim(),
      file_refs: [{ path: 'src/auth/login.ts', ranges: [{ start_line: 8, end_line: 8 }] }],
    });
    const lines = (await world.file('.orchestration/agent_trace.jsonl')).trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({
      vcs: { type: 'git', revision: receipt?.revision },
      files: [
        {
          path: 'src/auth/login.ts',
          conversations: [
            {
              contributor: { type: 'ai', model_id: 'anthropic/claude-sonnet-4-5' },
              ranges: [{ start_line: 8, end_line: 8, content_hash: `sha256:${receipt?.file_refs[0]?.ranges[0]?.sha256}` }],
              related: [
                { type: 'intent', url: 'urn:countersign:intent:INT-002' },
                { type: 'receipt', url: `urn:countersign:receipt:${receipt?.receipt_id}` },
              ],
            },
          ],
        },
      ],
    });
    expect(world.repo.git('status', '--porcelain', '--untracked-files=all')).toBe(' M src/auth/login.ts\n');
  });

  verifies('I13', 'a destructive command waits on the page; a click rejects it, another approves it, and the agent sees both', async () => {
    for (const folder of ['src/auth/build', 'src/auth/cache']) {
      await mkdir(join(world.repo.path, folder));
      await writeFile(join(world.repo.path, folder, 'file'), 'x');
    }
    const browser = await openBrowser();
    try {
      const page = await browser.newPage();
      const { link } = await world.ask<{ link: string }>('open');
      await page.goto(link);
      const working = world.agent('tidy up', [beginWork, bash('rm -rf src/auth/build'), bash('rm -rf src/auth/cache')]);

      const card = page.getByRole('article').filter({ hasText: 'rm -rf src/auth/build' });
      await card.getByLabel(/reason/i).fill('the build is still needed');
      await card.getByRole('button', { name: /reject/i }).click();

      await page
        .getByRole('article')
        .filter({ hasText: 'rm -rf src/auth/cache' })
        .getByRole('button', { name: /countersign/i })
        .click();
      const { model } = await working;
      const [, rejected, approved] = model.toolResults();
      expect(rejected).toContain('Countersign APPROVAL_REJECTED: A human rejected this: the build is still needed');
      expect(approved).not.toContain('Countersign');
      await stat(join(world.repo.path, 'src/auth/build'));
      await expect(stat(join(world.repo.path, 'src/auth/cache'))).rejects.toThrow('ENOENT');
    } finally {
      await browser.close();
    }
    const approvals = await world.ask<ApprovalRow[]>('approvals', '--all');
    // The agent's proposal of an intent waits in the same list, and has no state.
    expect(approvals.flatMap(({ state, proof }) => (state === undefined ? [] : { state, proof }))).toEqual([
      { state: 'spent', proof: 'login' },
      { state: 'rejected', proof: 'login' },
    ]);
  });

  test('a login link counts once', async () => {
    const { link } = await world.ask<{ link: string }>('open');
    const [address, code] = link.split('ui/#code=');
    const exchange = () =>
      fetch(`${address}api/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ code }) });
    expect((await exchange()).status).toBe(200);
    expect((await exchange()).status).toBe(401);
  });

  test('the daemon is killed between two calls: the next hook starts another, and the session goes on where it was', async () => {
    const pid = await world.daemonPid();
    const { model } = await world.agent('go on', [
      beginWork,
      read(login()),
      () => {
        process.kill(pid, 'SIGKILL');
        return edit(login(), 'return undefined as never', 'return null');
      },
      { tool: 'mcp__countersign__countersign_status', args: {} },
    ]);
    const results = model.toolResults();
    expect(results[2]).toContain('has been updated');
    expect(results[3]).toContain('"intent":"INT-002"');
    expect(await world.daemonPid()).not.toBe(pid);
  });

  verifies('N2', 'agent and daemon are killed in the middle of an action: verify misses nothing and names what is unknown', async () => {
    const quit = new AbortController();
    const working = world
      .agent('watch', [beginWork, bash('tail -f /dev/null; echo done > src/auth/never')], { signal: quit.signal })
      .catch(() => null);
    const action = await eventually('the command runs', async () =>
      (await world.ask<ActionRow[]>('log')).find(({ state, tool }) => state === 'admitted' && tool === 'Bash'),
    );
    process.kill(await world.daemonPid(), 'SIGKILL');
    quit.abort();
    await working;

    await world.human(['status']);
    const { code, output } = await world.human(['verify']);
    expect(output).toContain('nothing is missing');
    expect(output).toContain('1 outcome is unknown:');
    expect(output).toContain(`◌ ${action.id}  Bash  the daemon ended before it saw the outcome`);
    expect(code).toBe(0);
  });

  verifies('I13', 'authority commands that the agent types in its own shell are refused', async () => {
    const env = `COUNTERSIGN_HOME=${world.home}`;
    const earlier = (await world.ask<ApprovalRow[]>('approvals', '--all')).find(({ state }) => state !== undefined);
    const { model } = await world.agent('grant yourself everything', [
      beginWork,
      bash(`${env} ${CLI} intent everything .`),
      bash(`${env} setsid ${CLI} intents activate INT-001`),
      bash(`${env} script -qec '${CLI} open' /dev/null`),
      bash(`${env} ${CLI} approve ${earlier?.id}`),
    ]);
    const [, ...refusals] = model.toolResults();
    expect(
      refusals.map((text) => /Countersign (HUMAN_CHANNEL_REQUIRED): (countersign [\w ]+) is a human's command/.exec(text)?.slice(1)),
    ).toEqual(['intent', 'intents activate', 'open', 'approve'].map((command) => ['HUMAN_CHANNEL_REQUIRED', `countersign ${command}`]));
    expect(refusals.join('\n')).not.toContain('#code=');
    const intents = await world.ask<IntentRow[]>('intents');
    expect(intents.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(['INT-001 proposed', 'INT-002 active']);
  });

  verifies('N11', 'settings that are rewritten under a running session do not unhook it', async () => {
    const settings = join(world.repo.path, '.claude/settings.local.json');
    const wired = readFileSync(settings);
    const { model } = await world.agent('go on', [
      beginWork,
      () => {
        writeFileSync(settings, '{"disableAllHooks":true}');
        // The client checks its settings every second or two.
        return bash('sleep 4');
      },
      read(payments()),
      edit(payments(), 'sum + payment.cents', 'sum - payment.cents'),
    ]);
    writeFileSync(settings, wired);
    expect(model.toolResults()[3]).toContain('Countersign SCOPE_VIOLATION');
    expect(await world.file('src/payments/index.ts')).toContain('sum + payment.cents');
  });

  verifies('T10', 'if no daemon can run, changes are denied and reading goes on', async () => {
    const segment = join(world.home, 'ledger/00000001.jsonl');
    const pid = await world.daemonPid();
    const before = await world.file('src/auth/login.ts');
    let sound: Buffer | undefined;
    const { model } = await world.agent('go on', [
      beginWork,
      () => {
        // A daemon does not start on a ledger that does not verify.
        process.kill(pid, 'SIGKILL');
        sound = readFileSync(segment);
        const broken = Buffer.from(sound);
        broken[1000]! ^= 1;
        writeFileSync(segment, broken);
        return read(login());
      },
      edit(login(), 'return null', 'return 0 as never'),
    ]);
    const [, reading, editing] = model.toolResults();
    expect(reading).toContain('export function login');
    expect(editing).toContain('Countersign DAEMON_UNAVAILABLE');
    expect(await world.file('src/auth/login.ts')).toBe(before);

    const verdict = await world.human(['verify']);
    expect(verdict.code).toBe(5);
    expect(verdict.output).toContain('BROKEN at 00000001.jsonl line');
    await writeFile(segment, sound!);
    expect((await world.human(['verify'])).code).toBe(0);
  });
});
