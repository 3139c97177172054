// Whether a file can be started as a program by this user.

import { accessSync, constants, statSync } from 'node:fs';

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
