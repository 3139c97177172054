// A snapshot on disk, so that a restart does not forget what was seen. JSON lines: a header, one line for each file, and after each scan one line
// with its time. A scan counts only with that line: what a crashing daemon left after it is ignored.

import { randomBytes } from 'node:crypto';
import { appendFile, open, readFile, rename, rm } from 'node:fs/promises';
import type { GitMark } from './git-movement.ts';
import type { SeenFile } from './tree-scan-walk.ts';

/** A file of another version is ignored, and the tree is scanned from the start. */
const VERSION = 1;

export interface ScanMark {
  readonly at: string;
  /** The ledger's position at that time. */
  readonly seq: number;
  readonly git: GitMark | null;
}

export interface StoredSnapshot {
  readonly files: Map<string, SeenFile>;
  readonly mark: ScanMark;
  /** Lines in the file; when they are far more than files, it is rewritten. */
  readonly lines: number;
}

type FileLine = readonly [path: string, ...rest: unknown[]];
interface ScanLine {
  readonly look: ScanMark;
}

/** Null when there is none, it cannot be read, or it is about another root. */
export async function readSnapshotFile(file: string, root: string): Promise<StoredSnapshot | null> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return null;
  }
  const files = new Map<string, SeenFile>();
  const unconfirmed: FileLine[] = [];
  let mark: ScanMark | null = null;
  let lines = 0;
  try {
    for (const line of text.split('\n').slice(0, -1)) {
      const parsed = JSON.parse(line) as FileLine | ScanLine | { version: number; root: string };
      lines++;
      if (Array.isArray(parsed)) unconfirmed.push(parsed as FileLine);
      else if ('look' in parsed) {
        for (const [path, ...rest] of unconfirmed.splice(0)) {
          if (rest.length === 0) files.delete(path);
          else files.set(path, fileOf(rest));
        }
        mark = parsed.look;
      } else if ('version' in parsed && (parsed.version !== VERSION || parsed.root !== root)) return null;
    }
  } catch {
    // The rest was cut off. Without a complete scan there is no snapshot; after one, only the newest changes are lost.
  }
  return mark && { files, mark, lines };
}

/** Replaces the whole file; returns how many lines it has. */
export async function writeSnapshotFile(file: string, root: string, files: ReadonlyMap<string, SeenFile>, mark: ScanMark): Promise<number> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`;
  const handle = await open(temporary, 'wx', 0o600);
  try {
    let part = [JSON.stringify({ version: VERSION, root })];
    for (const [path, seen] of files) {
      part.push(lineOf(path, seen));
      if (part.length === 2_000) {
        await handle.write(`${part.join('\n')}\n`);
        part = [];
      }
    }
    await handle.write(`${[...part, JSON.stringify({ look: mark })].join('\n')}\n`);
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => {});
    await rm(temporary, { force: true });
    throw error;
  }
  return files.size + 2;
}

/** Appends the result of a scan. The file must exist. */
export async function appendScan(file: string, written: ReadonlyMap<string, SeenFile | null>, mark: ScanMark): Promise<number> {
  const lines = [...written].map(([path, seen]) => (seen ? lineOf(path, seen) : JSON.stringify([path])));
  await appendFile(file, `${[...lines, JSON.stringify({ look: mark })].join('\n')}\n`, { mode: 0o600, flag: 'a' });
  return lines.length + 1;
}

const lineOf = (path: string, { size, mtimeNs, ctimeNs, ino, mode, sha256, restSha256, racy }: SeenFile): string =>
  JSON.stringify([path, size, String(mtimeNs), String(ctimeNs), String(ino), mode, sha256, restSha256, racy]);

function fileOf(fields: readonly unknown[]): SeenFile {
  const [size, mtime, ctime, ino, mode, sha256, restSha256, racy] = fields as [
    number,
    string,
    string,
    string,
    number,
    string | null,
    string | null,
    boolean,
  ];
  return { size, mtimeNs: BigInt(mtime), ctimeNs: BigInt(ctime), ino: BigInt(ino), mode, sha256, restSha256, racy };
}
