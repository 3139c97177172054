// Set up once for all test files: a PATH without the programs of agents. What is installed on a developer's machine must not change which
// agents `countersign init` finds.

import { accessSync, constants, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hookAdapters } from '../../src/agents/index.ts';

/** A folder with such a program is replaced by one with links to all the others, made in `place`. */
export function pathWithout(programs: readonly string[], searchPath: string, place: string): string {
  return searchPath
    .split(path.delimiter)
    .map((folder, at) => {
      if (!programs.some((name) => isProgram(path.join(folder, name)))) return folder;
      const links = mkdtempSync(path.join(place, `${at}-`));
      for (const name of readdirSync(folder).filter((each) => !programs.includes(each)))
        symlinkSync(path.join(folder, name), path.join(links, name));
      return links;
    })
    .join(path.delimiter);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export default function setup(): () => void {
  const place = mkdtempSync(path.join(tmpdir(), 'countersign-path-'));
  const agents = [...hookAdapters.values()].flatMap(({ installed }) => installed.programs);
  process.env['PATH'] = pathWithout(agents, process.env['PATH'] ?? '', place);
  return () => rmSync(place, { recursive: true, force: true });
}
