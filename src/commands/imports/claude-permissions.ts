// Claude Code's permissions: what it must not do or has to ask for becomes a constraint, what it may run becomes a rule that
// allows commands. Neither is in force until a human confirms it.

import { z } from 'zod';
import { parseJsonWithLines } from '../../workspace/index.ts';
import { type CommandRule, type Drafts, invalid, NOTHING, oneLine, type RuleDraft } from './draft.ts';

const Permissions = z.looseObject({
  permissions: z.looseObject({
    allow: z.array(z.string()).optional(),
    ask: z.array(z.string()).optional(),
    deny: z.array(z.string()).optional(),
  }),
});

const RULE = /^(?<tool>\w+)(?:\((?<what>.*)\))?$/s;

export function readClaudePermissions(file: string, text: string): Drafts {
  const { value, lineOf } = parseJsonWithLines(file, text);
  const { data, error } = Permissions.safeParse(value);
  if (!data) {
    const where = error.issues[0]?.path ?? [];
    throw invalid(file, lineOf(where), `${where.map(String).join('.') || 'the file'}: ${error.issues[0]?.message}`);
  }
  const { permissions } = data;
  const lines = (list: 'allow' | 'ask' | 'deny') =>
    (permissions[list] ?? []).map((rule, at) => ({ rule, line: lineOf(['permissions', list, at]) }));
  const constraint = (list: 'ask' | 'deny', say: (what: string) => string): RuleDraft[] =>
    lines(list).map(({ rule, line }) => ({ statement: oneLine(say(inWords(rule)), 1_000), start_line: line, end_line: line }));
  return {
    ...NOTHING,
    rules: [...constraint('deny', (what) => `Never ${what}`), ...constraint('ask', (what) => `Ask a human before you ${what}`)],
    commandRules: lines('allow').flatMap(({ rule, line }): CommandRule[] => {
      const pattern = allowedCommand(rule);
      return pattern === null ? [] : [{ pattern, line }];
    }),
    leftOut: lines('allow')
      .filter(({ rule }) => allowedCommand(rule) === null)
      .map(({ rule, line }) => ({ line, text: oneLine(rule, 100), why: 'only a pattern of commands can be allowed' })),
  };
}

function allowedCommand(rule: string): string | null {
  const { tool, what } = RULE.exec(rule)?.groups ?? {};
  return tool === 'Bash' && what ? oneLine(patternOf(what)) : null;
}

/** `npm run test:*` is a prefix there; here a star matches any text. */
const patternOf = (what: string): string => what.replace(/:\*$/, ' *').replace(/ {2}\*$/, ' *');

const VERBS: Readonly<Record<string, string>> = {
  Bash: 'run the command',
  Read: 'read',
  Edit: 'edit',
  Write: 'write',
  WebFetch: 'fetch',
  WebSearch: 'search the web',
};

function inWords(rule: string): string {
  const { tool = rule, what } = RULE.exec(rule)?.groups ?? {};
  const verb = VERBS[tool] ?? `use the tool ${tool}`;
  if (what === undefined) return tool === 'Bash' ? 'run any command' : verb;
  return `${verb} ${tool === 'Bash' ? patternOf(what) : what}`;
}
