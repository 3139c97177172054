// Hooks against a whole daemon: what Claude Code receives, and what is recorded.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import { verifies } from '../../../test/verifies.ts';
import { mutates } from '../../protocol/index.ts';
import { describeCall } from '../../tools/registry.fixture.ts';
import type { DoorServices } from '../services.ts';
import { claude } from '../../agents/claude/adapter.ts';
import { translate } from '../../agents/claude/translate.ts';
import { openHookEngine } from './engine.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

interface Decision {
  readonly permissionDecision?: string;
  readonly permissionDecisionReason?: string;
  readonly additionalContext?: string;
}
const decisionIn = (answer: unknown): Decision => (answer as { hookSpecificOutput?: Decision }).hookSpecificOutput ?? {};

/** Each conversation of these tests is a separate agent. */
const agent = (session_id: string) => {
  let calls = 0;
  const before = async (tool_name: string, tool_input: object, more: object = {}) =>
    decisionIn(
      await daemon.hook('PreToolUse', { session_id, tool_name, tool_input, tool_use_id: `toolu_${session_id}_${++calls}`, ...more }),
    );
  return {
    before,
    after: (tool_name: string, tool_input: object, more: object) =>
      daemon.hook('PostToolUse', { session_id, tool_name, tool_input, tool_use_id: `toolu_${session_id}_${calls}`, ...more }),
    failed: (tool_name: string, tool_input: object, error: string) =>
      daemon.hook('PostToolUseFailure', { session_id, tool_name, tool_input, tool_use_id: `toolu_${session_id}_${calls}`, error }),
    tell: (event: string, more: object = {}) => daemon.hook(event, { session_id, ...more }),
  };
};
const worker = agent('session-of-test');
const sessionOf = async (name: string): Promise<string> =>
  (await daemon.services().ask('sessions', {})).find((row) => row.agent === name && row.intent !== null)?.id ?? '';
const newest = async () => (await daemon.services().ask('actions', { limit: 1 }))[0];
const within = (path: string) => join(daemon.repo.path, path);
const edit = (path: string) => ({ file_path: within(path), old_string: 'null', new_string: 'undefined', replace_all: false });

describe('before anything is granted', () => {
  const stranger = agent('stranger');

  test('what is no tool of our server is unknown, also where one of our tools has that very name', async () => {
    // To opencode this is the tool `status` of the server `countersign`.
    const called = { tool_name: 'countersign_status', tool_use_id: 'call_1', tool_input: {} };
    const body = { session_id: 'ses_1', cwd: daemon.repo.path, agent: 'build', ...called };
    const { text } = await daemon.web('POST', '/hooks/opencode/tool.execute.before', { headers: await daemon.asHook(), body });
    expect(JSON.parse(text)).toEqual({ deny: expect.stringContaining('(unknown tool)') });
  });

  test('a session gets an explanation of the gate once, and its status with each prompt', async () => {
    const start = decisionIn(await stranger.tell('SessionStart', { source: 'startup' })).additionalContext;
    expect(start).toContain('Countersign gates changes in this workspace: reading is free');
    expect(start).toContain('no intent is active');
    expect(await stranger.tell('UserPromptSubmit', { prompt: 'fix it', prompt_id: 'p1' })).toEqual({
      hookSpecificOutput: {
        hookEventName: 'UserPromptSubmit',
        additionalContext:
          'Countersign: no intent is active. Reading is free; to change something, a human first runs: countersign intent "what should change" PATH',
      },
    });
  });

  test('looking is free and leaves the client’s own permissions as they are', async () => {
    expect(await stranger.before('Read', { file_path: within('README.md') })).toEqual({});
    expect(await stranger.before('Grep', { pattern: 'login' })).toEqual({});
    expect(await stranger.before('Bash', { command: 'ls src' })).toEqual({});
    expect(await newest()).toMatchObject({ state: 'observed', tool: 'Bash', subject: 'ls src' });
  });

  verifies('I8', 'a denied edit hears what is missing, the call that leads on, and what else is missing', async () => {
    const { permissionDecision, permissionDecisionReason } = await stranger.before('Edit', edit('src/auth/login.ts'));
    expect(permissionDecision).toBe('deny');
    expect(permissionDecisionReason?.split('\n')).toEqual([
      expect.stringMatching(/^Countersign [A-Z_]+: .+/),
      expect.stringMatching(/^What to do: .+\.$/),
      expect.stringMatching(/^Call: mcp__countersign__\w+ \{.*\}$/),
      expect.stringMatching(/^Also missing: .+ \[[A-Z_]+\]$/),
      expect.stringMatching(/^Also missing: .+ \[[A-Z_]+\]$/),
    ]);
    expect(permissionDecisionReason).toContain('You must cite a valid active Intent ID before mutating tools.');
    expect(await newest()).toMatchObject({ state: 'refused', tool: 'Edit', subject: 'src/auth/login.ts' });
  });

  test('a tool of the gate itself passes the hook: its call is judged where it is made', async () => {
    expect(await stranger.before('mcp__countersign__begin_work', {})).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: 'a tool of the gate itself',
    });
  });

  test('a tool that only pretends to be the gate’s does not', async () => {
    for (const tool of [
      'mcp__countersign__approve',
      'mcp__countersign__',
      'mcp__countersign__x__begin_work',
      'mcp__mini__begin_work',
      'begin_work',
    ]) {
      expect([tool, (await stranger.before(tool, { id: 'apr_1' })).permissionDecision]).toEqual([tool, 'deny']);
    }
  });
});

