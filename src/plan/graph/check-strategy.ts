// Whether the plan fits the strategy: its class, the checks that class needs, the contract that API work is held to, and the proof chains that the
// context needs. A change that depends on an escalate node waits for a human anyway, who then supplies what is missing.

import { type ChangeNode, type PlanError, TEST_CONFIDENCE } from '../../protocol/index.ts';
import type { FilledNode } from './fill-in.ts';
import { inEnvelope, inNode, planError, remove } from './plan-error.ts';
import type { PlanFacts } from './plan-facts.ts';
import type { PlanDraft } from './read-plan.ts';

export function checkStrategy(nodes: readonly FilledNode[], draft: PlanDraft, facts: PlanFacts): readonly PlanError[] {
  return [...classErrors(draft, facts), ...confidenceErrors(nodes, facts), ...contractErrors(nodes, facts), ...chainErrors(nodes, facts)];
}

function classErrors({ envelope }: PlanDraft, { strategy }: PlanFacts): readonly PlanError[] {
  const given = envelope.text('knowledgeStrategyId');
  if (given === undefined || given === strategy.strategyId) return [];
  return [
    planError({
      code: 'PLAN_STRATEGY_MISMATCH',
      at: inEnvelope('knowledgeStrategyId'),
      message: `The plan is for ${JSON.stringify(given.slice(0, 64))}, and the current strategy is ${JSON.stringify(strategy.strategyId)}: ${strategy.reasons.map(({ reason }) => reason).join('; ')}.`,
      fix: 'Leave knowledgeStrategyId and knowledgeStrategyReasons out, and see that the plan fits the current strategy',
      patch: [remove(['knowledgeStrategyId'])],
    }),
  ];
}

/** Changes whose way to a human is in the plan itself. */
function isHeld(node: ChangeNode, nodes: readonly FilledNode[]): boolean {
  const escalating = new Set(nodes.filter(({ node: other }) => other.kind === 'escalate').map(({ node: other }) => other.nodeId));
  return node.dependsOn.some((id) => escalating.has(id));
}

const changes = (nodes: readonly FilledNode[]): readonly { readonly at: number; readonly node: ChangeNode }[] =>
  nodes.flatMap(({ at, node }) => (node.kind === 'change' ? [{ at, node }] : []));

const OR_ESCALATE = 'or add an escalate node that asks a human for it, and let the change depend on that';

function confidenceErrors(nodes: readonly FilledNode[], { strategy, duties }: PlanFacts): readonly PlanError[] {
  const has = strategy.contextSignature?.testConfidenceLevel ?? 'none';
  const needs = duties.minimumTestConfidence;
  if (TEST_CONFIDENCE.indexOf(has) >= TEST_CONFIDENCE.indexOf(needs)) return [];
  // A plan that adds a test raises the confidence itself.
  if (changes(nodes).some(({ node }) => node.operation !== 'delete' && /(?:^|[./_-])(?:tests?|specs?)(?:[./_-]|$)/i.test(node.targetFile)))
    return [];
  const first = changes(nodes).find(({ node }) => !isHeld(node, nodes));
  if (!first) return [];
  return [
    planError({
      code: 'PLAN_VALIDATION_CONFIDENCE_TOO_LOW',
      at: inNode({ at: first.at, nodeId: first.node.nodeId }, 'verificationHooks'),
      message: `${duties.by.confidence} needs test confidence ${needs}, and the checks of this workspace give ${has}.`,
      fix: `Add a change node for a test that covers this, ${OR_ESCALATE}`,
    }),
  ];
}

function contractErrors(nodes: readonly FilledNode[], { duties, contract }: PlanFacts): readonly PlanError[] {
  if (!duties.needsContractAnchor || contract.operations.length > 0) return [];
  const isCited = ({ node }: { node: ChangeNode }): boolean =>
    contract.descriptions.includes(node.targetFile) ||
    [...node.citations, ...node.codeEvidence].some((source) =>
      'path' in source ? contract.descriptions.includes(source.path) : source.ref.startsWith('operation:'),
    );
  const first = changes(nodes).find(({ node }) => !isHeld(node, nodes));
  if (!first || changes(nodes).some(isCited)) return [];
  const [description] = contract.descriptions;
  return [
    planError({
      code: 'PLAN_MISSING_CONTRACT_ANCHOR',
      at: inNode({ at: first.at, nodeId: first.node.nodeId }, 'citations'),
      message: `${duties.by.contract} is about an API, and no operation of its description is named.`,
      fix: `${description === undefined ? 'Fetch the description of the API and name' : `Name`} the operation in citations, such as "operation:GET /orders/{id}"${description === undefined ? '' : `, or cite its lines in ${description}`}; ${OR_ESCALATE}`,
      remedy:
        description === undefined
          ? { verb: 'request_evidence_guidance', args: { blockingReasons: ['The API has no description in the repository'] } }
          : { verb: 'read_file_lines', args: { targetFile: description } },
    }),
  ];
}

function chainErrors(nodes: readonly FilledNode[], { chains }: PlanFacts): readonly PlanError[] {
  return changes(nodes).flatMap(({ at, node }) => {
    const own = chains.get(node.targetFile) ?? [];
    if (own.length === 0 || isHeld(node, nodes)) return [];
    return [...new Set(own.map(({ code }) => code))].flatMap((code) => {
      const ofCode = own.filter((each) => each.code === code);
      // One that is complete shows the origin; a grid may have columns that lead nowhere.
      if (ofCode.some(({ complete }) => complete)) return [];
      return [
        planError({
          code,
          at: inNode({ at, nodeId: node.nodeId }, 'codeEvidence'),
          message: `${ofCode[0]!.subject}: ${ofCode[0]!.gap ?? 'the chain is not complete'}.`,
          fix: `Make the missing link visible in the code, ${OR_ESCALATE}`,
          remedy: { verb: 'trace_symbol_graph', args: { targetFile: node.targetFile } },
        }),
      ];
    });
  });
}
