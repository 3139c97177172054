// What plans are judged by here: the strategies and proof chains of the packs, the versions of the policies, the settings.

import { staleEvidence } from '../plan/index.ts';
import { keptPack } from '../projections/index.ts';
import { CHAIN_PROVERS, CODE_STRATEGIES } from '../packs/index.ts';
import { policies } from '../policy/index.ts';
import { type Config, DEFAULT_EVIDENCE_POLICY, type PlanNode, type StaleEvidence } from '../protocol/index.ts';
import type { PlansPort } from '../tools/index.ts';

interface PlanParts {
  readonly configOf: (root: string) => Promise<Config>;
  readonly store: {
    readonly putBlob: (bytes: Uint8Array) => Promise<string>;
    readonly getBlob: (sha256: string) => Promise<Uint8Array | null>;
  };
}

/** For nodes that the kernel knows to be open. */
export const staleReader =
  (privateFolders: readonly string[]) =>
  (root: string, nodes: readonly PlanNode[], ownChanges: ReadonlySet<string>): Promise<readonly StaleEvidence[]> =>
    staleEvidence({ nodes: [...nodes] }, new Set(), { root, privateFolders, ownChanges });

export const openPlans = ({ configOf, store }: PlanParts): PlansPort => ({
  provers: CHAIN_PROVERS,
  strategies: CODE_STRATEGIES,
  policyVersions: Object.fromEntries(policies.map(({ name, version }) => [name, String(version)])),
  settingsOf: async (root) => {
    const { evidencePolicy, memory, angular, federation } = await configOf(root);
    const { enablePlanRuleMutation, enableStrategyOverride } = memory;
    return {
      evidencePolicy: { ...DEFAULT_EVIDENCE_POLICY, ...evidencePolicy },
      hints: { manifests: federation.manifests, projects: angular.projects },
      lessonSettings: { enablePlanRuleMutation, enableStrategyOverride },
    };
  },
  // Lessons are not recorded yet.
  lessonsOf: async () => [],
  keepPack: (bytes) => store.putBlob(bytes),
  packOf: (ref) => keptPack(store, ref),
});
