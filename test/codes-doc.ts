// The reference of codes, written from the table. `codes.test.ts` compares it with docs/codes.md.

import { WHAT_YOU_DO } from '../src/protocol/codes-for-people.ts';
import { type Code, CODES, type CodeEntry, type Retry } from '../src/protocol/index.ts';

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

const section = (title: string, kind: CodeEntry['kind'], what: string): readonly string[] => [
  `## ${title}`,
  '',
  what,
  '',
  '| code | what it means | what you do |',
  '|---|---|---|',
  ...(Object.entries(CODES) as [Code, CodeEntry][]).flatMap(([code, entry]) =>
    entry.kind === kind ? [`| \`${code}\` | ${entry.meaning} | ${WHAT_YOU_DO[code]} |`] : [],
  ),
  '',
];

export const codesDocument = (): string =>
  [
    '# What a refusal means, and what you do',
    '',
    'Find the code that you or your agent saw. Most refusals need nothing from you: the agent is given the call that leads on.',
    '',
    ...section(
      'Refusals',
      'refusal',
      'An answer that an agent can act on. It says what to do, which call helps, and what else is missing.',
    ),
    ...section('Findings', 'finding', 'Something happened past the gate, and was found afterwards.'),
    ...section('Faults', 'fault', 'Expected trouble, such as a full disk or a wrong argument.'),
    ...section('Defects', 'defect', 'A mistake in Countersign.'),
    '## For programs',
    '',
    'Written by `npm run docs` from `src/protocol/codes.ts` and `src/protocol/codes-for-people.ts`; edit those, not this file.',
    '',
    '| code | HTTP | JSON-RPC | exit | retry |',
    '|---|---|---|---|---|',
    ...Object.entries(CODES).map(([code, { http, rpc, exit, retry }]) => `| \`${code}\` | ${http} | ${rpc} | ${exit} | ${retry} |`),
    '',
    'Retry says whether calling again helps:',
    '',
    ...Object.entries(RETRY).map(([retry, text]) => `- \`${retry}\`: ${text}`),
    '',
    '| exit | meaning |',
    '|---|---|',
    ...Object.entries(EXIT_CODES).map(([exit, text]) => `| ${exit} | ${text} |`),
    '',
  ].join('\n');
