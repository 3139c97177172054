// Fills in what the server knows, so that a plan of files, reasons and checks is enough. What only the agent can know is an error instead.

import {
  type ChangeNode,
  type Citation,
  type EvidencePolicy,
  PLAN_SCHEMA_VERSION,
  type PlanError,
  type PlanGraph,
  type PlanNode,
  type PlanSource,
} from '../../protocol/index.ts';
import { canonicalHash } from '../canonical.ts';
import { inNode, type Place, planError } from './plan-error.ts';
import { isThere, type PlanFacts } from './plan-facts.ts';
import type { DraftNode, PlanDraft } from './read-plan.ts';
import { type GivenSource, sourceKey } from './read-source.ts';

export interface FilledNode {
  readonly at: number;
  readonly node: PlanNode;
}

export interface FilledPlan {
  /** Those that have all that only the agent can know. */
  readonly nodes: readonly FilledNode[];
  readonly errors: readonly PlanError[];
  /** `nodes[0].operation`, `repoSnapshotId`. */
  readonly filledIn: readonly string[];
}

/** Code evidence that is taken over from what the session read. */
const READS_MAX = 3;

export function fillInNodes(draft: PlanDraft, facts: PlanFacts): FilledPlan {
  const errors: PlanError[] = [];
  const filledIn: string[] = [];
  const nodes: FilledNode[] = [];
  for (const drafted of draft.nodes) {
    const fill = new NodeFill(drafted, errors, filledIn);
    const node = nodeOf(drafted, fill, draft, facts);
    if (node) nodes.push({ at: drafted.at, node });
  }
  return { nodes, errors, filledIn };
}

/** Takes the given value or the server's, and notes which. */
class NodeFill {
  readonly #node: DraftNode;
  readonly #errors: PlanError[];
  readonly #filledIn: string[];
  #complete = true;

  constructor(node: DraftNode, errors: PlanError[], filledIn: string[]) {
    this.#node = node;
    this.#errors = errors;
    this.#filledIn = filledIn;
  }

  get isComplete(): boolean {
    return this.#complete;
  }

  orElse<T>(field: string, given: T | undefined, own: () => T): T {
    if (given !== undefined) return given;
    this.#filledIn.push(`nodes[${this.#node.at}].${field}`);
    return own();
  }

