// The exact objection of each policy: agents act on this text, and a remedy that is slightly wrong is a dead end.

import { describe, expect, test } from 'vitest';
import { caseOf } from '../../test/policy-case.ts';
import { BLANKS, type Facts, type Proof, SCOPE_LIMITS, type Verdict } from '../protocol/index.ts';
import { isProofEnough, requiredProof } from './await-human.ts';
import { policies, type PolicyExample } from './index.ts';
import { proposeIntentRemedy } from './propose.ts';

type Case = Pick<PolicyExample, 'action' | 'facts'>;

function verdictOf(policy: string, example: Case): Verdict {
  const { action, facts } = caseOf(example);
  return policies.find(({ name }) => name === policy)!.judge(action, facts);
}

/** Of a verdict that objects: the agent's part, without the policy's name. */
function heard(policy: string, example: Case) {
  const verdict = verdictOf(policy, example);
  if (verdict.outcome === 'allow') return 'allow';
  const { outcome, code, message, required_action, remedy } = verdict;
  return { outcome, code, message, required_action, remedy };
}

const { facts: ordinary } = caseOf();
const [file] = ordinary.files as [Facts['files'][number]];
const strict: Facts['mode'] = { declared: 'STRICT', minimum: null, pinned: null, effective: 'STRICT' };
const status = { tool: 'countersign_status', args: {} };
const deny = (code: string, message: string, required_action: string, remedy: unknown) => ({
  ...{ outcome: 'deny', code, message, required_action, remedy },
});

describe('lock', () => {
  const lease = 'ses_00000000000000000000000002';
  const sha = 'c'.repeat(64);
  const stale = { ...file, seen: sha };
  const again = 'Read the file again, then make the change for what it holds now';

  test('a file that another session changes', () => {
    expect(heard('lock', { facts: { files: [{ ...file, lease }] } })).toEqual(
      deny(
        'FILE_LEASED',
        `Another session (${lease}) is changing src/auth/login.ts right now.`,
        'Work on something else and try again in a moment; read the file again first',
        status,
      ),
    );
  });

  test('a file that changed, with and without knowing how, and one that is gone', () => {
    const since = 'line 3 now reads: x';
    expect(heard('lock', { facts: { files: [{ ...stale, since }] } })).toEqual(
      deny('STALE_FILE', `src/auth/login.ts changed since you last saw it.\n${since}`, again, status),
    );
    expect(heard('lock', { action: { door: 'mcp' }, facts: { files: [{ ...stale, path: 'auth/login.ts' }] } })).toEqual(
      deny('STALE_FILE', 'src/auth/login.ts changed since you last saw it.', again, { tool: 'read_file', args: { path: 'auth/login.ts' } }),
    );
    expect(heard('lock', { facts: { files: [{ ...stale, sha256: null }] } })).toEqual(
      deny('STALE_FILE', 'src/auth/login.ts was deleted since you last saw it.', again, status),
    );
  });

  test('a file that was not read', () => {
    const unread = { files: [{ ...file, path: 'auth/login.ts', seen: null }] };
    const other = { kind: 'file', path: 'src/other.ts', access: 'write', targeted: true } as const;
    const whole = { kind: 'file', path: 'auth/login.ts', access: 'write' } as const;
    expect(heard('lock', { action: { door: 'mcp', resources: [other, whole] }, facts: unread })).toEqual(
      deny(
        'UNREAD_FILE',
        'src/auth/login.ts exists and you have not read it.',
        'Read it with read_file first, or replace exact parts of it with edit_file',
        { tool: 'read_file', args: { path: 'auth/login.ts' } },
      ),
    );
    expect(heard('lock', { action: { door: 'mcp' }, facts: { files: [file] } })).toBe('allow');
  });

  test('what is only read, leads nowhere or is governed is not its business', () => {
    const files = [
      { ...stale, access: 'read' as const },
      { ...stale, real: null, unresolved: 'it leads outside the work tree', scope_glob: null },
      { ...stale, governance: 'the gate’s own file' },
    ];
    for (const each of files) expect(heard('lock', { facts: { files: [{ ...each, lease }] } })).toBe('allow');
    expect(heard('lock', { action: { effects: ['observe'] }, facts: { files: [{ ...stale, lease }] } })).toBe('allow');
  });
});

