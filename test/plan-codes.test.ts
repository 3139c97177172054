// Every code of plans is explained: in the table, on its page and by the command line; plans in files are checked without a daemon.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { checkPlanOffline } from '../src/app/check-plan.ts';
import { explainPlanCode, validatePlanFile } from '../src/cli/plan-files.ts';
import { CODES, PLAN_CODE_GUIDE, PLAN_CODES } from '../src/protocol/index.ts';
import { makeTree } from '../src/workspace/tree.fixture.ts';
import { planCodesDocument } from './plan-codes-doc.ts';
import { verifies } from './verifies.ts';

test('docs/plan-codes.md is what the table gives; `npm run docs` writes it', async () => {
  expect(Object.keys(PLAN_CODE_GUIDE)).toEqual([...PLAN_CODES]);
  expect(PLAN_CODES).toHaveLength(17);
  expect(PLAN_CODES.filter((code) => CODES[code].kind !== 'refusal')).toEqual([]);
  await expect(planCodesDocument()).toMatchFileSnapshot('../docs/plan-codes.md');
});

test('plan explain says when, with an example, and what puts it right; a short name is enough', () => {
  const text = stripVTControlCharacters(explainPlanCode('not_atomic'));
  expect(text).toContain('PLAN_NOT_ATOMIC');
  expect(text).toContain('src/a.ts, src/b.ts');
  expect(stripVTControlCharacters(explainPlanCode(undefined)).match(/^(?:PLAN|EXEC|MEMORY|PACK)_/gm)).toHaveLength(17);
  expect(() => explainPlanCode('NOPE')).toThrow('NOPE is not a code of plans.');
});

verifies('G7', 'a plan in a file is checked without a daemon, and each error names its line', async () => {
  const root = makeTree({ 'src/total.ts': 'export const total = 1;\n', '.git/HEAD': 'ref: refs/heads/main\n' });
  const plan = `{
  "nodes": [
    {
      "targetFile": "src/total.ts",
      "whyThisFile": "total is a number",
      "editIntent": "Make total a function",
      "codeEvidence": ["src/total.ts:1"],
      "verificationHooks": ["test"]
    },
    {
      "targetFile": "../out.ts",
      "why": "it is there",
      "editIntent": "fix it",
      "verificationHooks": ["npm test || true"],
      "codeEvidence": ["src/total.ts:9"],
      "dependsOn": ["ghost"]
    }
  ]
}
`;
  writeFileSync(join(root, 'plan.json'), plan);
  const { ok, errors, text } = await validatePlanFile('plan.json', root, checkPlanOffline);
  expect(ok).toBe(false);
  expect(errors.map(({ line, code, field }) => `${line} ${code} ${field}`)).toEqual([
    '10 PLAN_MISSING_REQUIRED_FIELDS whyThisFile',
    '11 PLAN_SCOPE_VIOLATION targetFile',
    '12 PLAN_MISSING_REQUIRED_FIELDS why',
    '15 PLAN_EVIDENCE_INSUFFICIENT codeEvidence[0]',
  ]);
  expect(stripVTControlCharacters(text)).toContain('plan.json:11: PLAN_SCOPE_VIOLATION n2.targetFile\n  ../out.ts cannot be changed');

  writeFileSync(join(root, 'plan.json'), plan.replace('"why":', '"whyThisFile":').replace('../out.ts', 'src/new.ts'));
  const second = await validatePlanFile('plan.json', root, checkPlanOffline);
  expect(second.errors.map(({ line, code }) => `${line} ${code}`)).toEqual([
    '13 PLAN_WEAK_MODEL_AMBIGUOUS',
    '14 PLAN_VERIFICATION_WEAK',
    '14 PLAN_VERIFICATION_WEAK',
    '15 PLAN_EVIDENCE_INSUFFICIENT',
    '15 PLAN_EVIDENCE_INSUFFICIENT',
    '16 PLAN_MISSING_REQUIRED_FIELDS',
  ]);
  writeFileSync(
    join(root, 'plan.json'),
    '{ "nodes": [ { "targetFile": "src/total.ts", "whyThisFile": "total is a number", "verificationHooks": ["test"] } ] }',
  );
  expect(await validatePlanFile('plan.json', root, checkPlanOffline)).toMatchObject({ ok: true, errors: [] });
  writeFileSync(join(root, 'plan.json'), '{ "nodes": [ }');
  await expect(validatePlanFile('plan.json', root, checkPlanOffline)).rejects.toThrow('plan.json:1: expected a value');
});
