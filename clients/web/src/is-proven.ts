import type { Proof } from '../../../src/protocol/index.ts';

/** A yes without proof may have come from anybody who could reach the channel, an agent included; it gets no full seal. */
export const isProven = (proof: Proof | null): boolean => proof !== null && proof !== 'none';