describe('mode', () => {
  const passive = (mode: Partial<Facts['mode']>) => ({
    facts: { mode: { declared: null, minimum: null, pinned: null, effective: 'PASSIVE' as const, ...mode } },
  });

  test('undeclared, declared PASSIVE, pinned', () => {
    const repeat = 'Call begin_work once, then repeat this call';
    const undeclared = 'No mode is declared, so this session behaves as PASSIVE: observation only.';
    expect(heard('mode', passive({}))).toEqual(
      deny('MODE_REQUIRED', undeclared, repeat, { tool: 'begin_work', args: { mode: 'GUARDED' } }),
    );
    expect(heard('mode', passive({ minimum: 'STRICT' }))).toEqual(
      deny('MODE_REQUIRED', undeclared, repeat, { tool: 'begin_work', args: { mode: 'STRICT' } }),
    );
    const declared = (minimum: 'STRICT' | null) => heard('mode', passive({ declared: 'PASSIVE', minimum }));
    expect([declared(null), declared('STRICT')]).toEqual(
      ['GUARDED', 'STRICT'].map((mode) =>
        deny(
          'MODE_FORBIDS',
          'This session declared PASSIVE: observation only.',
          'Call begin_work with a mode that may change things, then repeat this call',
          { tool: 'begin_work', args: { mode } },
        ),
      ),
    );
    expect(heard('mode', passive({ declared: 'STRICT', pinned: 'PASSIVE' }))).toEqual(
      deny(
        'MODE_PINNED',
        'A human pinned this workspace to PASSIVE: observation only.',
        'Ask a human to lift the pin; say what you would change and why',
        null,
      ),
    );
  });
});

describe('intent', () => {
  const none = (files: Facts['files']) => heard('intent', { facts: { files, intent: { selected: null, active: [] } } });
  const proposed = (owned_scope: string[]) =>
    deny(
      'INTENT_REQUIRED',
      'You must cite a valid active Intent ID before mutating tools.',
      'No intent is active. Propose one; a human confirms it, or runs: countersign intent "what should change" PATH',
      owned_scope.length > 0
        ? { tool: 'propose_intent', args: { owned_scope }, fill: { name: BLANKS.name } }
        : { tool: 'propose_intent', args: {}, fill: { name: BLANKS.name, owned_scope: BLANKS.scope } },
    );

  test('without any, the scope to propose is what would be written, never what is read or leads nowhere', () => {
    const read = { ...file, real: 'README.md', access: 'read' as const };
    const nowhere = { ...file, real: null, unresolved: 'it leads outside the work tree', scope_glob: null };
    const root = { ...file, real: '' };
    expect(none([read, nowhere, root, file])).toEqual(proposed(['src/auth/login.ts']));
    expect(none([])).toEqual(proposed([]));
  });
});

