import { scryptSync, timingSafeEqual } from 'node:crypto';

/**
 * @typedef {object} Account
 * @property {string} email
 * @property {string} salt
 * @property {string} passwordHash
 * @property {number} failedLogins
 */

const MAX_FAILED_LOGINS = 5;

/** @type {(password: string, salt: string) => string} */
export function hashPassword(password, salt) {
  return scryptSync(password, salt, 32).toString('hex');
}

/** @type {(accounts: readonly Account[], email: string) => Account | undefined} */
export function findAccount(accounts, email) {
  const wanted = email.trim().toLowerCase();
  return accounts.find((account) => account.email.toLowerCase() === wanted);
}

/**
 * After five wrong passwords in a row the account is locked until somebody resets it.
 *
 * @type {(account: Account, password: string) => 'ok' | 'wrong-password' | 'locked'}
 */
export function login(account, password) {
  if (account.failedLogins > MAX_FAILED_LOGINS) return 'locked';

  const given = Buffer.from(hashPassword(password, account.salt), 'hex');
  const stored = Buffer.from(account.passwordHash, 'hex');
  if (!timingSafeEqual(given, stored)) {
    account.failedLogins += 1;
    return 'wrong-password';
  }
  return 'ok';
}
