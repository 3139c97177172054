// What changed in a text, for an agent that still knows the old one: the lines as they are now, where they differ.

import { changedRanges } from './changes.ts';

const MAX_LINES = 60;
const MAX_CHARACTERS = 4_000;

export function changedText(before: Uint8Array, after: Uint8Array): string {
  const lines = new TextDecoder().decode(after).split('\n');
  const ranges = changedRanges(before, after);
  if (ranges.length === 0) return 'Lines were removed; nothing was added.';
  let room = MAX_LINES;
  const shown = ranges.flatMap(({ start_line, end_line }) => {
    const last = Math.min(end_line, start_line + room - 1);
    room -= last - start_line + 1;
    if (last < start_line) return [];
    const head = start_line === end_line ? `Line ${start_line} now reads:` : `Lines ${start_line} to ${end_line} now read:`;
    return [head, ...lines.slice(start_line - 1, last).map((line) => `+ ${line}`), ...(last < end_line ? ['…'] : [])];
  });
  return shown.join('\n').slice(0, MAX_CHARACTERS).toWellFormed();
}
