// Logins of the page. A code counts once and for two minutes; what it buys, for twelve hours and this start of the daemon: a cookie to look,
// and a page token to decide. A program that takes the port of a dead daemon gets what open pages send, so that nothing of it may count later.

import { createHash, randomBytes } from 'node:crypto';
import type { Logins } from '../doors/services.ts';

const CODE_MS = 2 * 60_000;
const LOGIN_MS = 12 * 3_600_000;

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
interface Login {
  readonly until: number;
  /** The page token's hash. */
  readonly token: string;
}

/** `issued` is called with every secret that is given out. */
export function openLogins(now: () => Date, issued: (secret: string) => void = () => {}): Logins {
  const codes = new Map<string, number>();
  /** By the cookie's hash. */
  const logins = new Map<string, Login>();
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
      return { cookie, pageToken };
    },
    mayRead: (cookie) => loginOf(cookie) !== null,
    mayDecide: (cookie, pageToken) => loginOf(cookie)?.token === hash(pageToken),
  };
}
