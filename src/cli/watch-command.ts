// `countersign watch`: what waits, live, in a terminal of the human's own; one key answers.

import type { InboxItem, StreamEvent } from '../protocol/index.ts';
import { Refused } from '../client/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import { answerItem } from './answer-commands.ts';
import type { CommandContext } from './command-context.ts';
import { inboxText } from './inbox-text.ts';
import { localTime } from './local-time.ts';
import { violationWord } from './violation-commands.ts';
import { type WatchAct, WatchScreen } from './watch-screen.ts';

const TOPICS: readonly StreamEvent['topic'][] = ['approval', 'intent', 'workspace'];
/** Several events of one call come together. */
const SETTLE_MS = 30;
/** Rules and edits of settings have no event of their own. */
const LOOK_EVERY_MS = 5_000;
const RETRY_MS = 500;
const REFUSED_WITHIN_MS = 15 * 60_000;
const [ENTER_SCREEN, LEAVE_SCREEN] = ['\u001b[?1049h\u001b[?25l', '\u001b[?25h\u001b[?1049l'];
const [HOME, CLEAR_LINE, CLEAR_BELOW, BELL] = ['\u001b[H', '\u001b[K', '\u001b[J', '\u0007'];

export interface WatchOptions {
  readonly all: boolean;
  /** Rings the terminal's bell for each new item. Undefined: as the settings here say. */
  readonly bell: boolean | undefined;
}

export async function watch(context: CommandContext, { all, bell }: WatchOptions): Promise<void> {
  const where = all ? {} : { cwd: context.cwd };
  const rings = bell ?? (await bellIsSet(context));
  if (!process.stdin.isTTY || !process.stdout.isTTY || context.json) return watchAsLines(context, where);
  const ended = new AbortController();
  const defects: unknown[] = [];
  const fail = (error: unknown) => {
    defects.push(error);
    ended.abort();
  };
  const screen = new WatchScreen();
  const terminal = new RawTerminal(() => screen.lines(terminal.size()));
  context.signal.addEventListener('abort', () => ended.abort());
  process.once('SIGTERM', () => ended.abort());

  const refresh = async () => {
    const { items, note } = await whatWaits(context, where);
    screen.note = note;
    screen.refused = await lastRefused(context, where);
    if (screen.show(items).length > 0 && rings) terminal.write(BELL);
    terminal.draw();
  };
  terminal.open((key) => {
    const wanted = screen.press(key, terminal.size());
    terminal.draw();
    if (wanted?.act === 'leave') ended.abort();
    else if (wanted) answerInTurn(wanted).catch(fail);
  });
  // One at a time: what is typed for one question must not answer the next.
  const answerInTurn = async (wanted: Exclude<WatchAct, { act: 'leave' }>) => {
    await terminal.suspended(async () => {
      screen.message = await answered(context, wanted);
    });
    await refresh().catch(() => {});
  };
  try {
    await refresh();
    await followInbox(context, refresh, ended.signal, () => {
      screen.note = 'The daemon has ended; the next one is shown here.';
      terminal.draw();
    });
  } finally {
    terminal.close();
  }
  if (defects.length > 0) throw new Error('An answer failed', { cause: defects[0] });
}

async function bellIsSet({ client, cwd }: CommandContext): Promise<boolean> {
  const { settings } = await client.ask('settings', { cwd });
  return settings.some(({ key, value }) => key === 'notify.bell' && value === true);
}

async function whatWaits({ client }: CommandContext, where: { cwd?: string }): Promise<{ items: InboxItem[]; note: string }> {
  const [items, { workspaces, waiting_elsewhere = 0 }] = await Promise.all([client.ask('inbox', where), client.ask('status', where)]);
  const paused = workspaces.flatMap(({ paused: pause }) => (pause ? [pause] : []));
  const pauses = paused.map(({ until }) => `PAUSED${until === null ? '' : ` until ${localTime(until)}`}: new calls are not stopped.`);
  const elsewhere = waiting_elsewhere > 0 ? [`${waiting_elsewhere} in other workspaces: countersign watch --all`] : [];
  return { items, note: [...new Set([...pauses, ...elsewhere])].join('  ') };
}

/** Of the last minutes; empty: nothing was. */
async function lastRefused({ client }: CommandContext, where: { cwd?: string }): Promise<string> {
  const rows = await client.ask('violations', { ...where, limit: 20 });
  const row = rows.find((each) => violationWord(each) === 'refused');
  if (!row || Date.now() - Date.parse(row.at) > REFUSED_WITHIN_MS) return '';
  const subject = row.subject === '' ? '' : `: ${visible(row.subject)}`;
  return `last refused ${localTime(row.at)}  ${visible(row.agent)} ${visible(row.tool)}${subject}  ${row.code}  ${visible(row.message)}`;
}

