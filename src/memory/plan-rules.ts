// Rules about plans: of lessons, of policy rows and of an intent's constraints. One small language for all three: a condition says when a rule
// applies, required steps say what the plan must then have. A rule without steps forbids what its condition describes.
//
//   condition:  always · touches GLOB · operation NAME · symbol NAME · side_effect TYPE · strategy ID, joined by "and", each with "not" before it
//   step:       check NAME · change GLOB · validate · escalate · cite SOURCE · policy ID · any other text: it has to stand in a node's words
//
// INVARIANT: a condition in other words than these applies wherever the rule applies: a rule that cannot be read is never silently off.

import { isInside } from '../claims/index.ts';
import type { ChangeNode, MemoryRuleResult, PlanNode } from '../protocol/index.ts';

export interface RuleOfPlans {
  readonly id: string;
  readonly condition: string;
  readonly requiredSteps: readonly string[];
  readonly denyCode: string;
  /** Files that it is about; null: all. */
  readonly files: readonly string[] | null;
}

export interface RuledPlan {
  readonly nodes: readonly PlanNode[];
  readonly strategyId: string;
}

export interface RuleFinding extends MemoryRuleResult {
  /** The steps that are missing, as the rule has them; empty where the rule forbids. */
  readonly missing: readonly string[];
  /** The first node that the rule is about; null: the plan as a whole. */
  readonly nodeId: string | null;
}

/** Only rules whose condition holds for the plan: the others have nothing to say. */
export function ruleFindings(rules: readonly RuleOfPlans[], plan: RuledPlan): readonly RuleFinding[] {
  return rules.flatMap((rule) => {
    const about = changesOf(plan.nodes).filter(({ targetFile }) => rule.files === null || rule.files.includes(targetFile));
    if (rule.files !== null && about.length === 0) return [];
    const held = whenHolds(rule.condition, plan, about);
    if (held === null) return [];
    const missing = rule.requiredSteps.filter((step) => !hasStep(step, plan, held));
    const satisfied = rule.requiredSteps.length > 0 && missing.length === 0;
    return [
      {
        ...{ memoryId: rule.id, condition: rule.condition, satisfied, missing, nodeId: held[0]?.nodeId ?? null },
        ...(satisfied ? {} : { denyCode: rule.denyCode }),
      },
    ];
  });
}

const changesOf = (nodes: readonly PlanNode[]): readonly ChangeNode[] => nodes.filter((node) => node.kind === 'change');

/** The nodes for which every part holds; null: some part does not. */
function whenHolds(condition: string, plan: RuledPlan, about: readonly ChangeNode[]): readonly PlanNode[] | null {
  let held: readonly PlanNode[] = about;
  for (const part of condition.split(/\s+and\s+/i)) {
    const { negated, word, value } = wordsOf(part);
    const test = Object.hasOwn(PARTS, word) ? PARTS[word] : undefined;
    if (!test || (word !== 'always' && value === '')) continue;
    const { nodes, holds } = test(value, plan, about);
    if (holds === negated) return null;
    if (!negated && nodes.length > 0) held = word === 'side_effect' ? nodes : held.filter((node) => nodes.includes(node));
    if (held.length === 0 && about.length > 0 && word !== 'strategy') return null;
  }
  return held;
}

interface PartFound {
  readonly nodes: readonly PlanNode[];
  readonly holds: boolean;
}

const some = (nodes: readonly PlanNode[]): PartFound => ({ nodes, holds: nodes.length > 0 });

const PARTS: Readonly<Record<string, (value: string, plan: RuledPlan, about: readonly ChangeNode[]) => PartFound>> = {
  always: (_, __, about) => ({ nodes: about, holds: true }),
  touches: (glob, _, about) =>
    some(about.filter(({ targetFile, renameTo }) => [targetFile, renameTo ?? targetFile].some((file) => isInside(file, [glob])))),
  operation: (name, _, about) => some(about.filter(({ operation }) => operation === name)),
  symbol: (name, _, about) =>
    some(about.filter(({ targetSymbols }) => targetSymbols.some((each) => each === name || each.endsWith(`.${name}`)))),
  side_effect: (type, { nodes }) => some(nodes.filter((node) => node.kind === 'side_effect' && node.sideEffectType === type)),
  strategy: (id, { strategyId }, about) => ({ nodes: about, holds: strategyId === id }),
};

