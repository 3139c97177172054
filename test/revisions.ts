// The versions that the sources state, held against those that test/revisions.json records.

import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DECIDING } from '../src/app/policy-revision.ts';
import { FOLDS } from '../src/projections/index.ts';
import type { Revision } from '../src/protocol/index.ts';
import { whyItDecidesNothing } from './decides-nothing.ts';
import { reachedFrom, runs } from './deciding-files.ts';
import { digestOf } from './source-digest.ts';
import { ROOT } from './source-files.ts';

const FOLDING_ROOMS = ['src/kernel', 'src/memory', 'src/projections', 'src/protocol'];

interface FoldFiles {
  readonly roots: readonly string[];
  readonly foldsNothing?: readonly string[];
}

/** The files that fold, and what is imported there and said to fold nothing. */
export function foldFiles({ roots, foldsNothing = [] }: FoldFiles): {
  readonly files: readonly string[];
  readonly avoided: readonly string[];
} {
  const [from, none] = [roots, foldsNothing].map((files) => files.map((file) => posix.join('src/projections', file))) as [
    string[],
    string[],
  ];
  const avoided = new Set<string>();
  const reached = reachedFrom(from, (path) => {
    if (none.includes(path)) avoided.add(posix.relative('src/projections', path));
    return FOLDING_ROOMS.some((room) => path.startsWith(`${room}/`)) && !none.includes(path);
  });
  return { files: [...reached.keys()].toSorted(), avoided: [...avoided] };
}

const FOLD_REVISIONS: readonly Revision[] = Object.entries(FOLDS).map(([name, fold]) => ({
  ...{ name: `fold/${name}`, version: fold.version, files: foldFiles(fold).files, from: pathToFileURL(`${ROOT}/`).href },
}));

/** Whatever has a version: what decides, and what is folded from the ledger. */
export const REVISIONS: readonly (readonly Revision[])[] = [...DECIDING, FOLD_REVISIONS];

export interface Recorded {
  readonly version: number;
  /** Over the sources, without comments and white space. */
  readonly sha256: string;
}
export type Records = Readonly<Record<string, Recorded>>;

const RECORDS = join(ROOT, 'test/revisions.json');

/** From the project's root, with slashes. */
export function filesOf({ from, files, withImports }: Pick<Revision, 'from' | 'files' | 'withImports'>): readonly string[] {
  const named = files.map((file) => relative(ROOT, fileURLToPath(new URL(file, from))));
  if (!withImports) return named;
  const room = named[0]!.split('/').slice(0, 2).join('/');
  const reached = reachedFrom(named, (path) => path.startsWith(`${room}/`) && whyItDecidesNothing(path) === null);
  return [...reached.keys()].filter(runs).toSorted();
}

export function statedNow(lists: readonly (readonly Revision[])[] = REVISIONS): Records {
  const stated = lists.flat().map((revision): [string, Recorded] => {
    const sources = filesOf(revision).map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
    return [revision.name, { version: revision.version, sha256: digestOf(sources) }];
  });
  return Object.fromEntries(stated.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

export const recorded = (): Records => JSON.parse(readFileSync(RECORDS, 'utf8')) as Records;

export const writeRecords = (records: Records): void => writeFileSync(RECORDS, `${JSON.stringify(records, null, 2)}\n`);

/** What has to be done before the records are true again, one line for each. */
export function complaints(stated: Records, known: Records): readonly string[] {
  return [...new Set([...Object.keys(stated), ...Object.keys(known)])].toSorted().flatMap((name) => {
    const [now, then] = [stated[name], known[name]];
    if (!then) return [`${name} is new. Record it: npm run revisions`];
    if (!now) return [`${name} is recorded, but no source states it. If that is meant: npm run revisions`];
    if (now.version < then.version) return lowered({ [name]: now }, known);
    if (now.version > then.version) return [`${name} has version ${now.version} now. Record it: npm run revisions`];
    if (now.sha256 === then.sha256) return [];
    return [
      `The sources of ${name} changed, but its version is still ${now.version}. If it can decide or fold otherwise than before, raise the version. ` +
        'If it does exactly what it did before, record the new sources under the same version: npm run revisions',
    ];
  });
}

/** Versions are raised by hand and never lowered: a number that was used before would pass old answers off as new ones. */
export const lowered = (stated: Records, known: Records): readonly string[] =>
  Object.entries(stated).flatMap(([name, { version }]) => {
    const then = known[name]?.version ?? 0;
    return version < then ? [`${name} has version ${version}, but ${then} was used before. Raise it.`] : [];
  });
