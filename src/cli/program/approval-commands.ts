// Commands about questions and their answers: approvals, grants, rules. In their own file, because people list pending questions most
// often.

import * as commands from '../commands.ts';
import type { CommandLine } from './command-line.ts';

const grants = () => import('../grant-commands.ts');
const rules = () => import('../rule-commands.ts');

export function addApprovalCommands({ program, connected }: CommandLine): void {
  program
    .command('approvals')
    .description('what waits for you')
    .option('--all', 'answered ones too')
    .action(async ({ all = false }: { all?: boolean }) => commands.approvals(await connected(), all));
  program
    .command('approve')
    .description('let the action pass, once, for exactly its input; or answer an agent’s question')
    .argument('<id>')
    .option('--answer <text>', 'of a question: what the agent is told; of options, one of them or its number')
    .option('--grant <pattern>', 'also let commands that fit pass without a question, for this intent; * stands for any text')
    .option('--for <time>', 'how long the grant lasts: 30m, 2h, 1d', '1h')
    .action(async (id: string, { answer, grant, for: time }: { answer?: string; grant?: string; for: string }) =>
      grant === undefined
        ? commands.approve(await connected(), id, answer)
        : (await grants()).grantLike(await connected(), id, grant, time),
    );
  program
    .command('reject')
    .description('say no; the agent gets the reason')
    .argument('<id>')
    .option('--reason <text>')
    .action(async (id: string, { reason }: { reason?: string }) => commands.reject(await connected(), id, reason));

  program
    .command('grants')
    .description('what passes without a question, until when')
    .option('--all', 'ended ones too')
    .action(async ({ all = false }: { all?: boolean }) => (await grants()).grants(await connected(), all))
    .command('end')
    .description('take a grant back')
    .argument('<id>')
    .action(async (id: string) => (await grants()).endGrant(await connected(), id));

  const commandRules = program
    .command('rules')
    .description('commands that an import proposed to allow here, and those that you allowed')
    .option('--all', 'ended ones too')
    .action(async ({ all = false }: { all?: boolean }) => (await rules()).commandRules(await connected(), all));
  for (const [name, state, says] of [
    ['allow', 'active', 'put a proposed rule in force'],
    ['end', 'ended', 'take a rule back, or turn a proposed one down'],
  ] as const)
    commandRules
      .command(name)
      .description(says)
      .argument('<id>')
      .action(async (id: string) => (await rules()).decideRule(await connected(), id, state));
}
