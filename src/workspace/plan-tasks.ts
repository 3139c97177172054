// The nodes of a plan as tasks: one top-level task for the plan, a subtask for each node. The ledger says which are done; the file only shows it.
//
// INVARIANT: only the lines of the plan differ.

import type { TaskList } from '../protocol/index.ts';
import { addTasks } from './edit-tasks.ts';
import { type NamedIntent, readTasksDocument, type TaskEntry, type TaskSection, type TasksDocument } from './tasks-document.ts';

export interface PlanTasks {
  readonly intent: NamedIntent | null;
  /** How the top-level task of every version of this plan begins. */
  readonly begins: string;
  readonly title: string;
  readonly nodes: readonly { readonly title: string; readonly checked: boolean }[];
}

interface Family {
  readonly section: TaskSection;
  readonly top: TaskEntry;
  readonly parts: readonly TaskEntry[];
}

/** Writes the plan into the list of its intent, in place of an earlier version of it, and checks what is done. */
export function showPlan(text: string | null, plan: PlanTasks): { readonly text: string } {
  const family = familyOf(readTasksDocument(text ?? ''), plan.begins);
  const isSame =
    family?.top.task.title === plan.title &&
    family.parts.length === plan.nodes.length &&
    family.parts.every(({ task }, at) => task.title === plan.nodes[at]!.title);
  if (family && isSame) return { text: withBoxes(text ?? '', family, plan) };
  const cleared = family ? withoutPlan(text, plan.begins).text : text;
  const { text: listed, added } = addTasks(cleared, { intent: plan.intent, titles: [plan.title] });
  const written = addTasks(listed, { intent: plan.intent, titles: plan.nodes.map(({ title }) => title), under: added[0]!.id }).text;
  return { text: withBoxes(written, familyOf(readTasksDocument(written), plan.begins)!, plan) };
}

/** Takes the plan out of the file, and the heading with it where nothing else is below it. */
export function withoutPlan(text: string | null, begins: string): { readonly text: string } {
  const before = text ?? '';
  const { lines, ...document } = readTasksDocument(before);
  const family = familyOf({ lines, ...document }, begins);
  if (!family) return { text: before };
  const { section, top, parts } = family;
  const first = top.task.line - 1;
  const end = Math.max(top.lastLine, ...parts.map(({ lastLine }) => lastLine)) + 1;
  const isAlone = lines.slice(section.heading + 1, section.end).every(({ kind }, at) => {
    const index = section.heading + 1 + at;
    return kind === 'blank' || (first <= index && index < end);
  });
  const [from, to] = isAlone ? [section.heading, section.end] : [first, end];
  return { text: before.slice(0, lines[from]?.start ?? 0) + before.slice(lines[to]?.start ?? before.length) };
}

/** The list that shows the plan. */
export const listWithPlan = (lists: readonly TaskList[], begins: string): TaskList | null =>
  lists.find(({ tasks }) => tasks.some(({ title, parent }) => parent === null && title.startsWith(begins))) ?? null;

function familyOf({ sections }: TasksDocument, begins: string): Family | null {
  for (const section of sections) {
    const top = section.entries.find(({ task }) => task.parent === null && task.title.startsWith(begins));
    if (top) return { section, top, parts: section.entries.filter(({ task }) => task.parent === top.task.id) };
  }
  return null;
}

function withBoxes(text: string, { top, parts }: Family, { nodes }: PlanTasks): string {
  const boxes = [
    { at: top.box.at, checked: nodes.every(({ checked }) => checked) },
    ...parts.map(({ box }, index) => ({ at: box.at, checked: nodes[index]!.checked })),
  ];
  return boxes.reduce((now, { at, checked }) => now.slice(0, at) + (checked ? 'x' : ' ') + now.slice(at + 1), text);
}
