// The token of clients that use MCP over HTTP.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { writePrivateFile } from '../workspace/index.ts';

/** Clients keep it in their settings, so it outlives the daemon. */
export async function keptToken(file: string): Promise<string> {
  const kept = (await readFile(file, 'utf8').catch(() => '')).trim();
  if (/^[\w-]{43}$/.test(kept)) return kept;
  const token = randomBytes(32).toString('base64url');
  await writePrivateFile(file, `${token}\n`);
  return token;
}
