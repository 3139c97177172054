// The outline of a story: its entries, what is wrong with it, and which entry a scene belongs to.

export interface OutlineEntry {
  /** From the heading, such as 3 of "Scene 3: The Constable"; null: it has none. */
  readonly number: number | null;
  readonly title: string;
  readonly pov: string | null;
  readonly beats: readonly string[];
  /** The headings above it. */
  readonly part: string | null;
  readonly line: number;
  readonly end_line: number;
}

export interface Outline {
  readonly path: string;
  readonly entries: readonly OutlineEntry[];
  readonly parts: readonly { readonly title: string; readonly line: number }[];
}

export interface OutlineProblem {
  readonly problem: 'empty' | 'no_beats' | 'number_twice' | 'number_missing' | 'title_twice' | 'no_pov';
  readonly message: string;
  readonly line: number;
  readonly quote: string;
}

const NUMBERED = /^(?:(?:scene|chapter|scn|ch)\.?[\s-]*)?([0-9]{1,3})\s*[:.)–—-]\s*(\S.*)$/i;
const SCENE_WORD = /^(?:scene|chapter|scn|ch)\b/i;

interface OpenEntry {
  number: number | null;
  title: string;
  pov: string | null;
  beats: string[];
  part: string | null;
  line: number;
  end_line: number;
}

export function readOutline(path: string, lines: readonly string[]): Outline {
  const headings = lines.flatMap((line, at) => {
    const found = /^(#{1,6})\s+(.*?)\s*#*\s*$/.exec(line);
    return found ? [{ level: found[1]!.length, text: found[2]!, line: at + 1 }] : [];
  });
  // Scenes are the deepest level of headings; where there are no headings below a title, they are the items of the lists.
  const deepest = Math.max(0, ...headings.map(({ level }) => level));
  const isSceneHeading = (level: number, text: string) =>
    level > 1 && (NUMBERED.test(text) || SCENE_WORD.test(text) || (level === deepest && deepest > 2));
  const byItems = !headings.some(({ level, text }) => isSceneHeading(level, text));
  const entries: OpenEntry[] = [];
  const parts: { title: string; line: number }[] = [];
  let part: string | null = null;
  for (const [at, raw] of lines.entries()) {
    const heading = headings.find(({ line }) => line === at + 1);
    const item = /^(\s*)(?:[-*+]|[0-9]{1,3}[.)])\s+(\S.*)$/.exec(raw);
    const last = entries.at(-1);
    if (heading && !isSceneHeading(heading.level, heading.text)) {
      if (heading.level > 1) {
        part = heading.text;
        parts.push({ title: heading.text, line: heading.line });
      }
    } else if (heading) entries.push(entryOf(heading.text, at + 1, part));
    else if (byItems && item && item[1] === '') entries.push(entryOf(raw.replace(/^\s*[-*+]\s+/, ''), at + 1, part));
    else if (last && raw.trim() !== '') {
      const pov = /^\s*(?:[-*+]\s+)?(?:\*\*)?pov(?:\*\*)?\s*:\s*(?:\*\*)?\s*(.+?)\s*$/i.exec(raw);
      if (pov) last.pov = pov[1]!;
      else last.beats.push((item?.[2] ?? raw).trim());
      last.end_line = at + 1;
    }
  }
  return { path, entries, parts };
}

function entryOf(text: string, line: number, part: string | null): OpenEntry {
  const plain = text.replace(/[*_`]+/g, '').trim();
  const found = NUMBERED.exec(plain);
  return { number: found ? Number(found[1]) : null, title: (found?.[2] ?? plain).trim(), pov: null, beats: [], part, line, end_line: line };
}

export function outlineProblems({ entries }: Outline, lines: readonly string[]): readonly OutlineProblem[] {
  const at = (entry: OutlineEntry, problem: OutlineProblem['problem'], message: string): OutlineProblem => ({
    problem,
    message,
    line: entry.line,
    quote: lines[entry.line - 1] ?? '',
  });
  if (entries.length === 0) return [{ problem: 'empty', message: 'The outline has no entries', line: 1, quote: lines[0] ?? '' }];
  const numbered = entries.filter(({ number }) => number !== null);
  const usesPov = entries.some(({ pov }) => pov !== null);
  return entries.flatMap((entry, index) => [
    ...(entry.beats.length === 0 ? [at(entry, 'no_beats', `${entry.title} has no beat`)] : []),
    ...(usesPov && entry.pov === null ? [at(entry, 'no_pov', `${entry.title} has no POV, and others have one`)] : []),
    ...(entries.findIndex(({ title }) => slugOf(title) === slugOf(entry.title)) < index
      ? [at(entry, 'title_twice', `${entry.title} is there twice`)]
      : []),
    ...(entry.number === null ? [] : numberProblems(entry, numbered, at)),
  ]);
}

function numberProblems(
  entry: OutlineEntry,
  numbered: readonly OutlineEntry[],
  at: (entry: OutlineEntry, problem: OutlineProblem['problem'], message: string) => OutlineProblem,
) {
  const index = numbered.indexOf(entry);
  const before = numbered[index - 1];
  if (before === undefined) return [];
  if (numbered.findIndex(({ number }) => number === entry.number) < index)
    return [at(entry, 'number_twice', `Number ${entry.number} is there twice`)];
  return entry.number !== before.number! + 1 ? [at(entry, 'number_missing', `${entry.number} follows ${before.number}`)] : [];
}

export interface SceneMatch {
  readonly entry: OutlineEntry;
  /** Which of the three passes found it. */
  readonly by: 'title_slug' | 'pov_name' | 'scene_number';
}

/** Three passes: the slug of the title, then the POV where only one entry has it, then the number. */
export function matchScene(
  outline: Outline,
  scene: { readonly path: string; readonly title: string | null; readonly pov: string | null },
): SceneMatch | null {
  const stem = scene.path
    .split('/')
    .at(-1)!
    .replace(/\.[a-z0-9]+$/i, '');
  const slugs = [
    slugOf(stem.replace(/^(?:scn|scene|ch|chapter)?[-_ ]*[0-9]*[-_ ]*/i, '')),
    scene.title === null ? '' : slugOf(NUMBERED.exec(scene.title)?.[2] ?? scene.title),
  ];
  const byTitle = outline.entries.filter(({ title }) => slugs.includes(slugOf(title)) && slugOf(title) !== '');
  if (byTitle.length === 1) return { entry: byTitle[0]!, by: 'title_slug' };
  const { pov } = scene;
  const byPov = pov === null ? [] : outline.entries.filter((entry) => entry.pov !== null && slugOf(entry.pov) === slugOf(pov));
  if (byPov.length === 1) return { entry: byPov[0]!, by: 'pov_name' };
  const digits = /(?:^|[^0-9])([0-9]{1,3})(?:[^0-9]|$)/.exec(stem)?.[1];
  const byNumber = digits === undefined ? [] : outline.entries.filter(({ number }) => number === Number(digits));
  return byNumber.length === 1 ? { entry: byNumber[0]!, by: 'scene_number' } : null;
}

export const slugOf = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
