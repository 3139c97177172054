// The leaves from some place on, as few nodes of the tree: of each two that are together here, only the node above them is kept. Whoever
// has the leaves before them goes on with the nodes as if they were the leaves.

import { nodeHash } from './hash.ts';
import type { Digest } from './hash.ts';

/** The root of a full subtree of 2 ** `level` leaves. */
export interface MerkleNode {
  readonly level: number;
  readonly digest: Digest;
}

export class MerkleSpan {
  #next: number;
  /** In order, each beginning where the one before it ends. */
  readonly nodes: MerkleNode[] = [];

  /** `from`: how many leaves stand before the first one. */
  constructor(from: number) {
    this.#next = from;
  }

  append(leaf: Digest): void {
    let [digest, level] = [leaf, 0];
    for (let index = this.#next; index % 2 === 1 && this.nodes.at(-1)?.level === level; index = (index - 1) / 2) {
      digest = nodeHash((this.nodes.pop() as MerkleNode).digest, digest);
      level += 1;
    }
    this.nodes.push({ level, digest });
    this.#next += 1;
  }
}
