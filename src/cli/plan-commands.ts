// Agents' work by plans: what is open, what each node waits for, and more budget.

import type { WorkRow } from '../protocol/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { counted } from './terminal-text.ts';

export async function listPlans(context: CommandContext): Promise<void> {
  const rows = await context.client.ask('works', { cwd: context.cwd });
  show(context, rows, rows.length > 0 ? rows.map(lineOf).join('\n') : 'No agent has submitted a plan here.');
}

/** `id`: of the work, or the beginning of it. Without one, the newest. */
export async function showPlan(context: CommandContext, id: string | undefined): Promise<void> {
  const rows = await context.client.ask('works', { cwd: context.cwd });
  const found = id === undefined ? rows.slice(0, 1) : rows.filter(({ work_id }) => work_id === id || work_id.startsWith(id));
  const [row] = found;
  if (!row || found.length > 1)
    throw new Fault('NOT_FOUND', row ? `${id} is the beginning of several.` : `There is no work ${id ?? 'by a plan'} here.`, {
      fix: 'countersign plan list shows what there is',
    });
  show(context, row, planText(row));
}

export async function grantBudget(context: CommandContext, tokens: string): Promise<void> {
  const wanted = Number(tokens);
  if (!Number.isInteger(wanted) || wanted < 1)
    throw new Fault('BAD_REQUEST', `${visible(tokens)} is not a number of tokens.`, { fix: 'countersign plan grant-budget 50000' });
  const budget = await context.client.act('grant_budget', { cwd: context.cwd, tokens: wanted });
  const { usedTokens, thresholdTokens, maxTokens } = budget;
  const rest = Math.max(0, thresholdTokens - usedTokens);
  show(context, budget, `${maxTokens} tokens in all, ${usedTokens} used. Agents may go on for ${rest} more; then they are blocked again.`);
}

const lineOf = ({ work_id, state, agent, plan, opened_at }: WorkRow): string => {
  const done = plan?.nodes.filter(({ status }) => status === 'done').length ?? 0;
  const nodes = plan
    ? `version ${plan.version}, ${done} of ${counted(plan.nodes.length, 'node')} done${approvalOf(plan)}`
    : 'no plan accepted yet';
  return `${visible(work_id)}  ${state}  ${visible(agent)}  ${opened_at}  ${nodes}`;
};

const approvalOf = ({ approval }: NonNullable<WorkRow['plan']>): string =>
  approval === 'waiting' ? ', waits for your yes' : approval === 'rejected' ? ', rejected' : '';

function planText(row: WorkRow): string {
  const { prompt, budget, plan, turns } = row;
  return [
    lineOf(row),
    ...(prompt === null ? [] : [`  asked: ${visible(prompt.slice(0, 200))}`]),
    ...(budget
      ? [
          `  ${counted(turns, 'turn')}; ${budget.usedTokens} of ${budget.thresholdTokens} tokens used${budget.blocked ? ', so it is blocked' : ''}`,
        ]
      : []),
    ...(plan?.nodes.map(
      ({ node, kind, status, waits_for, what }) =>
        `  ${visible(node)}  ${kind}  ${status}${waits_for.length > 0 ? ` (waits for ${waits_for.map((each) => visible(each)).join(', ')})` : ''}  ${visible(what)}`,
    ) ?? []),
  ].join('\n');
}
