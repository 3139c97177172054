// The rejection codes of plans, for people: when each is given, a plan that gets it, and what puts it right. `countersign plan explain` and
// docs/plan-codes.md are made from this table.

import type { PlanCode } from './plan.ts';

export interface PlanCodeGuide {
  /** When it is given. */
  readonly trigger: string;
  /** The smallest thing that gets it. */
  readonly example: string;
  readonly fix: string;
}

export const PLAN_CODE_GUIDE: Readonly<Record<PlanCode, PlanCodeGuide>> = {
  PLAN_MISSING_REQUIRED_FIELDS: {
    trigger:
      'A field that only the agent knows is missing, a field has another name or form, two nodes have one id, a dependency is unknown or circular, or a field that the server knows has another value.',
    example: '{"nodes": [{"file": "src/total.ts"}]}',
    fix: 'Rename, add or remove the field that the error names. Fields of the envelope can be left out: the server fills them in.',
  },
  PLAN_SCOPE_VIOLATION: {
    trigger:
      'A path is outside the work tree, outside the scope of the intent or one of the gate’s own files; symbols are given as a wildcard; a file that exists would be created; or a verb or an edit is not covered by the plan.',
    example: '"targetFile": "../other/secret.ts", or "targetSymbols": ["*"]',
    fix: 'Name a file and symbols inside the scope, or ask a human for more paths.',
  },
  PLAN_EVIDENCE_INSUFFICIENT: {
    trigger:
      'A change has fewer distinct sources than the evidence policy asks for, a source does not exist or changed since it was cited, or the plan asks for a lower policy.',
    example: 'a change node without codeEvidence in a session that has not read the file',
    fix: 'Read the file, then cite "path:10-20" or "path#Symbol"; or leave codeEvidence out after reading. Requirements are cited as "prompt", "intent" or lines of a document.',
  },
  PLAN_NOT_ATOMIC: {
    trigger: 'One node names several files, a folder or a pattern, or a side effect is inside the atomicity boundary of a change.',
    example: '"targetFile": "src/a.ts, src/b.ts"',
    fix: 'Make a node for each file, and give the side effect a boundary of its own.',
  },
  PLAN_VERIFICATION_WEAK: {
    trigger:
      'No check covers a change: there is none, it is about other files, it cannot fail, it is a sentence, or the workspace does not have it.',
    example: '"verificationHooks": ["npm test || true"]',
    fix: 'Name a check of the workspace (test, typecheck, lint) or a command that fails when the change is wrong, or add a validate node.',
  },
  PLAN_STRATEGY_MISMATCH: {
    trigger: 'knowledgeStrategyId is given and is not the current strategy.',
    example: '"knowledgeStrategyId": "ui_aggrid_feature" for work that has nothing to do with a grid',
    fix: 'Leave the field out, and see that the plan fits the strategy that the answer names.',
  },
  PLAN_WEAK_MODEL_AMBIGUOUS: {
    trigger:
      'editIntent or successCriteria names nothing in particular, leaves ways open (either … or, if needed, etc.) or is not decided yet (TODO).',
    example: '"editIntent": "Fix the code"',
    fix: 'Say what changes: "Return 0 from total() for an empty order".',
  },
  PLAN_FEDERATION_PROOF_MISSING: {
    trigger: 'The changed file has a route that loads a federated module, and no chain from it to the destination component is complete.',
    example: 'a change of app.routes.ts whose remote is not in the repository',
    fix: 'Make the missing link visible in the code, or let the change depend on an escalate node.',
  },
  PLAN_ORIGIN_UNKNOWN: {
    trigger: 'The changed file shows an ag-Grid, and no chain from a column to the definition behind it is complete.',
    example: 'a grid whose route is computed',
    fix: 'Make the missing link visible in the code, or let the change depend on an escalate node.',
  },
  PLAN_POLICY_VIOLATION: {
    trigger:
      'A policy row, a constraint of the intent in the words of rules, or a lesson asks for steps that the plan lacks, or forbids what it does.',
    example: 'a constraint "deny: touches db/migrations/**" and a change in that folder',
    fix: 'Add the steps that the error names, or leave the node out.',
  },
  PLAN_MISSING_CONTRACT_ANCHOR: {
    trigger: 'The work is about an API (its description was named, fetched or is changed), and no operation of the description is named.',
    example: 'the prompt says "bring the OpenAPI contract up to date", and nothing cites an operation',
    fix: 'Cite "operation:GET /orders/{id}" or its lines in the description, or let the change depend on an escalate node.',
  },
  PLAN_VALIDATION_CONFIDENCE_TOO_LOW: {
    trigger: 'The checks that exist (none, low: no tests, medium: tests, high: tests and types) are fewer than a fitting strategy needs.',
    example: 'a migration in a workspace without tests',
    fix: 'Plan a test too, or let the change depend on an escalate node.',
  },
  EXEC_SIDE_EFFECT_COLLISION: {
    trigger: 'Another run has reserved the file, symbol, graph or side effect.',
    example: 'two runs whose plans change src/total.ts',
    fix: 'Do another node first, or wait: the answer says which run holds it.',
  },
  EXEC_UNGATED_SIDE_EFFECT: {
    trigger: 'The side effect is not a node of the plan, or a human has not opened its commit gate for exactly this payload.',
    example: 'execute_gated_side_effect before anyone opened the gate',
    fix: 'Wait for a human to open the gate; naming it in the plan opens nothing.',
  },
  MEMORY_PROVISIONAL_EXPIRED: {
    trigger: 'The plan cites a lesson that expired before a human approved it.',
    example: '"citations": ["lesson:les-17"] for a lesson whose state is expired',
    fix: 'Remove the citation.',
  },
  PACK_INSUFFICIENT: {
    trigger: 'A section of the context pack cannot be built: there is no code index for the tree, or not yet.',
    example: 'a plan that is submitted while the index is being made',
    fix: 'Submit the same plan again in a moment.',
  },
  PACK_REQUIRED_ANCHOR_UNRESOLVED: {
    trigger: 'A file that should be changed, or a symbol of it, does not exist.',
    example: '"operation": "modify" of a path that no file has',
    fix: 'Use the path or name that the error suggests; if it is new, make it a create node, or say "Add NAME" in editIntent.',
  },
};
