// Everything that a submitted plan is judged by, put together: what the server knows of the work, and where the rest is looked up.

import { citeLines } from '../../claims/index.ts';
import { statusAmongOthers } from '../../memory/index.ts';
import {
  type PlanPorts,
  type PlanReview,
  type PlanSituation,
  reviewPlan,
  type StrategyPack,
  type StrategySignal,
} from '../../plan/index.ts';
import {
  type Citation,
  type ContextPack,
  type EvidencePolicy,
  Fault,
  type Lesson,
  type RunContext,
  type SwitchTrigger,
  type ToolResult,
  type WorkView,
} from '../../protocol/index.ts';
import { gatherFileFacts, headRevision, readInRoot } from '../../workspace/index.ts';
import { openGraph } from '../code/code-place.ts';
import { refuse, type ToolDeps } from '../tool.ts';
import { VERB_NAMES } from '../controller/verb-catalog.ts';

/** What the daemon provides to plans. */
export interface PlansPort {
  readonly provers: PlanPorts['provers'];
  readonly strategies: StrategyPack;
  readonly policyVersions: Readonly<Record<string, string>>;
  readonly settingsOf: (root: string) => Promise<{
    readonly evidencePolicy: EvidencePolicy;
    readonly lessonSettings: PlanSituation['lessonSettings'];
    readonly hints: PlanSituation['hints'];
  }>;
  readonly lessonsOf: (workspace: string, root: string) => Promise<readonly Lesson[]>;
  /** Keeps a context pack by its hash. */
  readonly keepPack: (bytes: Uint8Array) => Promise<unknown>;
  /** Null: it is not kept. */
  readonly packOf: (ref: string) => Promise<ContextPack | null>;
}

/** A pack that the session's own work was answered with, by its ref. */
export async function packByRef(
  { work }: RunContext,
  { plans }: ToolDeps,
  ref: string,
): Promise<{ pack: ContextPack } | { refused: ToolResult }> {
  const known = work()?.issued ?? [];
  const pack = known.includes(ref) ? await plans.packOf(ref) : null;
  if (pack) return { pack };
  const packs = known.filter((each) => each.startsWith('pack:'));
  const message = `${JSON.stringify(ref.slice(0, 100))} is not a context pack of your work.`;
  const todo = packs.length > 0 ? `Its packs are ${packs.slice(-3).join(', ')}` : 'A pack comes with the answer to submit_execution_plan';
  return { refused: refuse('PLAN_SCOPE_VIOLATION', message, todo, { tool: 'plan_status', args: {} }) };
}

const READS = 50;
type Read = ReturnType<RunContext['recent']>[number]['reads'][number];

export async function reviewFor(context: RunContext, deps: ToolDeps, work: WorkView, submitted: unknown): Promise<PlanReview> {
  const { root } = context.place;
  const { plans, quality, privateFolders } = deps;
  const { evidencePolicy, lessonSettings, hints } = await plans.settingsOf(root);
  const intent = context.intents.find(({ id }) => id === context.intentNow()) ?? null;
  const checks = (await quality.checksOf(root)).map(({ check, command }) => ({ name: check, command }));
  const situation: PlanSituation = {
    ...{ workId: work.workId, agentId: work.agentId, runSessionId: work.runSessionId, worktreeRoot: root, prompt: work.prompt },
    ...{ intent, evidencePolicy, lessonSettings, hints, checks },
    revision: await headRevision(root),
    policyVersionSet: plans.policyVersions,
    capabilities: [...VERB_NAMES],
    traceRefs: new Set(context.recent().map(({ action }) => action)),
    reads: await readsOf(context, privateFolders),
    signals: signalsOf(work),
    lessons: await plans.lessonsOf(context.session.workspace, root),
    issued: new Set(work.issued),
    acceptedBefore: work.versions,
  };
  return reviewPlan(submitted, situation, await portsFor(context, deps, intent?.owned_scope ?? null));
}

async function portsFor(context: RunContext, deps: ToolDeps, scope: readonly string[] | null): Promise<PlanPorts> {
  const { root, cwd } = context.place;
  const { workspace } = context.session;
  const { memory, plans, privateFolders, now, pathsOf, code } = deps;
  const graph = await openGraph(code, context).catch((error: unknown) => {
    if (error instanceof Fault) return null;
    throw error;
  });
  const paths = await pathsOf(root);
  const place = { workspace, root, lastChange: context.lastChange, privateFolders, revision: () => headRevision(root) };
  return {
    code: graph && { index: code.indexOf(root), graph: graph.graph },
    observe: async (path, access) => {
      const { facts } = await gatherFileFacts({ root, cwd, resources: [{ kind: 'file', path, access }], scope, paths, privateFolders });
      return facts[0]!;
    },
    recall: (query, limit) => memory.recall(workspace, { query, limit, now: now() }),
    claimStatus: async (id) => {
      const claim = memory.get(workspace, id);
      return claim ? statusAmongOthers(memory, place, claim) : null;
    },
    artifacts: () => deps.connectors.artifactsOf(workspace),
    ...{ provers: plans.provers, strategies: plans.strategies, privateFolders },
  };
}

/** What the session was shown and is still so: lines that have changed since are not evidence of anything. */
async function readsOf({ recent, place: { root } }: RunContext, privateFolders: readonly string[]): Promise<Citation[]> {
  const shown = recent().flatMap(({ reads }) => reads.filter(({ start_line }) => start_line > 0));
  const cited = await Promise.all(shown.slice(-READS).map(async (read) => citationOf(root, read, privateFolders).catch(() => null)));
  return cited.filter((each) => each !== null);
}

async function citationOf(
  root: string,
  { path, sha256, start_line, end_line }: Read,
  privateFolders: readonly string[],
): Promise<Citation | null> {
  const file = await readInRoot(root, path);
  if (file?.sha256 !== sha256) return null;
  const lines = new TextDecoder().decode(file.bytes).replace(/\n$/, '').split('\n').length;
  return citeLines(root, { path, start_line, end_line: Math.min(end_line, lines) }, privateFolders);
}

const TRIGGERS: readonly (readonly [SwitchTrigger, readonly string[]])[] = [
  ['policy_conflict', ['PLAN_POLICY_VIOLATION']],
  ['missing_required_proof_chain', ['PLAN_ORIGIN_UNKNOWN', 'PLAN_FEDERATION_PROOF_MISSING']],
];

/** One entry for each rejection and one for what it was about, one for each failure, and one for each repeated call. */
const signalsOf = ({ history }: WorkView): readonly StrategySignal[] =>
  history.flatMap((event): readonly StrategySignal[] => {
    switch (event.kind) {
      case 'accepted':
        return ['plan_accepted'];
      case 'rejected':
        return [
          { trigger: 'plan_rejected' },
          ...TRIGGERS.filter(([, about]) => event.codes.some((code) => about.includes(code))).map(([trigger]) => ({ trigger })),
        ];
      case 'failed':
        return [{ trigger: 'repeated_failure_threshold', about: event.what }];
      case 'repeated': {
        const repeated = { trigger: 'repeated_action_threshold' as const, about: event.tool, of: event.call };
        // The second time tells of the first, too.
        return event.times === 2 ? [repeated, repeated] : [repeated];
      }
    }
  });
