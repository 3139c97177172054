// Alternating rounds of ours and of the peer: noise from the machine affects both.

/** For each name the figure of every round. A round that throws ends the bench. */
export async function takeTurns<Name extends string>(
  rounds: number,
  sides: Readonly<Record<Name, () => number | Promise<number>>>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(sides) as Name[];
  const figures = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round++) {
    // The first in a round may find colder caches; each is first in turn.
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) figures[name].push(await sides[name]());
  }
  return figures;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

export async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now();
  await work();
  return performance.now() - begun;
}