function wordsOf(part: string): { readonly negated: boolean; readonly word: string; readonly value: string } {
  const words = part.trim().split(/\s+/);
  const negated = words[0]?.toLowerCase() === 'not';
  const [word = '', ...rest] = negated ? words.slice(1) : words;
  return { negated, word: word.toLowerCase(), value: rest.join(' ') };
}

function hasStep(step: string, { nodes }: RuledPlan, held: readonly PlanNode[]): boolean {
  const { word, value } = wordsOf(step);
  const changes = changesOf(nodes);
  switch (word) {
    case 'check':
      return held.length > 0
        ? held.every((node) => hooksOf(node, nodes).some((hook) => isHook(hook, value)))
        : allHooks(nodes).some((hook) => isHook(hook, value));
    case 'change':
      return changes.some(
        ({ targetFile, renameTo }) => isInside(targetFile, [value]) || (renameTo !== null && isInside(renameTo, [value])),
      );
    case 'validate':
      return held.every((node) => nodes.some((other) => other.kind === 'validate' && other.mapsToNodeIds.includes(node.nodeId)));
    case 'escalate':
      return nodes.some(({ kind }) => kind === 'escalate');
    case 'cite':
      return held.every(
        (node) => node.kind !== 'change' || [...node.citations, ...node.codeEvidence].some((source) => isSource(source, value)),
      );
    case 'policy':
      return held.every((node) => node.kind !== 'change' || node.policyRefs.includes(value));
    default:
      return nodes.some((node) => wordsIn(node).some((text) => text.toLowerCase().includes(step.trim().toLowerCase())));
  }
}

const isHook = (hook: string, wanted: string): boolean => hook === wanted || hook.includes(wanted);
const isSource = (source: ChangeNode['citations'][number], wanted: string): boolean =>
  'ref' in source ? source.ref === wanted : source.path === wanted || `${source.path}:${source.start_line}-${source.end_line}` === wanted;

/** Its own, and those of the nodes that validate it. */
const hooksOf = (node: PlanNode, nodes: readonly PlanNode[]): readonly string[] => [
  ...(node.kind === 'change' || node.kind === 'validate' ? node.verificationHooks : []),
  ...nodes.flatMap((other) => (other.kind === 'validate' && other.mapsToNodeIds.includes(node.nodeId) ? other.verificationHooks : [])),
];
const allHooks = (nodes: readonly PlanNode[]): readonly string[] => nodes.flatMap((node) => hooksOf(node, []));

const wordsIn = (node: PlanNode): readonly string[] => {
  switch (node.kind) {
    case 'change':
      return [node.whyThisFile, node.editIntent];
    case 'validate':
      return [node.successCriteria, ...node.verificationHooks];
    case 'escalate':
      return [...node.requestedEvidence, ...node.blockingReasons];
    case 'side_effect':
      return [];
  }
};

/** How to satisfy a step, in words. */
export function stepInWords(step: string): string {
  const { word, value } = wordsOf(step);
  switch (word) {
    case 'check':
      return `add ${JSON.stringify(value)} to verificationHooks of the node, or to a validate node that maps to it`;
    case 'change':
      return `add a change node for ${value}`;
    case 'validate':
      return 'add a validate node whose mapsToNodeIds has the node';
    case 'escalate':
      return 'add an escalate node, and let the change depend on it';
    case 'cite':
      return `add ${JSON.stringify(value)} to the citations of the node`;
    case 'policy':
      return `add ${JSON.stringify(value)} to policyRefs of the node`;
    default:
      return `say ${JSON.stringify(step.trim())} in the editIntent or successCriteria of a node, and do it`;
  }
}
