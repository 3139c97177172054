// Plan: STRICT changes nothing without an accepted plan that a human has said yes to. Whoever works by a plan is held to it in GUARDED too: a
// change belongs to a node that is ready and names the file and what is touched in it.

import { BLANKS, type Facts, mutates, type PlanFact, type Remedy, type Resource, type StaleEvidence } from '../protocol/index.ts';
import { allow, deny, type ObjectionText, type Policy } from './policy.ts';

const name = 'plan';

const LOOK: Remedy = { tool: 'plan_status', args: {} };
const SUBMIT: Remedy = { tool: 'submit_execution_plan', args: {}, fill: { planGraph: BLANKS.plan } };
const REPLAN = 'Do what the plan says, or submit a plan that has it; signal_task_complete ends the work by this plan';

/** The workspace's own checks: they name nothing that an agent chose. A tool that the gate does not know has a shape. */
const isCheck = (resources: readonly Resource[]): boolean =>
  resources.length > 0 && resources.every((resource) => resource.kind === 'other' && resource.shape_sha256 === undefined);

const noPlan: ObjectionText = {
  code: 'PLAN_SCOPE_VIOLATION',
  message: 'STRICT: a change has to belong to an accepted plan, and there is none.',
  required_action: 'Look around, then submit a plan with submit_execution_plan: files, reasons and checks are enough',
  remedy: SUBMIT,
};

function unapproved({ approval, version }: PlanFact): ObjectionText | null {
  if (approval === 'waiting')
    return {
      code: 'APPROVAL_REQUIRED',
      message: `Version ${version} of the plan is accepted and waits for a human's yes.`,
      required_action: 'Stop and tell the human that the plan waits for them: countersign approvals shows it',
      remedy: LOOK,
    };
  if (approval === 'rejected')
    return {
      code: 'APPROVAL_REJECTED',
      message: `A human rejected version ${version} of the plan.`,
      required_action: 'Ask what they would accept, and submit another plan',
      remedy: SUBMIT,
    };
  return null;
}

function outsideCommand({ command, allowance, plan }: Facts): ObjectionText | null {
  if (command === null || command.class === 'SAFE' || plan?.hook || allowance !== undefined) return null;
  return {
    code: 'PLAN_SCOPE_VIOLATION',
    message: 'STRICT: the command is no check of the plan, and no human has allowed it.',
    required_action:
      'Run the checks that the plan names, or submit a plan that has this command as a check; a human may add it to commands.allow',
    remedy: LOOK,
  };
}

function outsideFile({ path, nodes }: PlanFact['files'][number], targets: readonly string[]): ObjectionText | null {
  const violation = (message: string): ObjectionText => ({ code: 'PLAN_SCOPE_VIOLATION', message, required_action: REPLAN, remedy: LOOK });
  if (nodes.some(({ waits_for, outside }) => waits_for.length === 0 && outside.length === 0)) return null;
  const [first] = nodes;
  if (!first) return violation(`No node of the plan changes ${path}; it changes ${targets.join(', ') || 'no file'}.`);
  const covering = nodes.find(({ outside }) => outside.length === 0);
  if (covering) return violation(`Node ${covering.node} is not ready to change ${path}: it waits for ${covering.waits_for.join(', ')}.`);
  return violation(`Node ${first.node} may change ${path}, and not ${first.outside.slice(0, 5).join(', ')} in it.`);
}

/** A plan rests on what its evidence said when it was accepted. */
function changedEvidence([first, ...others]: readonly StaleEvidence[] = []): ObjectionText | null {
  if (!first) return null;
  const more = others.length > 0 ? ` (and ${others.length} more)` : '';
  return {
    code: 'PLAN_EVIDENCE_INSUFFICIENT',
    message: `Node ${first.nodeId} rests on ${first.path}, which has changed since the plan was accepted: ${first.because}${more}.`,
    required_action: `Read ${first.path} again, and submit the plan with what it says now if it still holds`,
    remedy: LOOK,
  };
}

function held(facts: Facts, plan: PlanFact): ObjectionText | null {
  const { collision, stale } = plan;
  const outside = plan.files.map((file) => outsideFile(file, plan.targets)).find((text) => text !== null);
  if (outside) return outside;
  if (!collision) return changedEvidence(stale) ?? (facts.mode.effective === 'STRICT' ? outsideCommand(facts) : null);
  return {
    code: 'EXEC_SIDE_EFFECT_COLLISION',
    message: `${collision.agent} has reserved the ${collision.kind.replace('_', ' ')} ${collision.name} for node ${collision.node} of ${collision.work} (${collision.session}).`,
    required_action: 'Work on another node, or wait until that node is done or its reservation ends',
    remedy: LOOK,
  };
}

