// The rows of blame: consecutive lines with the same origin are one row, and the origin is given in words.

import type { BlameRow } from '../protocol/index.ts';
import type { LineOrigin } from './line-history.ts';

/** What a row says about the origin of its lines, without the lines and the file's name at that time. */
export type BlameOrigin = Omit<BlameRow, 'start_line' | 'end_line' | 'path'>;

export const NO_AUTHOR = {
  intent: null,
  intent_name: null,
  receipt_id: null,
  action: null,
  agent: null,
  model: null,
  session: null,
  conversation: null,
  at: null,
  tool: null,
  candidates: [],
} as const;

export const unreceipted = (note: string): BlameOrigin => ({ ...NO_AUTHOR, candidates: [], origin: 'untracked', note });

export function unreceiptedBetween(earlier: BlameOrigin | null, later: BlameOrigin | null): BlameOrigin {
  const place = (origin: BlameOrigin | null, other: string) => origin?.receipt_id ?? origin?.at ?? other;
  return unreceipted(`Changed between ${place(earlier, 'the beginning')} and ${place(later, 'now')}, and by whom is unknown.`);
}

/** One row for lines that follow each other and have the same origin. */
export function blameRows(origins: readonly LineOrigin<BlameOrigin>[]): BlameRow[] {
  const rows: BlameRow[] = [];
  let last: LineOrigin<BlameOrigin> | null = null;
  origins.forEach((origin, at) => {
    const row = rows.at(-1);
    if (row && isSame(origin, last)) row.end_line = at + 1;
    else rows.push({ start_line: at + 1, end_line: at + 1, ...described(origin) });
    last = origin;
  });
  return rows;
}

function isSame(one: LineOrigin<BlameOrigin>, other: LineOrigin<BlameOrigin> | null): boolean {
  const also = other?.among ?? [];
  return (
    one.among.length === also.length && one.among.every(({ origin, path }, at) => origin === also[at]?.origin && path === also[at].path)
  );
}

function described({ among }: LineOrigin<BlameOrigin>): BlameOrigin & { path: string } {
  const [only, ...more] = among;
  if (only && more.length === 0) return { ...only.origin, path: only.path };
  const candidates = among.flatMap(({ origin }) => (origin.action === null ? origin.candidates : [origin.action]));
  const others = among.filter(({ origin }) => origin.action === null && origin.candidates.length === 0);
  const note = `It may come from ${among.length} places${others.length > 0 ? `, ${others.length} of them without a receipt` : ''}.`;
  return { ...NO_AUTHOR, candidates: [...new Set(candidates)], origin: 'ambiguous', note, path: only?.path ?? '' };
}
