// Build output that the repository's own .gitignore names. What git ignores is not derived for that alone, because secrets and notes are
// ignored too: only folders whose name says that a build fills them.

import path from 'node:path';
import { NO_PATH_CONFIG, pathClass, readPlainFile, TrackedFiles } from '../../workspace/index.ts';

const IGNORE_MAX_BYTES = 1024 * 1024;
const BUILD_FOLDERS = new Set([
  'build',
  'out',
  'output',
  '_build',
  '.build',
  'obj',
  'htmlcov',
  '.output',
  '.vercel',
  '.terraform',
  'cmake-build-debug',
]);

/** As globs for `paths.derived`. A folder with a tracked file in it holds more than output. */
export async function ignoredBuildOutput(root: string): Promise<string[]> {
  const file = await readPlainFile(path.join(root, '.gitignore'), IGNORE_MAX_BYTES);
  if (file.kind !== 'file') return [];
  const tracked = await TrackedFiles.at(root);
  const globs = Buffer.from(file.bytes)
    .toString('utf8')
    .split(/\r?\n/)
    .flatMap((line) => {
      const folder = /^(?<anchor>\/?)(?<name>\.?[\w-][\w.-]*(?:\/\.?[\w-][\w.-]*)*)\/?$/.exec(line.trim())?.groups;
      const name = folder?.['name'] ?? '';
      if (!BUILD_FOLDERS.has(name.split('/').at(-1) ?? '')) return [];
      const isAnchored = folder?.['anchor'] === '/' || name.includes('/');
      if (pathClass(`${name}/x`, NO_PATH_CONFIG) === 'derived' || tracked.hasBelow(name)) return [];
      return [isAnchored ? `${name}/**` : `**/${name}/**`];
    });
  return [...new Set(globs)];
}
