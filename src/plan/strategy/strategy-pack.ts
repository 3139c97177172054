// Strategy classes, the words by which a context is recognised, and the proofs that a context needs. All of it is data that a pack brings.

import type { ContextFlag, ContextSignature, ProofChainKind, SwitchTrigger, TestConfidence } from '../../protocol/index.ts';

export interface StrategyClass {
  readonly id: string;
  /** When it fits: every flag as it says, one of `any` at least, and one of the words in the prompt. Without conditions it always fits. */
  readonly when: {
    readonly all?: Partial<Readonly<Record<ContextFlag, boolean>>>;
    readonly any?: readonly ContextFlag[];
    readonly words?: readonly string[];
  };
  /** One sentence for people: what this class looks at first. */
  readonly says: string;
  readonly minimumTestConfidence: TestConfidence;
  /** An operation of an API description has to be resolved. */
  readonly needsContractAnchor: boolean;
}

/** Which context needs which chain. It holds in every class, so that a switch of classes gets around nothing. */
export interface ChainRule {
  readonly when: ContextFlag;
  readonly chain: ProofChainKind;
}

/** What shows that a flag is set. */
export interface FlagRule {
  readonly flag: ContextFlag;
  /** Words of the prompt, the plan or an artefact: lower case, matched at word boundaries. */
  readonly words: readonly string[];
  /** Beginnings of what a target file imports. */
  readonly imports?: readonly string[];
  /** Labels of graph nodes in a target file. */
  readonly labels?: readonly string[];
  /** Beginnings of ids of artefacts. */
  readonly artifacts?: readonly string[];
  /** Texts in a target file. */
  readonly texts?: readonly string[];
  /** Parts of the name of a target file, in lower case. */
  readonly names?: readonly string[];
}

export interface StrategyPack {
  readonly name: string;
  /** In the order in which they are tried; the last one fits always. */
  readonly classes: readonly StrategyClass[];
  readonly chains: readonly ChainRule[];
  readonly flags: readonly FlagRule[];
  /** How often a trigger has to fire before the class is switched. */
  readonly thresholds: Readonly<Record<SwitchTrigger, number>>;
}

export interface SignatureFound {
  readonly signature: ContextSignature;
  /** What shows each flag that is set. */
  readonly because: readonly {
    readonly flag: ContextFlag | 'testConfidenceLevel';
    readonly reason: string;
    readonly evidenceRefs: readonly string[];
  }[];
}
