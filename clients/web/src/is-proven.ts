import type { Signatory } from '../../../src/protocol/index.ts';

/**
 * A yes without proof may have come from anyone who could reach the channel, even an agent; it gets no full seal. Neither does a signature
 * that the daemon could not verify.
 */
export const isProvenBy = (by: Signatory | null): boolean => by !== null && by.proof !== 'none' && (by.key === null || by.verified);
