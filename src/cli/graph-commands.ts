// The graph of a work tree on the command line: what is around something, proof chains, retrieval, sync and export.

import type { GraphView, ProofChainRow, ProofChainsView, RetrievalView } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

export interface GraphOptions {
  readonly file?: string;
  readonly query?: string;
  readonly direction?: string;
  readonly types?: string;
  readonly depth?: string;
  readonly limit: number;
  readonly chain?: string;
  readonly field?: string;
  readonly lanes?: string;
}

/** Without a start, counts of the graph's content. */
export async function graph(context: CommandContext, symbol: string | undefined, options: GraphOptions): Promise<void> {
  const { client, cwd } = context;
  const { file, query, chain, field, lanes, limit } = options;
  if (chain !== undefined) {
    const view = await client.ask('proof_chains', { cwd, kind: chain, limit, ...given({ file, field }) });
    tell(context, view.notes);
    return show(context, view, chainsText(view));
  }
  if (lanes !== undefined) {
    const view = await client.ask('retrieve', { cwd, question: lanes, limit });
    tell(context, view.notes);
    return show(context, view, retrievalText(view));
  }
  if (symbol === undefined && file === undefined && query === undefined) {
    const view = await client.ask('graph_summary', { cwd });
    tell(context, view.notes);
    return show(
      context,
      view,
      [`${view.nodes} nodes, ${view.edges} edges (${view.backend})`, ...counted(view.labels), ...counted(view.types)].join('\n'),
    );
  }
  const { direction, types, depth } = options;
  const request = { cwd, limit, ...given({ symbol, file, query, types, depth }), ...given({ direction }) };
  const view = await client.ask('graph', request as Parameters<typeof client.ask<'graph'>>[1]);
  tell(context, view.notes);
  show(context, view, graphText(view));
}

export async function syncGraph(context: CommandContext): Promise<void> {
  let answer = await context.client.act('sync_graph', { cwd: context.cwd });
  while (answer.state === 'running' && !context.signal.aborted) answer = await context.client.ask('graph_sync', { cwd: context.cwd });
  const { report } = answer;
  if (report === null) return;
  tell(context, report.notes);
  const { rows, summary, dangling, neo4j, cypher } = report;
  const notRun = cypher.filter(({ ran }) => !ran);
  const lines = [
    `${rows} rows of seeds; ${summary.nodes} nodes, ${summary.edges} edges.`,
    ...dangling.map(({ from, type, to, path, line }) => `${place(path, line)}  ${visible(from)} ${type} ${visible(to)}: that is not there`),
    ...(neo4j === null ? [] : [neo4j.why_not === null ? `Neo4j at ${neo4j.address} holds it too.` : visible(neo4j.why_not)]),
    ...(notRun.length === 0 ? [] : [`Not run, since Cypher needs Neo4j: ${notRun.map(({ path }) => visible(path)).join(', ')}`]),
  ];
  show(context, report, lines.join('\n'));
}

export async function exportGraph(context: CommandContext): Promise<void> {
  const view = await context.client.act('export_graph', { cwd: context.cwd });
  tell(context, view.notes);
  const { file, upserts, deletes } = view;
  show(
    context,
    view,
    file === null ? 'The graph says what the seeds say.' : `${visible(file)}: ${upserts} to write, ${deletes} to take out.`,
  );
}

const tell = ({ say }: CommandContext, notes: readonly string[]): void => notes.forEach((note) => say(visible(note, 'block')));

const given = <T extends Record<string, string | undefined>>(options: T) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as { [K in keyof T]?: string };

const place = (path: string | null, line: number | null): string =>
  path === null ? '-' : `${visible(path)}${line === null ? '' : `:${line}`}`;

const counted = (counts: Readonly<Record<string, number>>): readonly string[] =>
  Object.entries(counts).map(([name, count]) => `  ${String(count).padStart(7)}  ${visible(name)}`);

function graphText({ nodes, edges, truncated, starts, applies }: GraphView): string {
  const because = new Map(starts.map(({ id, because: why }) => [id, why]));
  return [
    ...nodes.map(({ id, label, name, path, line, distance }) => {
      const why = because.get(id);
      return `${distance}  ${label.padEnd(12)}  ${visible(name)}  ${place(path, line)}${why === undefined ? '' : paint('dim', `  ${visible(why)}`)}`;
    }),
    ...(edges.length === 0 ? [] : ['']),
    ...edges.map(({ from, type, to, path, line }) => `${visible(from)} ${paint('dim', type)} ${visible(to)}  ${place(path, line)}`),
    ...(applies.length === 0 ? [] : ['', 'Applies here:']),
    ...applies.map(({ node, to }) => `  ${node.label}  ${visible(node.name)}  (${visible(to)})`),
    ...(truncated ? ['', 'There is more: raise --limit.'] : []),
  ].join('\n');
}

const chainsText = ({ chains }: ProofChainsView): string =>
  chains.length === 0 ? 'There is nothing of that kind in this tree.' : chains.map(chainText).join('\n\n');

function chainText({ subject, complete, links, gaps, code }: ProofChainRow): string {
  return [
    `${visible(subject)}: ${complete ? 'complete' : `${code}`}`,
    ...links.map(
      ({ role, name, citation, via, because, also }) =>
        `  ${role.padEnd(21)}  ${visible(name)}  ${place(citation.path, citation.start_line)}${paint('dim', `  ${via}: ${visible(because)}${also.length > 0 ? `; also ${also.map((each) => visible(each)).join(', ')}` : ''}`)}`,
    ),
    ...gaps.map(
      ({ role, why, attempted }) =>
        `  ${role.padEnd(21)}  MISSING: ${visible(why)}${attempted.length > 0 ? ` (tried ${attempted.join(', ')})` : ''}`,
    ),
  ].join('\n');
}

function retrievalText({ results, lanes }: RetrievalView): string {
  const found = Object.entries(lanes).map(([lane, count]) => `${lane} ${count}`);
  return [
    ...results.flatMap(({ score, title, citation, parts, lanes: own }) => [
      `${score.toFixed(3)}  ${visible(title)}${citation ? `  ${place(citation.path, citation.start_line)}` : ''}`,
      paint('dim', `       ${own.map(({ lane, rank, why }) => `${lane} #${rank}: ${visible(why)}`).join('; ')}`),
      paint('dim', `       fusion ${parts.fusion} coverage ${parts.coverage} exact ${parts.exact} proximity ${parts.proximity}`),
    ]),
    `Found by lane: ${found.join(', ')}`,
  ].join('\n');
}
