// What a session last saw of each file, by real path: by reading it, by writing it, or from a report of what changed.

import type { Action, FileFact } from '../protocol/index.ts';

/** The most files kept per session. */
const KEEP_SEEN = 5_000;

export interface SeenFile {
  readonly real: string | null;
  /** Null: it saw that there is none. */
  readonly sha256: string | null;
}

export function see(seen: Map<string, string>, files: readonly SeenFile[]): void {
  for (const { real, sha256 } of files) {
    if (real === null) continue;
    seen.delete(real);
    if (sha256 !== null) seen.set(real, sha256);
    const [oldest] = seen.keys();
    if (seen.size > KEEP_SEEN && oldest !== undefined) seen.delete(oldest);
  }
}

/** Files whose content was delivered whole; naming a file is not reading it. */
export function readWhole({ resources }: Action, files: readonly FileFact[]): FileFact[] {
  const whole = new Set(resources.flatMap((each) => (each.kind === 'file' && each.whole ? [each.path] : [])));
  return files.filter(({ path }) => whole.has(path));
}
