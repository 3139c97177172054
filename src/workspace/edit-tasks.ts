// Changes to the text of `tinyTasks.md`.
//
// INVARIANT: only the bytes of the change differ; all others stay, in their order. The result is read again before it is
// returned, and every task that was there is found in it with the id it had.

import { isDeepStrictEqual } from 'node:util';
import { Fault, type Task, type TaskList } from '../protocol/index.ts';
import { DOCUMENT_MAX_BYTES } from './document.ts';
import type { Line } from './task-lines.ts';
import {
  currentOf,
  type NamedIntent,
  ownListOf,
  parseTasks,
  readTasksDocument,
  taskListFor,
  type TaskEntry,
  type TaskSection,
  type TasksDocument,
} from './tasks-document.ts';
import { UNWRITABLE } from './unwritable.ts';
import { TASKS_FILE } from './own-files.ts';

export interface NewTasks {
  readonly intent: NamedIntent | null;
  /** One line each. */
  readonly titles: readonly string[];
  /** The id of the top-level task that they become parts of; without it they go to the end of the intent's list. */
  readonly under?: string;
  /** For the heading of a new list without an intent. */
  readonly goal?: string;
}

/** `text` is null when there is no file yet. */
export function addTasks(text: string | null, to: NewTasks): { text: string; added: Task[] } {
  const titles = to.titles.map((title) => oneLine('title', title));
  if (titles.length === 0) throw new Fault('BAD_REQUEST', 'No title is given', { fix: 'Give at least one title' });
  const before = text ?? '';
  const document = readTasksDocument(before);
  const parent = to.under === undefined ? null : find(document, to.under);
  const section = parent?.section ?? sectionToExtend(document, to.intent);
  const eol = eolOf(before);
  const next = section
    ? withItems(before, document, section, parent?.entry ?? null, titles, eol)
    : withSection(before, headingFor(to), titles, eol);

  const index = section ? document.sections.indexOf(section) : document.sections.length;
  const position = parent ? afterFamily(parent.section.list.tasks, parent.entry.task.id) : (section?.list.tasks.length ?? 0);
  const lists = reread(next);
  const added = lists[index]?.tasks.slice(position, position + titles.length) ?? [];
  const others = lists.map((list, place) => (place === index ? { ...list, tasks: list.tasks.toSpliced(position, titles.length) } : list));
  const meant = titles.map((title) => ({ title, checked: false, parent: parent?.entry.task.id ?? null, details: [] }));
  const got = added.map(({ title, checked, parent: above, details }) => ({ title, checked, parent: above, details }));
  const kept = document.sections.map(({ list }) => list);
  if (!section && lists[index]?.intent !== (to.intent?.id ?? null))
    throw new Fault('BAD_REQUEST', `${JSON.stringify(to.intent?.id)} is no id of an intent`);
  if (!isDeepStrictEqual(got, meant) || !isDeepStrictEqual(lasting(section ? others : others.slice(0, -1)), lasting(kept)))
    throw new Fault('BAD_REQUEST', 'A task of that title is further down, and would be taken for the new one', {
      fix: 'Choose another title',
    });
  return { text: next, added };
}

/** Checks the box, and the parent's box with the last subtask. Returns the tasks that became checked. */
export function completeTask(text: string | null, id: string): { text: string; completed: Task[] } {
  const { section, entry } = find(readTasksDocument(text ?? ''), id);
  const { tasks } = section.list;
  const open = tasks.find(({ parent, checked }) => parent === id && !checked);
  if (open) throw new Fault('BAD_REQUEST', `"${entry.task.title}" has an open part: "${open.title}"`, { fix: `Complete ${open.id} first` });
  if (entry.task.checked) return { text: text ?? '', completed: [] };
  const isLast = !tasks.some((task) => task.parent === entry.task.parent && task.id !== id && !task.checked);
  const parent = isLast ? entry.task.parent : null;
  const { text: next, changed } = withBoxes(text ?? '', section, [parent, id], true);
  return { text: next, completed: changed };
}

/** Unchecks the box and the parent's. Returns the tasks that became unchecked. */
export function reopenTask(text: string | null, id: string): { text: string; reopened: Task[] } {
  const { section, entry } = find(readTasksDocument(text ?? ''), id);
  const { text: next, changed } = withBoxes(text ?? '', section, [entry.task.parent, id], false);
  return { text: next, reopened: changed };
}

