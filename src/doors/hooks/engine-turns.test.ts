// Turns, copies and questions, as hooks see them: what the engine does for every agent, shown with those whose hooks differ most.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import { connectOverHttp } from '../../../test/lab/mcp-http.ts';
import { verifies } from '../../../test/verifies.ts';
import { FIRST_DOORS } from '../../protocol/index.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.beginWork('src/**');
});
afterAll(() => daemon.dispose());

const within = (path: string) => join(daemon.repo.path, path);
const state = () => daemon.services().kernel.state;
let moment = 1_794_800_000_000;

/** A hook of any agent; null: it returned nothing. */
async function hook(agent: string, event: string, payload: object, waitSeconds = 0): Promise<Record<string, unknown> | null> {
  const headers = { ...(await daemon.asHook()), ...(waitSeconds === 0 ? {} : { 'x-countersign-patience': String(waitSeconds) }) };
  const { status, text } = await daemon.web('POST', `/hooks/${agent}/${event}`, { headers, body: payload });
  expect([200, 204]).toContain(status);
  return status === 204 ? null : (JSON.parse(text) as Record<string, unknown>);
}

const copilot = (sessionId: string) => {
  const base = () => ({ sessionId, cwd: daemon.repo.path, timestamp: ++moment });
  return {
    tell: (event: string, more: object = {}) => hook('copilot', event, { ...base(), ...more }),
    pre: (toolName: string, toolArgs: object, more: object = {}) =>
      hook('copilot', 'preToolUse', { ...base(), toolName, toolArgs, ...more }),
    post: (toolName: string, toolArgs: object, more: object = {}) =>
      hook('copilot', 'postToolUse', { ...base(), toolName, toolArgs, toolResult: 'ok', ...more }),
  };
};
const create = (name: string) => ({ path: within(name), file_text: 'x\n' });

/** A tool of ours over MCP, as any client of the work tree would call it. */
async function overMcp(tool: string, args: object = {}): Promise<string> {
  const client = await connectOverHttp(daemon);
  try {
    return JSON.stringify(await client.callTool({ name: tool, arguments: { ...args } }));
  } finally {
    await client.close();
  }
}

/** The same right after the hook of the agent that calls it. */
async function callOwn(agent: ReturnType<typeof copilot>, tool: string, args: object = {}): Promise<string> {
  await agent.pre(`countersign-${tool}`, args);
  return overMcp(tool, args);
}

describe('an agent that names no calls', () => {
  const agent = copilot('without-ids');

  test('a call over MCP is joined by tool and input to the hook that announced it', async () => {
    await agent.tell('sessionStart', { source: 'new' });
    await agent.tell('userPromptSubmitted', { prompt: 'fix it' });
    expect(await callOwn(agent, 'begin_work')).toContain('intent_context');
    const [session] = [...state().sessions.values()].filter((each) => each.agent === 'copilot-cli');
    expect(session).toMatchObject({ level: 'hooked', intent: 'INT-001' });
    // No hook announced this one.
    await overMcp('begin_work');
    expect([...state().sessions.values()].filter(({ level }) => level === 'advisory')).toHaveLength(1);
  });

  test('the same call twice: each outcome goes to the oldest that is open', async () => {
    const input = create('src/twice.ts');
    await agent.pre('create', input);
    await agent.pre('create', input);
    const open = () =>
      [...state().actions.values()].filter(({ action }) => JSON.stringify(action.input).includes('twice.ts')).map((each) => each.state);
    expect(open()).toEqual(['admitted', 'admitted']);
    await agent.post('create', input);
    expect(open()).toEqual(['settled', 'admitted']);
    await agent.post('create', input);
    expect(open()).toEqual(['settled', 'settled']);
  });

  test('copies of one event are one: the same moment, from another file, in another spelling', async () => {
    const before = state().actions.size;
    const timestamp = ++moment;
    const input = create('src/copies.ts');
    const own = { sessionId: 'without-ids', cwd: daemon.repo.path, timestamp, toolName: 'create', toolArgs: input };
    const foreign = {
      hook_event_name: 'PreToolUse',
      ...{ session_id: 'without-ids', cwd: daemon.repo.path, timestamp: new Date(timestamp).toISOString() },
      ...{ tool_name: 'Write', tool_input: input },
    };
    expect(await Promise.all([hook('copilot', 'preToolUse', own), hook('claude', 'PreToolUse', foreign)])).toEqual([{}, {}]);
    expect(await hook('copilot', 'preToolUse', own)).toEqual({});
    expect(state().actions.size).toBe(before + 1);
    await agent.post('create', input);
  });

  test('a sub-agent’s prompt begins no turn, and what the parent recalled still counts for it', async () => {
    const sub = { sessionId: 'sub', agentId: 'sub', parentAgentId: 'without-ids', agentType: 'task' };
    await agent.tell('userPromptSubmitted', { prompt: 'look', ...sub });
    expect(await agent.pre('create', create('src/by-sub.ts'), sub)).toEqual({});
  });

  test('what the gate said at the end of a turn comes back as a prompt, and begins none', async () => {
    const stop = await agent.tell('agentStop', { stop_hook_active: false });
    expect(stop).toMatchObject({ decision: 'block' });
    const turn = [...state().sessions.values()].find((each) => each.agent === 'copilot-cli' && each.agentId === null)?.turn;
    await agent.tell('userPromptSubmitted', { prompt: stop?.['reason'] });
    expect([...state().sessions.values()].find((each) => each.agent === 'copilot-cli' && each.agentId === null)?.turn).toBe(turn);
  });
});

