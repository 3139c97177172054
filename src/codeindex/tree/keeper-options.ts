// How the index of a tree is opened.

import { dirname, join } from 'node:path';
import type { Sights } from '../../workspace/plain.ts';

export interface KeeperOptions {
  readonly root: string;
  /** Where the index is kept; null: only in memory. */
  readonly folder: string | null;
  readonly sights: Sights;
  readonly watch: boolean;
  readonly threads?: number | undefined;
  readonly patienceMs?: number | undefined;
  /** Which compiler is asked for precise answers; without it, the newest that can be had. */
  readonly engine?: 'typescript6' | undefined;
}

/** Beside the indexes: the threads' own sources, compiled. */
export const compiledIn = (folder: string): string => join(dirname(folder), 'compiled');