/** What the terminal says afterwards. */
async function answered(context: CommandContext, wanted: Exclude<WatchAct, { act: 'leave' }>): Promise<string> {
  const said: string[] = [];
  const quiet: CommandContext = { ...context, print: (text) => said.push(text), say: () => {} };
  try {
    const { item } = wanted;
    const verb = wanted.act === 'ask' ? wanted.verb : wanted.act;
    const words = wanted.act === 'ask' ? await typed(verb) : wanted.words;
    if (words === null) return 'Nothing was answered.';
    await answerItem(quiet, item, verb, words);
    return said.join(' ').replaceAll('\n', ' ');
  } catch (error) {
    if (!(error instanceof Fault || error instanceof Refused)) throw error;
    return [error.message.replace(/^(?!Not done)/, 'Not done: '), error.fix].filter(Boolean).join(' ');
  }
}

/** Null: the human left. */
async function typed(verb: 'approve' | 'reject'): Promise<string | null> {
  const { ask } = await import('../install/confirm.ts');
  return (await ask(verb === 'approve' ? 'Your answer: ' : 'Reason, for the agent: ')) || null;
}

/** Without a terminal to draw on: each item once, as it comes. */
async function watchAsLines(context: CommandContext, where: { cwd?: string }): Promise<void> {
  const screen = new WatchScreen();
  const refresh = async () => {
    const { items } = await whatWaits(context, where);
    for (const item of screen.show(items)) context.print(context.json ? JSON.stringify(item) : `${inboxText(item)}\n`);
  };
  await refresh();
  await followInbox(context, refresh, context.signal, () => context.say('The daemon has ended. What the next one asks is shown here.'));
}

/** A daemon that a human stopped stays stopped: it waits for the next one, and starts none. */
async function followInbox(
  { client }: CommandContext,
  refresh: () => Promise<void>,
  signal: AbortSignal,
  onLost: () => void,
): Promise<void> {
  let soon: NodeJS.Timeout | null = null;
  let running = Promise.resolve();
  const look = () => {
    soon ??= setTimeout(() => {
      soon = null;
      // While no daemon runs there is nothing to fetch; the next connection looks again.
      running = running.then(async () => (await client.isAlive()) && refresh()).then(ignore, ignore);
    }, SETTLE_MS);
  };
  const timer = setInterval(look, LOOK_EVERY_MS);
  try {
    await client.followAgain({ onJoined: look, onEvent: (topic) => TOPICS.includes(topic) && look(), onLost }, signal, RETRY_MS);
  } finally {
    clearInterval(timer);
    if (soon) clearTimeout(soon);
    await running;
  }
}

const ignore = (): void => {};

/** The human's terminal in raw mode, on a screen of its own; always given back as it was. */
class RawTerminal {
  private isOpen = false;
  private onKey: (key: string) => void = ignore;
  private readonly lines: () => readonly string[];
  private readonly redraw = () => this.draw();
  private readonly onData = (text: string) => {
    // eslint-disable-next-line no-control-regex -- a terminal's keys are control sequences
    const keys = text.match(/\u001b\[[0-9]*[A-Z~]|[^]/gu) ?? [];
    // What was typed ahead, behind a key that answers, is for no question that anybody has read.
    for (const key of keys) if (this.isOpen) this.onKey(key);
  };

  constructor(lines: () => readonly string[]) {
    this.lines = lines;
  }

  size(): { columns: number; rows: number } {
    return { columns: process.stdout.columns || 80, rows: process.stdout.rows || 24 };
  }

  open(onKey: (key: string) => void): void {
    this.onKey = onKey;
    this.isOpen = true;
    process.stdin.setEncoding('utf8').setRawMode(true).on('data', this.onData).resume();
    process.stdout.on('resize', this.redraw);
    this.write(ENTER_SCREEN);
    this.draw();
  }

  write(text: string): void {
    process.stdout.write(text);
  }

  draw(): void {
    if (this.isOpen)
      this.write(
        `${HOME}${this.lines()
          .map((line) => `${line}${CLEAR_LINE}`)
          .join('\r\n')}${CLEAR_BELOW}`,
      );
  }

  /** The ordinary terminal, for as long as the work asks something on it. */
  async suspended(work: () => Promise<void>): Promise<void> {
    this.close();
    try {
      await work();
    } finally {
      this.open(this.onKey);
    }
  }

  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    process.stdin.off('data', this.onData).pause().setRawMode(false);
    process.stdout.off('resize', this.redraw);
    this.write(LEAVE_SCREEN);
  }
}
