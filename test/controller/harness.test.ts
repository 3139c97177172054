// The eight sections of the controller's harness, over real stdio with the official client. `node test-mcp-harness.mjs` runs this file.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { ALWAYS, connectController, type Controller, PLAN, type TurnAnswer, writeShop } from '../lab/controller.ts';
import { CLI, type Installation, makeInstallation, type Place } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

const PRE_PLAN = [
  ...['list_available_verbs', 'list_scoped_files', 'list_directory_contents', 'read_file_lines', 'lookup_symbol_definition'],
  ...['trace_symbol_graph', 'search_codebase_text', 'fetch_jira_ticket', 'fetch_api_spec', 'get_original_prompt', 'write_scratch_file'],
  ...['submit_execution_plan', 'request_evidence_guidance', 'signal_task_complete'],
];
const POST_PLAN = ['apply_code_patch', 'run_sandboxed_code', 'execute_gated_side_effect', 'run_automation_recipe'];
const PATCH = { oldText: 'sum + price * count', newText: 'sum + Math.round(price * count * 100) / 100' };

let installation: Installation;
beforeAll(async () => {
  installation = await makeInstallation();
});
afterAll(() => installation.dispose());

async function shop(): Promise<{ place: Place; controller: Controller }> {
  const place = await installation.beside();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  return { place, controller: await connectController(place) };
}

const isWhole = (answer: TurnAnswer): TurnAnswer => {
  expect(Object.keys(answer)).toEqual(expect.arrayContaining([...ALWAYS]));
  expect(Object.keys(answer.verbDescriptions)).toEqual([...answer.capabilities]);
  expect('suggestedAction' in answer).toBe(answer.denyReasons.length > 0);
  expect(answer.outcome === undefined).toBe(answer.denyReasons.length > 0 && answer.packInsufficiency === undefined);
  return answer;
};

