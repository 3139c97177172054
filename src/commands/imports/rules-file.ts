// Files of instructions for agents, as drafts of constraints: list items and sentences that say what must or must not be. Explanatory
// prose is left out, and the result says which lines: an unintended rule is worse than one that a human adds by hand.

import { type Drafts, type LeftOut, LIMITS, oneLine, type RuleDraft } from './draft.ts';

/** Files of nothing but rules: every item counts. */
const ONLY_RULES = /(?:^|\/)\.(?:cursorrules|windsurfrules|clinerules)$|\.mdc$|(?:^|\/)constitution\.md$/;
const NORMATIVE =
  /\b(?:must|never|always|do not|don['’]t|shall|should|avoid|prefer|forbidden|required?|only|ensure|instead of|not allowed|no)\b/i;
/** In prose, `no`, `only` and the like rarely make a rule. */
const NORMATIVE_PROSE = /\b(?:must|never|always|do not|don['’]t|shall|should|avoid|prefer|forbidden|not allowed)\b/i;
const RULES_HEADING =
  /\b(?:rules?|conventions?|guidelines?|standards?|constraints?|principles?|polic(?:y|ies)|style|do not|don['’]ts?|never|always)\b/i;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?<text>\S.*)$/;
const FENCE = /^\s*(?:```|~~~)/;
/** A row of a table, or a line without a word. */
const NO_PROSE = /^\s*\||^[^\p{L}]+$/u;
const MAX_STATEMENT_LENGTH = 1_000;
const SHOWN_LENGTH = 100;
const MIN_WORDS = 3;

export function readRules(file: string, text: string): Pick<Drafts, 'rules' | 'leftOut'> {
  const all = ONLY_RULES.test(file);
  const rules = new Map<string, RuleDraft>();
  const leftOut: LeftOut[] = [];
  for (const { text: item, start_line, end_line, below, isListed } of itemsIn(text)) {
    const statement = oneLine(plain(item), MAX_STATEMENT_LENGTH);
    const isRule = all || (isListed ? NORMATIVE : NORMATIVE_PROSE).test(statement) || RULES_HEADING.test(below);
    const earlier = rules.get(statement);
    const why = statement.endsWith(':')
      ? 'it only introduces what follows'
      : statement.split(' ').length < MIN_WORDS
        ? 'it is too short for a rule'
        : !isRule
          ? 'it does not say what must or must not be'
          : earlier
            ? `it repeats line ${earlier.start_line}`
            : null;
    if (why === null) rules.set(statement, { statement, start_line, end_line });
    else leftOut.push({ line: start_line, text: oneLine(statement, SHOWN_LENGTH), why });
  }
  const more = leftOut.splice(LIMITS.drafts);
  if (more[0]) leftOut.push({ ...more[0], why: `${more[0].why}; ${more.length - 1} later ones are not listed` });
  return { rules: [...rules.values()], leftOut };
}

interface Item extends Omit<RuleDraft, 'statement'> {
  readonly text: string;
  /** The heading above it. */
  readonly below: string;
  /** False: a line of prose. */
  readonly isListed: boolean;
}

/** List items with their continuation lines, and sentences of prose; nothing from code, comments, front matter or the gate's own block. */
function itemsIn(text: string): Item[] {
  const items: Item[] = [];
  let heading = '';
  let isOpen = false;
  let hidden: Hidden = null;
  for (const [index, raw] of text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .entries()) {
    const number = index + 1;
    const was = hidden;
    hidden = hiddenAt(raw, number, hidden);
    const isText = was === null && hidden === null && !/^\s*<!--.*-->\s*$/.test(raw) && !NO_PROSE.test(raw);
    const item = isText ? ITEM.exec(raw)?.groups?.['text'] : undefined;
    const last = items.at(-1);
    const isHeading = isText && /^#{1,6}\s/.test(raw);
    if (isHeading) heading = raw.replace(/^#+\s*/, '');
    const isProse = isText && !isHeading && raw.trim() !== '';
    const goesOn = isOpen && last !== undefined && (last.isListed ? /^\s+\S/.test(raw) : !/[.!?:]$/.test(last.text));
    if (item !== undefined) items.push({ text: item, start_line: number, end_line: number, below: heading, isListed: true });
    else if (isProse && goesOn) items[items.length - 1] = { ...last, text: `${last.text} ${raw.trim()}`, end_line: number };
    else if (isProse) items.push({ text: raw.trim(), start_line: number, end_line: number, below: heading, isListed: false });
    isOpen = isProse;
  }
  return items;
}

type Hidden = 'fence' | 'comment' | 'matter' | 'gate' | null;

/** What kind of hidden block this line leaves open; the line that closes the block is hidden too. */
function hiddenAt(line: string, number: number, now: Hidden): Hidden {
  if (now === 'fence') return FENCE.test(line) ? null : now;
  if (now === 'matter') return line === '---' ? null : now;
  if (now === 'gate') return /<!--[ \t]*countersign:end\b/.test(line) ? null : now;
  if (now === 'comment') return line.includes('-->') ? null : now;
  if (/<!--[ \t]*countersign:begin\b/.test(line)) return 'gate';
  if (number === 1 && line === '---') return 'matter';
  if (FENCE.test(line)) return 'fence';
  return line.includes('<!--') && !line.includes('-->') ? 'comment' : null;
}

const plain = (text: string): string =>
  text
    .replaceAll(/\*\*(.+?)\*\*/g, '$1')
    .replaceAll(/__(.+?)__/g, '$1')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1');
