// Whether a change of a file keeps its meaning, judged from the syntax trees before and after.

import { basename } from 'node:path';
import type { MutationClass } from '../protocol/index.ts';
import { sameJson } from './same-json.ts';
import { type Entry, type Item, shapeOf } from './module-shape.ts';
import { moved, pairUp } from './pair-up.ts';
import { isProgram, kindOf, lineAt, parseSource, type Source, tooLarge } from './parse-source.ts';
import { resolveNames } from './resolve-names.ts';
import { type Difference, TreeComparison } from './same-tree.ts';
import type { SyntaxNode } from './syntax-node.ts';
import { toolComments } from './tool-comments.ts';
import { shorten, where } from './where.ts';

/** Null: there was, or is, no such file. Never throws. Only for a thread whose stack holds the parser: see `code-index.ts`. */
export function classifyMutation(path: string, before: string | null, after: string | null): MutationClass {
  try {
    return classify(path, before, after);
  } catch (error) {
    return evolution(`the two versions could not be compared (${error instanceof Error ? shorten(error.message) : 'no reason given'})`);
  }
}

const evolution = (because: string): MutationClass => ({ class: 'INTENT_EVOLUTION', because });
const refactoring = (because: string): MutationClass => ({ class: 'AST_REFACTOR', because });

function classify(path: string, before: string | null, after: string | null): MutationClass {
  if (before === after) return refactoring('nothing changed');
  if (before === null) return evolution('a new file');
  if (after === null) return evolution('the file was deleted');
  const isJson = kindOf(path) === '.json';
  if (!isJson && !isProgram(path)) return evolution(`no syntax tree is known for ${kindOf(path)} files`);
  for (const [version, text] of [['before', before] as const, ['after', after] as const]) {
    const trouble = tooLarge(text);
    if (trouble !== null) return evolution(`too large to compare: the file ${version} the change ${trouble}`);
  }
  if (isJson) return classifyJson(path, before, after);
  return classifyProgram(parseSource(path, before), parseSource(path, after));
}

function classifyJson(path: string, before: string, after: string): MutationClass {
  // In these the order of keys has a meaning: Node takes the first condition that fits.
  const ordered = basename(path) === 'package.json' ? new Set(['exports', 'imports']) : new Set<string>();
  const found = sameJson(before, after, ordered);
  if (found.kind === 'unreadable') return evolution(`the file ${found.version} the change cannot be parsed: ${shorten(found.why)}`);
  if (found.kind === 'different') return evolution(`a value changed at line ${lineAt(after, found.offset)}`);
  return refactoring(found.reordered ? 'only the order of keys and the layout changed' : 'only the layout changed');
}

function classifyProgram(before: Source, after: Source): MutationClass {
  for (const [version, source] of [['before', before] as const, ['after', after] as const])
    if (source.error !== null) return evolution(`the file ${version} the change cannot be parsed: ${shorten(source.error)}`);
  const names = { before: resolveNames(before), after: resolveNames(after) };
  const unknowable = names.before.unknowable ?? names.after.unknowable;
  if (unknowable !== null) return evolution(`${unknowable}, so that what a name means is only known at run time`);
  if (before.program['sourceType'] !== after.program['sourceType'] || before.topNames !== after.topNames)
    return evolution('a script became a module, or a module a script');
  if (JSON.stringify(hashbang(before)) !== JSON.stringify(hashbang(after)))
    return evolution('the first line, which says what runs the file, changed');

  const tools = { before: toolComments(before), after: toolComments(after) };
  const trees = new TreeComparison({ names: names.before, tools: tools.before }, { names: names.after, tools: tools.after });
  const shapes = { before: shapeOf(before.program), after: shapeOf(after.program) };
  const difference =
    sameEntries(shapes.before.exports, shapes.after.exports, trees) ??
    sameEntries(shapes.before.imports, shapes.after.imports, trees) ??
    sameItems(shapes.before.items, shapes.after.items, trees);
  if (difference) return evolution(describe(difference, before, after));
  if (!trees.sameLooseComments(before.text, after.text)) return evolution('a comment that tools obey changed');

  const renamed = [...trees.renames].filter(([first, second]) => first.name !== second.name);
  for (const [first, second] of renamed) {
    const fixed = first.fixed ?? second.fixed ?? names.before.rigid ?? names.after.rigid;
    if (fixed !== null) return evolution(`\`${shorten(first.name)}\` was renamed to \`${shorten(second.name)}\`, and ${fixed}`);
  }
  const importsMoved = orderOf(shapes.before.imports) !== orderOf(shapes.after.imports);
  if (tools.before.count > 0 && (trees.moved.length > 0 || importsMoved))
    return evolution('something was moved in a file with comments that tools obey');
  return refactoring(
    [
      ...listed(
        'renamed',
        renamed.map(([first, second]) => `\`${shorten(first.name)}\` to \`${shorten(second.name)}\``),
      ),
      ...listed(
        'moved',
        trees.moved.map((name) => `\`${shorten(name)}\``),
      ),
      ...(importsMoved ? ['imports rearranged'] : []),
      ...(orderOf(shapes.before.exports) === orderOf(shapes.after.exports) ? [] : ['exports rearranged']),
    ].join('; ') || layoutWords(before, after),
  );
}

