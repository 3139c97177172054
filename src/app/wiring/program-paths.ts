// Where the programs are that agents start: of this installation, or by name for files that travel with a repository.

import path from 'node:path';
import type { WirePaths } from '../../doors/hooks/adapter.ts';

/** The clone, or the package as npm installed it. */
export const PROGRAM_ROOT = path.join(import.meta.dirname, '../../..');
export const CLI = path.join(PROGRAM_ROOT, 'bin/countersign');

export const wirePaths = (shared: boolean, home: string): WirePaths =>
  shared
    ? { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true }
    : { hookClient: path.join(PROGRAM_ROOT, 'bin/countersign-hook'), cli: CLI, home };
