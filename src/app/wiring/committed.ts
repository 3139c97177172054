// Which files git follows. No git, or none that answers: none.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export async function committedAmong(root: string, files: readonly string[]): Promise<string[]> {
  if (files.length === 0) return [];
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const asked = await promisify(execFile)('git', ['ls-files', '-z', '--', ...files.map((file) => `:(literal)${file}`)], {
    cwd: root,
    env,
  }).catch(() => null);
  return asked?.stdout.split('\0').filter((file) => file !== '') ?? [];
}