describe('scope', () => {
  const outside = { ...file, path: 'pay.ts', real: 'src/pay.ts', scope_glob: null };
  const choose = 'Request scope expansion or choose a valid intent; INT-001 covers src/auth/**';
  const ask = (path: string) => ({
    tool: 'request_scope',
    args: { intent_id: 'INT-001', paths: [path], reason: `INT-001 needs to change ${path}` },
  });

  test('a file outside, by its real place; what is only read may be anywhere', () => {
    expect(heard('scope', { facts: { files: [file, outside] } })).toEqual(
      deny('SCOPE_VIOLATION', 'Scope Violation: INT-001 is not authorized to edit src/pay.ts', choose, ask('src/pay.ts')),
    );
    expect(heard('scope', { facts: { files: [{ ...outside, access: 'read' }] } })).toBe('allow');
  });

  test('a path that leads nowhere says why, and has no remedy', () => {
    const nowhere = { ...outside, real: null, unresolved: 'it leads outside the work tree' };
    expect(heard('scope', { facts: { files: [nowhere] } })).toEqual(
      deny('SCOPE_VIOLATION', 'Scope Violation: INT-001 is not authorized to edit pay.ts (it leads outside the work tree)', choose, null),
    );
  });

  test('another active intent that covers it is the remedy, the cited one never', () => {
    const { selected } = ordinary.intent;
    const active = [
      { id: 'INT-001', name: 'Lock accounts', covers: true },
      { id: 'INT-002', name: 'Docs', covers: false },
      { id: 'INT-003', name: 'Payments', covers: true },
    ];
    expect(heard('scope', { facts: { files: [outside], intent: { selected, active } } })).toEqual(
      deny(
        'SCOPE_VIOLATION',
        'Scope Violation: INT-001 is not authorized to edit src/pay.ts',
        'Request scope expansion or choose a valid intent: INT-003 (Payments) covers it',
        { tool: 'begin_work', args: { intent: 'INT-003' } },
      ),
    );
  });

  test('a very long path still fits the reason', () => {
    const real = `src/${'a'.repeat(600)}`;
    const verdict = heard('scope', { facts: { files: [{ ...outside, real }] } });
    expect(verdict).toMatchObject({ remedy: { args: { reason: `INT-001 needs to change ${real}`.slice(0, 500) } } });
  });

  test('a command that writes outside: the first reason, and the first place inside the tree that can be asked for', () => {
    const reason = { code: 'OUTSIDE', part: 'cp a ../b', message: 'cp writes ../b' };
    const write = (resolved: string | null) => ({ path: 'x', resolved, known: resolved !== null });
    const command = (reasons: (typeof reason)[], writes?: ReturnType<typeof write>[]) =>
      heard('scope', {
        action: { effects: ['execute'] },
        facts: { files: [], command: { class: 'WRITES_OUTSIDE', reasons, ...(writes && { writes }) } },
      });
    const summaryOf = (why: string, remedy: unknown) =>
      deny('SCOPE_VIOLATION', `Scope Violation: INT-001 is not authorized for this command: ${why}`, choose, remedy);
    expect(command([reason])).toEqual(summaryOf('cp writes ../b (cp a ../b)', null));
    expect(command([], [write(null), write('/etc/x'), write('~/x'), write('.')])).toEqual(summaryOf('it writes outside the scope', null));
    expect(command([reason], [write('/etc/x'), write('src/a/b~/.c'), write('src/z')])).toEqual(
      summaryOf('cp writes ../b (cp a ../b)', ask('src/a/b~/.c')),
    );
    expect(command([reason], [write('.hidden')])).toEqual(summaryOf('cp writes ../b (cp a ../b)', ask('.hidden')));
    // Of a text that hides characters nothing is said about paths, however many reasons there are beside.
    expect(command([reason, { code: 'CONTROL_CHARACTERS', part: 'x', message: 'hidden' }])).toBe('allow');
  });
});

