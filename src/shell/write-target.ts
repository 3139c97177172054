// What a command writes, as far as its words show. The paths are resolved where its folder is known.

import type { Argument } from './words.ts';

/**
 * `file`: exactly this path. `tree`: this path and all below it. `folder`: a folder that is made or removed empty.
 * `either`: this path, or, where it is a folder, the entry in it. `below`: unknown names under this folder.
 */
export type WriteKind = 'file' | 'tree' | 'folder' | 'either' | 'below';

export interface WriteTarget {
  readonly path: Argument;
  readonly kind: WriteKind;
  /** Of `either`: the name that it gets in the folder. */
  readonly entry?: string;
  /** Of `below`: only names of this pattern. */
  readonly only?: string;
}

export interface FoundWrites {
  readonly targets: readonly WriteTarget[];
  /** Nothing else is written. */
  readonly complete: boolean;
  /** All that is thrown away is among the targets, although programs of the repository may write more. */
  readonly named?: boolean;
  /** Shell text that runs. */
  readonly scripts?: readonly string[];
}

/** For commands whose arguments are a small language of their own. */
export type WriteScan = (args: readonly Argument[], command: string) => FoundWrites;

/** How to find what is written among options and operands. */
export interface WriteOptions {
  /** Letters of options that take a value: without them a value would look like an operand. */
  readonly values?: string;
  readonly longValues?: readonly string[];
  /** Which operands are written. */
  readonly operands: 'all' | 'first' | 'second' | 'after-first' | 'last' | 'none';
  readonly kind?: WriteKind;
  /** Options whose value is a file that is written. */
  readonly into?: readonly string[];
  /** Options whose value is a folder that is written in. */
  readonly folder?: readonly string[];
  /** Options with which nothing is written. */
  readonly silent?: readonly string[];
  /** Options with which other files are written too, or a program is run. */
  readonly more?: readonly string[];
  /** Other files may be written, with any options. */
  readonly opaque?: boolean;
}
