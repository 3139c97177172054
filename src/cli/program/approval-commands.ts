// Commands about questions and their answers: approvals, grants, rules. In their own file, because people list pending questions most
// often.

import * as commands from '../commands.ts';
import { Fault } from '../../protocol/plain.ts';
import { type CommandLine, OF_ALL } from './command-line.ts';

const answers = () => import('../answer-commands.ts');
const grants = () => import('../grant-commands.ts');
const rules = () => import('../rule-commands.ts');

export function addApprovalCommands({ program, connected }: CommandLine): void {
  program
    .command('watch')
    .description('show what waits, live, and answer with one key')
    .option(...OF_ALL)
    .option('--bell', 'ring the terminal’s bell for each new question')
    .option('--no-bell', 'stay silent, whatever the settings say')
    .action(async ({ all = false, bell }: { all?: boolean; bell?: boolean }) =>
      (await import('../watch-command.ts')).watch(await connected(), { all, bell }),
    );
  program
    .command('approvals')
    .description('list what waits for your answer')
    .option('--all', 'also answered ones')
    .action(async ({ all = false }: { all?: boolean }) => commands.approvals(await connected(), all));
  program
    .command('approve')
    .description('allow one action, once, with exactly its input; or answer an agent’s question')
    .argument('[id]', 'without it, you choose from what waits; the beginning or end of an id is enough')
    .option('--answer <text>', 'for a question: the answer that the agent gets; for options, one of them or its number')
    .option('--grant <pattern>', 'also let commands that fit pass without a question, for this intent; * matches any text')
    .option('--for <time>', 'how long the grant lasts: 30m, 2h, 1d', '1h')
    .action(async (id: string | undefined, { answer, grant, for: time }: { answer?: string; grant?: string; for: string }) => {
      if (grant === undefined) return (await answers()).approve(await connected(), id, answer);
      if (id === undefined)
        throw new Fault('BAD_REQUEST', '--grant needs the id of a question.', { fix: 'countersign approvals lists them' });
      return (await grants()).grantLike(await connected(), id, grant, time);
    });
  program
    .command('reject')
    .description('reject an action; the agent gets the reason')
    .argument('[id]', 'without it, you choose from what waits; the beginning or end of an id is enough')
    .option('--reason <text>')
    .action(async (id: string | undefined, { reason }: { reason?: string }) => (await answers()).reject(await connected(), id, reason));

  program
    .command('grants')
    .description('list grants: what passes without a question, and until when')
    .option('--all', 'also ended ones')
    .action(async ({ all = false }: { all?: boolean }) => (await grants()).grants(await connected(), all))
    .command('end')
    .description('end a grant')
    .argument('<id>')
    .action(async (id: string) => (await grants()).endGrant(await connected(), id));

  const commandRules = program
    .command('rules')
    .description('list the commands that an import proposed to allow here, and those that you allowed')
    .option('--all', 'also ended ones')
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