describe('recall and tasks', () => {
  const missing = { last: null, missing: 'nothing was recalled yet' };
  const paused = { ...ordinary.intent, selected: { ...ordinary.intent.selected!, status: 'paused' as const } };
  const recall = (args: unknown) =>
    deny(
      'RECALL_REQUIRED',
      'Recall what is known before you change anything: nothing was recalled yet.',
      'Call begin_work once (or memory_query), then repeat this call',
      { tool: 'begin_work', args },
    );

  test('recall: begin_work with the intent that is cited, if it is active', () => {
    expect(heard('recall', { facts: { recall: missing } })).toEqual(recall({ intent: 'INT-001' }));
    expect(heard('recall', { facts: { recall: missing, intent: paused } })).toEqual(recall({}));
    expect(heard('recall', { facts: { recall: missing, intent: { selected: null, active: [] } } })).toEqual(recall({}));
  });

  test('recall: whoever may only look is not asked for it', () => {
    const mode = { declared: 'GUARDED', minimum: null, pinned: 'PASSIVE', effective: 'PASSIVE' } as const;
    expect(heard('recall', { facts: { recall: missing, mode } })).toBe('allow');
  });

  const begin = 'Call begin_work with `steps` (or task_add): it writes them into the file. Do not plan in the reply';

  test('tasks: two steps, or STRICT, want a list', () => {
    expect(heard('tasks', { facts: { tasks: { steps: ['a', 'b'], list: null } } })).toEqual(
      deny('TASKS_REQUIRED', 'You have 2 steps; they have to be listed in tinyTasks.md before anything is changed.', begin, {
        tool: 'begin_work',
        args: { intent: 'INT-001', steps: ['a', 'b'] },
      }),
    );
    expect(heard('tasks', { facts: { mode: strict, intent: paused, tasks: { steps: [], list: null } } })).toEqual(
      deny('TASKS_REQUIRED', 'STRICT: the work has to be listed in tinyTasks.md before anything is changed.', begin, {
        tool: 'begin_work',
        args: {},
        fill: { steps: BLANKS.steps },
      }),
    );
  });

  test('tasks: nothing left, nothing confirmed, the file itself', () => {
    const list = { goal: 'fix login', current: null, total: 2, confirmed: false };
    expect(heard('tasks', { facts: { tasks: { steps: [], list } } })).toEqual(
      deny(
        'TASKS_EXHAUSTED',
        'Every task of "fix login" is checked: stop and ask the user what is next.',
        'If the user has asked for something new since, write its steps down with task_add first; otherwise stop and ask',
        { tool: 'task_add', args: {}, fill: { titles: BLANKS.steps } },
      ),
    );
    expect(heard('tasks', { facts: { tasks: { steps: [], list: { ...list, finished_now: true } } } })).toEqual(
      deny(
        'TASKS_EXHAUSTED',
        'Every task of "fix login" is checked: stop and ask the user what is next.',
        'Stop and ask the user what is next. The list is not opened again or replaced in this turn',
        { tool: 'request_human', args: { question: 'Every task of "fix login" is done. What is next?' } },
      ),
    );
    const current = { id: 'tsk_0000000000', title: 'count failures' };
    expect(heard('tasks', { facts: { mode: strict, tasks: { steps: [], list: { ...list, current } } } })).toEqual(
      deny(
        'TASKS_UNCONFIRMED',
        'STRICT: a human has not confirmed the current task "count failures".',
        'Stop and ask the human to read the tasks and run: countersign tasks confirm',
        { tool: 'request_human', args: { question: 'Please read tinyTasks.md and run: countersign tasks confirm' } },
      ),
    );
    const tasks = { ...file, path: 'tinyTasks.md', real: 'tinyTasks.md' };
    expect(heard('tasks', { facts: { files: [file, tasks] } })).toEqual(
      deny(
        'TASKS_BY_TOOL_ONLY',
        'tinyTasks.md is changed by the task tools only: task_add, task_update, task_complete.',
        'Look at the list with task_list, then use the task tools',
        { tool: 'task_list', args: {} },
      ),
    );
    expect(heard('tasks', { facts: { files: [file, { ...tasks, access: 'read' }] } })).toBe('allow');
  });

  test('tasks: in PASSIVE the mode speaks', () => {
    const mode = { declared: 'PASSIVE', minimum: null, pinned: null, effective: 'PASSIVE' } as const;
    expect(heard('tasks', { facts: { mode, tasks: { steps: ['a', 'b'], list: null } } })).toBe('allow');
  });
});

test('plan: whoever is in STRICT needs a plan, whether it was chosen or is the minimum', () => {
  const asks = deny(
    'PLAN_SCOPE_VIOLATION',
    'STRICT: a change has to belong to an accepted plan, and there is none.',
    'Look around, then submit a plan with submit_execution_plan: files, reasons and checks are enough',
    { tool: 'submit_execution_plan', args: {}, fill: { planGraph: BLANKS.plan } },
  );
  expect(heard('plan', { facts: { mode: strict } })).toEqual(asks);
  expect(heard('plan', { facts: { mode: { ...strict, minimum: 'STRICT' } } })).toEqual(asks);
});

