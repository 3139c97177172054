// Command rules: patterns of commands that a human wants allowed in a whole workspace. An imported one is only
// proposed; it is in force from a human's yes until they end it.

import type { CommandRule, EventOf, Human } from '../protocol/index.ts';

export interface CommandRuleEntry {
  readonly rule: CommandRule;
  state: 'proposed' | 'active' | 'ended';
  /** Who decided last; null: not decided yet. */
  human: Human | null;
}

export class CommandRules {
  private readonly entries = new Map<string, CommandRuleEntry>();

  propose({ rules }: EventOf<'command_rules_proposed'>['data']): void {
    for (const rule of rules) this.entries.set(rule.id, { rule, state: 'proposed', human: null });
  }

  decide({ rule, state, human }: EventOf<'command_rule_decided'>['data']): void {
    const entry = this.entries.get(rule);
    if (entry) Object.assign(entry, { state, human });
  }

  get(id: string): CommandRuleEntry | undefined {
    return this.entries.get(id);
  }

  all(): readonly CommandRuleEntry[] {
    return [...this.entries.values()];
  }

  /** An ended one may be imported again. */
  isKnown(workspace: string, pattern: string): boolean {
    return this.all().some(({ rule, state }) => rule.workspace === workspace && rule.pattern === pattern && state !== 'ended');
  }

  allowedIn(workspace: string): string[] {
    return this.all().flatMap(({ rule, state }) => (state === 'active' && rule.workspace === workspace ? [rule.pattern] : []));
  }
}
