// Commands about agents' work by plans.

import type { CommandLine } from './command-line.ts';
import { addPlanFileCommands } from './plan-file-commands.ts';

const plans = () => import('../plan-commands.ts');

export function addPlanCommands(line: CommandLine): void {
  const { program, connected } = line;
  const plan = program.command('plan').description("agents' plans: what is open, and what each node waits for");
  plan
    .command('list')
    .description('list the work of agents here, the newest first')
    .action(async () => (await plans()).listPlans(await connected()));
  plan
    .command('show')
    .description('show a plan with its nodes')
    .argument('[id]', 'of the work; without it, the newest')
    .action(async (id: string | undefined) => (await plans()).showPlan(await connected(), id));
  plan
    .command('grant-budget')
    .description('let the turns of agents here cost this many tokens more')
    .argument('<tokens>')
    .action(async (tokens: string) => (await plans()).grantBudget(await connected(), tokens));
  addPlanFileCommands(plan, line);
}
