// A recall also finds passages of the work tree's own documents, and says for each where it is.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from './lab/eventually.ts';
import { oneDaemon } from './lab/one-daemon.ts';

const makePlace = oneDaemon();

test('memory_query names file and line of headings and paragraphs, apart from memories', async () => {
  const place = await makePlace();
  await mkdir(join(place.repo.path, 'docs'), { recursive: true });
  await writeFile(
    join(place.repo.path, 'docs/refunds.md'),
    '# Refunds\n\nA refund goes back\nto the original card.\n\n```\nrefund card in code\n```\n\n## Invoices\n\nNumbers never repeat.\n',
  );
  const client = await place.mcpClient({ surface: 'contract' });
  const recall = async (query: string) => {
    const { structuredContent } = await client.callTool({ name: 'memory_query', arguments: { query } });
    return structuredContent as { found: number; documents?: object[]; documents_note?: string };
  };
  const ready = await eventually('the index', async () => {
    const answer = await recall('refund to the card');
    return answer.documents_note === undefined ? answer : undefined;
  });
  expect(ready).toMatchObject({
    found: 0,
    documents: [{ at: 'docs/refunds.md:3', heading: 'Refunds', text: 'A refund goes back to the original card.' }],
  });
  expect(ready.documents).toHaveLength(1);
  expect(await recall('invoices')).toMatchObject({
    documents: [
      { at: 'docs/refunds.md:10', text: 'Invoices' },
      { at: 'docs/refunds.md:12', heading: 'Invoices', text: 'Numbers never repeat.' },
    ],
  });
  expect((await recall('zeppelin')).documents).toBe(undefined);
});
