/** Amounts are whole cents, so that sums are exact. */
export interface Payment {
  readonly id: string;
  readonly cents: number;
  readonly status: 'open' | 'captured' | 'refunded';
}

export function capture(payment: Payment): Payment {
  if (payment.status !== 'open') throw new Error(`payment ${payment.id} is ${payment.status} and cannot be captured`);
  return { ...payment, status: 'captured' };
}

export function refund(payment: Payment): Payment {
  if (payment.status !== 'captured') throw new Error(`payment ${payment.id} is ${payment.status} and cannot be refunded`);
  return { ...payment, status: 'refunded' };
}

/** What the shop has really earned. */
export function balance(payments: readonly Payment[]): number {
  return payments.filter(({ status }) => status === 'captured').reduce((sum, { cents }) => sum + cents, 0);
}

export function formatCents(cents: number): string {
  return `${(cents / 100).toFixed(2)} EUR`;
}
