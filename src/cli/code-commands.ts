// The code index on the command line: symbols, references, text, outlines.

import { setTimeout as pause } from 'node:timers/promises';
import type { CodeIndexView, OutlineView, RankView, RefsView, SearchView, SymbolsView } from '../protocol/index.ts';
import { visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

const POLL_MS = 250;
const EVENTS_SHOWN = 10;

/** Until the current tree is indexed; with `watch`, also later changes. */
export async function index(
  context: CommandContext,
  { watch, refresh }: { readonly watch: boolean; readonly refresh: boolean },
): Promise<void> {
  const { client, cwd, signal } = context;
  let view = await client.ask('code_index', { cwd, refresh });
  while (view.state === 'starting' || view.state === 'indexing') {
    context.say(`${view.files} files, ${view.pending} to go`);
    await wait(signal);
    view = await client.ask('code_index', { cwd });
  }
  show(context, view, indexText(view));
  for (let revision = view.revision; watch && !signal.aborted; revision = view.revision) {
    await wait(signal);
    if (signal.aborted) return;
    view = await client.ask('code_index', { cwd });
    if (view.revision !== revision) show(context, view, `${new Date().toLocaleTimeString('en-GB')}  ${countsText(view)}`);
  }
}

const wait = (signal: AbortSignal): Promise<void> => pause(POLL_MS, undefined, { signal }).catch(() => undefined);

const countsText = ({ files, definitions, references, bytes, pending }: CodeIndexView): string =>
  `${files} files, ${definitions} definitions, ${references} references, ${(bytes / 1e6).toFixed(1)} MB${pending > 0 ? `, ${pending} to go` : ''}`;

function indexText(view: CodeIndexView): string {
  const { root, state, languages, skipped, errors, events, trouble } = view;
  const spoken = Object.entries(languages).sort((a, b) => b[1] - a[1]);
  return [
    `${visible(root)}  ${state}${trouble === null ? '' : `: ${visible(trouble)}`}`,
    `  ${countsText(view)}`,
    `  ${spoken.map(([name, count]) => `${name} ${count}`).join(', ')}`,
    ...(skipped + errors > 0 ? [`  ${skipped} left out, ${errors} read in part:`] : []),
    ...events.slice(0, EVENTS_SHOWN).map(({ path, why }) => `    ${visible(path)} ${visible(why)}`),
    ...(skipped + errors > EVENTS_SHOWN ? [`    … and ${skipped + errors - EVENTS_SHOWN} more (--json tells all)`] : []),
  ].join('\n');
}

const place = (path: string, line: number): string => paint('cyan', `${visible(path)}:${line}`);

/** Why the answer is incomplete. */
function tell(context: CommandContext, { state, incomplete }: { readonly state: string; readonly incomplete: string | null }): void {
  if (state !== 'ready') context.say(`The index is ${state}: there may be more.`);
  if (incomplete !== null) context.say(`There is more: ${incomplete}.`);
}

export interface SymbolOptions {
  readonly fuzzy?: boolean;
  readonly kind?: string;
  readonly glob?: string;
  readonly limit: number;
}

export async function symbols(context: CommandContext, name: string, options: SymbolOptions): Promise<void> {
  const ask = (fuzzy: boolean): Promise<SymbolsView> => context.client.ask('symbols', { cwd: context.cwd, name, ...options, fuzzy });
  let view = await ask(options.fuzzy ?? false);
  if (view.hits.length === 0 && options.fuzzy !== true) {
    view = await ask(true);
    if (view.hits.length > 0) context.say(`Nothing is called ${visible(name)}; these are nearly:`);
  }
  tell(context, view);
  show(
    context,
    view,
    view.hits.map(({ path, line, kind, signature }) => `${place(path, line)}  ${kind}  ${visible(signature)}`).join('\n') ||
      `Nothing is called ${visible(name)}.`,
  );
}

export interface RefOptions {
  readonly callers?: boolean;
  readonly callees?: boolean;
  readonly role?: string;
  readonly glob?: string;
  readonly precise?: boolean;
  readonly limit: number;
}

export async function refs(context: CommandContext, name: string, { callers, callees, ...options }: RefOptions): Promise<void> {
  const what = callees === true ? 'callees' : callers === true ? 'callers' : 'references';
  const view: RefsView = await context.client.ask('refs', { cwd: context.cwd, name, what, ...options });
  tell(context, view);
  const lines = view.hits.map(({ path, line, role, certainty, definition, name: used, citation }) => {
    const who =
      what === 'references'
        ? role
        : what === 'callers'
          ? (definition?.name ?? 'the top of the file')
          : `${used}${definition ? ` (${definition.path}:${definition.line})` : ''}`;
    return `${place(path, line)}  ${visible(who)}  ${visible(citation.excerpt.trim())}${certainty === 'name' ? paint('dim', '  by its name') : ''}`;
  });
  show(context, view, lines.join('\n') || `No ${what} of ${visible(name)} were found.`);
}

export interface SearchOptions {
  readonly regex?: boolean;
  readonly ignoreCase?: boolean;
  readonly word?: boolean;
  readonly glob?: string;
  readonly under?: string;
  readonly context?: string;
  readonly rank?: boolean;
  readonly limit: number;
}

export async function search(context: CommandContext, words: readonly string[], options: SearchOptions): Promise<void> {
  const { cwd, client } = context;
  const { regex, ignoreCase, word, glob, under, context: around, rank, limit } = options;
  if (rank === true) {
    const view: RankView = await client.ask('rank', { cwd, question: words.join(' '), limit });
    tell(context, { ...view, incomplete: null });
    return show(context, view, rankText(view) || 'Nothing has these words.');
  }
  const question = { cwd, pattern: words.join(' '), regex, ignore_case: ignoreCase, whole_word: word, glob, under, context: around, limit };
  const view: SearchView = await client.ask('search', question);
  tell(context, view);
  show(context, view, searchText(view) || 'Nothing was found.');
}

const searchText = ({ hits }: SearchView): string =>
  hits
    .map(({ path, line, text, before, after }) =>
      [
        ...before.map((each, at) => paint('dim', `${visible(path)}:${line - before.length + at}  ${visible(each, 'block')}`)),
        `${place(path, line)}  ${visible(text, 'block')}`,
        ...after.map((each, at) => paint('dim', `${visible(path)}:${line + 1 + at}  ${visible(each, 'block')}`)),
      ].join('\n'),
    )
    .join('\n');

const rankText = ({ hits }: RankView): string =>
  hits
    .map(({ path, score, definition, words }) =>
      `${String(score.toFixed(2)).padStart(6)}  ${place(path, definition?.line ?? 1)}  ${visible(definition?.signature ?? '')}  ${paint('dim', visible(words.join(' ')))}`.trimEnd(),
    )
    .join('\n');

export async function outline(context: CommandContext, path: string): Promise<void> {
  const view: OutlineView = await context.client.ask('outline', { cwd: context.cwd, path });
  const { file, entries } = view;
  if (file.error !== null) context.say(`${visible(file.path)} was read in part: ${visible(file.error)}.`);
  const width = String(file.lines).length;
  const lines = entries.map(
    ({ line, depth, kind, signature }) =>
      `${paint('dim', String(line).padStart(width))}  ${'  '.repeat(depth)}${kind} ${visible(signature)}`,
  );
  show(context, view, lines.join('\n') || `${visible(file.path)} defines nothing.`);
}
