// What a session last saw of each file, by real path: by reading it, by writing it, or from a report of what changed.

import { type Action, type Decision, type FileFact, type Resource, traitsOf } from '../protocol/index.ts';

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

/**
 * Files whose content was delivered whole; naming a file is not reading it. An agent that executes by itself changes exact texts after
 * it has read a part, and that part may be out of date: there the lines count too.
 */
export function readWhole(action: Action, files: readonly FileFact[]): FileFact[] {
  const isSeen = (each: Resource) => each.kind === 'file' && (each.whole || (each.lines && traitsOf(action).executes === 'agent'));
  const seen = new Set(action.resources.flatMap((each) => (each.kind === 'file' && isSeen(each) ? [each.path] : [])));
  return files.filter(({ path }) => seen.has(path));
}

/** `end_line` null: to the end of the file. */
export interface ReadByAgent {
  readonly path: string;
  readonly sha256: string;
  readonly start_line: number;
  readonly end_line: number | null;
}

/** What the agent read with a tool of its own: the gate saw which file, what it held, and which lines were asked for. */
export function readByAgent({ resources }: Action, { facts }: Pick<Decision, 'facts'>): ReadByAgent[] {
  return facts.files.flatMap(({ path, access, real, sha256 }) => {
    const read = resources.find((each) => each.kind === 'file' && each.path === path && (each.whole || each.lines));
    if (access !== 'read' || real === null || sha256 === null || read?.kind !== 'file') return [];
    return [{ path: real, sha256, start_line: read.lines?.start ?? 1, end_line: read.lines?.end ?? null }];
  });
}
