// packs: what the program knows of single frameworks, as data and small code.
// Owns Angular: its templates, ag-Grid, routes and module federation, and the proof chains through them; and the strategies of work on code.
// Invariant: other rooms know a pack by its interface alone; without packs the index and the graph work, and say less.
// Refuses: to keep state, to change anything, and to load a framework's compiler before there is a file for it.

import type { ChainProver } from '../plan/index.ts';
import type { ProofChainKind } from '../protocol/index.ts';
import { originChains } from './angular/chains/aggrid-origin.ts';
import { federationChains } from './angular/chains/federation.ts';

export { CODE_STRATEGIES } from './code/strategies.ts';
export { CODE_PACKS } from './code-packs.ts';

/** By kind, as people and plans name it. */
export const CHAIN_PROVERS: Readonly<Record<ProofChainKind, ChainProver>> = {
  aggrid_origin: { code: 'PLAN_ORIGIN_UNKNOWN', prove: originChains },
  federation: { code: 'PLAN_FEDERATION_PROOF_MISSING', prove: federationChains },
};
