// The leaves from some position on, as few tree nodes as possible: of each pair that is complete here, only the parent node is kept. A
// reader that has the earlier leaves continues with these nodes as if they were the leaves.

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

  /** `from`: how many leaves are before the first one. */
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
