// The page of plan codes, written from the table. `plan-codes.test.ts` compares it with docs/plan-codes.md.

import { PLAN_CODE_GUIDE, PLAN_CODES } from '../src/protocol/index.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|');

export const planCodesDocument = (): string =>
  [
    '# Why a plan was refused',
    '',
    'In STRICT, and wherever a plan was submitted, agents change only what an accepted plan names. A refused plan is answered with one error for each thing',
    'that is wrong: its code, the node and field, what is wrong and what puts it right. Usually you need to do nothing: the agent corrects the plan and',
    'submits it again.',
    '',
    'A plan in a file can be checked without a daemon:',
    '',
    '```sh',
    'countersign plan validate plan.json      # errors by line; exit code 1 if there are any',
    'countersign plan explain PLAN_NOT_ATOMIC # this page, one code at a time',
    '```',
    '',
    'The smallest plan names a file, a reason and a check. If the session has read the file, what it read becomes the evidence:',
    '',
    '```json',
    '{',
    '  "nodes": [',
    '    {',
    '      "targetFile": "src/total.ts",',
    '      "whyThisFile": "total() adds up the lines of an order",',
    '      "editIntent": "Round the sum in total() to cents",',
    '      "verificationHooks": ["test"]',
    '    }',
    '  ]',
    '}',
    '```',
    '',
    '| code | when | example | what puts it right |',
    '|---|---|---|---|',
    ...PLAN_CODES.map((code) => {
      const { trigger, example, fix } = PLAN_CODE_GUIDE[code];
      return `| \`${code}\` | ${cell(trigger)} | ${cell(example)} | ${cell(fix)} |`;
    }),
    '',
    '## Rules that you can write',
    '',
    'A policy row below `.ai/graph/seed` (`condition`, `requiredSteps`, `denyCode`), a constraint of an intent (`deny: …`, `require: … when …`) and a lesson with a plan',
    'rule use the same words:',
    '',
    '| part | words |',
    '|---|---|',
    '| condition | `always`, `touches GLOB`, `operation NAME`, `symbol NAME`, `side_effect TYPE`, `strategy ID`; joined by `and`, with `not` before each |',
    '| step | `check NAME`, `change GLOB`, `validate`, `escalate`, `cite SOURCE`, `policy ID`; any other text has to stand in the words of a node |',
    '',
    'A rule without steps forbids what its condition describes. A condition in other words applies wherever the rule applies. A constraint in other words',
    'is for people and for the context pack, and is not checked.',
    '',
    'Written by `npm run docs` from `src/protocol/plan-codes-for-people.ts`; edit that, not this file.',
    '',
  ].join('\n');
