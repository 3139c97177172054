// How the index of a tree is opened.

import { dirname, join } from 'node:path';
import type { Visibility } from '../../workspace/plain.ts';

export interface KeeperOptions {
  readonly root: string;
  /** Where the index is kept; null: only in memory. */
  readonly folder: string | null;
  readonly visibility: Visibility;
  readonly watch: boolean;
  readonly threads?: number | undefined;
  /** Addresses of the modules of packs; see `pack.ts`. */
  readonly packs?: readonly string[] | undefined;
  readonly waitTimeoutMs?: number | undefined;
  /** Which compiler gives precise answers; without it, the newest available. */
  readonly engine?: 'typescript6' | undefined;
}

/**
 * The environment of a thread that keeps its sources compiled, beside the indexes: reading them takes most of what a restart takes.
 * Set from outside, since its very first file is read by it too.
 */
export const threadEnvironment = (folder: string | null): NodeJS.ProcessEnv =>
  folder === null || process.env['NODE_COMPILE_CACHE'] !== undefined
    ? process.env
    : { ...process.env, NODE_COMPILE_CACHE: join(dirname(folder), 'compiled') };