const hashbang = ({ program }: Source): unknown => (program['hashbang'] as { value?: unknown } | null)?.value ?? null;
const orderOf = (entries: readonly Entry[]): string => JSON.stringify(entries.map(({ key }) => key));

function sameEntries(before: readonly Entry[], after: readonly Entry[], trees: TreeComparison): Difference | null {
  const key = (entry: Entry): string => entry.key;
  const found = pairUp(before, after, key, key);
  if (!('pairs' in found)) {
    const { removed, added } = found;
    if (removed) return { before: removed.node, after: null, words: `${removed.words} is gone` };
    return { before: null, after: added!.node, words: `${added!.words} is new` };
  }
  for (const [first, second] of found.pairs)
    if (first.local && second.local && !trees.sameName(first.local, second.local))
      return { before: first.node, after: second.node, words: `${second.words} is another thing now` };
  return null;
}

function sameItems(before: readonly Item[], after: readonly Item[], trees: TreeComparison): Difference | null {
  // The segment of a fixed item is its alone, so that it can only be paired in order.
  const kind = ({ node, order, segment }: Item): string =>
    `${order} ${order === 'free' ? '' : segment} ${order === 'fixed' ? '' : node.type}`;
  const found = pairUp(before, after, (item) => `${kind(item)} ${item.order === 'fixed' ? '' : item.name}`, kind);
  if (!('pairs' in found)) return addedOrRemoved(before, after);
  for (const [first, second] of found.pairs) if (!trees.same(first.node, second.node)) return trees.difference;
  trees.moved.push(...moved(before, after, found.pairs).map(({ name }) => name ?? 'default'));
  return null;
}

/** What was added or removed at the top level, by its name if it has one. */
function addedOrRemoved(before: readonly Item[], after: readonly Item[]): Difference {
  const namedOnlyIn = (items: readonly Item[], others: readonly Item[]): Item | undefined => {
    const names = new Set(others.map(({ name }) => name));
    return items.find(({ name }) => name !== null && !names.has(name));
  };
  const added = namedOnlyIn(after, before);
  const removed = namedOnlyIn(before, after);
  if (added && !removed) return { before: null, after: added.node, words: `\`${shorten(added.name!)}\` was added` };
  if (removed && !added) return { before: removed.node, after: null, words: `\`${shorten(removed.name!)}\` was removed` };
  const index = after.findIndex(({ node, name }, at) => node.type !== before[at]?.node.type || name !== before[at].name);
  const place = index < 0 ? before.at(-1) : after[index];
  return index < 0
    ? { before: place?.node ?? null, after: null, words: 'a statement was removed' }
    : { before: null, after: place!.node, words: 'statements were added, removed or put in another order' };
}

function describe({ before, after, words }: Difference, from: Source, to: Source): string {
  const [source, node]: readonly [Source, SyntaxNode | null] = after ? [to, after] : [from, before];
  if (node === null) return words ?? 'something changed';
  const line = lineAt(source.text, node.start);
  const place = `at line ${line}${after ? '' : ' of the old version'}`;
  return `${words ?? `${where(source.program, node)} changed`} ${place}`;
}

const MAX_LISTED = 5;

function listed(verb: string, words: readonly string[]): readonly string[] {
  const what = [...new Set(words)];
  if (what.length === 0) return [];
  const more = what.length > MAX_LISTED ? [`${what.length - MAX_LISTED} more`] : [];
  return [`${verb} ${[...what.slice(0, MAX_LISTED), ...more].join(', ')}`];
}

function layoutWords(before: Source, after: Source): string {
  const commentsOf = ({ comments }: Source): string => JSON.stringify(comments.map(({ value }) => value));
  if (commentsOf(before) === commentsOf(after)) return 'only the layout changed';
  return withoutComments(before) === withoutComments(after) ? 'only comments changed' : 'only comments and the layout changed';
}

/** The text without comments, blank lines and the space at line ends. */
function withoutComments({ text, comments }: Source): string {
  let rest = '';
  let at = 0;
  for (const { start, end } of comments) {
    rest += text.slice(at, start);
    at = end;
  }
  const lines = (rest + text.slice(at)).split('\n').map((line) => line.trimEnd());
  return lines.filter((line) => line !== '').join('\n');
}
