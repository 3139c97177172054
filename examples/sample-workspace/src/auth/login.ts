import { scryptSync, timingSafeEqual } from 'node:crypto';

export interface Account {
  readonly email: string;
  readonly salt: string;
  readonly passwordHash: string;
  failedLogins: number;
}

export type LoginResult = 'ok' | 'wrong-password' | 'locked';

const MAX_FAILED_LOGINS = 5;

export function hashPassword(password: string, salt: string): string {
  return scryptSync(password, salt, 32).toString('hex');
}

export function findAccount(accounts: readonly Account[], email: string): Account | undefined {
  const wanted = email.trim().toLowerCase();
  return accounts.find((account) => account.email.toLowerCase() === wanted);
}

/** After five wrong passwords in a row the account is locked until somebody resets it. */
export function login(account: Account, password: string): LoginResult {
  if (account.failedLogins > MAX_FAILED_LOGINS) return 'locked';

  const given = Buffer.from(hashPassword(password, account.salt), 'hex');
  const stored = Buffer.from(account.passwordHash, 'hex');
  if (!timingSafeEqual(given, stored)) {
    account.failedLogins += 1;
    return 'wrong-password';
  }
  return 'ok';
}
