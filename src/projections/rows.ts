// State as people see it: entries become rows.

import {
  type ActionEntry,
  type ApprovalEntry,
  type GrantEntry,
  type IntentEntry,
  readByAgent,
  type SessionEntry,
  type State,
  type ToolGrantEntry,
} from '../kernel/index.ts';
import { refusalOf, requiredProof, strongerProof } from '../policy/index.ts';
import {
  type Action,
  type ActionRow,
  type ApprovalRow,
  type GrantRow,
  type IntentRow,
  type SessionRow,
  sessionTraits,
  wordOf,
} from '../protocol/index.ts';
import { answerer, confirmer, granter } from './signatory.ts';

export function actionRow(entry: ActionEntry): ActionRow {
  const { action, decision, state, approval, receipt, note, overtakenBy, undoneBy, observing, paused } = entry;
  const refusal = decision.outcome === 'allow' ? null : refusalOf(decision);
  const reads = readByAgent(action, decision);
  return {
    id: action.id,
    parent: action.parent ?? null,
    workspace: action.workspace,
    session: action.session,
    ...(receipt ? { turn: receipt.turn_id } : {}),
    agent: action.actor.agent,
    at: action.at,
    tool: toolOf(action),
    tool_id: action.tool,
    subject: subjectOf(action),
    effects: action.effects,
    state,
    word: wordOf({ state, status: receipt?.status ?? null, lapsed: note !== null, undone: undoneBy !== null }),
    code: state === 'unknown' ? 'UNKNOWN' : (refusal?.error_code ?? null),
    message: note ?? refusal?.message ?? null,
    intent: decision.facts.intent.selected?.id ?? null,
    approval_id: approval,
    receipt_id: receipt?.receipt_id ?? null,
    ...(receipt || reads.length === 0 ? {} : { reads }),
    status: receipt?.status ?? null,
    ...(overtakenBy === null ? {} : { overtaken_by: overtakenBy }),
    ...(undoneBy === null ? {} : { undone_by: undoneBy }),
    ...(observing ? { observing } : {}),
    ...(paused ? { paused } : {}),
  };
}

/** As the agent calls it. */
export const toolOf = ({ native, tool }: Action): string => native?.tool ?? tool;

/** The one thing a person wants to see of it. */
export function subjectOf({ resources, input, root }: Action): string {
  const [resource] = resources;
  switch (resource?.kind) {
    case 'file':
      return resource.path.startsWith(`${root}/`) ? resource.path.slice(root.length + 1) : resource.path;
    case 'command':
      return resource.command;
    case 'url':
      return resource.url;
    case 'human':
      return resource.question;
    case 'other':
      return resource.name;
    case undefined:
      return Object.values(input)
        .filter((value) => typeof value === 'string')
        .join(' ');
  }
}

export function approvalRow(entry: ApprovalEntry, { approvers, actions }: Pick<State, 'approvers' | 'actions'>): ApprovalRow {
  const { approval, action, decision, state, reason, human } = entry;
  const { facts } = decision;
  const refusal = refusalOf(decision);
  const run = action.resources.find(({ kind }) => kind === 'command');
  return {
    id: approval.id,
    workspace: approval.workspace,
    session: approval.session,
    agent: action.actor.agent,
    action_id: approval.action,
    tool: toolOf(action),
    input: action.input,
    input_sha256: approval.input_sha256,
    policy_revision: approval.policy_revision,
    root: action.root,
    ...(run?.kind === 'command' && run.cwd !== action.root ? { cwd: run.cwd } : {}),
    code: refusal.error_code,
    message: refusal.message,
    command: facts.command,
    ...(facts.foreign_text === undefined ? {} : { foreign_text: facts.foreign_text }),
    intent: facts.intent.selected?.id ?? null,
    state,
    ...(state === 'pending' || state === 'approved' ? { held: isHeld(approval.id, actions) } : {}),
    reason,
    proof: human?.proof ?? null,
    by: answerer(entry, approvers),
    // A key that was enrolled since counts too.
    needs: requiredProof({ ...facts, proof_needed: strongerProof(facts.proof_needed ?? 'login', approvers.strongestProof()) }),
    requested_at: approval.requested_at,
    expires_at: approval.expires_at,
  };
}

const isHeld = (approval: string, actions: State['actions']): boolean =>
  [...actions.values()].some((entry) => entry.approval === approval && entry.state === 'waiting');

/** `observing`: the workspaces where nothing is stopped. */
export function sessionRow(session: SessionEntry, observing: Pick<State['observing'], 'has'>): SessionRow {
  const { id, workspace, parent, agent, mode, intent, open, openedAt, lastAt } = session;
  const level = observing.has(workspace) ? 'observing' : (session.walls ?? session.level);
  return {
    id,
    workspace,
    parent,
    agent,
    level,
    by_hooks: sessionTraits(session).reportsPrompts,
    ...(typeof session.bypassedBy === 'string' ? { bypassed_by: session.bypassedBy } : {}),
    mode,
    intent,
    open,
    opened_at: openedAt,
    last_at: lastAt,
  };
}

export function intentRow(entry: IntentEntry, approvers: State['approvers']): IntentRow {
  const { workspace, intent, human, at } = entry;
  return { ...intent, workspace, proof: human?.proof ?? null, confirmed_at: human ? at : null, by: confirmer(entry, approvers) };
}

/** A tool that was remembered is listed like any other yes in advance. */
export function grantRow(entry: GrantEntry | ToolGrantEntry, approvers: State['approvers'], state: GrantRow['state']): GrantRow {
  const { grant, human, uses, lastUsedAt } = entry;
  const life = { state, proof: human.proof, by: granter(entry, approvers), uses, last_used_at: lastUsedAt };
  if ('pattern' in grant) return { ...grant, tool: null, ...life };
  const { id, workspace, agent, tool, shape_sha256, made_at } = grant;
  return { id, workspace, intent: null, pattern: tool, made_at, expires_at: null, tool: { agent, shape_sha256 }, ...life };
}
