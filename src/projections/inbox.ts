// What waits for a human, in the order in which it runs out: questions first, because agents are held by them.

import type { State } from '../kernel/index.ts';
import { intentSha256 } from '../ledger/index.ts';
import type { ApprovalRow, CommandRuleRow, EditRow, Endpoint, InboxItem, Intent } from '../protocol/index.ts';
import { approvalRow } from './rows.ts';
import { waitingEdits } from './waiting-edits.ts';

interface WaitingEndpoint {
  readonly workspace: string;
  readonly endpoint: Endpoint;
}

/** `roots`: the work tree of each workspace. `workspace` undefined: of all of them. */
export function inboxOf(
  state: State,
  roots: ReadonlyMap<string, string>,
  workspace: string | undefined,
  endpoints: readonly WaitingEndpoint[],
): InboxItem[] {
  const isIn = (id: string): boolean => workspace === undefined || workspace === id;
  const questions = [...state.approvals.values()]
    .filter((entry) => entry.state === 'pending' && isIn(entry.approval.workspace))
    .map((entry) => questionItem(approvalRow(entry, state)))
    .toSorted((a, b) => (a.expires_at! < b.expires_at! ? -1 : 1));
  const places = [...roots].filter(([id]) => isIn(id));
  const edits = places.flatMap(([id, root]) => waitingEdits(state, id, root).map((edit) => editItem(id, root, edit)));
  // An edit of the file that waits decides about the same intent.
  const edited = new Set(edits.map((item) => `${item.workspace} ${item.id}`));
  const proposals = places.flatMap(([id, root]) =>
    [...(state.intents.get(id)?.values() ?? [])]
      .filter(({ intent }) => intent.status === 'proposed' && !edited.has(`${id} ${intent.id}`))
      .map(({ intent }) => proposalItem(id, root, intent)),
  );
  const rules = state.commandRules
    .all()
    .filter((entry) => entry.state === 'proposed' && roots.has(entry.rule.workspace) && isIn(entry.rule.workspace))
    .map(({ rule, state: now }) => ruleItem(roots.get(rule.workspace)!, { ...rule, state: now }));
  return [...questions, ...edits, ...proposals, ...rules, ...endpoints.map((waiting) => endpointItem(roots, waiting))];
}

const KINDS: Readonly<Record<string, InboxItem['kind']>> = { request_human: 'question', request_scope: 'scope', confirm_plan: 'plan' };

function questionItem(row: ApprovalRow): InboxItem {
  const { id, workspace, root, agent, tool, input, expires_at, command } = row;
  const { question, options, paths, command: line } = input;
  const kind = command === null ? (KINDS[tool] ?? 'call') : 'call';
  const answer = kind !== 'question' ? '' : Array.isArray(options) && options.length > 0 ? ' --answer N' : ' --answer "…"';
  const what =
    (kind === 'question' || kind === 'plan') && typeof question === 'string'
      ? question
      : kind === 'scope' && Array.isArray(paths)
        ? `more scope for ${typeof input['intent_id'] === 'string' ? input['intent_id'] : (row.intent ?? 'no intent')}: ${paths.join(', ')}`
        : `${tool}: ${typeof line === 'string' ? line : JSON.stringify(input)}`;
  return {
    ...{ kind, id, workspace, root, agent, what, expires_at },
    yes: `countersign approve ${id}${answer}`,
    no: `countersign reject ${id} --reason "…"`,
    approval: row,
  };
}

const editItem = (workspace: string, root: string, edit: EditRow): InboxItem => ({
  ...{ kind: 'edit', id: edit.intent ?? 'settings', workspace, root, agent: null, what: edit.what, expires_at: null },
  yes: edit.confirm,
  no: edit.intent === null ? null : `countersign intents discard ${edit.intent}`,
  edit,
});

function proposalItem(workspace: string, root: string, proposed: Intent): InboxItem {
  const intent: Intent = { ...proposed, status: 'active' };
  const { id, name, owned_scope } = intent;
  return {
    ...{ kind: 'intent', id, workspace, root, agent: null, what: `${name}: may change ${owned_scope.join(', ')}`, expires_at: null },
    yes: `countersign intents activate ${id}`,
    no: `countersign intents abandon ${id}`,
    proposal: { intent, sha256: intentSha256(intent) },
  };
}

/** Nothing is sent to a new host before a human says so. */
const endpointItem = (roots: ReadonlyMap<string, string>, { workspace, endpoint }: WaitingEndpoint): InboxItem => ({
  ...{ kind: 'endpoint', id: endpoint.id, workspace, root: roots.get(workspace) ?? '', agent: null, expires_at: null },
  what: `send questions and texts to the model ${endpoint.model} at ${endpoint.host}`,
  yes: `countersign endpoints confirm ${endpoint.id}`,
  no: `countersign endpoints remove ${endpoint.id}`,
  endpoint,
});

const ruleItem = (root: string, rule: CommandRuleRow): InboxItem => ({
  ...{
    kind: 'rule',
    id: rule.id,
    workspace: rule.workspace,
    root,
    agent: null,
    what: `${rule.pattern} (${rule.source})`,
    expires_at: null,
  },
  yes: `countersign rules allow ${rule.id}`,
  no: `countersign rules end ${rule.id}`,
  rule,
});
