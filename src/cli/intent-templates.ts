// Kinds of work that come again and again, with what usually has to hold and when they are done. What a person adds comes first.

import { Fault } from '../protocol/plain.ts';

export interface IntentTemplate {
  readonly constraints: readonly string[];
  readonly criteria: readonly string[];
}

export const INTENT_TEMPLATES: Readonly<Record<string, IntentTemplate>> = {
  bugfix: {
    constraints: ['Change no behaviour but the faulty one', 'No new dependencies'],
    criteria: ['A test fails without the fix and passes with it', 'All other tests still pass'],
  },
  feature: {
    constraints: ['Follow the conventions of the code around it', 'No new dependencies without asking'],
    criteria: ['Tests show the new behaviour', 'The documentation names it'],
  },
  refactor: {
    constraints: ['Behaviour stays the same', 'Tests are not changed to make them pass'],
    criteria: ['All tests pass, unchanged', 'The public interface is the same'],
  },
  tests: {
    constraints: ['Only tests change', 'No test depends on time, order or the network'],
    criteria: ['Each new test fails when the behaviour that it names is broken'],
  },
  docs: {
    constraints: ['Only documentation and comments change'],
    criteria: ['Every command that is shown was run', 'Links lead somewhere'],
  },
  dependencies: {
    constraints: ['Only manifests and lock files change, and what a new version demands', 'One dependency at a time'],
    criteria: ['The lock file fits the manifest', 'All tests pass'],
  },
};

export function withTemplate(given: { readonly constraint: string[]; readonly criterion: string[]; readonly template?: string }): {
  constraint: string[];
  criterion: string[];
} {
  const { template, constraint, criterion } = given;
  if (template === undefined) return { constraint, criterion };
  const found = Object.hasOwn(INTENT_TEMPLATES, template) ? INTENT_TEMPLATES[template] : undefined;
  if (!found)
    throw new Fault('BAD_REQUEST', `There is no template ${template}.`, {
      fix: `The templates are ${Object.keys(INTENT_TEMPLATES).join(', ')}`,
    });
  return { constraint: [...constraint, ...found.constraints], criterion: [...criterion, ...found.criteria] };
}
