// The code index as an agent meets it: over MCP, on the surfaces that offer it, with citations that memory takes.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { citeLines } from '../src/claims/index.ts';
import { Citation } from '../src/protocol/index.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const FILES = {
  'app/shape.ts': "import { scale } from './scale.ts';\nexport class Shape {\n  area() { return scale(2); }\n}\n",
  'app/scale.ts': '/** Makes a number larger. */\nexport function scale(by: number): number {\n  return by * 2;\n}\n',
  '.gitignore': 'secret.ts\n',
  'secret.ts': 'export const hidden = 1;\n',
};

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly citation: Citation;
}

describe('the code index over MCP', () => {
  let place: Installation;
  let agent: Client;
  beforeAll(async () => {
    place = await makeInstallation();
    for (const [path, text] of Object.entries(FILES)) {
      await mkdir(dirname(join(place.repo.path, path)), { recursive: true });
      await writeFile(join(place.repo.path, path), text);
    }
    agent = await place.mcpClient({ surface: 'contract' });
  });
  afterAll(async () => {
    await agent.close();
    await place.dispose();
  });

  const call = async (tool: string, args: Record<string, unknown>) =>
    (await agent.callTool({ name: tool, arguments: args })).structuredContent as Record<string, unknown> & { receipt_id: string | null };
  const cited = async (hits: readonly Hit[]) => {
    for (const { citation } of hits) {
      expect(Citation.parse(citation)).toEqual(citation);
      const { sha256: _sha256, ...lines } = citation;
      expect(await citeLines(place.repo.path, lines)).toEqual(citation);
    }
    return hits.map(({ path, line }) => `${path}:${line}`);
  };

  verifies('N23', 'each tool answers with places whose citations are those of the files, and leaves a receipt', async () => {
    const symbols = await call('find_symbol', { name: 'scale' });
    expect(await cited(symbols['symbols'] as Hit[])).toEqual(['app/scale.ts:2']);
    const references = await call('find_references', { symbol: 'scale' });
    expect(await cited(references['references'] as Hit[])).toEqual(['app/shape.ts:1', 'app/shape.ts:3']);
    const byLine = await call('find_references', { path: 'app/scale.ts', line: 3 });
    expect(byLine['references']).toEqual(references['references']);
    const text = await call('search_code', { pattern: 'by * 2' });
    expect(await cited(text['hits'] as Hit[])).toEqual(['app/scale.ts:3']);
    const ranked = await call('search_code', { query: 'make a number larger' });
    expect((await cited(ranked['hits'] as Hit[]))[0]).toMatch(/^app\/scale\.ts:/);
    const graph = await call('code_graph', { symbol: 'scale' });
    const nodes = (graph['nodes'] as Partial<Hit>[]).filter((node): node is Hit => node.citation !== undefined);
    expect(await cited(nodes)).toEqual(expect.arrayContaining(['app/scale.ts:2', 'app/shape.ts:3']));
    for (const { receipt_id } of [symbols, references, text, ranked, graph]) expect(receipt_id).toMatch(/^rcp_/);
  });

  verifies('N23', 'a citation is taken by memory_write as it is, and the claim is cited', async () => {
    await place.human(['intent', 'shapes', 'app']);
    expect((await call('begin_work', {}))['error_code']).toBe(undefined);
    const [symbol] = (await call('find_symbol', { name: 'scale' }))['symbols'] as Hit[];
    const kept = await call('memory_write', { kind: 'fact', statement: 'scale doubles its argument', citations: [symbol!.citation] });
    expect(kept).toMatchObject({ status: 'CITED' });
  });

  verifies('N23', 'files that git ignores are not found, similar names are offered, and a wrong call says what is missing', async () => {
    expect(await call('search_code', { pattern: 'hidden' })).toMatchObject({ hits: [] });
    expect(await call('find_symbol', { name: 'scal' })).toMatchObject({
      note: expect.stringContaining('similar'),
      symbols: [{ name: 'scale' }],
    });
    expect(await call('search_code', {})).toMatchObject({ error_code: 'BAD_REQUEST', required_action: expect.stringContaining('pattern') });
    expect(await call('find_references', { path: 'app/scale.ts' })).toMatchObject({ error_code: 'BAD_REQUEST' });
    expect(await call('code_graph', { symbol: 'nothing_like_it' })).toMatchObject({ error_code: 'NOT_FOUND' });
  });

  verifies('N23', 'the hooked surface offers find_symbol, search_code and code_graph', async () => {
    const hooked = await place.mcpClient({ surface: 'hooked' });
    const names = (await hooked.listTools()).tools.map(({ name }) => name);
    await hooked.close();
    expect(names).toEqual(expect.arrayContaining(['find_symbol', 'search_code', 'code_graph']));
    expect(names).not.toContain('find_references');
  });
});
