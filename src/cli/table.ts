// Lists for a terminal: a header, columns, short ids, local time.

import { stripVTControlCharacters } from 'node:util';
import { ACTION_WORDS, Fault, visible } from '../protocol/plain.ts';
import { paint } from './terminal-text.ts';

/** The end of an id is unique; its beginning is only the time. Commands take the end alone. */
export const shortId = (id: string): string => (id.length <= 14 ? id : `${id.slice(0, id.indexOf('_') + 1)}…${id.slice(-6)}`);

const widthOf = (text: string): number => stripVTControlCharacters(text).length;

/** The last column is as wide as its text. */
export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((name, at) => Math.max(name.length, ...rows.map((row) => widthOf(row[at] ?? ''))));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => (at === header.length - 1 ? cell : cell + ' '.repeat(widths[at]! - widthOf(cell))))
      .join('  ')
      .trimEnd();
  return [paint('dim', line(header)), ...rows.map(line)].join('\n');
}

export interface ListFilter {
  readonly limit: number;
  readonly all?: boolean;
  readonly since?: string;
  readonly intent?: string;
  readonly agent?: string;
  readonly path?: string;
  readonly tool?: string;
  readonly status?: string;
  /** Also the steps that one call of a tool consists of, and those of the gate in a turn. */
  readonly steps?: boolean;
}

interface Filtered {
  readonly at: string;
  readonly intent: string | null;
  readonly agent: string;
  /** Whatever may hold a path. */
  readonly about: readonly string[];
  /** As the agent calls it, and as the registry does. */
  readonly tool: string;
  readonly tool_id?: string;
  readonly word: string;
}

/** As many as the daemon returns at once. */
const MOST = 1000;

/** Enough for as many calls, with their steps. */
const STEPS_OF_A_CALL = 5;

/** With a filter, an empty list says nothing of what else there is. */
export const isFiltered = ({ limit: _limit, all: _all, steps: _steps, ...wanted }: ListFilter): boolean =>
  Object.values(wanted).some((each) => each !== undefined);

/** With a filter, all that the daemon has at hand is looked through, and the limit is for what fits. */
export const asked = (filter: ListFilter): number =>
  isFiltered(filter) ? MOST : filter.steps ? filter.limit : Math.min(MOST, filter.limit * STEPS_OF_A_CALL);

export function filterBy<T>(
  rows: readonly T[],
  { limit, since, intent, agent, path, tool, status }: ListFilter,
  facts: (row: T) => Filtered,
  words: readonly string[] = ACTION_WORDS,
): T[] {
  if (status !== undefined && !words.includes(status))
    throw new Fault('BAD_REQUEST', `${visible(status)} is not a state of these.`, { fix: `Name one of ${words.join(', ')}` });
  const from = since === undefined ? null : instantOf(since);
  const fits = (row: T) => {
    const { at, ...known } = facts(row);
    return (
      (from === null || Date.parse(at) >= from) &&
      (intent === undefined || known.intent === intent) &&
      (agent === undefined || known.agent === agent) &&
      (path === undefined || known.about.some((each) => each.includes(path))) &&
      (tool === undefined || known.tool === tool || known.tool_id === tool) &&
      (status === undefined || known.word === status)
    );
  };
  return rows.filter(fits).slice(0, limit);
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000 };

/** `2h` before now, or a date. */
export function instantOf(text: string, now = Date.now()): number {
  const [, count, unit] = /^([1-9][0-9]{0,4})([mhd])$/.exec(text) ?? [];
  const at = count !== undefined && unit !== undefined ? now - Number(count) * UNITS[unit]! : Date.parse(text);
  if (Number.isNaN(at)) throw new Fault('BAD_REQUEST', `${visible(text)} is not a time.`, { fix: 'Say it as 30m, 2h, 1d or 2026-11-17' });
  return at;
}

export const stepsText = (steps: number): string => (steps === 0 ? '' : paint('dim', `(${steps} ${steps === 1 ? 'step' : 'steps'})`));
