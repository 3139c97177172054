// Commands about agents' work by plans.

import type { CommandLine } from './command-line.ts';
import { addPlanFileCommands } from './plan-file-commands.ts';

export function addPlanCommands(line: CommandLine): void {
  const plan = line.program.command('plan').description("agents' plans");
  addPlanFileCommands(plan, line);
}
