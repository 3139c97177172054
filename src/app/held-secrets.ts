// The secrets that the daemon itself holds: its keys, its tokens, and what its environment calls a secret. They are matched
// exactly, wherever they occur.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Redactor } from '../kernel/index.ts';

const SECRET_NAME = /(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|API_?KEY|ACCESS_KEY|PRIVATE_KEY|CREDENTIALS?)$/i;
/** Values that are not secrets, whatever their names say: locations and switches. */
const PLAIN = /^(?:[/~.]|(?:true|false|enabled|disabled|required|none)$)/i;

export function holdEnvironment(redactor: Redactor, environment: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value = ''] of Object.entries(environment))
    if (SECRET_NAME.test(name) && !PLAIN.test(value)) redactor.hold('environment', value);
}

/** In the encodings in which they are likely to be written. */
export async function holdKeys(redactor: Redactor, folder: string): Promise<void> {
  const hmac = await readFile(path.join(folder, 'hmac.key'));
  for (const form of ['hex', 'base64', 'base64url'] as const) redactor.hold('daemon-key', hmac.toString(form).replace(/=+$/, ''));
  const signing = await readFile(path.join(folder, 'signing-key.pem'), 'utf8');
  for (const line of signing.split('\n')) if (!line.startsWith('-')) redactor.hold('daemon-key', line.replace(/=+$/, ''));
}
