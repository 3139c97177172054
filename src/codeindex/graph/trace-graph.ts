// What is around a symbol, a file or whatever words describe, and what people wrote about that place.

import { Fault } from '../../protocol/index.ts';
import type { TreeIndex } from '../model.ts';
import { anchorFoldersOf, type AnchorSettings } from './anchors.ts';
import { type Around, anchorId, fileId, type Graph, type GraphNode, symbolId } from './graph-model.ts';

export interface TraceRequest {
  readonly symbol?: string | undefined;
  readonly file?: string | undefined;
  readonly query?: string | undefined;
  readonly direction: 'out' | 'in' | 'both';
  readonly types?: readonly string[] | undefined;
  readonly depth: number;
  readonly limit: number;
}

export interface GraphTrace extends Around {
  /** Where it starts, and why there. */
  readonly starts: readonly { readonly id: string; readonly because: string }[];
  /** Folders around the first place that has any, the nearest first. */
  readonly anchors: readonly string[];
  /** Policies, recipes, memories and other rows that apply to one of these folders, the nearest first. */
  readonly applies: readonly { readonly node: GraphNode; readonly to: string }[];
}

const STARTS_MAX = 10;
const RANKED_MAX = 5;
const APPLYING_MAX = 50;

export async function traceGraph(
  graph: Graph,
  index: Pick<TreeIndex, 'definitions' | 'rank'>,
  request: TraceRequest,
  anchors: AnchorSettings,
): Promise<GraphTrace> {
  const starts = await startsOf(graph, index, request);
  const { direction, types, depth, limit } = request;
  const around = await graph.around({ ids: starts.map(({ id }) => id), direction, types, depth, limit });
  const place = around.nodes.find(({ path, label }) => path !== null && label !== 'DomainAnchor')?.path ?? null;
  const folders = place === null ? [] : anchorFoldersOf(place, anchors);
  return { ...around, starts, anchors: folders, applies: await applyingTo(graph, folders) };
}

async function startsOf(graph: Graph, index: Pick<TreeIndex, 'definitions' | 'rank'>, { symbol, file, query }: TraceRequest) {
  const given = [symbol, file, query].filter((each) => each !== undefined);
  if (given.length !== 1)
    throw new Fault('BAD_REQUEST', 'graph: say one of symbol, file and query', {
      fix: 'countersign graph NAME, --file PATH or --query "WORDS"',
    });
  if (file !== undefined) {
    const start = await graph.node(fileId(file));
    if (!start) throw nothing(`no file ${file}`);
    return [{ id: start.id, because: 'the file' }];
  }
  if (symbol !== undefined) {
    // Rows of seeds, memories and nodes of packs go by their ids.
    if (await graph.node(symbol)) return [{ id: symbol, because: 'the id' }];
    const { hits } = await index.definitions({ name: symbol, limit: STARTS_MAX });
    const starts = hits.map(({ id, path, line }) => ({ id: symbolId(id), because: `defined at ${path}:${line}` }));
    if (starts.length === 0) throw nothing(`no symbol ${symbol}`);
    return starts;
  }
  const { hits } = await index.rank(query!, RANKED_MAX);
  const ranked = hits.map(({ path, definition, words }) => ({
    id: definition ? symbolId(definition.id) : fileId(path),
    because: `has ${words.join(', ')}`,
  }));
  if (ranked.length === 0) throw nothing(`nothing that fits ${JSON.stringify(query)}`);
  return ranked;
}

const nothing = (what: string): Fault =>
  new Fault('NOT_FOUND', `There is ${what} in the graph.`, { fix: 'countersign search finds text, countersign symbols names like it' });

async function applyingTo(graph: Graph, folders: readonly string[]): Promise<GraphTrace['applies']> {
  const found: { node: GraphNode; to: string }[] = [];
  for (const folder of folders)
    for (const { nodes } of await graph.follow(anchorId(folder), [{ type: 'APPLIES_TO', direction: 'in' }], APPLYING_MAX))
      if (!found.some(({ node }) => node.id === nodes[1]!.id)) found.push({ node: nodes[1]!, to: folder });
  return found;
}
