// One file of an agent as it is on disk, and its content with our hooks added or removed. Nothing is written here.

import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { type HookAdapter, type Json, type WiredFile, type WirePaths, type WrittenHooks, writtenHooks } from '../../agents/index.ts';
import { Fault } from '../../protocol/index.ts';
import { type Document, readDocument, readPlainFile, textOf } from '../../workspace/index.ts';
import { editJson, withoutComments, withoutTrailingCommas } from '../edit-json.ts';

export interface FileChange {
  /** As it is shown: relative to the root, or below `~`. */
  readonly file: string;
  readonly target: string;
  readonly place: 'workspace' | 'home' | 'git';
  readonly document: Document | null;
  readonly before: string | null;
  /** Null: the file held only our part and is deleted. */
  readonly after: string | null;
  readonly executable?: true;
}

export interface WirePlaces {
  readonly root: string;
  readonly userHome: string;
}

const SETTINGS_MAX_BYTES = 4 * 1024 * 1024;
/** In everything that we write. */
const OUR_NAME = /countersign/i;
const FIX = 'Fix it, then run countersign init again; nothing was written';

export interface FoundFile {
  readonly shown: string;
  readonly target: string;
  readonly document: Document | null;
  readonly text: string | null;
}

export async function readWired({ file, place }: Pick<WiredFile, 'file' | 'place'>, { root, userHome }: WirePlaces): Promise<FoundFile> {
  if (place === 'workspace') {
    const document = await readDocument(root, file);
    return { shown: file, target: path.join(root, file), document, text: document && textOf(file, document.bytes) };
  }
  // People keep such files elsewhere and link to them.
  const named = path.join(userHome, file);
  const target = await realpath(named).catch(() => named);
  const shown = `~/${file}`;
  const found = await readPlainFile(target, SETTINGS_MAX_BYTES);
  if (found.kind === 'unreadable') throw new Fault('DOCUMENT_INVALID', `${shown} ${found.why}`, { fix: FIX });
  const document = found.kind === 'missing' ? null : found;
  return { shown, target, document, text: document && textOf(shown, document.bytes) };
}

/** `paths` null: remove our part. `earlier`: changes already planned; two agents may share a file. */
export async function planFile(
  wired: WiredFile,
  places: WirePlaces,
  paths: WirePaths | null,
  earlier: readonly FileChange[],
): Promise<FileChange> {
  const { shown, target, document, text: before } = await readWired(wired, places);
  const planned = earlier.find((other) => other.target === target);
  const text = planned ? planned.after : before;
  const change = { file: shown, target, place: wired.place, document, before };
  // Undoing must not depend on a file of an agent that was never wired: it may be anything.
  if (paths === null && (text === null || !OUR_NAME.test(text))) return { ...change, after: text };
  if (wired.form === 'json') {
    const next = (value: Json) => (paths ? wired.wire(value, paths) : wired.unwire(value));
    return { ...change, after: nextJson(shown, text, next, wired) };
  }
  const after = paths ? wired.wire(text, paths) : wired.unwire(text!);
  return { ...change, after, ...(wired.executable ? { executable: true as const } : {}) };
}

/** The text with another meaning; text that is not ours keeps its form. Null: only our part was in it. */
export function nextJson(shown: string, text: string | null, change: (value: Json) => Json, spelling: Spelling = {}): string | null {
  const value = jsonIn(shown, text, spelling);
  const next = change(value);
  const isEmpty = Object.keys(next).length === 0;
  if (text === null) return isEmpty ? null : `${JSON.stringify(next, null, 2)}\n`;
  return isEmpty && Object.keys(value).length > 0 && withoutComments(text) === text ? null : editJson(text, next);
}

function jsonIn(shown: string, text: string | null, spelling: Spelling): Json {
  let value: unknown;
  try {
    value = text === null ? {} : parseJson(text, spelling);
  } catch (error) {
    throw new Fault('DOCUMENT_INVALID', `${shown} is not JSON: ${(error as Error).message}`, { fix: FIX });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('DOCUMENT_INVALID', `${shown} does not hold a JSON object.`, { fix: FIX });
  return value as Json;
}

interface Spelling {
  readonly comments?: true;
  readonly trailingCommas?: true;
}

function parseJson(text: string, { comments, trailingCommas }: Spelling): unknown {
  const bare = comments ? withoutComments(text) : text;
  return JSON.parse(trailingCommas ? withoutTrailingCommas(bare) : bare) as unknown;
}

export interface WiredState {
  readonly shown: string;
  readonly target: string;
  readonly holds: WiredFile['holds'];
  readonly audience: WiredFile['audience'];
  readonly exists: boolean;
  readonly wired: boolean;
  readonly switchedOff: boolean;
  readonly written: WrittenHooks;
}

/** An unreadable file gets no hooks. */
export async function stateOf(wired: WiredFile, places: WirePlaces): Promise<WiredState> {
  const nowhere = path.join(wired.place === 'workspace' ? places.root : places.userHome, wired.file);
  const current = await readWired(wired, places).catch(() => null);
  const { text = null, shown = wired.file, target = nowhere } = current ?? {};
  const base = { shown, target, holds: wired.holds, audience: wired.audience, exists: text !== null };
  if (text === null) return { ...base, wired: false, switchedOff: false, written: writtenHooks([]) };
  if (wired.form !== 'json') {
    const written = wired.written?.(text) ?? writtenHooks(text.split('\n'));
    return { ...base, wired: wired.isWired(text), switchedOff: wired.isSwitchedOffBy(text), written };
  }
  const value = parsed(text, wired);
  return { ...base, wired: wired.isWired(value), switchedOff: wired.isSwitchedOffBy(value), written: writtenHooks(textsIn(value)) };
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string' ? [value] : Object.values(Object(value) as Json).flatMap((each) => textsIn(each));

function parsed(text: string, spelling: Spelling): unknown {
  try {
    return parseJson(text, spelling);
  } catch {
    return null;
  }
}

/** Agents with a deciding hook in one of their files that no other file switches off. */
export async function wiredAgents(adapters: Iterable<HookAdapter>, places: WirePlaces): Promise<string[]> {
  const all = [...adapters].map(async ({ name, wiring }) => {
    const files = await Promise.all(wiring.filter(({ holds }) => holds.includes('hooks')).map((wired) => stateOf(wired, places)));
    return files.some((file) => file.wired) && !files.some((file) => file.switchedOff) ? [name] : [];
  });
  return (await Promise.all(all)).flat();
}
