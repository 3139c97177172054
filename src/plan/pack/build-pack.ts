// Builds the context pack: nine sections, canonical bytes, a hash. What does not fit into the budget is left out from the end of the lists that
// help and do not decide, and the pack says what.

import type {
  ActiveMemory,
  BuiltPack,
  ContextPack,
  EvidencePolicy,
  MissingAnchor,
  PackAnchor,
  PlanNode,
  ProofChainRow,
} from '../../protocol/index.ts';
import { PACK_SECTIONS, PLAN_SCHEMA_VERSION } from '../../protocol/index.ts';
import { canonicalBytes, canonicalHash, hashOf } from '../canonical.ts';
import type { ProofChain } from '../chains/proof-chain.ts';
import type { SelectedStrategy } from '../strategy/select-strategy.ts';
import type { PlanSituation } from '../situation.ts';

export const PACK_BYTES_MAX = 128 * 1024;
const EXCERPT_MAX = 240;

export interface PackContents {
  readonly situation: PlanSituation;
  readonly repoSnapshotId: string;
  readonly scopeAllowlistRef: string;
  readonly strategy: SelectedStrategy;
  readonly evidencePolicy: EvidencePolicy;
  readonly nodes: readonly PlanNode[];
  readonly remembered: readonly { readonly id: string; readonly statement: string }[];
  readonly conflicts: readonly string[];
  readonly policies: ContextPack['policies']['rows'];
  readonly files: readonly PackAnchor[];
  readonly related: readonly PackAnchor[];
  readonly chains: readonly ProofChain[];
  readonly missing: readonly MissingAnchor[];
  readonly memories: readonly ActiveMemory[];
}

/** The lists that may be shortened, the least needed first. */
const SHORTENED = ['related', 'chains', 'policies', 'memories'] as const;
type Shortened = (typeof SHORTENED)[number];

export function buildPack(contents: PackContents, bytesMax = PACK_BYTES_MAX): BuiltPack {
  const kept: Record<Shortened, number> = {
    related: contents.related.length,
    chains: contents.chains.length,
    policies: contents.policies.length,
    memories: contents.memories.length,
  };
  for (;;) {
    const pack = packOf(contents, kept);
    const bytes = canonicalBytes(pack);
    const next = bytes.length > bytesMax ? SHORTENED.find((list) => kept[list] > 0) : undefined;
    if (next === undefined) {
      const hash = hashOf(bytes);
      return { ref: packRef(hash), hash, bytes, pack };
    }
    // Halved, so that a list of any length is soon short enough.
    kept[next] = Math.floor(kept[next] / 2);
  }
}

export const packRef = (hash: string): string => `pack:${hash}`;

/** The hash under which the pack's bytes are kept; null: not a pack's ref. */
export const packHash = (ref: string): string | null => /^pack:([0-9a-f]{64})$/.exec(ref)?.[1] ?? null;

function packOf(contents: PackContents, kept: Readonly<Record<Shortened, number>>): ContextPack {
  const { situation, strategy } = contents;
  const { intent } = situation;
  const leftOut = SHORTENED.flatMap((list) => {
    const more = contents[list].length - kept[list];
    return more > 0 ? [`${more} of ${contents[list].length} in ${list}: the pack has a limit of ${PACK_BYTES_MAX} bytes`] : [];
  });
  const sections: Omit<ContextPack, 'header'> = {
    constraints: {
      prompt: situation.prompt,
      intent: intent && {
        ...{ id: intent.id, name: intent.name },
        ...{ constraints: [...intent.constraints], acceptance: [...intent.acceptance_criteria] },
      },
      remembered: [...contents.remembered],
      conflicts: [...contents.conflicts],
    },
    policies: {
      versions: { ...situation.policyVersionSet },
      rows: contents.policies.slice(0, kept.policies),
      evidencePolicy: contents.evidencePolicy,
    },
    strategy: { strategyId: strategy.strategyId, contextSignature: strategy.contextSignature, reasons: [...strategy.reasons] },
    anchors: {
      files: [...contents.files],
      related: contents.related.slice(0, kept.related),
      chains: contents.chains.slice(0, kept.chains).map(chainRow),
    },
    allowed: {
      scopeRef: contents.scopeAllowlistRef,
      globs: [...(intent?.owned_scope ?? [])],
      files: [
        ...new Set(
          contents.nodes.flatMap((node) =>
            node.kind === 'change' ? [node.targetFile, ...(node.renameTo === null ? [] : [node.renameTo])] : [],
          ),
        ),
      ].toSorted(),
      capabilities: [...situation.capabilities],
    },
    validation: {
      checks: situation.checks.map(({ name, command }) => ({ name, command })),
      hooks: contents.nodes.flatMap((node) =>
        node.kind === 'change' || node.kind === 'validate' ? [{ nodeId: node.nodeId, hooks: [...node.verificationHooks] }] : [],
      ),
      testConfidenceLevel: strategy.contextSignature.testConfidenceLevel,
    },
    missing: { anchors: [...contents.missing], conflicts: [...contents.conflicts], leftOut },
    memories: { activeMemories: contents.memories.slice(0, kept.memories) },
  };
  return {
    header: {
      schemaVersion: PLAN_SCHEMA_VERSION,
      ...{ workId: situation.workId, agentId: situation.agentId, runSessionId: situation.runSessionId },
      ...{ repoSnapshotId: contents.repoSnapshotId, worktreeRoot: situation.worktreeRoot },
      sections: Object.fromEntries(
        PACK_SECTIONS.flatMap((section) => (section === 'header' ? [] : [[section, canonicalHash(sections[section])]])),
      ),
    },
    ...sections,
  };
}

/** Excerpts are shortened: the citation says where the rest is. */
const chainRow = ({ kind, subject, complete, links, gaps, code }: ProofChain): ProofChainRow => ({
  ...{ kind, subject, complete, code },
  links: links.map(({ role, name, node, via, because, citation, also }) => ({
    ...{ role, name, node, via, because, also: [...also] },
    citation: {
      ...citation,
      excerpt: citation.excerpt.length > EXCERPT_MAX ? `${citation.excerpt.slice(0, EXCERPT_MAX - 1).toWellFormed()}…` : citation.excerpt,
    },
  })),
  gaps: gaps.map(({ role, why, attempted }) => ({ role, why, attempted: [...attempted] })),
});
