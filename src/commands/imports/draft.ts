// What a reader makes of a foreign file: drafts, not grants. A human confirms each before it counts.

import { Fault } from '../../protocol/index.ts';

export interface IntentDraft {
  readonly name: string;
  /** Where it comes from, such as `#12` or `PAY-7`. */
  readonly source: string;
  /** The whole text, in which paths are looked for. */
  readonly text: string;
  readonly constraints: readonly string[];
  readonly acceptance_criteria: readonly string[];
  /** Done, closed or cancelled where it comes from. */
  readonly closed: boolean;
}

export interface RuleDraft {
  readonly statement: string;
  readonly start_line: number;
  readonly end_line: number;
}

/** A pattern of commands to allow. */
export interface CommandRule {
  readonly pattern: string;
  readonly line: number;
}

/** Something in the file that is not taken over. `line` null: the file has no lines of its own, such as an issue. */
export interface LeftOut {
  readonly line: number | null;
  readonly text: string;
  /** Completes the sentence "left out: …". */
  readonly why: string;
}

export interface Drafts {
  readonly intents: readonly IntentDraft[];
  readonly rules: readonly RuleDraft[];
  readonly commandRules: readonly CommandRule[];
  readonly leftOut: readonly LeftOut[];
}

export const NOTHING: Drafts = { intents: [], rules: [], commandRules: [], leftOut: [] };

/** As an intent holds them. */
export const LIMITS = { name: 200, line: 500, lines: 50, drafts: 1000 } as const;

/** One line of plain text, cut to what an intent holds. */
export function oneLine(text: string, most: number = LIMITS.line): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
  return line.length <= most
    ? line
    : `${line
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

export const someLines = (lines: readonly string[]): string[] =>
  [...new Set(lines.map((line) => oneLine(line)).filter((line) => line !== ''))].slice(0, LIMITS.lines);

export const invalid = (file: string, line: number, what: string): Fault =>
  new Fault('DOCUMENT_INVALID', `${file}:${line}: ${what}`, { fix: 'Fix it, or export it again; nothing of it was taken over' });

export function intentDraft(found: Omit<IntentDraft, 'constraints' | 'acceptance_criteria'> & Partial<IntentDraft>): IntentDraft {
  return {
    ...found,
    name: oneLine(found.name, LIMITS.name),
    constraints: someLines(found.constraints ?? []),
    acceptance_criteria: someLines(found.acceptance_criteria ?? criteriaIn(found.text)),
  };
}

const CRITERIA_HEADING = /^(?:#{1,6}\s*|\*\*|h[1-6]\.\s*)?(?:acceptance criteria|definition of done|done when)\b/i;
const ANY_HEADING = /^(?:#{1,6}\s|h[1-6]\.\s|\*\*[^*]+\*\*:?\s*$)/;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?<text>.+)$/;
const CHECKBOX = /^\s*[-*+]\s+\[[ xX]\]\s+(?<text>.+)$/;

/** Checkboxes anywhere, and the items below a heading for acceptance criteria. */
export function criteriaIn(text: string): string[] {
  const found: string[] = [];
  let isBelow = false;
  for (const line of text.split(/\r?\n/)) {
    if (CRITERIA_HEADING.test(line.trim())) isBelow = true;
    else if (ANY_HEADING.test(line.trim())) isBelow = false;
    const item = (isBelow ? ITEM : CHECKBOX).exec(line)?.groups?.['text'];
    if (item !== undefined) found.push(item);
  }
  return found;
}
