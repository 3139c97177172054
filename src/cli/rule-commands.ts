// Patterns of commands that a human wants allowed here: proposed by an import, in force from their yes on.

import type { CommandRuleRow } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { resolveId } from './resolve-id.ts';

export async function commandRules(context: CommandContext, all: boolean): Promise<void> {
  const rows = await context.client.ask('command_rules', { cwd: context.cwd, all });
  show(context, rows, rows.map(ruleLine).join('\n') || 'No command rules.');
}

export const ruleLine = ({ id, state, pattern, source }: CommandRuleRow): string =>
  `${id}  ${state.padEnd(8)} allow  ${visible(pattern)}  from ${visible(source)}`;

export async function decideRule(context: CommandContext, given: string, state: 'active' | 'ended'): Promise<void> {
  const id = await resolveId(context, 'commandRule', given, 'countersign rules lists them');
  const rule = await context.client.act('decide_command_rule', { id, state });
  const words =
    state === 'active'
      ? `${id} is in force: STRICT does not ask about ${visible(rule.pattern)}. End it with: countersign rules end ${id}`
      : `${id} is ended.`;
  show(context, rule, words);
}
