// The folder that a command runs in, followed through `cd`. A `cd` can fail, so after `;` its folder is only likely.

import { posix } from 'node:path';
import type { Argument } from './words.ts';

export interface Folder {
  /** Absolute, or beginning with ~; null: not known. */
  readonly path: string | null;
  /** The command cannot run elsewhere. */
  readonly certain: boolean;
}

/** From a folder that is absolute or begins with ~. */
export function resolveFrom(folder: string, path: string): string {
  if (path.startsWith('/') || !folder.startsWith('~')) return posix.resolve(folder, path);
  return `~${posix.resolve(folder.slice(1) || '/', path)}`.replace(/^~\/$/, '~');
}

const LOST: Folder = { path: null, certain: false };

export class WorkingFolder {
  #now: Folder;
  readonly #home: string | null;

  constructor(cwd: string | null, home: string | null) {
    this.#now = { path: cwd, certain: cwd !== null };
    this.#home = home;
  }

  get now(): Folder {
    return this.#now;
  }

  /** `cd`, `pushd` or `popd` with these arguments. */
  change(command: string, args: readonly Argument[]): void {
    const operands = args.filter((arg) => !/^-[LPe@-]*$/.test(arg.value ?? '') || arg.value === '-');
    const to = operands.length === 0 ? (command === 'cd' ? (this.#home ?? '~') : null) : this.#operand(operands);
    if (command === 'popd' || to === null) this.#now = LOST;
    // From a folder that is only likely, a relative path leads to one that is only likely.
    else this.#now = { path: to, certain: this.#now.certain || /^[/~]/.test(operands[0]?.text ?? '~') };
  }

  #operand(operands: readonly Argument[]): string | null {
    const [first] = operands;
    if (first === undefined || operands.length > 1) return null;
    if (first.value === null) {
      const [, below] = /^(?:\$PWD|\$\{PWD\})((?:\/[^$`*?[{]*)?)$/.exec(first.text) ?? [];
      if (below !== undefined) return this.#now.path === null ? null : resolveFrom(this.#now.path, `.${below}`);
      const named = first.text.replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, '~');
      if (!/^~(?:\/[^$`*?[{]*)?$/.test(named)) return null;
      return resolveFrom(this.#home ?? '~', `.${named.slice(1) || '/'}`);
    }
    if (first.value === '' || first.value === '-' || /^[-+]\d/.test(first.value)) return null;
    if (first.value.startsWith('/')) return posix.normalize(first.value);
    return this.#now.path === null ? null : resolveFrom(this.#now.path, first.value);
  }

  /** From here on it may be anywhere. */
  lose(): void {
    this.#now = LOST;
  }

  /** What runs in a shell of its own leaves the folder as it was. */
  apart(visit: () => void): void {
    const before = this.#now;
    visit();
    this.#now = before;
  }

  /** The success of what ran since then is not checked: its changes are only likely. */
  doubt(before: Folder): void {
    if (this.#now !== before) this.#now = { ...this.#now, certain: false };
  }

  /** One of several ways through the command; what is true after all of them is not followed. */
  branch(visit: () => void): void {
    const before = this.#now;
    visit();
    if (this.#now !== before) this.#now = LOST;
  }

  /** Goes back to where it was before, for the part that runs when another failed. */
  restore(folder: Folder): void {
    this.#now = folder;
  }
}