describe('while it works', () => {
  beforeAll(() => daemon.beginWork('**'));

  test('a continuation without words, or with the gate’s own, begins no turn; a new prompt begins one and gets what it needs', async () => {
    for (const prompt of ['', '  ', 'Countersign: no intent is active.']) {
      expect(await worker.tell('UserPromptSubmit', { prompt, prompt_id: `p-${prompt}` })).toEqual({});
    }
    // The intent is cited and the gate has recalled: the agent need not call anything before its first change.
    expect(await worker.tell('UserPromptSubmit', { prompt: 'go on', prompt_id: 'p2' })).toEqual({});
    expect(daemon.services().kernel.state.sessions.get(await sessionOf('claude-code'))?.recall).toMatchObject({
      turn: 'p2',
      how: 'injected',
    });
  });

  test('an edit inside the scope passes without widening anything, and what became of it is seen', async () => {
    const input = edit('src/auth/login.ts');
    expect(await worker.before('Edit', input)).toEqual({});
    expect(await newest()).toMatchObject({ state: 'admitted' });
    await writeFile(input.file_path, 'changed\n');
    expect(await worker.after('Edit', input, { tool_response: { filePath: input.file_path } })).toEqual({});
    expect(await newest()).toMatchObject({ state: 'settled', status: 'done' });
    const [receipt] = await daemon.services().ask('receipts', { limit: 1 });
    expect(receipt).toMatchObject({ tool_id: 'edit_file', status: 'done', file_refs: [{ path: 'src/auth/login.ts' }] });
  });

  test('a call that failed is settled as failed', async () => {
    const input = { file_path: within('src/new.ts'), content: 'x' };
    await worker.before('Write', input);
    expect(await worker.failed('Write', input, 'disk full')).toEqual({});
    expect(await newest()).toMatchObject({ state: 'settled', status: 'failed' });
  });

  test('a call without a report is unknown once the turn ends', async () => {
    await worker.before('Write', { file_path: within('src/lost.ts'), content: 'x' });
    expect(await worker.tell('Stop', { stop_hook_active: false })).toMatchObject({ decision: 'block' });
    expect(await newest()).toMatchObject({ state: 'unknown', subject: 'src/lost.ts' });
    expect(await worker.tell('Stop', { stop_hook_active: true })).toEqual({});
  });

  test('an outcome of a call that was never announced changes nothing', async () => {
    const size = await daemon.ledgerSize();
    expect(await worker.after('Edit', edit('src/auth/login.ts'), { tool_use_id: 'toolu_made_up', tool_response: {} })).toEqual({});
    expect(await daemon.ledgerSize()).toBe(size);
  });

  test('the agent’s plan mode only looks, whatever was granted', async () => {
    const planner = agent('planner');
    const { permissionDecisionReason } = await planner.before('Edit', edit('src/auth/login.ts'), { permission_mode: 'plan' });
    expect(permissionDecisionReason).toMatch(/^Countersign MODE_FORBIDS: /);
  });

  test('a sub-agent has a session of its own, below its parent’s', async () => {
    expect(await worker.before('Edit', edit('src/auth/login.ts'), { agent_id: 'sub-1', agent_type: 'general-purpose' })).toEqual({});
    const [child] = await daemon.services().ask('sessions', { limit: 1 });
    const parent = (await daemon.services().ask('sessions', {})).find(({ id }) => id === child?.parent);
    expect(parent).toMatchObject({ agent: 'claude-code', parent: null, intent: child?.intent });
  });

  verifies('N11', 'no scope lets an agent change hook settings, intents or servers, or read keys', async () => {
    const changes = [
      '.claude/settings.local.json',
      '.claude/settings.json',
      '.mcp.json',
      '.orchestration/active_intents.yaml',
      '.git/hooks/pre-commit',
      '.ai/config/env.local.json',
    ];
    for (const path of changes) {
      for (const [tool, input] of [
        ['Write', { file_path: within(path), content: '{}' }],
        ['Edit', edit(path)],
        ['NotebookEdit', { notebook_path: within(path), new_source: '{}' }],
      ] as const) {
        const { permissionDecision, permissionDecisionReason } = await worker.before(tool, input);
        expect([tool, path, permissionDecision, permissionDecisionReason]).toEqual([
          tool,
          path,
          'deny',
          expect.stringContaining('Countersign GOVERNANCE_FILE'),
        ]);
      }
    }
    for (const secret of ['keys/signing-key.pem', 'keys/hmac.key', 'run/hook', 'run/logins.json']) {
      const { permissionDecisionReason } = await worker.before('Read', { file_path: join(daemon.home.dir, secret) });
      expect([secret, permissionDecisionReason]).toEqual([secret, expect.stringContaining('Countersign GOVERNANCE_FILE')]);
    }
  });
});

