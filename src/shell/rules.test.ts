import { describe, expect, test } from 'vitest';
import { CONSTRUCT_RULES } from './construct-rules.ts';
import { DESTRUCTIVE_RULES } from './destructive-rules.ts';
import { MUTATING_RULES } from './mutating-rules.ts';
import { readCommand } from './read-command.ts';
import type { Examples } from './rule.ts';
import { SAFE_RULES } from './safe-rules.ts';
import { SECRET_RULES } from './secret-rules.ts';
import { WRITE_RULES } from './write-rules.ts';
import { SHELLS, WRAPPER_RULES } from './wrapper-rules.ts';

/** The examples for which the reader disagrees with the rule. */
function broken(rule: Examples, holds: (command: string) => boolean): string[] {
  const missed = rule.matches.filter((command) => !holds(command)).map((command) => `should match: ${command.slice(0, 80)}`);
  return [...missed, ...rule.rejects.filter(holds).map((command) => `should not match: ${command.slice(0, 80)}`)];
}

const PLACE = { cwd: '/tree', root: '/tree', scope: null } as const;
const hasCode = (code: string) => (command: string) => readCommand(command, PLACE).reasons.some((reason) => reason.code === code);

describe('the examples of every rule hold', () => {
  test.for(SAFE_RULES)('SAFE: $commands', (rule) => {
    expect(broken(rule, (command) => readCommand(command).class === 'SAFE')).toEqual([]);
  });
  test.for([...DESTRUCTIVE_RULES, ...MUTATING_RULES])('$code: $commands', (rule) => {
    const says = (command: string) =>
      readCommand(command).reasons.some((reason) => reason.code === rule.code && reason.message.endsWith(rule.message));
    expect(broken(rule, says)).toEqual([]);
    for (const command of rule.matches)
      if (rule.level === 'DESTRUCTIVE') expect([command, readCommand(command).class]).toEqual([command, 'DESTRUCTIVE']);
  });
  test.for(WRAPPER_RULES)('wrapper: $commands', (rule) => {
    expect(broken(rule, hasCode('DELETES'))).toEqual([]);
  });
  test.for(Object.entries(CONSTRUCT_RULES))('%s', ([code, rule]) => {
    expect(broken(rule, hasCode(code))).toEqual([]);
    for (const command of rule.matches)
      expect([command.slice(0, 80), readCommand(command).class]).not.toEqual([command.slice(0, 80), 'SAFE']);
  });
});

describe('the examples of what is written and read hold', () => {
  test.for(WRITE_RULES)('writes: $commands', ({ examples, rejects }) => {
    const pathsOf = (command: string) => [command, ...readCommand(command, PLACE).writes.map(({ path }) => path)];
    expect(examples.map(([command]) => pathsOf(command))).toEqual(examples);
    expect(rejects.map(pathsOf)).toEqual(rejects.map((command) => [command]));
  });
  test.for(SECRET_RULES)('reads: $what', (rule) => {
    const says = (command: string) =>
      readCommand(command).reasons.some(({ code, message }) => code === 'READS_SECRET' && message === `reads ${rule.what}`);
    expect(broken(rule, says)).toEqual([]);
    expect(rule.matches.filter((command) => readCommand(command).class !== 'DESTRUCTIVE')).toEqual([]);
  });
});

describe('the rules as data', () => {
  test('every rule has examples of both kinds', () => {
    const rules: Examples[] = [...SAFE_RULES, ...DESTRUCTIVE_RULES, ...MUTATING_RULES, ...WRAPPER_RULES, ...Object.values(CONSTRUCT_RULES)];
    expect(rules.filter((rule) => rule.matches.length === 0 || rule.rejects.length === 0)).toEqual([]);
  });

  test('no command is both SAFE and destructive without a condition, and none has two SAFE rules', () => {
    const safe = SAFE_RULES.flatMap((rule) => rule.commands);
    const always = new Set(DESTRUCTIVE_RULES.filter((rule) => rule.when === undefined).flatMap((rule) => rule.commands));
    const wrappers = WRAPPER_RULES.flatMap((rule) => rule.commands);
    expect(safe.filter((name) => always.has(name) || SHELLS.has(name) || wrappers.includes(name))).toEqual([]);
    expect(safe).toEqual([...new Set(safe)]);
    expect(wrappers).toEqual([...new Set(wrappers)]);
  });
});