test('plan: the refusal says what is in the way', () => {
  const file = (nodes: readonly { node: string; waits_for: string[]; outside: string[] }[]) => ({
    ...{ work: 'work-1', version: 1, approval: 'not_needed' as const, node: null, targets: ['src/a.ts', 'src/b.ts'] },
    files: [{ path: 'src/auth/login.ts', nodes: [...nodes] }],
  });
  const said = (plan: ReturnType<typeof file>) => (heard('plan', { facts: { plan } }) as { message: string }).message;
  expect(said(file([]))).toBe('No node of the plan changes src/auth/login.ts; it changes src/a.ts, src/b.ts.');
  expect(said(file([{ node: 'n2', waits_for: ['node n1'], outside: [] }]))).toBe(
    'Node n2 is not ready to change src/auth/login.ts: it waits for node n1.',
  );
  expect(said(file([{ node: 'n1', waits_for: [], outside: ['logout', 'Session.end'] }]))).toBe(
    'Node n1 may change src/auth/login.ts, and not logout, Session.end in it.',
  );
});

describe('risk and human', () => {
  const wait = 'Wait for the answer, then repeat exactly this call; an approval counts once and only for this input';
  const ask = (message: string, required_action: string) => ({
    outcome: 'ask',
    code: 'APPROVAL_REQUIRED',
    message,
    required_action,
    remedy: status,
  });

  test('risk: hidden characters, a command without reasons, what goes outside', () => {
    const command = { class: 'MUTATING', reasons: [{ code: 'CONTROL_CHARACTERS', part: 'x', message: 'hidden' }] } as const;
    const hidden = {
      action: { effects: ['external' as const] },
      facts: { files: [], command: { ...command, reasons: [...command.reasons] } },
    };
    expect(heard('risk', hidden)).toEqual(
      deny(
        'HIDDEN_CHARACTERS',
        'This command holds control, bidirectional or invisible characters: what it shows is not what it does.',
        'Write the command again in plain visible characters',
        null,
      ),
    );
    expect(
      heard('risk', { action: { effects: ['execute'] }, facts: { files: [], command: { class: 'DESTRUCTIVE', reasons: [] } } }),
    ).toEqual(ask('This waits for a human (cannot be undone): the gate cannot tell what it changes.', wait));
  });

  test('human: the question, to the letter', () => {
    const asked = { effects: ['plan' as const], resources: [{ kind: 'human' as const, question: 'Which database?', options: [] }] };
    expect(heard('human', { action: asked, facts: { files: [] } })).toEqual(
      ask(
        'A human is asked: Which database?',
        'Stop and tell the user that this waits for them; repeat exactly this call to hear the answer',
      ),
    );
  });

  test('how sure one has to be that it was a human: a yes for what is merely unproven, a login or what was asked for otherwise', () => {
    const needed = (command: Facts['command'], proof_needed?: Proof) =>
      requiredProof(caseOf({ facts: { command, ...(proof_needed && { proof_needed }) } }).facts);
    const reading = (kind: 'MUTATING' | 'DESTRUCTIVE') => ({ class: kind, reasons: [] });
    expect([
      needed(null, 'passphrase'),
      needed(reading('MUTATING'), 'passphrase'),
      needed(reading('DESTRUCTIVE')),
      needed(reading('DESTRUCTIVE'), 'passphrase'),
    ]).toEqual(['none', 'none', 'login', 'passphrase']);
    const { facts } = caseOf({ facts: { command: null } });
    expect([isProofEnough(facts, 'none'), isProofEnough(facts, null)]).toEqual([true, false]);
  });
});

test('an intent can be proposed for what its scope can say: some paths, none empty, none too long', () => {
  const remedy = (...paths: string[]) => proposeIntentRemedy(paths);
  const blank = { tool: 'propose_intent', args: {}, fill: { name: BLANKS.name, owned_scope: BLANKS.scope } };
  const proposed = (owned_scope: string[]) => ({ tool: 'propose_intent', args: { owned_scope }, fill: { name: BLANKS.name } });
  const longest = 'a'.repeat(SCOPE_LIMITS.characters);
  const many = Array.from({ length: SCOPE_LIMITS.globs + 1 }, (_, at) => `f${at}`);
  expect([remedy(), remedy('a', ''), remedy(longest, `${longest}a`)]).toEqual([blank, blank, blank]);
  expect(remedy(longest, 'app/[slug].ts')).toEqual(proposed([longest, 'app/\\[slug\\].ts']));
  expect(remedy(...many)).toEqual(proposed(many.slice(0, SCOPE_LIMITS.globs)));
});