describe('what waits for a human', () => {
  const ask = async (command: string) => {
    const decision = await worker.before('Bash', { command, description: 'as the test needs it' });
    const id = /Question for the human: (apr_\w+)/.exec(decision.permissionDecisionReason ?? '')?.[1];
    return { decision, id };
  };
  const answer = async (id: string | undefined, verdict: string) =>
    (await daemon.web('POST', `/api/approvals/${id}/answer`, { headers: await daemon.login(), body: { answer: verdict } })).status;

  verifies('I13', 'an approval lets exactly this call pass, once', async () => {
    const { decision, id } = await ask('rm -rf build');
    expect(decision.permissionDecision).toBe('deny');
    expect(decision.permissionDecisionReason).toMatch(
      /^A human answers this: countersign approve \w{6} or http:\S+ for rm -rf build\nCountersign APPROVAL_REQUIRED: /,
    );
    expect(await answer(id, 'approved')).toBe(200);

    const other = await ask('rm -rf build/');
    expect([other.decision.permissionDecision, other.id === id]).toEqual(['deny', false]);
    expect((await ask('rm -rf build')).decision).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: `a human approved this exact call (${id})`,
    });
    const again = await ask('rm -rf build');
    expect([again.decision.permissionDecision, again.id === id]).toEqual(['deny', false]);
  });

  test('a rejection is reported as one', async () => {
    const { id } = await ask('rm -rf src/dist');
    expect(await answer(id, 'rejected')).toBe(200);
    expect((await ask('rm -rf src/dist')).decision.permissionDecisionReason).toMatch(/^Countersign APPROVAL_REJECTED: /);
  });

  test('an unknown tool waits, bound to its exact input', async () => {
    const first = await worker.before('mcp__mini__pay', { cents: 1 });
    expect(first.permissionDecisionReason).toMatch(
      /^A human answers this: .* for mcp__mini__pay\nCountersign APPROVAL_REQUIRED: .*unknown tool/,
    );
    const [one] = await daemon.services().ask('approvals', { limit: 1 });
    expect(one).toMatchObject({ tool: 'mcp__mini__pay', input: { name: 'mcp__mini__pay', arguments: { cents: 1 } } });
    await worker.before('mcp__mini__pay', { cents: 1_000_000 });
    const [other] = await daemon.services().ask('approvals', { limit: 1 });
    expect(other?.input_sha256).not.toBe(one?.input_sha256);
  });
});

