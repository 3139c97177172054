// An import as events: plans become proposals, allowed commands become rules that are not in force yet, rules become
// unapproved claims.

import { type Claim, type CommandRule, type Human, type Intent, type StreamEventDraft, streams } from '../protocol/index.ts';
import type { IntentRequest } from './authority.ts';

export interface FoundElsewhere {
  readonly intents: readonly (Omit<IntentRequest, 'workspace'> & { readonly reason: string })[];
  readonly commandRules: readonly CommandRule[];
  readonly claims: readonly Claim[];
}

export function takeOverDrafts(
  workspace: string,
  { intents, commandRules, claims }: FoundElsewhere,
  nextIntentId: () => string,
  human: Human,
): { readonly intents: readonly Intent[]; readonly drafts: readonly StreamEventDraft[] } {
  const proposed = intents.map(({ name, ownedScope, constraints, acceptanceCriteria, reason }) => {
    const intent: Intent = {
      id: nextIntentId(),
      name,
      status: 'proposed',
      owned_scope: [...ownedScope],
      constraints: [...constraints],
      acceptance_criteria: [...acceptanceCriteria],
    };
    return { intent, reason };
  });
  return {
    intents: proposed.map(({ intent }) => intent),
    drafts: [
      ...proposed.map(({ intent, reason }): StreamEventDraft => ({
        stream: streams.intent(workspace, intent.id),
        event: { type: 'intent_proposed', data: { workspace, intent, session: null, reason } },
      })),
      ...(commandRules.length === 0 ? [] : [commandRules]).map((rules): StreamEventDraft => ({
        stream: streams.commandRules(workspace),
        event: { type: 'command_rules_proposed', data: { rules: [...rules], human } },
      })),
      ...claims.map((claim): StreamEventDraft => ({
        stream: streams.memory(workspace),
        event: { type: 'claim_kept', data: { workspace, claim } },
      })),
    ],
  };
}
