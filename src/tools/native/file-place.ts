// What the file tools have in common: how they declare what they touch, and how they find it again when they run.

import { z } from 'zod';
import { type Declaration, Fault, type JudgedPlace, type Resource } from '../../protocol/index.ts';
import { governanceRule, isHidden, readInRoot, resolveInRoot, type TreeFile } from '../../workspace/index.ts';
import type { ToolDeps } from '../tool.ts';
import { LIST_FIRST, listNear, readAgain } from './file-tool.ts';

export type Access = 'read' | 'write' | 'delete';

export const Path = z.string().min(1).describe('Absolute, or relative to where you work');
export const BaseSha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .optional()
  .describe('The sha256 that read_file gave; the call fails if the file has changed since');

/** What the call says about the content of the file: see `Resource`. */
type TouchDetails = Omit<Extract<Resource, { kind: 'file' }>, 'kind' | 'path' | 'access'>;

export const touch = (access: Access, path: string, { base_sha256, targeted, whole, lines, deep }: TouchDetails = {}): Resource => ({
  kind: 'file',
  path,
  access,
  ...(base_sha256 === undefined ? {} : { base_sha256 }),
  ...(targeted ? { targeted } : {}),
  ...(whole ? { whole } : {}),
  ...(lines ? { lines } : {}),
  ...(deep ? { deep } : {}),
});

export const touches = (access: Access, path: string, details?: TouchDetails): Declaration => ({
  effects: [access === 'read' ? 'observe' : 'write'],
  resources: [touch(access, path, details)],
});

/**
 * Where the path leads now. The gate has judged it before; it is judged again here because the tree may have changed since, and
 * everything after this goes by the real path without following links.
 */
export async function realPathOf(
  { root, cwd, judged }: JudgedPlace,
  given: string,
  access: Access,
  deps: Pick<ToolDeps, 'privateFolders'>,
): Promise<string> {
  const place = await resolveInRoot(root, given, cwd);
  if (place.real === null) throw new Fault('BAD_REQUEST', `${given} cannot be used: ${place.unresolved ?? 'where it leads is unknown'}`);
  // A link that was changed after the decision would lead to a file that was not judged.
  const seen = judged.find(({ path, access: how }) => path === given && how === access);
  if (seen && seen.real !== place.real)
    throw new Fault('CONFLICT', `${given} leads to another file than it did when it was judged`, { fix: 'Call again' });
  const governed = governanceRule(place.real, access);
  if (governed !== null) throw new Fault('FORBIDDEN', `${place.real} is not for agents: ${governed}`);
  if (isHidden(root, place.real, deps))
    throw new Fault('FORBIDDEN', `${place.real} is not for agents: it belongs to the gate's keys and records`);
  return place.real;
}

/** The current file, which must be the one that was judged; `base` is what the agent expects. */
export async function readExpected(
  { root, judged }: JudgedPlace,
  { given, path, access, base }: { given: string; path: string; access: Access; base?: string | undefined },
): Promise<TreeFile | null> {
  const file = await readInRoot(root, path);
  const now = file?.sha256 ?? null;
  const seen = judged.find((fact) => fact.path === given && fact.access === access);
  if ((base === undefined || base === now) && (!seen || seen.sha256 === now)) return file;
  throw new Fault(
    'CONFLICT',
    now ? `${path} changed since you read it; its sha256 is ${now} now` : `${path} changed since you read it: it is gone`,
    {
      fix: now ? `Call read_file on ${path}, then make the change for what it holds now` : LIST_FIRST,
      remedy: now ? readAgain(path) : listNear(root, path),
    },
  );
}

export const missing = (root: string, path: string): Fault =>
  new Fault('NOT_FOUND', `There is no file ${path}`, { fix: LIST_FIRST, remedy: listNear(root, path) });

/** Null when it is no text: reading and writing it as text would change it. */
export function decode(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

export function decodeOf(path: string, bytes: Uint8Array): string {
  const text = decode(bytes);
  if (text === null) throw new Fault('BAD_REQUEST', `${path} is binary or not UTF-8, so it has no lines to edit`);
  return text;
}

export function encode(path: string, text: string): Uint8Array {
  if (!text.isWellFormed()) throw new Fault('BAD_REQUEST', `The content for ${path} is not valid unicode`);
  return Buffer.from(text);
}
