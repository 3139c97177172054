// What plans are judged by here: the strategies and proof chains of the packs, the versions of the policies, the settings.

import { CHAIN_PROVERS, CODE_STRATEGIES } from '../packs/index.ts';
import { policies } from '../policy/index.ts';
import { type Config, DEFAULT_EVIDENCE_POLICY } from '../protocol/index.ts';
import type { PlansPort } from '../tools/index.ts';

interface PlanParts {
  readonly configOf: (root: string) => Promise<Config>;
  readonly store: { readonly putBlob: (bytes: Uint8Array) => Promise<string> };
}

export const openPlans = ({ configOf, store }: PlanParts): PlansPort => ({
  provers: CHAIN_PROVERS,
  strategies: CODE_STRATEGIES,
  policyVersions: Object.fromEntries(policies.map(({ name, version }) => [name, String(version)])),
  settingsOf: async (root) => {
    const { evidencePolicy, memory } = await configOf(root);
    const { enablePlanRuleMutation, enableStrategyOverride } = memory;
    return {
      evidencePolicy: { ...DEFAULT_EVIDENCE_POLICY, ...evidencePolicy },
      lessonSettings: { enablePlanRuleMutation, enableStrategyOverride },
    };
  },
  // Lessons are not recorded yet.
  lessonsOf: async () => [],
  keepPack: (bytes) => store.putBlob(bytes),
});