  /** Only the agent knows it. `instead` keeps the type true until the node is given up. */
  needed<T>(field: string, given: T | undefined, instead: T, fix: string): T {
    if (given !== undefined) return given;
    this.#complete = false;
    const at: Place = inNode(this.#node, field);
    const message = `A ${this.#node.kind} node needs ${field}.`;
    this.#errors.push(planError({ code: 'PLAN_MISSING_REQUIRED_FIELDS', at, message, fix }));
    return instead;
  }
}

function nodeOf(drafted: DraftNode, fill: NodeFill, draft: PlanDraft, facts: PlanFacts): PlanNode | null {
  const { given, kind, nodeId } = drafted;
  const hooks = given.texts('verificationHooks') ?? [];
  const common = {
    nodeId: fill.orElse('nodeId', given.text('nodeId'), () => nodeId),
    dependsOn: [...fill.orElse('dependsOn', given.texts('dependsOn'), () => [])],
    atomicityBoundary: fill.orElse('atomicityBoundary', given.text('atomicityBoundary'), () => nodeId),
    expectedFailureSignatures: [
      ...fill.orElse('expectedFailureSignatures', given.texts('expectedFailureSignatures'), () => hooks.map((hook) => `${hook} fails`)),
    ],
    correctionCandidateOnFail: fill.orElse('correctionCandidateOnFail', given.text('correctionCandidateOnFail'), () => CORRECTION),
  };
  const node = ((): PlanNode => {
    switch (kind) {
      case 'change':
        return { ...common, kind, ...changeFields(drafted, fill, facts) };
      case 'validate':
        return { ...common, kind, ...validateFields(drafted, fill, draft, common.dependsOn) };
      case 'escalate':
        return {
          ...{ ...common, kind },
          requestedEvidence: [...fill.needed('requestedEvidence', given.texts('requestedEvidence'), [], 'Say what a human should supply')],
          blockingReasons: [
            ...fill.needed('blockingReasons', given.texts('blockingReasons'), [], 'Say why the work cannot go on without it'),
          ],
        };
      case 'side_effect':
        return {
          ...{ ...common, kind },
          sideEffectType: fill.needed(
            'sideEffectType',
            given.text('sideEffectType'),
            'command',
            'Say what kind of effect it is',
          ) as 'command',
          sideEffectPayloadRef: fill.needed(
            'sideEffectPayloadRef',
            given.text('sideEffectPayloadRef'),
            '',
            'Write the payload with write_scratch_file and name that file',
          ),
          commitGateId: fill.needed(
            'commitGateId',
            given.text('commitGateId'),
            '',
            `Name the gate that a human will open, such as "gate-${nodeId}"; naming it opens nothing`,
          ),
        };
    }
  })();
  return fill.isComplete ? node : null;
}

const CORRECTION = 'Read what failed, then submit a changed plan';

function changeFields({ given }: DraftNode, fill: NodeFill, facts: PlanFacts): Omit<ChangeNode, keyof typeof COMMON_FIELDS> {
  const targetFile = fill.needed('targetFile', given.text('targetFile'), '', 'Name the file, relative to the work tree');
  const target = facts.targets.get(targetFile);
  const path = target?.seen.real ?? targetFile;
  const whyThisFile = fill.needed('whyThisFile', given.text('whyThisFile'), '', `Say why ${targetFile || 'this file'} has to change`);
  const exists = isThere(target);
  const operation = fill.orElse('operation', given.text('operation') as ChangeNode['operation'] | undefined, () =>
    given.has('renameTo') ? 'rename' : exists ? 'modify' : 'create',
  );
  const renameTo = given.text('renameTo') ?? null;
  if (operation === 'rename' && renameTo === null) fill.needed('renameTo', undefined, null, 'Say the new path');
  return {
    ...{ operation, targetFile: path, renameTo, whyThisFile },
    targetSymbols: [
      ...fill.orElse('targetSymbols', given.texts('targetSymbols'), () =>
        operation === 'create' ? [] : (target?.symbols ?? []).filter(({ top }) => top).map(({ name }) => name),
      ),
    ],
    editIntent: fill.orElse('editIntent', given.text('editIntent'), () => whyThisFile),
    citations: sourcesOf(
      fill.orElse('citations', given.sources('citations'), () => requirementsKnown(facts)),
      facts,
    ),
    codeEvidence: sourcesOf(
      fill.orElse('codeEvidence', given.sources('codeEvidence'), () => readsOf(path, operation, facts)),
      facts,
    ),
    policyRefs: [...(given.texts('policyRefs') ?? [])],
    verificationHooks: [...(given.texts('verificationHooks') ?? [])],
    lowEvidenceGuard: given.flag('lowEvidenceGuard') ?? false,
    uncertaintyNote: given.text('uncertaintyNote') ?? null,
    requiresHumanReview: given.flag('requiresHumanReview') ?? false,
  };
}

const COMMON_FIELDS = {
  nodeId: 0,
  kind: 0,
  dependsOn: 0,
  atomicityBoundary: 0,
  expectedFailureSignatures: 0,
  correctionCandidateOnFail: 0,
};

/** What was asked for is known: the prompt, or the intent that a human granted. */
const requirementsKnown = ({ situation: { prompt, intent } }: PlanFacts): readonly GivenSource[] =>
  prompt !== null ? [{ ref: 'prompt' }] : intent !== null ? [{ ref: `intent:${intent.id}` }] : [];

/** Lines that this session was shown: of the file itself, or, for a new one, of its nearest neighbours. */
function readsOf(path: string, operation: ChangeNode['operation'], { situation: { reads } }: PlanFacts): readonly GivenSource[] {
  const newest = reads.toReversed();
  const own = newest.filter((read) => read.path === path);
  if (own.length > 0 || operation !== 'create') return own.slice(0, READS_MAX).map(withoutHash);
  return newest
    .toSorted((a, b) => sharedFolders(b.path, path) - sharedFolders(a.path, path))
    .slice(0, 1)
    .map(withoutHash);
}

const withoutHash = ({ path, start_line, end_line, sha256 }: Citation): GivenSource => ({ path, start_line, end_line, sha256 });

function sharedFolders(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  const end = a.findIndex((name, at) => name !== b[at]);
  return end < 0 ? a.length : end;
}

/** Only those that were found: the others are errors of the evidence check. */
const sourcesOf = (given: readonly GivenSource[], { sources }: PlanFacts): PlanSource[] =>
  given.flatMap((source) => {
    const fact = sources.get(sourceKey(source));
    return fact?.kind === 'found' ? [fact.source] : [];
  });

function validateFields({ given }: DraftNode, fill: NodeFill, draft: PlanDraft, dependsOn: readonly string[]) {
  const hooks = fill.needed('verificationHooks', given.texts('verificationHooks'), [], 'Name the checks or commands that have to pass');
  const changes = draft.nodes.filter(({ kind }) => kind === 'change').map(({ nodeId }) => nodeId);
  return {
    verificationHooks: [...hooks],
    mapsToNodeIds: [
      ...fill.orElse('mapsToNodeIds', given.texts('mapsToNodeIds'), () => {
        const before = changes.filter((id) => dependsOn.includes(id));
        return before.length > 0 ? before : changes;
      }),
    ],
    successCriteria: fill.orElse('successCriteria', given.text('successCriteria'), () => `${hooks.join(' and ')} pass`),
  };
}

/** The sources that the server would fill in, so that they are looked up with those that were given. */
export function sourcesToFill(draft: PlanDraft, facts: Pick<PlanFacts, 'situation' | 'targets'>): readonly GivenSource[] {
  const known = facts as PlanFacts;
  return draft.nodes
    .filter(({ kind }) => kind === 'change')
    .flatMap(({ given }) => {
      const file = given.text('targetFile') ?? '';
      const target = facts.targets.get(file);
      const path = target?.seen.real ?? file;
      const operation = isThere(target) ? 'modify' : 'create';
      return [
        ...(given.has('citations') ? [] : requirementsKnown(known)),
        ...(given.has('codeEvidence') ? [] : readsOf(path, operation, known)),
      ];
    });
}

/** The envelope of a plan that passed: every field is the server's own or was found to equal it. */
export function envelopeOf(
  nodes: readonly PlanNode[],
  draft: PlanDraft,
  facts: PlanFacts & { readonly pack: NonNullable<PlanFacts['pack']> },
  evidencePolicy: EvidencePolicy,
  planFingerprint: string,
): PlanGraph {
  const { situation, strategy, pack } = facts;
  return {
    workId: situation.workId,
    agentId: situation.agentId,
    runSessionId: situation.runSessionId,
    repoSnapshotId: facts.repoSnapshotId,
    worktreeRoot: situation.worktreeRoot,
    contextPackRef: pack.ref,
    contextPackHash: pack.hash,
    policyVersionSet: { ...situation.policyVersionSet },
    scopeAllowlistRef: facts.scopeAllowlistRef,
    knowledgeStrategyId: strategy.strategyId,
    knowledgeStrategyReasons: [...(draft.envelope.reasons('knowledgeStrategyReasons') ?? strategy.reasons)],
    evidencePolicy,
    planFingerprint,
    sourceTraceRefs: [...(draft.envelope.texts('sourceTraceRefs') ?? [...situation.traceRefs].slice(-20))],
    schemaVersion: PLAN_SCHEMA_VERSION,
    nodes: [...nodes],
  };
}

export const fingerprintOf = (nodes: readonly PlanNode[], evidencePolicy: EvidencePolicy): string =>
  canonicalHash({ nodes, evidencePolicy });
