// Logins of the page. A code counts once and for two minutes; what it buys, for twelve hours: a cookie to look, and a page token
// to decide. Only hashes are kept: whoever reads the file cannot log in with it.

import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Logins } from '../doors/services.ts';
import { writePrivateFile } from '../workspace/index.ts';

const CODE_MS = 2 * 60_000;
const LOGIN_MS = 12 * 3_600_000;

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
/** By the cookie's hash. */
const Stored = z.record(z.string(), z.strictObject({ until: z.number(), token: z.string() }));
type Login = z.infer<typeof Stored>[string];

/** `issued` is called with every secret that is given out. */
export function openLogins(file: string, now: () => Date, issued: (secret: string) => void = () => {}): Logins {
  const codes = new Map<string, number>();
  const logins = new Map(Object.entries(load(file)));
  const alive = (until: number | undefined) => until !== undefined && until > now().getTime();
  const loginOf = (cookie: string): Login | null => {
    const login = logins.get(hash(cookie));
    return login && alive(login.until) ? login : null;
  };
  return {
    issueCode: () => {
      const code = randomBytes(16).toString('base64url');
      issued(code);
      codes.set(hash(code), now().getTime() + CODE_MS);
      return code;
    },
    exchange: async (code) => {
      const until = codes.get(hash(code));
      codes.delete(hash(code));
      if (!alive(until)) return null;
      const cookie = randomBytes(32).toString('base64url');
      const pageToken = randomBytes(32).toString('base64url');
      for (const secret of [cookie, pageToken]) issued(secret);
      for (const [key, { until }] of logins) if (!alive(until)) logins.delete(key);
      logins.set(hash(cookie), { until: now().getTime() + LOGIN_MS, token: hash(pageToken) });
      await writePrivateFile(file, JSON.stringify(Object.fromEntries(logins)));
      return { cookie, pageToken };
    },
    mayRead: (cookie) => loginOf(cookie) !== null,
    mayDecide: (cookie, pageToken) => loginOf(cookie)?.token === hash(pageToken),
  };
}

/** A file that cannot be read means that there are no logins. */
function load(file: string): Record<string, Login> {
  try {
    return Stored.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return {};
  }
}
