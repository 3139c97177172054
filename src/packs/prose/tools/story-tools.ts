// outline_analyzer, canon_checker, scene_draft_validator: a scene against what was planned and established.

import { crossReference } from '../find-contradictions.ts';
import { isCard } from '../facts/names.ts';
import { canonCards } from '../story/canon-cards.ts';
import { isScene } from '../story/canon.ts';
import { matchScene, type OutlineEntry, outlineProblems, readOutline, slugOf } from '../story/outline.ts';
import { CANON_PATH, type VfsFile } from '../story/vfs.ts';
import { readProse, wordsIn } from '../text/prose-text.ts';
import { type GroundingRun, groundingTool, unmet } from './grounding-tool.ts';

async function readOutlineFile({ vfs, read }: GroundingRun, given: string | undefined): Promise<VfsFile> {
  const path = given ?? (await vfs.outlinePath());
  if (path === null) throw unmet('There is no outline here', 'Write one to Story/SCN-outline.md, or name it in outline_path');
  return read(path);
}

/** `mode` is any text: one that is not known counts as the first, and the answer says so. */
function modeIn<M extends string>(given: string | undefined, modes: readonly [M, ...M[]]): { readonly mode: M; readonly hint?: string } {
  const known = modes.find((mode) => mode === given?.toLowerCase());
  if (given === undefined || known !== undefined) return { mode: known ?? modes[0] };
  return { mode: modes[0], hint: `There is no mode ${JSON.stringify(given)}. There are: ${modes.join(', ')}` };
}

export const outlineAnalyzer = groundingTool({
  name: 'outline_analyzer',
  description: 'Reads the outline: its parts and entries, what is wrong with it, and which scenes it has no entry for.',
  touches: ({ outline_path }) => (outline_path === undefined ? 'tree' : [outline_path]),
  run: async ({ outline_path, mode }, run) => {
    const chosen = modeIn(mode, ['all', 'structure', 'problems']);
    const file = await readOutlineFile(run, outline_path);
    const outline = readOutline(file.path, file.lines);
    const scenes = (await run.vfs.tree()).filter(({ path }) => isScene(path)).map(({ path }) => path);
    const matched = new Map(scenes.map((path) => [path, matchScene(outline, { path, title: null, pov: null })?.entry ?? null]));
    const structure = () => ({
      parts: outline.parts,
      entries: outline.entries.map(({ number, title, pov, beats, part, line }) => ({
        ...{ number, title, pov, beats: beats.length, part, line },
        quote: file.lines[line - 1] ?? '',
      })),
    });
    const problems = () => ({
      problems: outlineProblems(outline, file.lines),
      scenes_without_entry: scenes.filter((path) => matched.get(path) === null),
      entries_without_scene: outline.entries
        .filter((entry) => ![...matched.values()].includes(entry))
        .map(({ title, line }) => ({ title, line })),
    });
    return {
      path: file.path,
      ...chosen,
      ...(chosen.mode === 'problems' ? {} : structure()),
      ...(chosen.mode === 'structure' ? {} : problems()),
    };
  },
});

export const canonChecker = groundingTool({
  name: 'canon_checker',
  description: 'Compares a scene with canon files: what contradicts them, and what they confirm, each with both quotes.',
  touches: ({ scene_path, canon_paths }) => [scene_path, ...canon_paths],
  run: async ({ scene_path, canon_paths, mode }, { read }) => {
    const chosen = modeIn(mode, ['strict', 'lenient']);
    if (canon_paths.length === 0)
      throw unmet(
        'canon_checker needs canon files',
        `Name them in canon_paths, such as ${CANON_PATH} or Compendium/Characters/CHAR-name.md; file_locator finds them`,
      );
    const scene = await read(scene_path);
    const canon = [];
    for (const path of canon_paths) canon.push(...canonCards(await read(path)));
    const { contradictions, entities } = crossReference([...canon, readProse(scene.path, scene.lines)]);
    const found = contradictions.filter(({ places }) => places.some(({ path }) => path === scene.path));
    const concerns = chosen.mode === 'strict' ? found : found.filter(({ certainty }) => certainty === 'contradiction');
    const known = new Set(canon.flatMap(({ title }) => (title === null ? [] : [title])));
    const named = entities.filter(({ kind, places }) => kind === 'person' && places.some(({ path }) => path === scene.path));
    return {
      scene: scene.path,
      ...chosen,
      status: concerns.length > 0 ? 'contradicts canon' : 'no contradiction found',
      contradictions: concerns,
      ...(concerns.length < found.length ? { possible_left_out: found.length - concerns.length } : {}),
      in_canon: named
        .filter(({ name }) => known.has(name))
        .map(({ name, places }) => ({ name, line: places.find(({ path }) => path === scene.path)?.line })),
      not_in_canon: named
        .filter(({ name }) => !known.has(name))
        .map(({ name, places }) => ({ name, line: places.find(({ path }) => path === scene.path)?.line })),
    };
  },
});

