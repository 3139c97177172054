// Which lessons apply to files. The read side only: how lessons come to be and end is not decided here.

import type { ActiveMemory, Lesson } from '../protocol/index.ts';

const WHOLE_TREE = '.';
const folderOf = (anchor: string): string => (anchor.startsWith('anchor:') ? anchor.slice('anchor:'.length) : anchor);

/** Pending ones wait for a human or their time; rejected and expired ones are over. */
export const isActive = ({ state }: Lesson): boolean => state === 'provisional' || state === 'approved';

export interface AppliedLesson {
  readonly lesson: Lesson;
  /** The nearest of its folders; null: it names none, so it applies everywhere. */
  readonly anchor: string | null;
  /** Those of the given files that are in it. */
  readonly files: readonly string[];
}

/** Active lessons about folders of these files: the most specific first, then by id. */
export function lessonsFor(lessons: readonly Lesson[], files: readonly string[]): readonly AppliedLesson[] {
  return lessons
    .filter(isActive)
    .flatMap((lesson): readonly AppliedLesson[] => {
      const folders = lesson.domainAnchorIds.map(folderOf);
      if (folders.length === 0) return [{ lesson, anchor: null, files }];
      const held = folders
        .map((folder) => ({ folder, files: files.filter((file) => isBelow(file, folder)) }))
        .filter((each) => each.files.length > 0)
        .toSorted((a, b) => depthOf(b.folder) - depthOf(a.folder));
      const [nearest] = held;
      return nearest
        ? [{ lesson, anchor: nearest.folder, files: files.filter((file) => held.some((each) => each.files.includes(file))) }]
        : [];
    })
    .toSorted((a, b) => depthOf(b.anchor) - depthOf(a.anchor) || (a.lesson.id < b.lesson.id ? -1 : 1));
}

/** What a context pack says of it. */
export function activeMemory({ lesson }: AppliedLesson): ActiveMemory {
  const { id, enforcementType, trigger, phase, state, domainAnchorIds, rejectionCodes, fewShot, planRule, strategySignal, note } = lesson;
  return {
    ...{ id, enforcementType, trigger, phase, state, domainAnchorIds, rejectionCodes },
    ...(fewShot ? { fewShot } : {}),
    ...(planRule ? { planRule } : {}),
    ...(strategySignal ? { strategySignal } : {}),
    ...(note === undefined ? {} : { note }),
  };
}

const isBelow = (file: string, folder: string): boolean => folder === WHOLE_TREE || file === folder || file.startsWith(`${folder}/`);
const depthOf = (folder: string | null): number => (folder === null ? -1 : folder === WHOLE_TREE ? 0 : folder.split('/').length);