/** Adds a line of detail. Below a top-level task it has no box, since a box there would be a subtask. */
export function detailTask(text: string | null, id: string, detail: string): { text: string; task: Task } {
  const before = text ?? '';
  const document = readTasksDocument(before);
  const { section, entry } = find(document, id);
  const content = oneLine('detail', detail);
  const isTop = entry.task.parent === null;
  if (isTop && NO_PLAIN_BULLET.test(content))
    throw new Fault('BAD_REQUEST', `The detail "${content}" would be read as something else`, { fix: 'Begin it with a word' });
  const unit = section.unit ?? '  ';
  const line = `${isTop ? unit : unit.repeat(2)}${entry.bullet} ${isTop ? '' : '[ ] '}${content}`;
  const next = insertAfter(before, document.lines, blockEnd(document.lines, entry.lastLine, section.end), [line], eolOf(before));
  const task = { ...entry.task, details: [...entry.task.details, content] };
  const meant = document.sections.map(({ list }) => withTasks(list, [task]));
  const lists = reread(next);
  if (!isDeepStrictEqual(lasting(lists), lasting(meant))) throw cannot(entry.task.line);
  return { text: next, task };
}

/** Cuts out the section of a list that has no open tasks. */
export function archiveFinished(text: string | null, list: TaskList): { text: string; section: string } {
  const before = text ?? '';
  const { lines, sections } = readTasksDocument(before);
  const section = sections.find((each) => each.list.intent === list.intent && each.list.goal === list.goal);
  if (!section) throw new Fault('NOT_FOUND', `${TASKS_FILE} has no list "${list.goal}"`);
  if (section.list.current !== null)
    throw new Fault('CONFLICT', `${TASKS_FILE}:${section.list.line}: the list has unchecked tasks`, {
      fix: 'Complete them first, or leave the list',
    });
  const [start, end] = [lines[section.heading]?.start ?? 0, lines[section.end]?.start ?? before.length];
  const next = before.slice(0, start) + before.slice(end);
  const rest = sections.filter((each) => each !== section).map((each) => each.list);
  if (!isDeepStrictEqual(lasting(reread(next)), lasting(rest))) throw cannot(section.list.line);
  return { text: next, section: before.slice(start, end) };
}

function find({ sections }: TasksDocument, id: string): { section: TaskSection; entry: TaskEntry } {
  for (const section of sections) {
    const entry = section.entries.find(({ task }) => task.id === id);
    if (entry) return { section, entry };
  }
  throw new Fault('NOT_FOUND', `${TASKS_FILE} has no task ${id}`, { fix: 'Read the list again: a task that was reworded has another id' });
}

/** A finished list that does not belong to the intent is not extended. */
function sectionToExtend({ sections }: TasksDocument, intent: NamedIntent | null): TaskSection | null {
  const lists = sections.map(({ list }) => list);
  const list = taskListFor(lists, intent);
  const isLent = intent !== null && list !== ownListOf(lists, intent);
  if (list === null || (isLent && list.current === null && list.tasks.length > 0)) return null;
  return sections.find((each) => each.list === list) ?? null;
}

function withItems(
  before: string,
  document: TasksDocument,
  section: TaskSection,
  parent: TaskEntry | null,
  titles: readonly string[],
  eol: string,
): string {
  const { lines } = document;
  if (parent?.task.parent)
    throw new Fault('BAD_REQUEST', `"${parent.task.title}" is a subtask`, { fix: 'Add details to it, or tasks to the one above it' });
  if (parent?.task.checked)
    throw new Fault('BAD_REQUEST', `"${parent.task.title}" is checked`, { fix: `Open ${parent.task.id} again before you add to it` });
  const family = section.entries.filter(({ task }) => parent === null || task.id === parent.task.id || task.parent === parent.task.id);
  const bullet = family.at(-1)?.bullet ?? '-';
  const items = titles.map((title) => `${parent ? (section.unit ?? '  ') : ''}${bullet} [ ] ${title}`);
  if (family.length > 0) {
    const last = family.reduce((line, { lastLine }) => Math.max(line, lastLine), 0);
    return insertAfter(before, lines, blockEnd(lines, last, section.end), items, eol);
  }
  let end = section.end;
  while (lines[end - 1]?.kind === 'blank') end--;
  return insertAfter(before, lines, end, ['', ...items], eol);
}

