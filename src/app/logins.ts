// Logins of the page. A code counts once and for two minutes; a cookie for twelve hours. Only hashes are kept, so that the
// file gives nobody a login.

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Logins } from '../doors/services.ts';
import { writePrivateFile } from './private-file.ts';

const CODE_MS = 2 * 60_000;
const COOKIE_MS = 12 * 3_600_000;

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
const Stored = z.record(z.string(), z.number());

export function openLogins(file: string): Logins {
  const codes = new Map<string, number>();
  const cookies = new Map(Object.entries(load(file)));
  const alive = (until: number | undefined) => until !== undefined && until > Date.now();
  return {
    issueCode: () => {
      const code = randomBytes(16).toString('base64url');
      codes.set(hash(code), Date.now() + CODE_MS);
      return code;
    },
    exchange: async (code) => {
      const until = codes.get(hash(code));
      codes.delete(hash(code));
      if (!alive(until)) return null;
      const cookie = randomBytes(32).toString('base64url');
      for (const [key, until] of cookies) if (!alive(until)) cookies.delete(key);
      cookies.set(hash(cookie), Date.now() + COOKIE_MS);
      await writePrivateFile(file, JSON.stringify(Object.fromEntries(cookies)));
      return cookie;
    },
    isLoggedIn: (cookie) => alive(cookies.get(hash(cookie))),
  };
}

/** A file that cannot be read means: nobody is logged in. */
function load(file: string): Record<string, number> {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
