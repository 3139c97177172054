// What a patch is made of once it is read, and how its lines are read.

import { Fault } from '../../protocol/index.ts';

export interface PatchLine {
  readonly kind: 'context' | 'remove' | 'add';
  /** With its line end. */
  readonly text: string;
}

export interface Hunk {
  /** Where the patch says that its old lines are: the number of lines before them. Null: it does not say. */
  readonly before: number | null;
  /** Lines that come before it in the file, in this order, without indentation. */
  readonly anchors: readonly string[];
  readonly lines: readonly PatchLine[];
  /** Its old lines are the last of the file. */
  readonly atEnd: boolean;
}

export type FilePatch =
  | { readonly kind: 'add'; readonly path: string; readonly content: string; readonly executable: boolean }
  /** `hunks` null: whatever is in it. */
  | { readonly kind: 'delete'; readonly path: string; readonly hunks: readonly Hunk[] | null }
  | {
      readonly kind: 'update';
      readonly path: string;
      /** Null: it stays where it is. */
      readonly to: string | null;
      readonly hunks: readonly Hunk[];
      /** Whether the patch says if the last line has an end; otherwise the file keeps what it has. */
      readonly knowsEnd: boolean;
    };

/** Headers are read without what editors put at the end of a line; content never is. */
export const headerOf = (line: string): string => line.trimEnd();

const KINDS = { ' ': 'context', '-': 'remove', '+': 'add' } as const;

/** An empty line is an empty context line whose blank an editor has removed. */
export const isHunkLine = (line: string | undefined): boolean =>
  line !== undefined && (line === '' || line === '\r' || (line[0] ?? '') in KINDS);

export const hunkLine = (line: string): PatchLine => ({
  kind: KINDS[line[0] as keyof typeof KINDS] ?? 'context',
  text: `${(line[0] ?? '') in KINDS ? line.slice(1) : line}\n`,
});

/** The lines of a patch, and a way to report where it is wrong. */
export class LineReader {
  readonly #lines: readonly string[];
  #at: number;

  constructor(lines: readonly string[], at: number) {
    this.#lines = lines;
    this.#at = at;
  }

  /** Undefined at the end. */
  peek(ahead = 0): string | undefined {
    return this.#lines[this.#at + ahead];
  }

  take(): string | undefined {
    return this.#lines[this.#at++];
  }

  /** What comes after the prefix, when the next line has it as its header. */
  takeHeader(prefix: string): string | null {
    const line = this.peek();
    if (line === undefined || !headerOf(line).startsWith(prefix)) return null;
    this.#at++;
    return headerOf(line).slice(prefix.length);
  }

  refuse(why: string): never {
    const line = Math.max(1, Math.min(this.#at + 1, this.#lines.length));
    throw new Fault('BAD_REQUEST', `The patch cannot be read, line ${line}: ${why}; nothing was changed`, {
      fix: 'Send a unified diff with exact counts, or *** Begin Patch … *** End Patch; edit_file replaces exact texts without either',
    });
  }
}