export const planPolicy: Policy = {
  name,
  version: 3,
  judge: (action, facts) => {
    const { mode, plan } = facts;
    if (!mutates(action.effects) || mode.effective === 'PASSIVE' || isCheck(action.resources)) return allow(name);
    if (!plan) return mode.effective === 'STRICT' ? deny(name, noPlan) : allow(name);
    const objection = unapproved(plan) ?? held(facts, plan);
    return objection ? deny(name, objection) : allow(name);
  },
  examples: [
    { says: 'a write in STRICT without a plan', facts: { mode: strict() }, expect: 'PLAN_SCOPE_VIOLATION' },
    {
      says: 'the same by a plan that waits for a human',
      facts: { mode: strict(), plan: planned({ approval: 'waiting' }) },
      expect: 'APPROVAL_REQUIRED',
    },
    {
      says: 'the same by a plan that a human rejected',
      facts: { mode: strict(), plan: planned({ approval: 'rejected' }) },
      expect: 'APPROVAL_REJECTED',
    },
    {
      says: 'the same by a plan that a human approved',
      facts: { mode: strict(), plan: planned({ approval: 'approved' }) },
      expect: 'allow',
    },
    {
      says: 'a file that no node names',
      facts: { plan: planned({ node: null, files: [{ path: 'src/auth/login.ts', nodes: [] }] }) },
      expect: 'PLAN_SCOPE_VIOLATION',
    },
    {
      says: 'a node that waits for another',
      facts: {
        plan: planned({ node: null, files: [{ path: 'src/auth/login.ts', nodes: [{ node: 'n2', waits_for: ['node n1'], outside: [] }] }] }),
      },
      expect: 'PLAN_SCOPE_VIOLATION',
    },
    {
      says: 'a definition that the node does not name',
      facts: {
        plan: planned({ node: null, files: [{ path: 'src/auth/login.ts', nodes: [{ node: 'n1', waits_for: [], outside: ['logout'] }] }] }),
      },
      expect: 'PLAN_SCOPE_VIOLATION',
    },
    {
      says: 'a file that another run has reserved',
      facts: {
        plan: planned({
          collision: {
            ...{ kind: 'file', name: 'src/auth/login.ts', work: 'work-2', node: 'n7', agent: 'codex' },
            session: 'ses_00000000000000000000000002',
          },
        }),
      },
      expect: 'EXEC_SIDE_EFFECT_COLLISION',
    },
    {
      says: 'a node whose evidence has changed',
      facts: {
        plan: planned({
          stale: [{ nodeId: 'n1', field: 'codeEvidence[0]', path: 'src/auth/login.ts', because: 'the cited lines 1-3 changed' }],
        }),
      },
      expect: 'PLAN_EVIDENCE_INSUFFICIENT',
    },
    {
      says: 'a command in STRICT that is no check of the plan',
      action: { effects: ['execute'], resources: [{ kind: 'command', command: 'npm run build', cwd: '.' }] },
      facts: {
        files: [],
        mode: strict(),
        command: { class: 'MUTATING', reasons: [] },
        plan: planned({ approval: 'approved', node: null, files: [] }),
      },
      expect: 'PLAN_SCOPE_VIOLATION',
    },
    {
      says: 'a check of the plan in STRICT',
      action: { effects: ['execute'], resources: [{ kind: 'command', command: 'npm test', cwd: '.' }] },
      facts: {
        ...{ files: [], mode: strict(), command: { class: 'MUTATING', reasons: [] } },
        plan: planned({ approval: 'approved', node: null, files: [], hook: true }),
      },
      expect: 'allow',
    },
    {
      says: 'the checks of the workspace in STRICT, without a plan',
      action: { resources: [{ kind: 'other', name: 'the checks of this workspace' }] },
      facts: { files: [], mode: strict() },
      expect: 'allow',
    },
    { says: 'a write in GUARDED without a plan', expect: 'allow' },
    { says: 'a task added in STRICT', action: { effects: ['task'] }, facts: { mode: strict() }, expect: 'allow' },
  ],
};

function strict(): Facts['mode'] {
  return { declared: 'STRICT', minimum: 'STRICT', pinned: null, effective: 'STRICT' };
}

function planned(change: Partial<PlanFact>): PlanFact {
  const nodes = [{ node: 'n1', waits_for: [], outside: [] }];
  return {
    ...{ work: 'work-1', version: 1, approval: 'not_needed', node: 'n1', targets: ['src/auth/login.ts'] },
    files: [{ path: 'src/auth/login.ts', nodes }],
    ...change,
  };
}
