// The text of `tinyTasks.md` as task lists.
//
// A section `# Tasks — <Goal>` holds boxes on two levels. A third level, and a bullet without a box below a task, is detail.
// Prose, comments, code blocks and other headings belong to the human and are ignored. Ambiguous text is a complaint with its line: an
// overlooked task would count as progress.

import { createHash } from 'node:crypto';
import { base32, type Fault, IntentId, leavesOf, type Task, type TaskList } from '../protocol/index.ts';
import { type Complaint, invalidDocument } from './complaints.ts';
import { DOCUMENT_MAX_BYTES } from './document.ts';
import { TASKS_FILE } from './own-files.ts';
import { type Box, type Line, readLines } from './task-lines.ts';

export interface TasksDocument {
  readonly lines: readonly Line[];
  readonly sections: readonly TaskSection[];
}

/** Numbers are places in `lines`; the end is the first line that is no longer part of it. */
export interface TaskSection {
  readonly list: TaskList;
  readonly heading: number;
  readonly end: number;
  /** What one level is indented by; null when nothing is. */
  readonly unit: string | null;
  readonly entries: readonly TaskEntry[];
}

export interface TaskEntry {
  readonly task: Task;
  readonly box: Box;
  readonly bullet: string;
  /** Its own last line, or that of its last detail. */
  readonly lastLine: number;
}

export const parseTasks = (text: string): TaskList[] => readTasksDocument(text).sections.map(({ list }) => list);

export function readTasksDocument(text: string): TasksDocument {
  if (text.length > DOCUMENT_MAX_BYTES || Buffer.byteLength(text) > DOCUMENT_MAX_BYTES)
    throw invalid([{ line: 1, what: `the file is larger than ${DOCUMENT_MAX_BYTES} bytes; move finished sections out of it` }]);
  const complaints: Complaint[] = [];
  const complain = (complaint: Complaint): void => void complaints.push(complaint);
  const lines = readLines(text, complain);
  const headings = sectionHeadings(lines, complain);
  const keys = new Map<string, number>();
  const ids = new Map<string, number>();
  const sections = headings.map(({ heading, end, goal, intent }): TaskSection => {
    const line = heading + 1;
    const key = intent === null ? `goal ${normalised(goal)}` : `intent ${intent}`;
    const first = keys.get(key);
    if (first !== undefined) complain({ line, what: `line ${first} is already the heading of the tasks for ${intent ?? `"${goal}"`}` });
    else keys.set(key, line);

    const { drafts, unit } = readItems(lines.slice(heading + 1, end), complain);
    const entries = entriesOf(drafts, key);
    const tasks = entries.map(({ task }) => task);
    for (const task of tasks) {
      // Fifty bits can be made to collide on purpose; then one id would check two boxes.
      if (first === undefined && ids.has(task.id))
        complain({ line: task.line, what: `has the same text as the task of line ${ids.get(task.id)}; reword it` });
      ids.set(task.id, task.line);
    }
    return { list: { intent, goal, line, tasks, current: currentOf(tasks) }, heading, end, unit, entries };
  });
  if (complaints.length > 0) throw invalid(complaints.toSorted((a, b) => a.line - b.line));
  return { lines, sections };
}

/** The first open leaf. */
export const currentOf = (tasks: readonly Task[]): string | null => leavesOf(tasks).find(({ checked }) => !checked)?.id ?? null;

interface SectionHeading {
  readonly heading: number;
  readonly end: number;
  readonly goal: string;
  readonly intent: string | null;
}

/** A heading that was meant to begin tasks, but does not have the form: the boxes below it would be overlooked. */
const NEARLY_TASKS = /^tasks?(?![\p{L}\p{N}_])/iu;
const TASKS = /^tasks(?:[ \t]*[–—]|[ \t]+-{1,3}(?=[ \t]|$))/i;

function sectionHeadings(lines: readonly Line[], complain: (complaint: Complaint) => void): SectionHeading[] {
  const found: SectionHeading[] = [];
  let area: 'tasks' | 'lost' | 'human' = 'lost';
  let open: Omit<SectionHeading, 'end'> | null = null;
  for (const [index, line] of lines.entries()) {
    if (line.kind === 'heading' && line.level === 1) {
      if (open) found.push({ ...open, end: index });
      const form = TASKS.exec(line.title);
      open = form ? { heading: index, ...goalAndIntent(line.title.slice(form[0].length).trim()) } : null;
      if (open?.goal === '') complain({ line: line.number, what: 'the heading names no goal' });
      area = form ? 'tasks' : NEARLY_TASKS.test(line.title) ? 'lost' : 'human';
    } else if (line.kind === 'heading' && area === 'human' && NEARLY_TASKS.test(line.title)) area = 'lost';
    else if (area === 'lost' && (line.kind === 'broken' || (line.kind === 'item' && line.box !== null)))
      complain({ line: line.number, what: 'is below no heading `# Tasks — <Goal>`' });
  }
  if (open) found.push({ ...open, end: lines.length });
  return found;
}

/** `fix login (INT-001)` belongs to INT-001. */
function goalAndIntent(text: string): { goal: string; intent: string | null } {
  const open = text.lastIndexOf('(');
  const id = text.endsWith(')') && open >= 0 ? text.slice(open + 1, -1) : '';
  return IntentId.safeParse(id).success ? { goal: text.slice(0, open).trim(), intent: id } : { goal: text, intent: null };
}

