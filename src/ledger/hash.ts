// SHA-256 and the Merkle tree of RFC 6962 over it.

import { hash } from 'node:crypto';

export const sha256Hex = (bytes: Uint8Array | string): string => hash('sha256', bytes, 'hex');

/** A digest as 32 characters of one byte each. A string costs less than half of what a buffer costs to get from Node. */
export type Digest = string;

const digestOf = (hex: string): Digest => Buffer.from(hex, 'hex').toString('latin1');

const sha256 = (bytes: Uint8Array): Digest => hash('sha256', bytes, 'binary');

const leaf = Buffer.alloc(33);

/** A leaf's hash: over a zero byte and the line's own hash, given in hex, which the chain needs anyway: no byte is hashed twice. */
export function leafHash(lineHash: string): Digest {
  leaf.write(lineHash, 1, 'hex');
  return sha256(leaf);
}

const pair = Buffer.alloc(65);
pair[0] = 1;

export function nodeHash(left: Digest, right: Digest): Digest {
  for (let i = 0; i < left.length; i++) pair[i + 1] = left.charCodeAt(i);
  for (let i = 0; i < right.length; i++) pair[i + 33] = right.charCodeAt(i);
  return sha256(pair);
}

/** Plain data, for snapshots: the roots of the full subtrees, largest first, as hex. */
export interface FrontierData {
  readonly size: number;
  readonly nodes: readonly string[];
}

/**
 * The right edge of a Merkle tree: all that is needed to add leaves and to compute the root.
 * INVARIANT: one node for each bit that is set in `size`, the largest subtree first.
 */
export class MerkleFrontier {
  #size: number;
  readonly #nodes: Digest[];

  constructor(data: FrontierData = { size: 0, nodes: [] }) {
    this.#size = data.size;
    this.#nodes = data.nodes.map(digestOf);
  }

  get size(): number {
    return this.#size;
  }

  /** A leaf, or the root of the next full subtree of 2 ** `level` leaves, which has to begin at a multiple of as many. */
  append(digest: Digest, level = 0): void {
    let node = digest;
    for (let size = this.#size / 2 ** level; size % 2 === 1; size = (size - 1) / 2) node = nodeHash(this.#nodes.pop() as Digest, node);
    this.#nodes.push(node);
    this.#size += 2 ** level;
  }

  /** In hex. Of an empty tree: the hash of nothing, as RFC 6962 has it. */
  root(): string {
    let root = this.#nodes.at(-1);
    if (root === undefined) return sha256Hex('');
    for (let i = this.#nodes.length - 2; i >= 0; i--) root = nodeHash(this.#nodes[i] as Digest, root);
    return hexOf(root);
  }

  clone(): MerkleFrontier {
    const copy = new MerkleFrontier();
    copy.#size = this.#size;
    copy.#nodes.push(...this.#nodes);
    return copy;
  }

  data(): FrontierData {
    return { size: this.#size, nodes: this.#nodes.map(hexOf) };
  }
}

const hexOf = (digest: Digest): string => Buffer.from(digest, 'latin1').toString('hex');
