// The reference of codes, written from the table. `codes.test.ts` compares it with docs/codes.md.

import { CODES, type CodeEntry, type Retry } from '../src/protocol/index.ts';

/** What each exit code means to the caller. */
export const EXIT_CODES: Readonly<Record<CodeEntry['exit'], string>> = {
  0: 'Done.',
  1: 'Refused, or a check failed.',
  2: 'The call was wrong: usage or form.',
  3: 'Trouble that may pass: try again.',
  4: 'A human has to act.',
  5: 'The ledger does not verify.',
};

const RETRY: Readonly<Record<Retry, string>> = {
  remedy: 'after following the remedy',
  later: 'the same call may pass later',
  never: 'not in this form',
};

const rows = (kind: CodeEntry['kind']): readonly string[] =>
  Object.entries(CODES).flatMap(([code, entry]) =>
    entry.kind === kind
      ? [`| \`${code}\` | ${entry.kind} | ${entry.http} | ${entry.rpc} | ${entry.exit} | ${entry.retry} | ${entry.meaning} |`]
      : [],
  );

export const codesDocument = (): string =>
  [
    '# Codes',
    '',
    'Written by `npm run docs` from `src/protocol/codes.ts`; edit that table, not this file.',
    '',
    'A *refusal* is an answer that an agent can act on: it comes with a required action, a remedy where a call of the agent helps, and',
    'what else is missing. A *finding* is what happened past the gate. A *fault* is expected trouble. A *defect* is a mistake in Countersign.',
    '',
    '| code | kind | HTTP | JSON-RPC | exit | retry | meaning |',
    '|---|---|---|---|---|---|---|',
    ...rows('refusal'),
    ...rows('finding'),
    ...rows('fault'),
    ...rows('defect'),
    '',
    'Retry says whether calling again helps:',
    '',
    ...Object.entries(RETRY).map(([retry, text]) => `- \`${retry}\`: ${text}`),
    '',
    '## Exit codes',
    '',
    '| exit | meaning |',
    '|---|---|',
    ...Object.entries(EXIT_CODES).map(([exit, text]) => `| ${exit} | ${text} |`),
    '',
  ].join('\n');