describe('trouble', () => {
  const call = (event: string, payload: unknown, services: DoorServices = daemon.services()) =>
    openHookEngine(services)({
      ...{ adapter: claude, event, payload, parentPid: null, shell: null, connection: null, seal: null },
      ...{ waitTimeoutMs: 0, signal: AbortSignal.timeout(60_000) },
    });
  const payload = { session_id: 'trouble', cwd: '', tool_name: 'Edit', tool_input: {}, tool_use_id: 'toolu_trouble' };

  test('what cannot be read is denied before a tool and passed over elsewhere', async () => {
    expect(decisionIn(JSON.parse(await call('PreToolUse', { tool_name: 'Read' }))).permissionDecisionReason).toMatch(
      /^Countersign BAD_REQUEST: hook payload, session_id/,
    );
    expect(decisionIn(JSON.parse(await call('SomethingNew', {}))).permissionDecision).toBe('deny');
    for (const event of ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'PostToolUseFailure', 'Stop', 'SessionEnd']) {
      expect([event, await call(event, null)]).toEqual([event, '{}']);
    }
  });

  test('a folder that does not exist is said to be missing', async () => {
    const answer = decisionIn(
      JSON.parse(await call('PreToolUse', { ...payload, cwd: '/nowhere', tool_name: 'Read', tool_input: { file_path: 'a' } })),
    );
    expect(answer.permissionDecisionReason).toMatch(/^Countersign NOT_FOUND: "\/nowhere"/);
  });

  test('a defect denies, tells nothing of the inside, and is on the record', async () => {
    const size = await daemon.ledgerSize();
    const services = { ...daemon.services(), locate: () => Promise.reject(new TypeError('cannot read /root/secret.pem')) };
    const answer = await call('PreToolUse', { ...payload, cwd: daemon.repo.path, tool_input: edit('src/auth/login.ts') }, services);
    expect(decisionIn(JSON.parse(answer))).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason:
        'Countersign INTERNAL: A defect of Countersign; it was recorded.\nWhat to do: Tell a human; reading still works.',
    });
    expect(await daemon.recordedSince(size)).toEqual([
      { type: 'defect_caught', data: { door: 'hook claude PreToolUse', message: 'TypeError: cannot read /root/secret.pem' } },
    ]);
  });

  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('\ud800', '\u0000', '\n', '../..', '/etc/passwd', '~', ''),
  );
  const tool = fc.oneof(
    fc.constantFrom(
      'Read',
      'Edit',
      'Write',
      'MultiEdit',
      'NotebookEdit',
      'Bash',
      'Monitor',
      'Grep',
      'Glob',
      'WebFetch',
      'Agent',
      'mcp__countersign__approve',
      '__proto__',
    ),
    text,
  );
  const input = fc.oneof(
    fc.record({
      file_path: text,
      content: text,
      old_string: text,
      new_string: text,
      replace_all: fc.boolean(),
      command: text,
      pattern: text,
      notebook_path: text,
      new_source: text,
    }),
    fc.record({
      file_path: fc.constantFrom('src/a.ts', '.mcp.json', '/etc/x'),
      content: text,
      command: fc.constantFrom('rm -rf /', 'ls', 'echo x > y'),
    }),
    fc.dictionary(text, fc.jsonValue()),
    fc.jsonValue(),
  );
  const fuzzed = (cwd: string) =>
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.record(
          {
            session_id: fc.constantFrom('fuzz', 'session-of-test'),
            cwd: fc.constant(cwd),
            tool_name: tool,
            tool_input: input,
            tool_use_id: text,
            permission_mode: fc.constantFrom('plan', 'acceptEdits', 'bypassPermissions'),
          },
          { requiredKeys: ['session_id', 'cwd'] },
        ),
      },
      {
        weight: 1,
        arbitrary: fc.record({ session_id: text, cwd: text, tool_name: tool, tool_input: input, agent_id: text }, { requiredKeys: [] }),
      },
      { weight: 1, arbitrary: fc.jsonValue() },
    );

  test('whatever comes in, one line of JSON goes out, and no change is allowed without approval', async () => {
    const event = fc.oneof(
      { weight: 6, arbitrary: fc.constant('PreToolUse') },
      { weight: 3, arbitrary: fc.constantFrom('PostToolUse', 'PostToolUseFailure', 'SessionStart', 'UserPromptSubmit', 'Stop') },
      { weight: 1, arbitrary: text },
    );
    await fc.assert(
      fc.asyncProperty(event, fuzzed(daemon.repo.path), async (name, raw) => {
        const answer = await call(name, raw);
        expect(answer).not.toMatch(/[\n\r]/);
        const { permissionDecision } = decisionIn(JSON.parse(answer));
        expect(permissionDecision).toBeOneOf([undefined, 'deny']);
        if (name !== 'PreToolUse' || permissionDecision === 'deny') return;
        // It passed, so it only reads, or it is a change inside the scope that the agent was granted.
        const { tool_name, tool_input } = raw as { tool_name: string; tool_input: Record<string, unknown> };
        const translated = translate(tool_name, tool_input);
        expect(translated.kind).toBe('tool');
        const { effects } = describeCall(translated.tool, translated.input, { root: daemon.repo.path, cwd: daemon.repo.path });
        if (mutates(effects)) expect((await newest())?.state).toBe('admitted');
      }),
      { numRuns: 400 },
    );
  }, 60_000);
});
