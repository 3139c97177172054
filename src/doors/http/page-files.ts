// The page's files, as the build left them. Names are looked up in a list made once, so no path can leave the folder.

import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

export interface PageFile {
  readonly type: string;
  readonly content: Buffer;
  /** Built names carry a hash of their content and never change. */
  readonly immutable: boolean;
}

/** By address below `/ui/`. Empty when the page has not been built. */
export async function loadPageFiles(dir: string): Promise<ReadonlyMap<string, PageFile>> {
  const files = new Map<string, PageFile>();
  const entries = await readdir(dir, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    const type = TYPES[path.extname(entry.name)];
    if (!entry.isFile() || type === undefined) continue;
    const file = path.join(entry.parentPath, entry.name);
    const address = path.relative(dir, file).split(path.sep).join('/');
    files.set(address, { type, content: await readFile(file), immutable: address.startsWith('assets/') });
  }
  const index = files.get('index.html');
  if (index) files.set('', index);
  return files;
}
