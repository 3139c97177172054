// Codemods through the controller: held to the node's file and symbols like every other change.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { connectController, PLAN, SHOP, writeShop } from '../lab/controller.ts';
import { type Installation, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await makeInstallation();
});
afterAll(() => installation.dispose());

verifies('G10', 'a codemod changes the file of its node within its symbols, and nothing else', async () => {
  const place = await installation.beside();
  await writeShop(place.repo.path);
  expect((await place.human(['intent', 'round the total', 'src'])).code).toBe(0);
  const { turn, close } = await connectController(place);
  const text = () => readFile(join(place.repo.path, 'src/total.js'), 'utf8');
  await turn('read_file_lines', { targetFile: 'src/total.js' });
  expect((await turn('submit_execution_plan', { planGraph: PLAN })).result).toMatchObject({ accepted: true });
  const patch = (edit: Record<string, unknown>, targetFile = 'src/total.js') =>
    turn('apply_code_patch', { planNodeId: 'round', targetFile, edits: [edit] });

  // label() is another symbol than the plan names, print.js another file, and `sum` is not free.
  const rename = { type: 'rename_identifier_in_file' };
  expect((await patch({ ...rename, from: 'label', to: 'title' })).denyReasons).toContain('PLAN_SCOPE_VIOLATION');
  expect((await patch({ ...rename, from: 'print', to: 'show' }, 'src/print.js')).denyReasons).toEqual(['PLAN_SCOPE_VIOLATION']);
  expect((await patch({ ...rename, from: 'lines', to: 'sum' })).result.refusal?.message).toBe(
    'Nothing was changed: sum is used in this file already.',
  );
  expect((await patch({ ...rename, from: 'lines', to: 'rows', everywhere: true })).denyReasons).toEqual(['PLAN_MISSING_REQUIRED_FIELDS']);
  expect((await patch({ type: 'rewrite_everything', from: 'a', to: 'b' })).denyReasons).toEqual(['PLAN_MISSING_REQUIRED_FIELDS']);
  expect(await text()).toBe(SHOP['src/total.js']);

  const changed = await patch({ ...rename, from: 'lines', to: 'rows' });
  expect(changed).toMatchObject({
    denyReasons: [],
    state: 'EXECUTION_ENABLED',
    result: { receipt: expect.stringMatching(/^rcp_/) as string },
  });
  expect(await text()).toBe(SHOP['src/total.js'].replace('total(lines)', 'total(rows)').replace('return lines.', 'return rows.'));
  await close();
});
