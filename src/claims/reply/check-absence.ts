// "It is nowhere in …": each file of the scope has to exist and to be in a receipt of this round, or it was not looked at.

import type { EvidencePart, ReplySources } from '../../protocol/index.ts';
import { type PartFinding, problem, refused } from './finding.ts';
import { shown, unknownSource } from './check-source.ts';

type Absence = Extract<EvidencePart, { kind: 'absence' }>;

/** A hyphen is part of most file names, so only one between numbers or with spaces around it makes a range. */
const RANGE = /^(.+?)\s*(?:–|—|\.\.\.?|\s-\s|\sto\s|(?<=^[0-9]+)-(?=[0-9]+$))\s*(.+)$/;

export async function checkAbsence({ scope }: Absence, sources: ReplySources): Promise<PartFinding> {
  const all = await sources.paths();
  const paths: string[] = [];
  for (const item of scope) {
    const range = RANGE.exec(item);
    const found = range ? between(all, range[1]!, range[2]!) : null;
    if (range && found === null && !all.includes(item))
      return refused(problem('source_unknown', `${shown(item)} is no range of files. Name the first and the last file, or their numbers`));
    if (found) paths.push(...found);
    else {
      const only = named(all, item);
      const source = await sources.read(only ?? item);
      if (source.kind !== 'file') return refused(await unknownSource(item, source, sources));
      paths.push(source.path);
    }
  }
  const read = new Set((await sources.receipts()).filter(({ dry, status }) => !dry && status === 'done').flatMap(({ reads }) => reads));
  const unread = paths.filter((path) => !read.has(path));
  if (unread.length === 0) return { problems: [], paths };
  const rest = unread.length > 3 ? ` and ${unread.length - 3} more` : '';
  return {
    problems: [
      problem(
        'absence_unchecked',
        `No receipt of this round has read ${unread.slice(0, 3).join(', ')}${rest}. Claim only what was checked`,
      ),
    ],
    paths,
  };
}

/** The files from the first to the last, in the folder of both. */
function between(all: readonly string[], first: string, last: string): readonly string[] | null {
  const [from, to] = [named(all, first), named(all, last)];
  if (from === null || to === null || folderOf(from) !== folderOf(to)) return null;
  const siblings = all.filter((path) => folderOf(path) === folderOf(from));
  const [start, end] = [siblings.indexOf(from), siblings.indexOf(to)];
  return start <= end ? siblings.slice(start, end + 1) : null;
}

/** The one file that a path, a name, the beginning of a name, or a number means; null: none, or several. */
function named(all: readonly string[], item: string): string | null {
  if (all.includes(item)) return item;
  const wanted = item.toLowerCase();
  const candidates = [
    all.filter((path) => nameOf(path) === wanted || stemOf(path) === wanted),
    all.filter((path) => stemOf(path).startsWith(`${wanted}-`) || stemOf(path).startsWith(`${wanted}_`)),
    /^[0-9]+$/.test(wanted) ? all.filter((path) => numberOf(path) === Number(wanted)) : [],
  ];
  return candidates.find((paths) => paths.length === 1)?.[0] ?? null;
}

const folderOf = (path: string): string => path.split('/').slice(0, -1).join('/');
const nameOf = (path: string): string => path.split('/').at(-1)!.toLowerCase();
const stemOf = (path: string): string => nameOf(path).replace(/\.[a-z0-9]+$/, '');
const numberOf = (path: string): number | null => {
  const digits = /(?:^|[^0-9a-z])([0-9]+)/.exec(stemOf(path))?.[1];
  return digits === undefined ? null : Number(digits);
};
