// The screen of `countersign watch`, as text and keys: what is drawn, and what a key means. No terminal, no daemon.
//
// INVARIANT: a key answers only what stands on the screen, whole, and stood there long enough to be read: not what came up under the finger.

import { stripVTControlCharacters } from 'node:util';
import type { InboxItem } from '../protocol/index.ts';
import { inboxLines, inboxText } from './inbox-text.ts';
import { askedIn } from './question.ts';
import { paint } from './terminal-text.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export type WatchAct =
  | { readonly act: 'approve' | 'reject'; readonly item: InboxItem; readonly words?: string }
  /** The words are still to be asked for. */
  | { readonly act: 'ask'; readonly item: InboxItem; readonly verb: 'approve' | 'reject' }
  | { readonly act: 'leave' };

/** An item that took its place by itself counts as read after this. */
const READ_MS = 500;
/** More of the list would leave no room for the question itself. */
const LISTED = 6;

export class WatchScreen {
  /** Said above the keys, whole, until the next key. */
  message = '';
  /** Beside the number of what waits: a pause, a daemon that has ended. */
  note = '';
  /** What was refused last: an agent's own screen does not always say why. */
  refused = '';
  private items: readonly InboxItem[] = [];
  private selected: string | null = null;
  private cameUpAt = 0;
  private scrolled = 0;
  private seenTo = 0;
  private readonly now: () => number;

  constructor(now: () => number = Date.now) {
    this.now = now;
  }

  /** Returns what was not there before. */
  show(items: readonly InboxItem[]): readonly InboxItem[] {
    const known = new Set(this.items.map(keyOf));
    this.items = items;
    if (!this.current()) this.select(items[0], true);
    return items.filter((item) => !known.has(keyOf(item)));
  }

  /** One character, or one escape sequence, as a terminal in raw mode sends it. */
  press(key: string, size: Size): WatchAct | null {
    this.message = '';
    if (key === 'q' || key === '\u0003' || key === '\u0004') return { act: 'leave' };
    if (key === 'j' || key === '\u001b[B') return this.move(1);
    if (key === 'k' || key === '\u001b[A') return this.move(-1);
    const item = this.current();
    if (!item) return null;
    const most = Math.max(0, this.detail(item, size).length - roomFor(this.items.length, size));
    if (key === ' ' || key === '\u001b[6~')
      this.scrolled = Math.min(most, this.scrolled + Math.max(1, roomFor(this.items.length, size) - 1));
    else if (key === 'b' || key === '\u001b[5~') this.scrolled = Math.max(0, this.scrolled - roomFor(this.items.length, size) + 1);
    else return this.answer(key, item, most);
    return null;
  }

  lines(size: Size): string[] {
    const count = this.items.length;
    const title = `${paint('bold', 'Countersign')}  ${count === 0 ? 'nothing waits for you' : `${count} ${count === 1 ? 'waits' : 'wait'} for you`}`;
    const item = this.current();
    const head = this.note === '' ? title : `${title}  ${paint('yellow', this.note)}`;
    const said = this.message === '' ? [] : wrapped(this.message, widthIn(size)).map((line) => paint('yellow', line));
    const refused = this.refused === '' ? [] : wrapped(this.refused, widthIn(size)).map((line) => paint('red', line));
    if (!item) return [head, '', ...refused, ...said, footer(null)].map((line) => cutTo(line, size));
    const at = this.items.indexOf(item);
    const from = Math.max(0, Math.min(at - LISTED + 1, count - LISTED));
    const listed = this.items.slice(from, from + LISTED);
    const room = Math.max(1, roomFor(count, size) - said.length);
    const detail = this.detail(item, size);
    this.scrolled = Math.min(this.scrolled, Math.max(0, detail.length - room));
    this.seenTo = Math.max(this.seenTo, this.scrolled + room);
    const below = detail.length - this.scrolled - room;
    return [
      head,
      ...listed.map((each) => `${each === item ? paint('bold', '▸') : ' '} ${inboxLines(each)[0]}`),
      paint('dim', '-'.repeat(Math.max(1, size.columns - 1))),
      ...detail.slice(this.scrolled, this.scrolled + room),
      below > 0 ? paint('yellow', `  … ${below} more ${below === 1 ? 'line' : 'lines'}: space`) : '',
      ...said,
      footer(item),
    ].map((line) => cutTo(line, size));
  }

