// Which class a piece of work belongs to. The first that fits is taken; what speaks against it, often enough, leads to the next one that was not
// tried. The same context and the same events give the same class and the same reasons.
//
// INVARIANT: a switch changes where evidence is looked for first, never what has to be proven: the duties are those of every class that fits.

import {
  type ContextFlag,
  type ContextSignature,
  type KnowledgeStrategy,
  type Lesson,
  type SwitchTrigger,
  TEST_CONFIDENCE,
  type TestConfidence,
} from '../../protocol/index.ts';
import type { StrategyDuties } from '../graph/plan-facts.ts';
import { hasWord, withSignals } from './context-signature.ts';
import type { SignatureFound, StrategyClass, StrategyPack } from './strategy-pack.ts';

/** One time that a trigger fired, or a plan that was accepted. `about`: what fired it. `of`: counted apart from others of this trigger. */
export type StrategySignal = 'plan_accepted' | { readonly trigger: SwitchTrigger; readonly about?: string; readonly of?: string };

export interface StrategyContext {
  readonly found: SignatureFound;
  readonly prompt: string | null;
  readonly signals: readonly StrategySignal[];
  /** Active lessons with strategy signals, where the settings let them count. */
  readonly lessons: readonly Lesson[];
}

export interface SelectedStrategy extends KnowledgeStrategy {
  readonly contextSignature: ContextSignature;
  readonly duties: StrategyDuties;
  /** Classes in the order in which they were taken, the current one last. */
  readonly tried: readonly string[];
}

export function selectStrategy(pack: StrategyPack, { found, prompt, signals, lessons }: StrategyContext): SelectedStrategy {
  const signature = withSignals(found.signature, lessons);
  const isFitting = (each: StrategyClass): boolean => fits(each, signature, prompt);
  const last = pack.classes.at(-1)!;
  // Those that fit, the one that always does, then the rest.
  const order = [
    ...pack.classes.filter((each) => each !== last && isFitting(each)),
    last,
    ...pack.classes.filter((each) => each !== last && !isFitting(each)),
  ];
  const { tried, reasons } = follow(order, signals, pack.thresholds);
  const current = order.find(({ id }) => id === tried.at(-1))!;
  return {
    strategyId: current.id,
    contextSignature: found.signature,
    reasons: [
      { reason: `${current.id}: ${current.says}`, evidenceRefs: [] },
      ...found.because
        .filter(({ flag }) => flag === 'testConfidenceLevel' || relevant(current, flag))
        .map(({ flag, reason, evidenceRefs }) => ({ reason: `${flag}: ${reason}`, evidenceRefs: [...evidenceRefs] })),
      ...lessons.flatMap(({ id, strategySignal }) =>
        strategySignal
          ? [
              {
                reason: `a lesson sets ${strategySignal.featureFlag} to ${strategySignal.value}: ${strategySignal.reason}`,
                evidenceRefs: [`lesson:${id}`],
              },
            ]
          : [],
      ),
      ...reasons,
    ],
    // By what the code and the prompt show, not by what lessons say of them: a signal could otherwise switch a proof off.
    duties: dutiesOf(
      pack.classes.filter((each) => each !== last && fits(each, found.signature, prompt)),
      current,
    ),
    tried,
  };
}

function fits({ when: { all, any, words } }: StrategyClass, signature: ContextSignature, prompt: string | null): boolean {
  const allHold = Object.entries(all ?? {}).every(([flag, value]) => signature[flag as ContextFlag] === value);
  const anyHolds = any === undefined || any.some((flag) => signature[flag]);
  const wordHolds = words === undefined || words.some((word) => hasWord(prompt ?? '', word));
  return allHold && anyHolds && wordHolds;
}

const relevant = ({ when: { all, any } }: StrategyClass, flag: ContextFlag): boolean =>
  (all && flag in all) || (any?.includes(flag) ?? false);

/**
 * Each signal counts for its trigger; a trigger at its threshold switches, and all counts begin again. So they do with an accepted plan, but
 * the class stays: those before it were tried.
 */
function follow(
  order: readonly StrategyClass[],
  signals: readonly StrategySignal[],
  thresholds: StrategyPack['thresholds'],
): { readonly tried: readonly string[]; readonly reasons: KnowledgeStrategy['reasons'] } {
  const tried = [order[0]!.id];
  const reasons: { reason: string; evidenceRefs: string[] }[] = [];
  const counts = new Map<string, number>();
  for (const signal of signals) {
    if (signal === 'plan_accepted') {
      counts.clear();
      continue;
    }
    const { trigger, about, of = about } = signal;
    const key = JSON.stringify([trigger, of]);
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    if (times < thresholds[trigger]) continue;
    counts.clear();
    const next = order.find(({ id }) => !tried.includes(id));
    const how = [...(times > 1 ? [`${times} times`] : []), ...(about === undefined ? [] : [about])].join(': ');
    const why = `${trigger}${how === '' ? '' : ` (${how})`} in ${tried.at(-1)!}`;
    if (next) tried.push(next.id);
    reasons.push({
      reason: next ? `switched to ${next.id} after ${why}` : `${why}; every class was tried, so a human should help`,
      evidenceRefs: [],
    });
  }
  return { tried, reasons };
}

function dutiesOf(fitting: readonly StrategyClass[], current: StrategyClass): StrategyDuties {
  const all = fitting.length > 0 ? fitting : [current];
  const rank = (level: TestConfidence): number => TEST_CONFIDENCE.indexOf(level);
  const strictest = all.toSorted((a, b) => rank(b.minimumTestConfidence) - rank(a.minimumTestConfidence))[0]!;
  const contract = all.find(({ needsContractAnchor }) => needsContractAnchor);
  return {
    minimumTestConfidence: strictest.minimumTestConfidence,
    needsContractAnchor: contract !== undefined,
    by: { confidence: strictest.id, contract: contract?.id ?? current.id },
  };
}
