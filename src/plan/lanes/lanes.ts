// The five lanes.

import { type GraphNode, type RankedHit, termsOf, tokensOf } from '../../codeindex/index.ts';
import type { LaneHit, LaneName, LanePorts } from './lane.ts';

/** `files`: what the index finds for the question, for all lanes that need it. */
type Lane = (ports: LanePorts & { readonly files: readonly RankedHit[] }, question: string, limit: number) => Promise<readonly LaneHit[]>;

const NODES_MAX = 10_000;
/** Documents that people write for people, and descriptions of interfaces. They are the artefact lane's: what two lanes found by the same words would count twice. */
const DOCUMENT = /\.(?:md|mdx|markdown|txt|adoc|rst)$|(?:openapi|swagger|asyncapi)[^/]*\.(?:ya?ml|json)$/i;
/** A name of code: with a capital inside, an underscore or a dot. */
const NAME = /^(?=.*[a-z])(?:[A-Z][A-Za-z0-9]*|[a-z][a-z0-9]*(?:[A-Z_.][A-Za-z0-9_.]*)+|[A-Z][A-Za-z0-9]*\.[\w.]+)$/;

const lexical: Lane = async ({ files }, _question, limit) => {
  const code = files
    .slice(0, 2 * limit)
    .filter(({ path }) => !DOCUMENT.test(path))
    .slice(0, limit);
  return code.map(({ path, words, definition, citation }) => ({
    id: `file:${path}`,
    title: definition ? `${path}, ${definition.name}` : path,
    text: `${path} ${citation.excerpt} ${words.join(' ')}`,
    path,
    citation,
    exact: false,
    why: `has ${words.join(', ')}`,
  }));
};

const symbol: Lane = async ({ index }, question, limit) => {
  const found = new Map<string, LaneHit>();
  const take = async (name: string, fuzzy: boolean): Promise<void> => {
    const { hits } = await index.definitions({ name, fuzzy, limit });
    for (const { id, name: shown, path, citation, signature, kind, score } of hits) {
      const exact = !fuzzy && shown === name.split('.').at(-1);
      const why = exact ? `${kind} ${shown}` : `${kind} ${shown} is like ${name} (${score.toFixed(2)})`;
      if (!found.has(id))
        found.set(id, { id: `file:${path}`, title: `${path}, ${shown}`, text: `${path} ${signature}`, path, citation, exact, why });
    }
  };
  const words = question.match(/[\w$.]+/g) ?? [];
  const names = [...new Set(words.map((word) => word.replace(/^\.+|\.+$/g, '')).filter((word) => NAME.test(word)))];
  for (const name of names) await take(name, false);
  for (const name of names) if (found.size < limit) await take(name, true);
  // "order service" is how people say OrderService.
  const plain = tokensOf(question).filter((word) => word.length > 2);
  for (const [index_, word] of plain.entries()) {
    const next = plain[index_ + 1];
    if (next !== undefined && found.size < limit) await take(`${capital(word)}${capital(next)}`, false);
  }
  return [...found.values()].slice(0, limit);
};

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Policies and recipes whose words fit. */
const policy: Lane = async ({ graph }, question, limit) => {
  const nodes = [
    ...(await graph.find({ label: 'Policy', limit: NODES_MAX })),
    ...(await graph.find({ label: 'Recipe', limit: NODES_MAX })),
  ];
  const texts = nodes.map((node) => ({ id: node.id, title: `${node.label} ${node.name}`, text: textOf(node) }));
  return ranked(texts, question, limit);
};

const textOf = ({ id, name, data }: GraphNode): string =>
  `${id} ${name} ${Object.values(data)
    .filter((value) => typeof value === 'string')
    .join(' ')}`;

/** What connectors brought, and documents of the tree. */
const artifact: Lane = async ({ files, artifacts }, question, limit) => {
  const brought = ranked(artifacts(), question, limit);
  const documents = files
    .filter(({ path }) => DOCUMENT.test(path))
    .map(({ path, words, citation }) => ({
      id: `file:${path}`,
      title: path,
      text: `${path} ${citation.excerpt} ${words.join(' ')}`,
      path,
      citation,
      exact: false,
      why: `a document that has ${words.join(', ')}`,
    }));
  return [...brought, ...documents].slice(0, limit);
};

const episodicMemory: Lane = async ({ index, recall }, question, limit) =>
  Promise.all(
    recall(question, limit).map(async ({ claim, why }) => {
      const [cited] = claim.citations;
      return {
        id: claim.id,
        title: `${claim.kind}: ${claim.statement}`,
        text: `${claim.statement} ${claim.rationale ?? ''}`,
        path: cited?.path ?? null,
        citation: cited ? await index.cite(cited.path, cited.start_line, cited.end_line) : null,
        exact: false,
        why: why.join('; '),
      };
    }),
  );

export const LANE_BY_NAME: Readonly<Record<LaneName, Lane>> = { lexical, symbol, policy, artifact, episodic_memory: episodicMemory };

/** Texts by how many terms of the question they have, rare ones counting more. */
function ranked(
  texts: readonly { readonly id: string; readonly title: string; readonly text: string }[],
  question: string,
  limit: number,
): readonly LaneHit[] {
  const asked = termSet(question);
  const held = texts.map(({ text }) => termSet(text));
  const weight = (term: string): number => Math.log(1 + texts.length / (1 + held.filter((terms) => terms.has(term)).length));
  return texts
    .map((each, at) => {
      const shared = [...asked].filter((term) => held[at]!.has(term));
      return { each, shared, score: shared.reduce((sum, term) => sum + weight(term), 0) };
    })
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || (a.each.id < b.each.id ? -1 : 1))
    .slice(0, limit)
    .map(({ each: { id, title, text }, shared }) => ({
      id,
      title,
      text,
      path: null,
      citation: null,
      exact: false,
      why: `has ${shared.filter((term) => !term.startsWith('=')).join(', ')}`,
    }));
}

const COMMON = new Set(
  'a an and are as at be by can do does for from how i if in into is it its my of on or so that the then this to was we what when where which who why will with you'.split(
    ' ',
  ),
);

/** The terms of a text without the words that every text has. */
export const termSet = (text: string): ReadonlySet<string> =>
  new Set(
    tokensOf(text)
      .filter((token) => !COMMON.has(token.toLowerCase()))
      .flatMap(termsOf),
  );
