// One order out of five. Ranks are fused, since scores of different lanes cannot be compared; then it counts how much of the question
// a result answers, whether its name was requested, and whether it is near other results. Deterministic, and based on words only.

import { posix } from 'node:path';
import type { LaneHit, LaneName, LaneResult } from './lane.ts';
import { termSet } from './lanes.ts';

/** Keeps the first of a lane from outweighing what several lanes agree on. */
const FUSION_K = 10;
const WEIGHT = { coverage: 0.5, exact: 0.25, proximity: 0.15 } as const;

type Found = Readonly<Record<LaneName, readonly LaneHit[]>>;

export function rerank(question: string, found: Found, limit: number): readonly LaneResult[] {
  const merged = merge(found);
  const held = new Map(merged.map(({ id, texts }) => [id, termSet(texts.join(' '))]));
  const weightOf = termWeights(question, [...held.values()]);
  const all = [...weightOf.values()].reduce((sum, weight) => sum + weight, 0);
  const scored = merged.map(({ id, title, path, citation, exact, lanes }) => {
    const answered = [...weightOf].reduce((sum, [term, weight]) => sum + (held.get(id)!.has(term) ? weight : 0), 0);
    const parts = {
      fusion: lanes.reduce((sum, { rank }) => sum + FUSION_K / (FUSION_K + rank), 0) / 2,
      coverage: all === 0 ? 0 : (WEIGHT.coverage * answered) / all,
      exact: exact ? WEIGHT.exact : 0,
      proximity:
        WEIGHT.proximity *
        nearness(
          path,
          merged.map((other) => (other.id === id ? null : other.path)),
        ),
    };
    const score = parts.fusion + parts.coverage + parts.exact + parts.proximity;
    return { id, title, path, citation, score: rounded(score), parts: roundedParts(parts), lanes };
  });
  return spread(
    scored.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)),
    limit,
  );
}

interface Merged extends Pick<LaneResult, 'id' | 'title' | 'path' | 'citation' | 'lanes'> {
  readonly texts: readonly string[];
  readonly exact: boolean;
}

/** What two lanes found is one result with both reasons. */
function merge(found: Found): readonly Merged[] {
  const merged = new Map<string, Merged>();
  for (const [lane, hits] of Object.entries(found) as [LaneName, readonly LaneHit[]][])
    for (const [at, hit] of hits.entries()) {
      const known = merged.get(hit.id);
      const reason = { lane, rank: at + 1, why: hit.why };
      if (known?.lanes.some((each) => each.lane === lane)) continue;
      merged.set(hit.id, {
        id: hit.id,
        path: hit.path,
        texts: [...(known?.texts ?? []), hit.text],
        exact: (known?.exact ?? false) || hit.exact,
        // The best lines are those of a requested symbol.
        title: known && !hit.exact ? known.title : hit.title,
        citation: known && !hit.exact ? known.citation : hit.citation,
        lanes: [...(known?.lanes ?? []), reason],
      });
    }
  return [...merged.values()];
}

/** Of the question's terms; one that every result has says little. */
function termWeights(question: string, held: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  return new Map(
    [...termSet(question)].map((term) => [term, Math.log(1 + (held.length + 1) / (1 + held.filter((terms) => terms.has(term)).length))]),
  );
}

/** The share of the other results in the same folder or below it. */
function nearness(path: string | null, others: readonly (string | null)[]): number {
  const placed = others.filter((other) => other !== null);
  if (path === null || placed.length === 0) return 0;
  const folder = posix.dirname(path);
  return placed.filter((other) => posix.dirname(other) === folder || other.startsWith(`${folder}/`)).length / placed.length;
}

/** The best of every lane is among the results, so that no policy is lost behind files. */
function spread(sorted: readonly LaneResult[], limit: number): readonly LaneResult[] {
  const chosen = new Set(sorted.slice(0, limit));
  const lanes = [...new Set(sorted.flatMap(({ lanes: own }) => own.map(({ lane }) => lane)))];
  for (const lane of lanes) {
    const isOf = ({ lanes: own }: LaneResult): boolean => own.some((each) => each.lane === lane);
    if ([...chosen].some(isOf)) continue;
    const countOf = (name: LaneName): number => [...chosen].filter(({ lanes: own }) => own.some((each) => each.lane === name)).length;
    // The result that is replaced is never the last of another lane.
    const out = [...chosen].findLast(({ lanes: own }) => own.every((each) => countOf(each.lane) > 1));
    if (!out) continue;
    chosen.delete(out);
    chosen.add(sorted.find(isOf)!);
  }
  return sorted.filter((result) => chosen.has(result));
}

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000;
const roundedParts = (parts: LaneResult['parts']): LaneResult['parts'] => ({
  fusion: rounded(parts.fusion),
  coverage: rounded(parts.coverage),
  exact: rounded(parts.exact),
  proximity: rounded(parts.proximity),
});
