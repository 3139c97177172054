// State as people see it: entries become rows.

import type { ActionEntry, ApprovalEntry, IntentEntry, SessionEntry } from '../kernel/index.ts';
import { refusalOf } from '../policy/index.ts';
import type { Action, ActionRow, ApprovalRow, Grant, GrantRow, IntentRow, SessionRow, ToolGrant } from '../protocol/index.ts';

export function actionRow({ action, decision, state, approval, receipt, note, observing, paused }: ActionEntry): ActionRow {
  const refusal = decision.outcome === 'allow' ? null : refusalOf(decision);
  return {
    id: action.id,
    parent: action.parent ?? null,
    workspace: action.workspace,
    session: action.session,
    agent: action.actor.agent,
    at: action.at,
    tool: action.native?.tool ?? action.tool,
    subject: subjectOf(action),
    effects: action.effects,
    state,
    code: state === 'unknown' ? 'UNKNOWN' : (refusal?.error_code ?? null),
    message: note ?? refusal?.message ?? null,
    intent: decision.facts.intent.selected?.id ?? null,
    approval_id: approval,
    receipt_id: receipt?.receipt_id ?? null,
    status: receipt?.status ?? null,
    ...(observing ? { observing } : {}),
    ...(paused ? { paused } : {}),
  };
}

function subjectOf({ resources, input, root }: Action): string {
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

export function approvalRow({ approval, action, decision, state, reason, human }: ApprovalEntry): ApprovalRow {
  const refusal = refusalOf(decision);
  const run = action.resources.find(({ kind }) => kind === 'command');
  return {
    id: approval.id,
    workspace: approval.workspace,
    session: approval.session,
    agent: action.actor.agent,
    action_id: approval.action,
    tool: action.native?.tool ?? action.tool,
    input: action.input,
    input_sha256: approval.input_sha256,
    policy_revision: approval.policy_revision,
    root: action.root,
    ...(run?.kind === 'command' && run.cwd !== action.root ? { cwd: run.cwd } : {}),
    code: refusal.error_code,
    message: refusal.message,
    command: decision.facts.command,
    intent: decision.facts.intent.selected?.id ?? null,
    state,
    reason,
    proof: human?.proof ?? null,
    requested_at: approval.requested_at,
    expires_at: approval.expires_at,
  };
}

/** `observing`: the workspaces where nothing is stopped. */
export function sessionRow(session: SessionEntry, observing: ReadonlySet<string>): SessionRow {
  const { id, workspace, parent, agent, mode, intent, open, openedAt, lastAt } = session;
  const level = observing.has(workspace) ? 'observing' : session.level;
  return {
    id,
    workspace,
    parent,
    agent,
    level,
    by_hooks: session.level === 'hooked',
    mode,
    intent,
    open,
    opened_at: openedAt,
    last_at: lastAt,
  };
}

export function intentRow({ workspace, intent, human, at }: IntentEntry): IntentRow {
  return { ...intent, workspace, proof: human?.proof ?? null, confirmed_at: human ? at : null };
}

/** A tool that was remembered is listed like any other yes in advance. */
export function grantRow(grant: Grant | ToolGrant): Omit<GrantRow, 'state' | 'proof'> {
  if ('pattern' in grant) return { ...grant, tool: null };
  const { id, workspace, agent, tool, shape_sha256, made_at } = grant;
  return { id, workspace, intent: null, pattern: tool, made_at, expires_at: null, tool: { agent, shape_sha256 } };
}
