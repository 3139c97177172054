// What an agent does, independent of the client. Paths are relative to the repository; lines of an edit are whole lines.

import { join } from 'node:path';
import type { ScriptedTurn, ToolCall } from '../../lab/scripted-model.ts';
import type { Words } from './words.ts';

export type Step =
  | { readonly read: string }
  | { readonly search: string }
  | { readonly edit: string; readonly from: string; readonly to: string }
  | { readonly write: string; readonly text: string }
  | { readonly cell: string; readonly source: string }
  | { readonly remove: string }
  | { readonly move: string; readonly into: string }
  | { readonly shell: string }
  | { readonly background: string }
  | { readonly todo: readonly string[] }
  | { readonly all: readonly Step[] }
  /** Handed to a sub-agent. */
  | { readonly agent: readonly Step[] };

export interface Task {
  readonly name: string;
  /** One list a prompt: a human's request, and what an agent does for it. */
  readonly prompts: readonly (readonly Step[])[];
  /** The content of these files afterwards; null: deleted. Without it the task only reads, and nothing may have changed. */
  readonly leaves?: Readonly<Record<string, string | null>>;
}

/** As an agent edits: it reads first. */
export const change = (path: string, from: string, to: string): Step[] => [{ read: path }, { edit: path, from, to }];

/** Null: this client cannot express it. */
export function callOf(words: Words, root: string, step: Step): ToolCall | null {
  if ('read' in step) return words.read(join(root, step.read));
  if ('search' in step) return words.search(step.search);
  if ('edit' in step) return words.edit(join(root, step.edit), step.from, step.to);
  if ('write' in step) return words.write(join(root, step.write), step.text);
  if ('cell' in step) return words.cell?.(join(root, step.cell), step.source) ?? null;
  if ('remove' in step) return words.remove?.(join(root, step.remove)) ?? null;
  if ('move' in step) return words.move?.(join(root, step.move), join(root, step.into)) ?? null;
  if ('shell' in step) return words.shell(step.shell);
  if ('background' in step) return words.background?.(step.background) ?? null;
  return 'todo' in step ? (words.todo?.(step.todo) ?? null) : null;
}

/** `marker` is in the text that the sub-agent of this step gets. */
export function turnsOf(words: Words, root: string, step: Step, marker: string): readonly ScriptedTurn[] | null {
  if ('agent' in step) return words.subAgent?.(`${marker}: do your part`) ?? null;
  if (!('all' in step)) {
    const call = callOf(words, root, step);
    return call && [call];
  }
  const calls = step.all.map((each) => callOf(words, root, each)).filter((call) => call !== null);
  return calls.length === step.all.length ? [{ calls }] : null;
}

export const canSay = (words: Words, { prompts }: Pick<Task, 'prompts'>): boolean =>
  (prompts.length === 1 || words.talks === true) && prompts.flat().every((step) => turnsOf(words, '/', step, '') !== null);