function withSection(before: string, heading: string, titles: readonly string[], eol: string): string {
  const isEmpty = before === '' || before === '\ufeff';
  const gap = isEmpty ? '' : before.endsWith('\n') ? eol : eol + eol;
  return before + gap + [heading, '', ...titles.map((title) => `- [ ] ${title}`), ''].join(eol);
}

function headingFor({ intent, goal = '' }: NewTasks): string {
  const words = (intent?.name ?? goal).replaceAll(UNWRITABLE, ' ').replaceAll(/\s+/gu, ' ').trim();
  if (intent) return `# Tasks — ${words || intent.id} (${intent.id})`;
  // A heading drops the signs at its end, and an id in brackets there would give the list to that intent.
  const plain = words
    .replace(/#+$/, '')
    .trim()
    .replace(/\(([A-Z][A-Z0-9]*-[0-9]{1,9})\)$/, '$1');
  return `# Tasks — ${plain || 'Next steps'}`;
}

/** Where the text that belongs to an item ends: its indented lines, and the paragraph that it begins. */
function blockEnd(lines: readonly Line[], last: number, limit: number): number {
  let end = last + 1;
  for (let index = end; index < limit; index++) {
    const line = lines[index];
    if (line === undefined || line.kind === 'heading' || line.kind === 'item') break;
    if (line.kind === 'blank') continue;
    if (!line.indented && !(line.kind === 'prose' && end === index)) break;
    end = index + 1;
  }
  return end;
}

function insertAfter(text: string, lines: readonly Line[], end: number, added: readonly string[], eol: string): string {
  const at = lines[end - 1]?.next ?? 0;
  const head = text.slice(0, at);
  const block = added.join(eol);
  return head.endsWith('\n') ? `${head}${block}${eol}${text.slice(at)}` : `${head}${eol}${block}`;
}

function withBoxes(
  text: string,
  section: TaskSection,
  ids: readonly (string | null)[],
  checked: boolean,
): { text: string; changed: Task[] } {
  const entries = section.entries.filter(({ task }) => ids.includes(task.id) && task.checked !== checked);
  let next = text;
  for (const { box } of entries) next = next.slice(0, box.at) + (checked ? 'x' : ' ') + next.slice(box.at + 1);
  const changed = entries.map(({ task }) => ({ ...task, checked }));
  const meant = parseTasks(text).map((list) => withTasks(list, changed));
  if (!isDeepStrictEqual(reread(next), meant)) throw cannot(section.list.line);
  return { text: next, changed };
}

function withTasks(list: TaskList, changed: readonly Task[]): TaskList {
  const tasks = list.tasks.map((task) => changed.find(({ id }) => id === task.id) ?? task);
  return { ...list, tasks, current: currentOf(tasks) };
}

/** What a change must preserve: everything except line positions and the next task. */
const lasting = (lists: readonly TaskList[]): unknown =>
  lists.map(({ intent, goal, tasks }) => ({ intent, goal, tasks: tasks.map(({ line: _, ...task }) => task) }));

/** The place after a task and its parts. */
const afterFamily = (tasks: readonly Task[], id: string): number => tasks.findLastIndex((task) => task.id === id || task.parent === id) + 1;

function reread(text: string): TaskList[] {
  if (Buffer.byteLength(text) > DOCUMENT_MAX_BYTES)
    throw new Fault('TOO_LARGE', `${TASKS_FILE} would be larger than ${DOCUMENT_MAX_BYTES} bytes`, {
      fix: 'Move finished sections out of it',
    });
  return parseTasks(text);
}

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

const NO_PLAIN_BULLET = /^(?:\[|`{3}|~{3}|<!|[-*+>#=]|\d{1,9}[.)])/;

function oneLine(what: string, text: string): string {
  const line = text.trim();
  if (line === '' || line.search(UNWRITABLE) >= 0)
    throw new Fault(
      'BAD_REQUEST',
      `The ${what} ${JSON.stringify(text.slice(0, 80))} is empty or has characters in it that cannot be seen`,
      {
        fix: `Write the ${what} on one line of plain text`,
      },
    );
  return line;
}

const cannot = (line: number): Fault =>
  new Fault('DOCUMENT_INVALID', `${TASKS_FILE}:${line}: cannot be changed without rewriting the lines around it`, {
    fix: 'Put a blank line around the task, or make the change by hand',
  });
