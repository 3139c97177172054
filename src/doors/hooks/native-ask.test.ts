// Questions that an agent can put to its own human: VS Code has a dialog for it. The others hold the call open and then refuse it.

import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import { verifies } from '../../../test/verifies.ts';
import { hookAdapters } from '../../agents/index.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  const { id: workspace } = await daemon.services().locate(daemon.repo.path);
  const human = { kind: 'human', human: { proof: 'login', via: 'cli' } } as const;
  await daemon.services().commands.act('limit_mode', human, { cwd: daemon.repo.path, intent: null, minimum: 'GUARDED' });
  const request = { workspace, name: 'work of the test', ownedScope: ['src/**'], constraints: [], acceptanceCriteria: [] };
  await daemon.services().kernel.authority.declareIntent(human, request);
});
afterAll(() => daemon.dispose());

type Said = { readonly permissionDecision?: string; readonly permissionDecisionReason?: string };

const tell = async (agent: string, event: string, payload: object): Promise<Said> => {
  const body = { session_id: `${agent}-1`, cwd: daemon.repo.path, hook_event_name: event, ...payload };
  const { text } = await daemon.web('POST', `/hooks/${agent}/${event}`, { headers: await daemon.asHook(), body });
  return text === '' ? {} : ((JSON.parse(text) as { hookSpecificOutput?: Said }).hookSpecificOutput ?? {});
};
const prompt = (agent: string) => tell(agent, 'UserPromptSubmit', { prompt: 'go on' });
/** A tool that the gate does not know could do anything: a human is asked, and any yes will do. */
const unknown = (id: string) => ({ tool_name: 'mcp_database_migrate', tool_input: { to: id }, tool_use_id: `${id}` });
const approvals = () => [...daemon.services().kernel.state.approvals.values()];
const actionOf = (id: string) => [...daemon.services().kernel.state.actions.values()].find(({ action }) => action.native?.call_id === id);

describe('an agent that asks its own human', () => {
  verifies('I13', 'what ran was agreed to in its dialog: answered with that proof, spent once, receipted', async () => {
    await prompt('vscode');
    const { permissionDecision, permissionDecisionReason } = await tell('vscode', 'PreToolUse', unknown('agreed'));
    expect(permissionDecision).toBe('ask');
    expect(permissionDecisionReason).toMatch(/^Countersign: This waits for a human .* Countersign it\? \(apr_\w+\)$/);
    expect(actionOf('agreed')?.state).toBe('waiting');
    const size = await daemon.ledgerSize();
    await tell('vscode', 'PostToolUse', { ...unknown('agreed'), tool_response: 'migrated' });
    expect((await daemon.recordedSince(size)).map(({ type }) => type)).toEqual([
      'approval_answered',
      'approval_spent',
      'action_admitted',
      'action_settled',
    ]);
    expect(actionOf('agreed')).toMatchObject({ state: 'settled', receipt: { status: 'done' } });
    expect(approvals().map(({ state, human }) => ({ state, human }))).toEqual([
      { state: 'spent', human: { proof: 'dialog', via: 'agent' } },
    ]);
    // Reported twice, it happened once; and the same call later is a new question.
    const after = await daemon.ledgerSize();
    await tell('vscode', 'PostToolUse', { ...unknown('agreed'), tool_response: 'migrated' });
    expect(await daemon.ledgerSize()).toBe(after);
    expect((await tell('vscode', 'PreToolUse', { ...unknown('agreed'), tool_use_id: 'again' })).permissionDecision).toBe('ask');
  });

  test('what is not reported by the end of the turn was declined: nothing is open any more, and a late report is distinguished', async () => {
    expect((await tell('vscode', 'PreToolUse', unknown('declined'))).permissionDecision).toBe('ask');
    await tell('vscode', 'Stop', {});
    expect(actionOf('declined')).toMatchObject({ state: 'refused', note: 'the turn ended before the outcome was reported' });
    expect(approvals().map(({ state }) => state)).toEqual(['spent', 'expired', 'expired']);
    await tell('vscode', 'PostToolUse', { ...unknown('declined'), tool_response: 'late' });
    expect(actionOf('declined')?.state).toBe('refused');
  });

  test('what cannot be undone needs more than its dialog: the call is held, then denied with the question’s id', async () => {
    await prompt('vscode');
    writeFileSync(join(daemon.repo.path, 'src/old'), 'x');
    const call = { tool_name: 'run_in_terminal', tool_input: { command: 'rm -rf src/old' }, tool_use_id: 'destroys' };
    const { permissionDecision, permissionDecisionReason } = await tell('vscode', 'PreToolUse', call);
    expect(permissionDecision).toBe('deny');
    expect(permissionDecisionReason).toMatch(/Question for the human: apr_/);
  });

  test('a human who says no on the page is not overruled by the dialog: the record shows that it ran without a yes', async () => {
    const said = await tell('vscode', 'PreToolUse', unknown('overruled'));
    const [, id] = /\((apr_\w+)\)$/.exec(said.permissionDecisionReason ?? '') ?? [];
    await daemon.web('POST', `/api/approvals/${id}/answer`, { headers: await daemon.login(), body: { answer: 'rejected' } });
    await tell('vscode', 'PostToolUse', { ...unknown('overruled'), tool_response: 'ran' });
    expect(actionOf('overruled')).toMatchObject({ state: 'settled', approval: null });
    expect(approvals().at(-1)).toMatchObject({ state: 'rejected', human: { proof: 'login' } });
  });
});

describe('every other agent', () => {
  test('is refused with the question’s id when no answer came: its data says that it cannot ask, or not for sure', async () => {
    expect([...hookAdapters.values()].flatMap(({ name, capabilities }) => (capabilities.ask ? [name] : []))).toEqual(['vscode']);
    await prompt('claude');
    const { permissionDecision, permissionDecisionReason } = await tell('claude', 'PreToolUse', unknown('asked'));
    expect(permissionDecision).toBe('deny');
    expect(permissionDecisionReason).toMatch(/^A human answers this: .*\nCountersign APPROVAL_REQUIRED: [^]*Question for the human: apr_/);
  });
});
