// What files held before `init` touched them, so that `--undo` restores every byte. Kept in the daemon's own folder; read and written by
// the command line, also without a daemon. A file that was changed since is not restored as a whole: only our part is removed from it.

import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '../../workspace/index.ts';
import type { FileChange } from './wired-file.ts';

const Entry = z.strictObject({
  /** Base64; null: there was no such file. */
  before: z.string().nullable(),
  after_sha256: z.string(),
  /** Work trees that rely on it: a file in the user's home serves several. */
  roots: z.array(z.string()),
  /** An instructions file that a human named. */
  instructions: z.literal(true).optional(),
});
const Book = z.record(z.string(), Entry);
type Entry = z.infer<typeof Entry>;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export class Originals {
  private readonly file: string;
  private readonly entries: Map<string, Entry>;

  private constructor(file: string, entries: Map<string, Entry>) {
    this.file = file;
    this.entries = entries;
  }

  /** An unreadable list counts as empty: undo then removes our parts. */
  static async open(homeDir: string): Promise<Originals> {
    const file = path.join(homeDir, 'init.json');
    const text = await readFile(file, 'utf8').catch(() => '{}');
    const parsed = Book.safeParse(jsonOf(text));
    return new Originals(file, new Map(Object.entries(parsed.data ?? {})));
  }

  /** What undo restores, if the file is unchanged since. Undefined: unknown. */
  restored({ target, document }: FileChange): string | null | undefined {
    const entry = this.entries.get(target);
    if (!entry || document === null || sha256(document.bytes) !== entry.after_sha256) return undefined;
    return entry.before === null ? null : Buffer.from(entry.before, 'base64').toString('utf8');
  }

  /** `init` created the file: it did not exist before. */
  isMadeByUs(target: string): boolean {
    const entry = this.entries.get(target);
    return entry?.before === null && entry.after_sha256 !== '';
  }

  /** Other work trees that need the file as it is. */
  othersAt(target: string, root: string): string[] {
    return (this.entries.get(target)?.roots ?? []).filter((other) => other !== root);
  }

  /** Changed since we wrote it; null: we never did. */
  isChanged(target: string, bytes: Uint8Array | null): boolean | null {
    const entry = this.entries.get(target);
    return entry ? bytes === null || sha256(bytes) !== entry.after_sha256 : null;
  }

  instructionFiles(root: string): string[] {
    return [...this.entries].flatMap(([target, entry]) =>
      entry.instructions && entry.roots.includes(root) ? [path.relative(root, target)] : [],
    );
  }

  /** `wasOurs`: the file already held our part, so its bytes are not an original. */
  wrote(change: FileChange, root: string, { wasOurs, instructions }: { wasOurs: boolean; instructions: boolean }): void {
    const { target, document, after } = change;
    if (after === null) return;
    const known = this.entries.get(target);
    const isUntouched = known && document && sha256(document.bytes) === known.after_sha256;
    const before = isUntouched
      ? known.before
      : wasOurs
        ? undefined
        : document === null
          ? null
          : Buffer.from(document.bytes).toString('base64');
    const roots = [...new Set([...(known?.roots ?? []), root])];
    if (before === undefined) this.entries.set(target, { before: null, after_sha256: '', roots });
    else this.entries.set(target, { before, after_sha256: sha256(Buffer.from(after)), roots, ...(instructions ? { instructions } : {}) });
  }

  /** The file needs no change, but this work tree relies on it too. */
  uses(target: string, root: string): void {
    const known = this.entries.get(target);
    if (known && !known.roots.includes(root)) this.entries.set(target, { ...known, roots: [...known.roots, root] });
  }

  forget(target: string, root: string): void {
    const known = this.entries.get(target);
    const roots = known?.roots.filter((other) => other !== root) ?? [];
    if (known && roots.length > 0) this.entries.set(target, { ...known, roots });
    else this.entries.delete(target);
  }

  async save(): Promise<void> {
    await mkdir(path.dirname(this.file), { recursive: true, mode: 0o700 });
    await writePrivateFile(this.file, `${JSON.stringify(Object.fromEntries(this.entries), null, 2)}\n`);
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
