// What a run changed, file by file: with a receipt it can be merged, without one it stays where it is.
//
// INVARIANT: a file is merged only with the content that the last receipt about it names.

import { Fault, type FileRef } from '../protocol/index.ts';
import { governanceRule, hashOf, mergeContents, type PlannedFile, readInRoot, type SeenFile } from '../workspace/index.ts';

export interface RunChanges {
  readonly files: readonly MergedFile[];
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
}

/** In the real tree. */
export interface MergedFile extends PlannedFile {
  /** Whose receipt explains it. */
  readonly action: string;
}

/** A change of the run's tree by a receipt; oldest first. */
export interface ReceiptedChange {
  readonly action: string;
  readonly files: readonly FileRef[];
}

export interface CompareContext {
  readonly root: string;
  readonly tree: string;
  readonly base: Readonly<Record<string, string>>;
  /** The run's files as they are now, with their hashes. */
  readonly now: ReadonlyMap<string, SeenFile>;
  readonly receipted: readonly ReceiptedChange[];
  readonly contentOf: (sha256: string) => Promise<Uint8Array | null>;
  /** The action that changes a file of the real tree right now. */
  readonly busy: (path: string) => string | null;
}

export async function compareRun(context: CompareContext): Promise<RunChanges> {
  const { base, now, receipted } = context;
  const last = new Map<string, { action: string; after: string | null }>();
  for (const { action, files } of receipted) for (const { path, after_sha256 } of files) last.set(path, { action, after: after_sha256 });
  const changed = [...new Set([...Object.keys(base), ...now.keys()])].filter((path) => (base[path] ?? null) !== keyOf(now.get(path)));
  const files: MergedFile[] = [];
  const leftOut: { path: string; why: string }[] = [];
  for (const path of changed.toSorted()) {
    const planned = await planFile(context, path, last.get(path));
    if (typeof planned === 'string') leftOut.push({ path, why: planned });
    else if (planned !== null) files.push(planned);
  }
  return { files, leftOut };
}

/** A text is why the file is left out; null: the real tree has it already. */
async function planFile(
  { root, tree, base, now, contentOf, busy }: CompareContext,
  path: string,
  receipt: { readonly action: string; readonly after: string | null } | undefined,
): Promise<MergedFile | string | null> {
  const rule = governanceRule(path, 'write');
  if (rule !== null) return `it is the gate's own: ${rule}`;
  const wanted = now.get(path)?.sha256 ?? null;
  if (receipt === undefined) return 'no receipt explains it';
  if (receipt.after !== wanted) return `it changed after ${receipt.action}, and no receipt explains that`;
  const [own, real] = await Promise.all([contentIn(tree, path), contentIn(root, path)]);
  if (own instanceof Fault || real instanceof Fault) return own instanceof Fault ? own.message : (real as Fault).message;
  // Read again: what is merged is what was compared.
  if (hashOf(own) !== wanted) return 'it is changing right now';
  const worker = busy(path);
  if (worker !== null) return `${worker} is changing the real file right now`;
  const executable = ((now.get(path)?.mode ?? 0) & 0o100) !== 0;
  const plan = { path, before: real, executable, action: receipt.action };
  const was = base[path] ?? null;
  const is = hashOf(real);
  if (is === wanted) return null;
  if (is === was) return { ...plan, after: own, merged: false };
  const common = was === null ? null : await contentOf(was);
  const both = common && own && real ? mergeContents(common, real, own) : null;
  return both ? { ...plan, after: both, merged: true } : 'the real file changed since the run began, in the same place';
}

async function contentIn(root: string, path: string): Promise<Uint8Array | null | Fault> {
  try {
    return (await readInRoot(root, path))?.bytes ?? null;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
}

/** The hash, or what is known of a file that was not read. */
export const contentKey = ({ sha256, size, mtimeNs }: SeenFile): string => sha256 ?? `${size} ${mtimeNs}`;
const keyOf = (seen: SeenFile | undefined): string | null => (seen ? contentKey(seen) : null);
