// The rules that name a command, in their order. A final `*` in a rule's command stands for any ending.

import { type ArgumentFacts, compileCondition, type Test } from './condition.ts';
import type { Condition } from './rule.ts';

const NONE: readonly never[] = [];

interface Named {
  readonly commands: readonly string[];
}

export function rulesByName<R extends Named>(rules: readonly R[]): (name: string) => readonly R[] {
  const exact = new Map<string, R[]>();
  const beginnings: { readonly beginning: string; readonly rule: R }[] = [];
  for (const rule of rules) {
    for (const command of rule.commands) {
      if (command.endsWith('*')) beginnings.push({ beginning: command.slice(0, -1), rule });
      else exact.set(command, [...(exact.get(command) ?? []), rule]);
    }
  }
  return (name) => {
    const rules = exact.get(name);
    if (rules !== undefined) return rules;
    const begun = beginnings.filter(({ beginning }) => name.startsWith(beginning));
    return begun.length === 0 ? NONE : begun.map(({ rule }) => rule);
  };
}

/** The first of the rules for a name whose condition holds. */
export function firstRule<R extends Named & { readonly when?: Condition }>(
  rules: readonly R[],
): (name: string, facts: ArgumentFacts) => R | undefined {
  const always: Test = () => true;
  const entries = rules.map((rule) => ({
    commands: rule.commands,
    rule,
    holds: rule.when === undefined ? always : compileCondition(rule.when),
    begins: rule.when?.subcommands?.map((subcommand) => subcommand.split(' ', 1)[0]!) ?? null,
  }));
  const byName = rulesByName(entries);
  // git has dozens of rules, and nearly all of them are about another of its commands. Key: `git` for the others, `git push`.
  const narrowed = new Map<string, typeof entries>();
  for (const { commands, begins } of entries) {
    for (const name of begins === null ? [] : commands) {
      narrowed.set(
        name,
        byName(name).filter((entry) => entry.begins === null),
      );
      for (const first of begins ?? [])
        narrowed.set(
          `${name} ${first}`,
          byName(name).filter((entry) => entry.begins?.includes(first) ?? true),
        );
    }
  }
  return (name, facts) => {
    const others = narrowed.get(name);
    const candidates = others === undefined ? byName(name) : (narrowed.get(`${name} ${facts.operands[0]}`) ?? others);
    for (const { rule, holds } of candidates) if (holds(facts)) return rule;
    return undefined;
  };
}
