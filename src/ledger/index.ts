// ledger: the bytes of the record and how anyone checks them.
// Owns canonical JSON, hashes, the chain, signatures, heads, and reading and verifying a ledger's files. Format: docs/ledger-format.md.
// Invariant: what is checked is the exact stored bytes; a reader stops at the first bad line and says where it is.
// Refuses: to write (stores do), to give out a private key, to skip a line.

export { canonicalJson, NotCanonical } from './canonical-json.ts';
export * from './chain-position.ts';
export { type BadCountersignature, CountersignatureCheck } from './check-countersignatures.ts';
export * from './countersignature.ts';
export { leafHash, MerkleFrontier, sha256Hex } from './hash.ts';
export type { FrontierData } from './hash.ts';
export { loadOrCreateKeys, writePublicKey } from './keys.ts';
export type { LedgerKeys } from './keys.ts';
export type { How, Place, Problem } from './problem.ts';
export { readChain } from './read-chain.ts';
export type { ChainReading, ReadChainOptions } from './read-chain.ts';
export {
  headLine,
  isStreamName,
  MAX_LINE_BYTES,
  NO_LINE,
  parseRecord,
  readLine,
  recordLine,
  signatureOf,
  signedBody,
} from './record-line.ts';
export type { RecordLine } from './record-line.ts';
export { lineChunks, segmentName } from './segments.ts';
export * from './verify.ts';
export { newestSavedCheckpoint } from './saved-checkpoint.ts';
export { type OpenOutcome, type Verification, verifyFolder } from './verify-folder.ts';
