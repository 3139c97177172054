// The token of clients that use MCP over HTTP: another one with every start. A program that takes the port of a dead daemon gets the one that
// clients still send, and the next daemon does not know it.

import { randomBytes } from 'node:crypto';
import { writePrivateFile } from '../workspace/index.ts';

export async function freshToken(file: string): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await writePrivateFile(file, `${token}\n`);
  return token;
}
