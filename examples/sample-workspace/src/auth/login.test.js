import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAccount, hashPassword, login } from './login.js';

const account = () => ({
  email: 'Ada@example.org',
  salt: 'pepper',
  passwordHash: hashPassword('correct horse', 'pepper'),
  failedLogins: 0,
});

test('the right password lets you in', () => {
  assert.equal(login(account(), 'correct horse'), 'ok');
});

test('a wrong password does not', () => {
  assert.equal(login(account(), 'battery staple'), 'wrong-password');
});

test('an account is found whatever the case of its address', () => {
  const ada = account();
  assert.equal(findAccount([ada], ' ada@EXAMPLE.org '), ada);
});