describe('an agent to which consent is silence', () => {
  const base = () => ({ session_id: 'codex-1', cwd: daemon.repo.path, model: 'gpt-5.5', permission_mode: 'default' });
  let calls = 0;
  const pre = (tool_name: string, tool_input: object, waitSeconds = 0) =>
    hook('codex', 'PreToolUse', { ...base(), tool_name, tool_input, tool_use_id: `call_${++calls}` }, waitSeconds);

  test('it hears nothing where it may, and why where it may not', async () => {
    expect(await pre('Bash', { command: 'ls src' })).toBe(null);
    expect(await pre('mcp__countersign__begin_work', {})).toBe(null);
    expect(await pre('apply_patch', { command: '*** Begin Patch\n*** Delete File: README.md\n*** End Patch\n' })).toMatchObject({
      hookSpecificOutput: { permissionDecision: 'deny' },
    });
  });
});

describe('the recall for a prompt', () => {
  const session_id = 'recalling';
  const prompt = (text: string, prompt_id: string) => daemon.hook('UserPromptSubmit', { session_id, prompt: text, prompt_id });
  /** What the agent itself says over MCP. */
  const say = async (tool: string, input: Record<string, unknown> = {}) => {
    const known = [...state().sessions.values()].find((each) => each.turn.startsWith('recalling'));
    const { id: session, workspace, root, agent } = known!;
    const where = { session, workspace, root, cwd: root, actor: { agent }, door: FIRST_DOORS.mcp, waitTimeoutMs: 0 };
    const { outcome } = await daemon.services().kernel.spine.pass({ ...where, tool, input, signal: AbortSignal.timeout(60_000) });
    return outcome.kind === 'settled' || outcome.kind === 'observed' ? outcome.output : outcome;
  };

  verifies('E7', 'it buys one stamp in GUARDED, and none in STRICT, which asks for a search of the agent’s own', async () => {
    await prompt('hello', 'recalling-0');
    await say('memory_set_mode', { mode: 'GUARDED' });
    const size = await daemon.ledgerSize();
    await prompt('change the login', 'recalling-1');
    const [recalled] = (await daemon.recordedSince(size)).filter(({ type }) => type === 'recall_done');
    expect(recalled?.data).toMatchObject({
      turn: 'recalling-1',
      how: 'injected',
      query: 'change the login work of the test src/**',
      found: 0,
    });
    expect(await say('elefanteAssertCompliance')).toMatchObject({ status: 'PASS' });
    expect(await say('elefanteAssertCompliance')).toMatchObject({ status: 'FAIL' });

    await say('memory_set_mode', { mode: 'STRICT' });
    await prompt('change it again', 'recalling-2');
    expect(await say('elefanteAssertCompliance')).toMatchObject({ status: 'FAIL' });
    await say('memory_query', { query: 'login' });
    expect(await say('elefanteAssertCompliance')).toMatchObject({ status: 'PASS' });
  });

  test('what it found is put before the agent, shortly', async () => {
    const human = { kind: 'human', human: { proof: 'login', via: 'cli' } } as const;
    const request = { cwd: daemon.repo.path, kind: 'decision', rationale: 'an attack', scope: ['src/**'] } as const;
    for (let number = 0; number < 20; number++) {
      const statement = `Logins compare in constant time, rule ${number}: ${'for reasons that fill a line '.repeat(8)}`;
      await daemon.services().commands.act('add_memory', human, { ...request, scope: [...request.scope], citations: [], statement });
    }
    const said = (await prompt('compare logins in constant time', 'recalling-3')) as { hookSpecificOutput: { additionalContext: string } };
    const { additionalContext } = said.hookSpecificOutput;
    expect(additionalContext).toMatch(/^Countersign: known about this, .*\n- Logins compare in constant time, rule/);
    expect(additionalContext.length).toBeLessThan(1_800);
  });
});

describe('a question without an answer in time', () => {
  const agent = copilot('asking');
  const input = { command: 'rm -rf src/old', description: 'd' };

  verifies('I13', 'the call is denied with the question’s id, and passes when it is repeated after a yes', async () => {
    await agent.tell('userPromptSubmitted', { prompt: 'tidy' });
    await callOwn(agent, 'begin_work', { query: 'tidy' });
    await writeFile(within('src/old'), 'x');
    const ids = [];
    // Repeated without an answer, it is still the same question and does not count as a loop.
    for (let times = 0; times < 4; times++) {
      const said = String((await agent.pre('bash', input))?.['permissionDecisionReason']);
      expect(said).toMatch(
        /^A human answers this: countersign approve \w{6} or http:\S+ for rm -rf src\/old\nCountersign APPROVAL_REQUIRED: /,
      );
      ids.push(/Question for the human: (apr_\w+)/.exec(said)?.[1]);
    }
    expect(new Set(ids).size).toBe(1);
    const headers = await daemon.login();
    expect((await daemon.web('POST', `/api/approvals/${ids[0]}/answer`, { headers, body: { answer: 'approved' } })).status).toBe(200);
    expect(await agent.pre('bash', input)).toMatchObject({ permissionDecision: 'allow' });
  });
});
