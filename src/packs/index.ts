// packs: what the program knows of single frameworks, as data and small code.
// Owns Angular: its templates, ag-Grid, routes and module federation, and the proof chains through them; and the strategies of work on code.
// Invariant: other rooms know a pack by its interface alone; without packs the index and the graph work, and say less.
// Refuses: to keep state, to change anything, and to load a framework's compiler or a reader of documents before there is a file for it.

import type { ChainProver } from '../plan/index.ts';
import type { ProofChainKind } from '../protocol/index.ts';
import { originChains } from './angular/chains/aggrid-origin.ts';
import { federationChains } from './angular/chains/federation.ts';

export { rewriteTags } from './angular/templates/rewrite-tags.ts';
export { CODE_STRATEGIES } from './code/strategies.ts';
export { CODE_PACKS } from './code-packs.ts';
export { DEFAULT_CAST, sourcesOfRole } from './prose/cast.ts';
export { prosePack } from './prose/pack.ts';
export { type AskModel, CANON_META_FILE, canonStatus, compileCanon, indexCanon, isScene, parseMeta } from './prose/story/canon.ts';
export { type Outline, outlineProblems, readOutline } from './prose/story/outline.ts';
export {
  CANON_INDEX_FILE,
  CANON_PATH,
  openVfs,
  OUTLINE_PATH,
  sourceText,
  STORY_FILE,
  type Vfs,
  type VfsEntry,
  type VfsFile,
} from './prose/story/vfs.ts';

/** By kind, as people and plans name it. */
export const CHAIN_PROVERS: Readonly<Record<ProofChainKind, ChainProver>> = {
  aggrid_origin: { code: 'PLAN_ORIGIN_UNKNOWN', prove: originChains },
  federation: { code: 'PLAN_FEDERATION_PROOF_MISSING', prove: federationChains },
};
