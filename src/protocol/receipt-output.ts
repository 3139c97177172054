// What a receipt says of an output. Without schemas: the page and the command line show it too.
import type { Receipt } from './receipt.ts';

type Output = Pick<Receipt, 'outputs' | 'excerpt' | 'full_size'>;

/** The output as far as the receipt has it. */
export const outputIn = ({ outputs, excerpt }: Output): string => outputs ?? excerpt ?? '';

/** It has all of it. */
export const hasWholeOutput = (receipt: Output): boolean =>
  receipt.outputs !== undefined || new TextEncoder().encode(receipt.excerpt ?? '').length === receipt.full_size;