export const sceneDraftValidator = groundingTool({
  name: 'scene_draft_validator',
  description:
    'Finds the outline entry of a scene (by title, POV or number) and says which of its beats the scene has; with include_canon the card of the POV too.',
  touches: ({ scene_path, outline_path }) => [scene_path, ...(outline_path === undefined ? [] : [outline_path])],
  run: async ({ scene_path, outline_path, include_canon = false }, run) => {
    const scene = await run.read(scene_path);
    const prose = readProse(scene.path, scene.lines);
    const pov = prose.metadata.get('pov')?.value ?? null;
    const file = await readOutlineFile(run, outline_path);
    const match = matchScene(readOutline(file.path, file.lines), { path: scene.path, title: prose.title, pov });
    const card = include_canon ? await cardOf(run, match?.entry.pov ?? pov) : null;
    return {
      scene: scene.path,
      outline: file.path,
      match:
        match === null
          ? null
          : { by: match.by, title: match.entry.title, line: match.entry.line, quote: file.lines[match.entry.line - 1] ?? '' },
      ...(match === null
        ? { hint: 'No entry of the outline has this title, this POV alone, or this number' }
        : { pov: povOf(match.entry, pov), beats: match.entry.beats.map((beat) => beatIn(beat, scene.lines)) }),
      ...(include_canon ? { canon: card } : {}),
    };
  },
});

const povOf = ({ pov: planned }: OutlineEntry, found: string | null) => ({
  planned,
  found,
  matches: planned === null || found === null ? null : slugOf(planned) === slugOf(found),
});

/** The line of the scene that has most of the beat's words. */
function beatIn(beat: string, lines: readonly string[]) {
  const words = [...new Set(wordsIn(beat).map((word) => word.toLowerCase()))].filter((word) => word.length > 3);
  const text = lines.join('\n').toLowerCase();
  const present = words.filter((word) => text.includes(stem(word)));
  const scored = lines.map((line, at) => ({
    line: at + 1,
    quote: line,
    count: words.filter((word) => line.toLowerCase().includes(stem(word))).length,
  }));
  const best = scored.reduce((a, b) => (b.count > a.count ? b : a), { line: 0, quote: '', count: 0 });
  return { beat, words_found: present.length, words: words.length, ...(best.count > 0 ? { line: best.line, quote: best.quote } : {}) };
}

const stem = (word: string): string => (word.length > 5 ? word.replace(/(?:ing|ed|es|s)$/, '') : word);

/** The card of a character: its own file, or its section of Canon.md. */
async function cardOf({ vfs, read }: GroundingRun, person: string | null): Promise<Record<string, unknown> | null> {
  if (person === null) return null;
  const slug = slugOf(person);
  const tree = await vfs.tree();
  const own = tree.find(
    ({ path }) =>
      isCard(path, new Map()) &&
      slugOf(
        path
          .split('/')
          .at(-1)!
          .replace(/\.\w+$/, '')
          .replace(/^CHAR[-_]/i, ''),
      ) === slug,
  );
  if (own) {
    const { path, lines } = await read(own.path);
    return { path, start_line: 1, end_line: lines.length, text: lines.join('\n') };
  }
  if (!tree.some(({ path }) => path === CANON_PATH)) return null;
  const { path, lines } = await read(CANON_PATH);
  const start = lines.findIndex((line) => /^##\s/.test(line) && slugOf(line) === slug);
  if (start < 0) return null;
  const next = lines.findIndex((line, at) => at > start && /^##?\s/.test(line));
  const end = next < 0 ? lines.length : next;
  return { path, start_line: start + 1, end_line: end, text: lines.slice(start, end).join('\n').trim() };
}
