// The evidence of each change: every source that is given has to hold, and there have to be enough.

import type { ChangeNode, EvidencePolicy, PlanError } from '../../protocol/index.ts';
import { type EvidenceCount, type EvidenceFinding, weighEvidence } from '../evidence.ts';
import type { FilledNode } from './fill-in.ts';
import { inNode, planError, replace, without } from './plan-error.ts';
import { isThere, type PlanFacts, type SourceFact } from './plan-facts.ts';
import type { DraftNode, PlanDraft } from './read-plan.ts';
import { sourceKey } from './read-source.ts';

export interface EvidenceErrors {
  readonly errors: readonly PlanError[];
  /** Nodes on the guarded single-source path. */
  readonly needsHumanReview: readonly string[];
}

export function checkEvidence(nodes: readonly FilledNode[], draft: PlanDraft, facts: PlanFacts, policy: EvidencePolicy): EvidenceErrors {
  const errors: PlanError[] = [];
  const needsHumanReview: string[] = [];
  for (const node of draft.nodes) if (node.kind === 'change') errors.push(...sourceErrors(node, facts));
  for (const { at, node } of nodes) {
    if (node.kind !== 'change') continue;
    errors.push(...policyRefErrors(at, node, facts));
    const found = weighEvidence(node, policy, facts);
    if (found.lacking.length === 0) continue;
    if (found.guard === 'holds') needsHumanReview.push(node.nodeId);
    else errors.push(...found.lacking.map((count) => lackingError(at, node, count, found, facts)));
  }
  return { errors, needsHumanReview };
}

function sourceErrors(node: DraftNode, { sources }: PlanFacts): readonly PlanError[] {
  return ['citations', 'codeEvidence'].flatMap((field) => {
    const given = node.given.sources(field) ?? [];
    const keys = given.map(sourceKey);
    return given.flatMap((source, index) => {
      const fact = sources.get(keys[index]!);
      if (!fact || fact.kind === 'found' || keys.indexOf(keys[index]!) < index) return [];
      return [
        planError({
          code: fact.kind === 'expired' ? 'MEMORY_PROVISIONAL_EXPIRED' : 'PLAN_EVIDENCE_INSUFFICIENT',
          at: inNode(node, field, index),
          message: `${fact.why}.`,
          fix: FIXES[fact.kind],
          patch: [without(node, field, (other) => keys[other] === keys[index])],
          ...('path' in source ? { remedy: { verb: 'read_file_lines', args: { targetFile: source.path } } } : {}),
        }),
      ];
    });
  });
}

const FIXES: Readonly<Record<Exclude<SourceFact['kind'], 'found'>, string>> = {
  unknown: 'Cite lines that exist as "path:10-20", a symbol as "path#Name", or a name such as "prompt"; or remove it',
  changed: 'Read these lines again, see whether they still say it, and cite them as they are now',
  expired: 'Remove it: a lesson that was not approved in time does not count',
  rejected: 'Remove it: it does not hold',
};

function policyRefErrors(at: number, node: ChangeNode, { policyIds }: PlanFacts): readonly PlanError[] {
  return node.policyRefs.flatMap((id, index) =>
    policyIds.has(id)
      ? []
      : [
          planError({
            code: 'PLAN_EVIDENCE_INSUFFICIENT',
            at: inNode({ at, nodeId: node.nodeId }, 'policyRefs', index),
            message: `There is no policy ${JSON.stringify(id)} here.`,
            fix:
              policyIds.size > 0
                ? `Name one of ${[...policyIds].slice(0, 10).join(', ')}, or remove it`
                : 'Remove it: this repository has no policies',
            patch: [
              replace(
                ['nodes', at, 'policyRefs'],
                node.policyRefs.filter((other) => policyIds.has(other)),
              ),
            ],
          }),
        ],
  );
}

const FIELD_OF = { requirement: 'citations', code: 'codeEvidence', policy: 'policyRefs' } as const;
const WORDS_OF = { requirement: 'that require it', code: 'of code', policy: 'of policies' } as const;

function lackingError(
  at: number,
  node: ChangeNode,
  count: EvidenceCount,
  { guard, guardMissing }: EvidenceFinding,
  facts: PlanFacts,
): PlanError {
  const { category, has, needs } = count;
  const field = FIELD_OF[category];
  const guarded =
    guard === 'not allowed'
      ? ' The settings do not allow a single source with a guard.'
      : guard === 'incomplete'
        ? ` The guard for a single source still needs ${guardMissing.join(', ')}.`
        : '';
  const fix = {
    requirement: 'Cite what requires the change: "prompt", "intent", a ticket as "jira:KEY", or lines of a document as "path:10-20"',
    code: `Read ${node.targetFile} and cite the lines that the change rests on as "path:10-20" or "path#Symbol"; or leave codeEvidence out after reading: what you read is then cited. What citations name already does not count again`,
    policy: `Name the policies that were taken into account: ${[...facts.policyIds].slice(0, 10).join(', ') || 'none is defined here'}`,
  }[category];
  return planError({
    code: 'PLAN_EVIDENCE_INSUFFICIENT',
    at: inNode({ at, nodeId: node.nodeId }, field),
    message: `The change of ${node.targetFile} has ${has} of ${needs} distinct sources ${WORDS_OF[category]}.${guarded}`,
    fix,
    ...(category === 'code' ? { remedy: evidenceRemedy(node, facts) } : {}),
  });
}

/** A new file cannot be read: its neighbours can. */
function evidenceRemedy(node: ChangeNode, { targets }: PlanFacts): NonNullable<PlanError['remedy']> {
  if (isThere(targets.get(node.targetFile))) return { verb: 'read_file_lines', args: { targetFile: node.targetFile } };
  const folder = node.targetFile.includes('/') ? node.targetFile.slice(0, node.targetFile.lastIndexOf('/')) : '.';
  return { verb: 'list_directory_contents', args: { targetDir: folder } };
}
