// A lane looks for what a question is about in one place: texts, symbols, policies, artefacts, memory. Words only, no embeddings. A
// result says which lanes found it and what its score is made of.

import type { CodeCitation, Graph, TreeIndex } from '../../codeindex/index.ts';
import type { Hit } from '../../memory/index.ts';

export const LANES = ['lexical', 'symbol', 'policy', 'artifact', 'episodic_memory'] as const;
export type LaneName = (typeof LANES)[number];

/** What a connector imported or a run produced, as text. */
export interface Artifact {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

export interface LanePorts {
  readonly index: Pick<TreeIndex, 'rank' | 'definitions' | 'cite'>;
  readonly graph: Graph;
  readonly recall: (query: string, limit: number) => readonly Hit[];
  readonly artifacts: () => readonly Artifact[];
}

/** What one lane found, in its own order. */
export interface LaneHit {
  /** Two lanes that found the same item use the same key: a file, a node's or a memory's id. */
  readonly id: string;
  readonly title: string;
  /** What its words are compared with. */
  readonly text: string;
  readonly path: string | null;
  readonly citation: CodeCitation | null;
  /** Whether the exact name was requested. */
  readonly exact: boolean;
  /** In words. */
  readonly why: string;
}

export interface LaneResult {
  readonly id: string;
  readonly title: string;
  readonly path: string | null;
  readonly citation: CodeCitation | null;
  readonly score: number;
  /** What the score is the sum of. */
  readonly parts: {
    /** By rank over all lanes: what several lanes found comes first. */
    readonly fusion: number;
    /** How much of the question its words answer; rare ones count more. */
    readonly coverage: number;
    readonly exact: number;
    /** Whether it is in the same folders as the other results. */
    readonly proximity: number;
  };
  readonly lanes: readonly { readonly lane: LaneName; readonly rank: number; readonly why: string }[];
}

export interface Retrieval {
  readonly question: string;
  readonly results: readonly LaneResult[];
  /** How much each lane found, even if nothing. */
  readonly lanes: Readonly<Record<LaneName, number>>;
}