  private current(): InboxItem | undefined {
    return this.items.find((item) => keyOf(item) === this.selected);
  }

  private select(item: InboxItem | undefined, byItself: boolean): void {
    this.selected = item ? keyOf(item) : null;
    this.cameUpAt = byItself ? this.now() : 0;
    this.scrolled = 0;
    this.seenTo = 0;
  }

  private move(by: 1 | -1): null {
    const at = this.items.findIndex((item) => keyOf(item) === this.selected);
    const next = this.items[Math.max(0, Math.min(this.items.length - 1, at + by))];
    if (next && keyOf(next) !== this.selected) this.select(next, false);
    return null;
  }

  private answer(key: string, item: InboxItem, most: number): WatchAct | null {
    const options = optionsOf(item);
    const chosen = options?.[Number(key) - 1];
    const isAnswer = ['y', 'n', 'r'].includes(key) || (options !== null && (key === 'a' || chosen !== undefined));
    if (!isAnswer) return null;
    if (this.now() - this.cameUpAt < READ_MS) return this.say('This one has only just come up: read it, then press again.');
    const isYes = key !== 'n' && key !== 'r';
    if (isYes && this.scrolled < most && this.seenTo < most) return this.say('There is more of it: space shows the rest.');
    if (key === 'n') return { act: 'reject', item };
    if (key === 'r') return { act: 'ask', item, verb: 'reject' };
    if (chosen !== undefined) return { act: 'approve', item, words: chosen };
    if (options !== null && options.length > 0) return this.say(`Choose one of the options: 1 to ${options.length}.`);
    return options !== null ? { act: 'ask', item, verb: 'approve' } : { act: 'approve', item };
  }

  private say(message: string): null {
    this.message = message;
    return null;
  }

  private detail(item: InboxItem, size: Size): string[] {
    return inboxText(item)
      .split('\n')
      .flatMap((line) => wrapped(line, widthIn(size)));
  }
}

/** An edit that changed again is another question under the same id. */
const keyOf = ({ kind, id, root, proposal, edit }: InboxItem): string =>
  [kind, id, root, proposal?.sha256 ?? edit?.sha256 ?? ''].join('\n');

/** Null: no question of an agent; empty: one that is answered in words. */
function optionsOf({ approval }: InboxItem): readonly string[] | null {
  const asked = approval ? askedIn(approval) : null;
  return asked?.kind === 'question' ? asked.options : null;
}

const widthIn = ({ columns }: Size): number => Math.max(20, columns - 1);

/** Title, rule, what is left, keys. */
const roomFor = (count: number, { rows }: Size): number => Math.max(3, rows - 4 - Math.min(count, LISTED));

function footer(item: InboxItem | null): string {
  const options = item ? optionsOf(item) : null;
  const answers =
    item === null
      ? []
      : options === null
        ? ['y approve', 'n reject', 'r reject with a reason']
        : [options.length > 0 ? `1-${options.length} choose` : 'a answer', 'n reject', 'r reject with a reason'];
  return paint('dim', [...answers, ...(item ? ['↑↓ select'] : []), 'q quit'].join('   '));
}

/** What is not ASCII may take two columns: a line that is too long would push the question out of sight. */
const columnsOf = (text: string): number => Array.from(text).reduce((sum, character) => sum + (character <= '~' ? 1 : 2), 0);

function wrapped(painted: string, width: number): string[] {
  const text = stripVTControlCharacters(painted);
  if (columnsOf(text) <= width) return [painted];
  const lines: string[] = [];
  let line = '';
  for (const character of text) {
    if (columnsOf(line) + columnsOf(character) > width) {
      lines.push(line);
      line = '    ';
    }
    line += character;
  }
  return [...lines, line];
}

/** Lists and titles may be cut; the question itself was wrapped before. */
function cutTo(painted: string, { columns }: Size): string {
  if (columnsOf(stripVTControlCharacters(painted)) < columns) return painted;
  let line = '';
  for (const character of stripVTControlCharacters(painted)) {
    if (columnsOf(line) + columnsOf(character) >= columns - 1) return `${line}…`;
    line += character;
  }
  return line;
}