describe('1. transport layer', () => {
  verifies('G1', 'newline-delimited JSON-RPC: initialize, tools/list, ping; an unknown method and a wrong tool are errors', async () => {
    const place = await installation.beside();
    // With a shell between: its parent counts as an agent, and this process must not.
    const pipe = spawn('/bin/sh', ['-c', '"$0" "$@"; exit', CLI, 'mcp', '--surface', 'controller'], {
      cwd: place.repo.path,
      env: { PATH: process.env['PATH'], ...place.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: pipe.stdout })[Symbol.asyncIterator]();
    let id = 0;
    const say = async (method: string, params: object) => {
      pipe.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, method, params })}\n`);
      return JSON.parse((await lines.next()).value as string) as { id: number; result?: Record<string, unknown>; error?: { code: number } };
    };
    const info = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'harness', version: '1' } };
    expect(await say('initialize', info)).toMatchObject({ id: 1, result: { protocolVersion: '2025-11-25' } });
    const { result } = await say('tools/list', {});
    expect(result?.['tools']).toMatchObject([{ name: 'controller_turn', inputSchema: { required: ['verb'] } }]);
    expect(await say('ping', {})).toMatchObject({ id: 3, result: {} });
    expect(await say('no/such/method', {})).toMatchObject({ error: { code: -32601 } });
    expect(await say('tools/call', { name: 'begin_work', arguments: {} })).toMatchObject({ error: { code: -32602 } });
    // Nothing of this opened work, and the index was not started.
    expect(await place.client.ask('works', { cwd: place.repo.path })).toEqual([]);
    expect(existsSync(join(place.home, 'code'))).toBe(false);
    const ended = new Promise((resolve) => pipe.once('close', resolve));
    pipe.stdin.end();
    expect(await ended).toBe(0);
  });

  verifies('G2', 'a turn without a verb, or with a verb that does not exist, is answered with the whole envelope', async () => {
    const { controller } = await shop();
    const missing = isWhole(await controller.send({}));
    expect(missing).toMatchObject({ denyReasons: ['PLAN_MISSING_REQUIRED_FIELDS'], result: { missing: ['verb'] }, state: 'PLAN_REQUIRED' });
    const unknown = isWhole(await controller.turn('write_everything'));
    expect(unknown.denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);
    expect(isWhole(await controller.turn('readFileLines', { targetFile: 'src/total.js' })).suggestedAction).toMatchObject({
      verb: 'read_file_lines',
      args: { targetFile: 'src/total.js' },
    });
    await controller.close();
  });
});

describe('2. pre-plan verbs', () => {
  verifies(
    'G2',
    'all fourteen answer, and each that lacks an argument says which',
    async () => {
      const { place, controller } = await shop();
      const { turn } = controller;
      const ok = async (verb: string, args?: Record<string, unknown>) => {
        const answer = isWhole(await turn(verb, args));
        expect([verb, answer.denyReasons, answer.outcome]).toEqual([verb, [], 'ok']);
        return answer.result;
      };
      expect((await ok('list_available_verbs'))['verbs']).toEqual(PRE_PLAN);
      expect((await ok('list_scoped_files'))['files']).toEqual(expect.arrayContaining(['src/total.js', 'test/total.test.js']));
      expect((await ok('list_directory_contents', { targetDir: 'src' }))['files']).toEqual(
        expect.arrayContaining(['src/print.js', 'src/total.js']),
      );
      expect((await ok('read_file_lines', { targetFile: 'src/total.js', startLine: 2, endLine: 2 }))['content']).toBe(
        'export function total(lines) {\n',
      );
      expect((await ok('lookup_symbol_definition', { symbol: 'total' }))['symbols']).toMatchObject([
        { path: 'src/payments/index.ts' },
        { path: 'src/total.js', line: 2 },
      ]);
      expect((await ok('trace_symbol_graph', { targetFile: 'src/total.js' }))['starts']).toMatchObject([{ because: 'the file' }]);
      expect((await ok('search_codebase_text', { pattern: 'EUR' }))['hits']).toMatchObject([{ path: 'src/print.js', line: 3 }]);
      expect((await ok('get_original_prompt'))['originalPrompt']).toBe(null);
      const { path } = (await ok('write_scratch_file', { relativePath: 'notes.md', content: 'total() rounds nothing\n' })) as {
        path: string;
      };
      expect(await readFile(join(place.repo.path, path), 'utf8')).toBe('total() rounds nothing\n');
      expect((await ok('request_evidence_guidance', { blockingReasons: ['I am stuck'] }))['planTemplate']).toMatchObject({
        nodes: [{ targetFile: 'src/total.js' }],
      });
      for (const [verb, args] of [
        ['fetch_jira_ticket', { ticketKey: 'A-1' }],
        ['fetch_api_spec', { specUrl: 'http://127.0.0.1/x' }],
      ] as const)
        expect(isWhole(await turn(verb, args)).denyReasons).toEqual(['CONNECTOR_NOT_SET_UP']);
      const required: [string, string[]][] = [
        ['list_directory_contents', ['targetDir']],
        ['read_file_lines', ['targetFile']],
        ['lookup_symbol_definition', ['symbol']],
        ['trace_symbol_graph', ['symbol|targetFile|query']],
        ['search_codebase_text', ['pattern']],
        ['fetch_jira_ticket', ['ticketKey']],
        ['fetch_api_spec', ['specUrl']],
        ['write_scratch_file', ['relativePath', 'content']],
        ['submit_execution_plan', ['planGraph']],
        ['request_evidence_guidance', ['blockingReasons']],
      ];
      for (const [verb, missing] of required)
        expect([verb, isWhole(await turn(verb))]).toMatchObject([
          verb,
          { denyReasons: ['PLAN_MISSING_REQUIRED_FIELDS'], result: { missing } },
        ]);
      await controller.close();
    },
    60_000,
  );

  verifies('G2', 'scratch files stay in the folder of their work, whatever the path says', async () => {
    const { place, controller } = await shop();
    for (const relativePath of ['../x', '../../../../../src/total.js', '/etc/x', 'a/../../artifacts/x'])
      expect((await controller.turn('write_scratch_file', { relativePath, content: 'x' })).denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);
    expect(existsSync(join(place.repo.path, '.ai'))).toBe(false);
    await controller.close();
  });
});

describe('3. plan lifecycle', () => {
  verifies(
    'G3',
    'a plan without evidence is rejected with what is missing; a valid one is accepted, versioned, and opens the other verbs',
    async () => {
      const { controller } = await shop();
      const { turn } = controller;
      const rejected = isWhole(await turn('submit_execution_plan', { planGraph: PLAN }));
      expect(rejected.denyReasons[0]).toBe('PLAN_EVIDENCE_INSUFFICIENT');
      expect(rejected.result['contextPackRef']).toMatch(/^pack:/);
      expect(rejected.state).toBe('PLAN_REQUIRED');
      await turn('read_file_lines', { targetFile: 'src/total.js' });
      const accepted = isWhole(await turn('submit_execution_plan', { planGraph: PLAN }));
      expect(accepted).toMatchObject({ state: 'PLAN_ACCEPTED', outcome: 'ok', result: { accepted: true, version: 1 } });
      expect(accepted.capabilities).toEqual([...PRE_PLAN, ...POST_PLAN]);
      expect(isWhole(await turn('submit_execution_plan', { planGraph: PLAN })).result['version']).toBe(2);
      await controller.close();
    },
  );

  verifies('G6', 'what cannot be assembled is said with missing anchors, an escalation plan and blocked verbs', async () => {
    const { controller } = await shop();
    const planGraph = { nodes: [{ ...PLAN.nodes[0], targetFile: 'src/nowhere.js', operation: 'modify' }] };
    const { packInsufficiency, outcome, denyReasons } = await controller.turn('submit_execution_plan', { planGraph });
    expect([outcome, denyReasons.includes('PACK_REQUIRED_ANCHOR_UNRESOLVED')]).toEqual(['pack_insufficient', true]);
    expect(packInsufficiency).toMatchObject({
      missingAnchors: [{ anchorType: 'file' }],
      escalationPlan: expect.any(Array),
      blockedCommands: expect.any(Array),
    });
    await controller.close();
  });
});

describe('4. post-plan mutations', () => {
  verifies(
    'G9',
    'a change is held to its node; the state moves with the first one; checks decide whether a validate node is done',
    async () => {
      const { place, controller } = await shop();
      const { turn } = controller;
      await turn('read_file_lines', { targetFile: 'src/total.js' });
      const { result, workId } = await turn('submit_execution_plan', { planGraph: PLAN });
      const refs = (result['nodes'] as { nodeId: string; artifactBundleRef: string; diffSummaryRef: string }[]).find(
        ({ nodeId }) => nodeId === 'check',
      )!;
      const patch = (planNodeId: string, targetFile: string, edit = PATCH) =>
        turn('apply_code_patch', { planNodeId, targetFile, edits: [edit] });
      expect((await patch('nothing', 'src/total.js')).denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);
      expect((await patch('round', 'src/print.js')).denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);
      expect((await patch('round', 'src/total.js', { oldText: '`Order ', newText: '`No. ' })).result.refusal?.message).toContain(
        'not label in it',
      );
      const validate = () =>
        turn('run_automation_recipe', {
          recipeId: 'run_targeted_validation',
          planNodeId: 'check',
          artifactBundleRef: refs.artifactBundleRef,
          diffSummaryRef: refs.diffSummaryRef,
        });
      expect((await validate()).result.refusal?.message).toContain('waits for node round');
      expect(await patch('round', 'src/total.js')).toMatchObject({ state: 'EXECUTION_ENABLED', outcome: 'ok' });
      expect(await readFile(join(place.repo.path, 'src/total.js'), 'utf8')).toContain('Math.round');
      expect(isWhole(await validate()).result['validationOutcome']).toBe('passed');
      const [work] = await place.client.ask('works', { cwd: place.repo.path });
      expect([work?.work_id, work?.plan?.nodes.map(({ status }) => status)]).toEqual([workId, ['done', 'done']]);
      expect((await turn('run_sandboxed_code', { planNodeId: 'round', code: '1' })).denyReasons).toEqual(['CODE_REFUSED']);
      const code = '(async () => inputs.text.split("\\n").length + inputs.more)()';
      const computed = await turn('run_sandboxed_code', {
        ...{ planNodeId: 'round', code, inputs: { more: 1 }, inputFiles: { text: 'src/total.js' } },
        expectedReturn: { type: 'integer' },
      });
      expect(computed.result).toMatchObject({ node: 'round', value: 10 });
      const placeholder = await turn('run_sandboxed_code', { planNodeId: 'round', code: '(async () => ({ status: "ok" }))()' });
      expect(placeholder.result.refusal?.message).toBe('The code returned a placeholder, not a result.');
      const secret = { planNodeId: 'round', code, inputFiles: { text: '.ai/auth/jira.token' } };
      expect((await turn('run_sandboxed_code', secret)).denyReasons).toContain('GOVERNANCE_FILE');
      expect((await turn('execute_gated_side_effect', { planNodeId: 'round', sideEffectType: 'git_commit' })).denyReasons).toEqual([
        'PLAN_SCOPE_VIOLATION',
      ]);
      await controller.close();
    },
    90_000,
  );

  verifies(
    'G9',
    'a side effect is refused while no human has opened its gate, and the turn, its verb and its change have receipts of their own',
    async () => {
      const { place, controller } = await shop();
      const { turn } = controller;
      await turn('read_file_lines', { targetFile: 'src/total.js' });
      const commit = {
        nodeId: 'commit',
        kind: 'side_effect',
        dependsOn: ['check'],
        sideEffectType: 'git_commit',
        sideEffectPayloadRef: 'message: round the total',
        commitGateId: 'gate-1',
      };
      expect((await turn('submit_execution_plan', { planGraph: { nodes: [...PLAN.nodes, commit] } })).state).toBe('PLAN_ACCEPTED');
      expect((await turn('execute_gated_side_effect', { planNodeId: 'commit', sideEffectType: 'git_commit' })).denyReasons[0]).toBe(
        'PLAN_SCOPE_VIOLATION',
      );
      const changed = await turn('apply_code_patch', { planNodeId: 'round', targetFile: 'src/total.js', edits: [PATCH] });
      const actions = await place.client.ask('actions', { cwd: place.repo.path, limit: 20 });
      const chain = ['edit_file', 'apply_code_patch', 'controller_turn'].map((tool) => actions.find((row) => row.tool === tool));
      expect(chain.every((row) => row?.receipt_id?.startsWith('rcp_'))).toBe(true);
      expect(chain.map((row) => row?.parent ?? null)).toEqual([chain[1]?.id, chain[2]?.id, null]);
      expect(changed.traceRef).toBe(chain[2]?.id);
      await controller.close();
    },
    60_000,
  );
});

describe('5. session and response', () => {
  verifies(
    'G2',
    'ids stay for the connection; a second workId is refused while work is open, and begins new work after it has ended',
    async () => {
      const { controller } = await shop();
      const first = await controller.send({ verb: 'list_available_verbs', originalPrompt: 'round it', traceMeta: { a: 1 } });
      const second = await controller.send({ verb: 'get_original_prompt', originalPrompt: 'something else' });
      expect([second.runSessionId, second.workId, second.agentId]).toEqual([first.runSessionId, first.workId, first.agentId]);
      expect(second.result).toMatchObject({ originalPrompt: 'round it', promptNote: expect.any(String) });
      expect((await controller.send({ verb: 'list_available_verbs', workId: 'another' })).denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);
      expect((await controller.send({ verb: 'list_available_verbs', workId: '../x' })).denyReasons).toEqual([
        'PLAN_MISSING_REQUIRED_FIELDS',
      ]);
      expect((await controller.turn('signal_task_complete')).state).toBe('COMPLETED');
      const next = await controller.send({ verb: 'list_available_verbs', workId: 'another' });
      expect([next.workId, next.state, next.runSessionId]).toEqual(['another', 'PLAN_REQUIRED', first.runSessionId]);
      await controller.close();
    },
  );

  verifies(
    'G25',
    'the budget is of the workspace: another connection resets nothing; over 60 % only the safe verbs run, until a human grants more',
    async () => {
      const { place, controller } = await shop();
      const { budgetStatus } = await controller.turn('list_available_verbs');
      expect(budgetStatus).toMatchObject({ maxTokens: 100_000, thresholdTokens: 60_000, blocked: false });
      const large = 'x'.repeat(120_500);
      for (const _turn of [1, 2]) await controller.send({ verb: 'get_original_prompt', traceMeta: { large } });
      await controller.close();
      const again = await connectController(place);
      const blocked = isWhole(await again.turn('list_scoped_files'));
      expect(blocked).toMatchObject({ state: 'BLOCKED_BUDGET', denyReasons: ['PLAN_SCOPE_VIOLATION'], budgetStatus: { blocked: true } });
      // Nor does a third one with ids of its own.
      const third = await connectController(place);
      const renamed = isWhole(await third.send({ verb: 'list_scoped_files', runSessionId: 'another-run', workId: 'another-work' }));
      expect(renamed).toMatchObject({ state: 'BLOCKED_BUDGET', budgetStatus: { blocked: true } });
      expect(renamed.budgetStatus.usedTokens).toBeGreaterThan(blocked.budgetStatus.usedTokens);
      await third.close();
      expect(blocked.capabilities).toEqual([
        'list_available_verbs',
        'get_original_prompt',
        'request_evidence_guidance',
        'signal_task_complete',
      ]);
      for (const verb of ['list_available_verbs', 'get_original_prompt']) expect((await again.turn(verb)).denyReasons).toEqual([]);
      const byAgent = await place.run(['plan', 'grant-budget', '50000']);
      expect(byAgent.code).not.toBe(0);
      expect((await place.human(['plan', 'grant-budget', '50000'])).output).toContain('150000 tokens in all');
      expect(await again.turn('list_scoped_files')).toMatchObject({
        state: 'PLAN_REQUIRED',
        outcome: 'ok',
        budgetStatus: { maxTokens: 150_000, thresholdTokens: 90_000 },
      });
      await again.close();
    },
    60_000,
  );

  verifies('G30', 'hints split a plan into parts that share no file', async () => {
    const { controller } = await shop();
    for (const targetFile of ['src/total.js', 'src/print.js']) await controller.turn('read_file_lines', { targetFile });
    const other = {
      nodeId: 'show',
      targetFile: 'src/print.js',
      whyThisFile: 'print() shows the total',
      editIntent: 'Show two decimals in print()',
      verificationHooks: ['test'],
    };
    const { subAgentHints, denyReasons } = await controller.turn('submit_execution_plan', { planGraph: { nodes: [PLAN.nodes[0], other] } });
    expect([denyReasons, subAgentHints.recommended]).toEqual([[], true]);
    expect(subAgentHints.splits.map(({ files }) => files.join()).toSorted()).toEqual(['src/print.js', 'src/total.js']);
    await controller.close();
  });
});

describe('6. mutation deny paths', () => {
  verifies('G3', 'before a plan every mutation is denied, and says what leads on', async () => {
    const { place, controller } = await shop();
    for (const verb of POST_PLAN) {
      const answer = isWhole(await controller.turn(verb, { planNodeId: 'n1', targetFile: 'src/total.js', edits: [PATCH], code: '1' }));
      expect([verb, answer.denyReasons, answer.state]).toEqual([verb, ['PLAN_SCOPE_VIOLATION'], 'PLAN_REQUIRED']);
      expect(answer.result.refusal?.required_action).toContain('submit_execution_plan');
    }
    expect(await readFile(join(place.repo.path, 'src/total.js'), 'utf8')).not.toContain('Math.round');
    await controller.close();
  });
});

describe('7. verb descriptions', () => {
  verifies(
    'G5',
    'every answer describes the verbs of its state, and what is denied comes with a suggestion that works as it is',
    async () => {
      const { controller } = await shop();
      const { verbDescriptions } = await controller.turn('list_available_verbs');
      expect(Object.keys(verbDescriptions)).toEqual(PRE_PLAN);
      expect(verbDescriptions['read_file_lines']).toEqual({
        description: expect.any(String),
        whenToUse: expect.any(String),
        requiredArgs: ['targetFile'],
        optionalArgs: ['startLine', 'endLine'],
      });
      const denied = await controller.turn('read_file_lines', { path: 'src/total.js' });
      expect(denied.suggestedAction).toMatchObject({ verb: 'read_file_lines', args: { targetFile: 'src/total.js' } });
      expect((await controller.turn(denied.suggestedAction!.verb, denied.suggestedAction!.args)).outcome).toBe('ok');
      await controller.close();
    },
  );
});

describe('8. memory system', () => {
  verifies(
    'G3',
    'signal_task_complete ends the work, returns the stamp that the recall of the plan issued, and says what is not done',
    async () => {
      const { controller } = await shop();
      await controller.turn('read_file_lines', { targetFile: 'src/total.js' });
      await controller.turn('submit_execution_plan', { planGraph: PLAN });
      const { state, result } = await controller.turn('signal_task_complete', { summary: 'planned only' });
      expect(state).toBe('COMPLETED');
      expect(result).toMatchObject({
        ended: true,
        stamp: expect.stringContaining('stp_'),
        nodes: { done: 0, open: [{ nodeId: 'round' }, { nodeId: 'check' }] },
      });
      const after = isWhole(await controller.turn('list_scoped_files'));
      expect([after.denyReasons, after.capabilities]).toEqual([
        ['PLAN_SCOPE_VIOLATION'],
        ['list_available_verbs', 'get_original_prompt', 'signal_task_complete'],
      ]);
      expect((await controller.turn('signal_task_complete')).denyReasons).toEqual([]);
      await controller.close();
    },
  );
});
