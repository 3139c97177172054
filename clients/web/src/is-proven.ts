import type { Signatory } from '../../../src/protocol/index.ts';

/**
 * A yes without proof may have come from anybody who could reach the channel, an agent included; it gets no full seal. Nor does a
 * signature that the daemon did not find true.
 */
export const isProvenBy = (by: Signatory | null): boolean => by !== null && by.proof !== 'none' && (by.key === null || by.verified);