interface Draft {
  readonly content: string;
  readonly box: Box;
  readonly bullet: string;
  readonly number: number;
  lastNumber: number;
  readonly parent: Draft | null;
  readonly details: string[];
}

function readItems(lines: readonly Line[], complain: (complaint: Complaint) => void): { drafts: Draft[]; unit: string | null } {
  const drafts: Draft[] = [];
  let unit: string | null = null;
  let top: Draft | null = null;
  /** What a third-level line is detail of. */
  let owner: Draft | null = null;
  for (const line of lines) {
    if (line.kind === 'heading') top = owner = null;
    if (line.kind === 'broken') complain({ line: line.number, what: `${line.what}; write \`- [ ] title\`` });
    if (line.kind !== 'item') continue;
    const { indent, box, bullet, content, number } = line;
    if (indent === '' && box === null) top = owner = null;
    // A bullet that belongs to no task is prose.
    if (box === null && top === null) continue;
    if (box !== null && content === '') complain({ line: number, what: 'the task has no title' });

    // The first line that is indented can only be one level deep.
    if (indent !== '' && unit === null && LEVELS.has(indent)) unit = indent;
    const level = indent === '' ? 1 : levelOf(indent, unit);
    if (level === null)
      complain({
        line: number,
        what: `is indented by ${spoken(indent)}; ${unit ? `here a level is ${spoken(unit)}` : 'a level is 2 spaces'}`,
      });
    else if (level > 3) complain({ line: number, what: 'is deeper than three levels: task, subtask, detail' });
    else if (level === 1 && box !== null) {
      top = { content, box, bullet, number, lastNumber: number, parent: null, details: [] };
      owner = null;
      drafts.push(top);
    } else if (level === 2 && box !== null) {
      if (top === null) complain({ line: number, what: 'is a subtask, but no task is above it' });
      else if (top.box.checked && !box.checked)
        complain({ line: number, what: `is not checked, but the task that it is part of (line ${top.number}) is` });
      owner = { content, box, bullet, number, lastNumber: number, parent: top, details: [] };
      drafts.push(owner);
    } else {
      if (level === 2) owner = top;
      if (owner === null) complain({ line: number, what: 'is a detail, but no subtask is above it' });
      else {
        owner.details.push(content);
        owner.lastNumber = number;
      }
    }
  }
  return { drafts, unit };
}

function entriesOf(drafts: readonly Draft[], section: string): TaskEntry[] {
  const ids = new Map<Draft, string>();
  const counts = new Map<string, number>();
  return drafts.map((draft) => {
    const { content: title, box, bullet, number: line, details } = draft;
    const name = normalised(title);
    const ordinal = counts.get(name) ?? 0;
    counts.set(name, ordinal + 1);
    const id = taskId(name, ordinal, section);
    ids.set(draft, id);
    const parent = draft.parent === null ? null : (ids.get(draft.parent) ?? null);
    return { task: { id, title, checked: box.checked, parent, details, line }, box, bullet, lastLine: draft.lastNumber - 1 };
  });
}

const LEVELS = new Set(['  ', '    ', '\t']);

function levelOf(indent: string, unit: string | null): number | null {
  if (unit === null || indent.length % unit.length !== 0) return null;
  const steps = indent.length / unit.length;
  return indent === unit.repeat(steps) ? steps + 1 : null;
}

function spoken(indent: string): string {
  if (indent.includes('\t')) return indent.includes(' ') ? 'spaces and tabs together' : counted(indent.length, 'tab');
  return counted(indent.length, 'space');
}

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** Case, the width of gaps, and how a character is composed do not make another task; any other change of the words does. */
const normalised = (title: string): string => title.normalize('NFC').toLowerCase().normalize('NFC').replaceAll(/\s+/gu, ' ').trim();

const taskId = (name: string, ordinal: number, section: string): string =>
  `tsk_${base32(
    createHash('sha256')
      .update(JSON.stringify([name, ordinal, section]))
      .digest(),
    10,
  )}`;

export type NamedIntent = { readonly id: string; readonly name: string };

/** The list that names the intent, or has its name for a goal and names none. */
export const ownListOf = (lists: readonly TaskList[], intent: NamedIntent): TaskList | null =>
  lists.find((list) => list.intent === intent.id) ??
  lists.find((list) => list.intent === null && normalised(list.goal) === normalised(intent.name)) ??
  null;

/** The list for work under the intent: its own, else the first list without an intent, lists with open tasks first. */
export function taskListFor(lists: readonly TaskList[], intent: NamedIntent | null): TaskList | null {
  const free = lists.filter((list) => list.intent === null);
  return (intent && ownListOf(lists, intent)) ?? free.find(({ current }) => current !== null) ?? free[0] ?? null;
}

const invalid = (complaints: readonly Complaint[]): Fault =>
  invalidDocument(
    TASKS_FILE,
    complaints,
    `Fix ${TASKS_FILE}: below a heading \`# Tasks — <Goal>\`, tasks are \`- [ ] title\`, subtasks the same with 2 spaces before, details with 4`,
  );
