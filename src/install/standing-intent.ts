// The first intent, offered by `init`: once, to a person who has just confirmed and has granted nothing yet.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Workspace } from '../workspace/index.ts';
import { ask } from './confirm.ts';
import type { InitOptions } from './init.ts';

const STANDING_TITLE = 'everyday work';
/** Where sources usually are. */
const SOURCE_FOLDERS = [
  'src',
  'lib',
  'app',
  'apps',
  'packages',
  'cmd',
  'internal',
  'pkg',
  'server',
  'client',
  'web',
  'test',
  'tests',
  'docs',
];

export async function standingIntent(
  { root }: Workspace,
  { intent, yes, json, hasActiveIntent }: InitOptions,
): Promise<{ title: string; paths: readonly string[] } | null> {
  if (intent) return { title: intent.title ?? STANDING_TITLE, paths: intent.paths ?? (await sourceFolders(root)) };
  if (yes || json || (await hasActiveIntent())) return null;
  const title = await ask(`Grant agents a standing intent now, so that they can begin? Title [${STANDING_TITLE}], or n for none: `);
  if (title === null || /^no?$/i.test(title)) return null;
  const defaults = await sourceFolders(root);
  const paths = await ask(`Paths that it may change, with spaces between them [${defaults.join(' ')}]: `);
  if (paths === null || /^no?$/i.test(paths)) return null;
  return { title: title || STANDING_TITLE, paths: paths === '' ? defaults : paths.split(/\s+/) };
}

async function sourceFolders(root: string): Promise<string[]> {
  const isFolder = (name: string) =>
    stat(path.join(root, name)).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const found = await Promise.all(SOURCE_FOLDERS.map(async (name) => ((await isFolder(name)) ? [name] : [])));
  return found.flat().length > 0 ? found.flat() : ['.'];
}
