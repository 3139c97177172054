/**
 * Amounts are whole cents, so that sums are exact.
 *
 * @typedef {object} Payment
 * @property {string} id
 * @property {number} cents
 * @property {'open' | 'captured' | 'refunded'} status
 */

/** @type {(payment: Payment) => Payment} */
export function capture(payment) {
  if (payment.status !== 'open') throw new Error(`payment ${payment.id} is ${payment.status} and cannot be captured`);
  return { ...payment, status: 'captured' };
}

/** @type {(payment: Payment) => Payment} */
export function refund(payment) {
  if (payment.status !== 'captured') throw new Error(`payment ${payment.id} is ${payment.status} and cannot be refunded`);
  return { ...payment, status: 'refunded' };
}

/**
 * What the shop has really earned.
 *
 * @type {(payments: readonly Payment[]) => number}
 */
export function balance(payments) {
  return payments.filter(({ status }) => status === 'captured').reduce((sum, { cents }) => sum + cents, 0);
}

/** @type {(cents: number) => string} */
export function formatCents(cents) {
  return `${(cents / 100).toFixed(2)} EUR`;
}
