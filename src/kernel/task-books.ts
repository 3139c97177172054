// What the ledger knows about the tasks of each work tree: those that the task tools or an admitted change showed to be open, and lists
// that were finished in a turn that still runs. A box that was checked, or a task that was removed, past the task tools is found by it.

import type { EditedTask, EventOf, Task } from '../protocol/index.ts';

interface KnownTask {
  readonly title: string;
  readonly intent: string | null;
}

/** Tasks remembered at most in one work tree: a list holds far fewer. */
const TASKS = 2_000;

export class TaskBooks {
  /** By work tree, then by task: known to be open. */
  private readonly open = new Map<string, Map<string, KnownTask>>();
  /** By work tree: changed past the task tools while an agent was present. */
  private readonly waiting = new Map<string, Set<string>>();
  /** By work tree and intent: the session, and its turn, in which the last task was completed. */
  private readonly finished = new Map<string, { readonly session: string; readonly turn: string }>();

  /** `by`: the session at the top that the change was made for, and its turn. */
  changed({ root, intent, change, tasks, finished }: EventOf<'tasks_changed'>['data'], by: { session: string; turn: string }): void {
    if (change === 'completed') for (const { id } of tasks) this.open.get(root)?.delete(id);
    if (change === 'added' || change === 'reopened') for (const task of tasks) this.seenOpen(root, intent, task);
    if (finished) this.finished.set(keyOf(root, intent), by);
    else if (change !== 'detailed') this.finished.delete(keyOf(root, intent));
  }

  seenOpen(root: string, intent: string | null, { id, title }: Pick<Task, 'id' | 'title'>): void {
    const known = this.open.get(root) ?? new Map<string, KnownTask>();
    if (known.get(id)?.intent === intent) return void this.waiting.get(root)?.delete(id);
    // Put back below another heading, it has another id.
    for (const [other, task] of known) if (task.title === title && task.intent === intent) known.delete(other);
    known.set(id, { title, intent });
    this.waiting.get(root)?.delete(id);
    for (const oldest of known.keys()) if (known.size > TASKS) known.delete(oldest);
    this.open.set(root, known);
  }

  edited({ root, tasks, taken }: EventOf<'tasks_edited'>['data']): void {
    if (taken) return this.take(root, tasks);
    const waiting = this.waiting.get(root) ?? new Set<string>();
    for (const { id } of tasks) waiting.add(id);
    this.waiting.set(root, waiting);
  }

  /** A human made these edits, or has seen them. */
  take(root: string, tasks: readonly Pick<EditedTask, 'id'>[]): void {
    for (const { id } of tasks) {
      this.open.get(root)?.delete(id);
      this.waiting.get(root)?.delete(id);
    }
  }

  isWaiting(root: string, { id }: Pick<EditedTask, 'id'>): boolean {
    return this.waiting.get(root)?.has(id) ?? false;
  }

  /** What the file shows as done or gone although nothing on the record says so. `intent` undefined: of every intent. */
  edits(root: string, intent: string | null | undefined, tasks: readonly Task[]): EditedTask[] {
    const written = new Map(tasks.map((task) => [task.id, task]));
    return [...(this.open.get(root) ?? [])].flatMap(([id, known]): EditedTask[] => {
      if (intent !== undefined && known.intent !== intent) return [];
      const now = written.get(id);
      if (now && !now.checked) return [];
      return [{ id, title: known.title, change: now ? 'checked' : 'removed' }];
    });
  }

  isFinishedIn(root: string, intent: string | null, by: { readonly session: string; readonly turn: string }): boolean {
    const known = this.finished.get(keyOf(root, intent));
    return known !== undefined && known.session === by.session && known.turn === by.turn;
  }

  /** A human answered the session: what is next is theirs to say. */
  answered(session: string): void {
    for (const [key, known] of this.finished) if (known.session === session) this.finished.delete(key);
  }
}

const keyOf = (root: string, intent: string | null): string => JSON.stringify([root, intent]);
