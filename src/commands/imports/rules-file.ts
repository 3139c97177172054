// Files of instructions for agents, as drafts of constraints: items that say what must or must not be. Explanatory prose is skipped:
// an unintended rule is worse than one that a human adds by hand.

import { oneLine, type RuleDraft } from './draft.ts';

/** Files of nothing but rules: every item counts. */
const ONLY_RULES = /(?:^|\/)\.(?:cursorrules|windsurfrules|clinerules)$|\.mdc$|(?:^|\/)constitution\.md$/;
const NORMATIVE =
  /\b(?:must|never|always|do not|don['’]t|shall|should|avoid|prefer|forbidden|required?|only|ensure|instead of|not allowed|no)\b/i;
const RULES_HEADING =
  /\b(?:rules?|conventions?|guidelines?|standards?|constraints?|principles?|polic(?:y|ies)|style|do not|don['’]ts?|never|always)\b/i;
const ITEM = /^\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?(?<text>\S.*)$/;
const FENCE = /^\s*(?:```|~~~)/;
const MAX_STATEMENT_LENGTH = 1_000;
const MIN_WORDS = 3;

export function readRules(file: string, text: string): RuleDraft[] {
  const all = ONLY_RULES.test(file);
  const rules = new Map<string, RuleDraft>();
  for (const { text: item, start_line, end_line, below } of itemsIn(text)) {
    const statement = oneLine(plain(item), MAX_STATEMENT_LENGTH);
    const isRule = all || NORMATIVE.test(statement) || RULES_HEADING.test(below);
    const isSentence = statement.split(' ').length >= MIN_WORDS && !statement.endsWith(':');
    if (isRule && isSentence && !rules.has(statement)) rules.set(statement, { statement, start_line, end_line });
  }
  return [...rules.values()];
}

interface Item extends Omit<RuleDraft, 'statement'> {
  readonly text: string;
  /** The heading above it. */
  readonly below: string;
}

/** List items with their continuation lines; nothing from code, comments, front matter or the gate's own block. */
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
    const isText = was === null && hidden === null && !/^\s*<!--.*-->\s*$/.test(raw);
    const item = isText ? ITEM.exec(raw)?.groups?.['text'] : undefined;
    const last = items.at(-1);
    if (isText && /^#{1,6}\s/.test(raw)) heading = raw.replace(/^#+\s*/, '');
    if (item !== undefined) items.push({ text: item, start_line: number, end_line: number, below: heading });
    else if (isText && isOpen && last && /^\s+\S/.test(raw))
      items[items.length - 1] = { ...last, text: `${last.text} ${raw.trim()}`, end_line: number };
    isOpen = item !== undefined || (isOpen && isText && /^\s+\S/.test(raw));
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
