// The files of a work tree that name its checks, and the programs that are installed.

import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { isProgram } from '../workspace/index.ts';
import type { WorkspaceFiles } from './detect-checks.ts';

const TEXT_MAX_BYTES = 1024 * 1024;

export function filesOf(root: string, searchPath = process.env['PATH'] ?? ''): WorkspaceFiles {
  return {
    has: (file) => existsSync(path.join(root, file)),
    read: (file) => {
      try {
        const place = path.join(root, file);
        return statSync(place).size <= TEXT_MAX_BYTES ? readFileSync(place, 'utf8') : null;
      } catch {
        return null;
      }
    },
    hasBin: (name) => isProgram(path.join(root, 'node_modules/.bin', name)),
    isOnPath: (name) => searchPath.split(path.delimiter).some((folder) => path.isAbsolute(folder) && isProgram(path.join(folder, name))),
  };
}
