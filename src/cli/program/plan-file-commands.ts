// Commands about plans that ask no daemon: what is wrong with a plan in a file, and what a code means.

import type { Command } from 'commander';
import type { CommandLine } from './command-line.ts';

const files = () => import('../plan-files.ts');

export function addPlanFileCommands(
  plan: Command,
  { options, print, checkPlan }: Pick<CommandLine, 'options' | 'print' | 'checkPlan'>,
): void {
  plan
    .command('validate')
    .description('check a plan in a JSON file; errors name their line')
    .argument('<file>')
    .action(async (file: string) => {
      const { ok, text, errors, notes } = await (await files()).validatePlanFile(file, process.cwd(), checkPlan);
      print(options().json ? JSON.stringify({ ok, errors, notes }, null, 2) : text);
      if (!ok) process.exitCode = 1;
    });
  plan
    .command('explain')
    .description('what a rejection code of plans means, with an example; without a code, all of them')
    .argument('[code]', 'such as PLAN_NOT_ATOMIC')
    .action(async (code: string | undefined) => print((await files()).explainPlanCode(code)));
}
