// Whether a claim is about files that a scope covers.

import type { Claim } from '../protocol/index.ts';
import { coveringGlob } from '../workspace/index.ts';

export type ClaimPaths = Pick<Claim, 'citations' | 'checks' | 'scope'>;

/** How the claim and the globs overlap, as the end of a sentence that begins with "it"; null when they do not. */
export function pathInside(claim: ClaimPaths, globs: readonly string[]): string | null {
  if (globs.length === 0) return null;
  const cited = claim.citations.find(({ path }) => coveringGlob(globs, path) !== null);
  if (cited) return `cites ${cited.path}`;
  for (const { evidence } of claim.checks)
    if ('path' in evidence && coveringGlob(globs, evidence.path) !== null) return `is checked in ${evidence.path}`;
  const about = claim.scope.find((glob) => globs.some((other) => mayOverlap(glob, other)));
  return about === undefined ? null : `is about ${about}`;
}

/** Two globs can only overlap when one's fixed folder contains the other's; nothing else is checked. */
export function mayOverlap(one: string, other: string): boolean {
  const [a, b] = [fixedNames(one), fixedNames(other)];
  const [short, long] = a.names.length <= b.names.length ? [a, b] : [b, a];
  if (!short.wild && short.names.length !== long.names.length) return false;
  return short.names.every((name, at) => long.names[at] === name);
}

function fixedNames(glob: string): { readonly names: readonly string[]; readonly wild: boolean } {
  const names = glob.split('/');
  const wild = names.findIndex((name) => /[*?[\]{}\\]/.test(name));
  return { names: wild < 0 ? names : names.slice(0, wild), wild: wild >= 0 };
}

/** Whether one of the globs covers the path. */
export const isInside = (path: string, globs: readonly string[]): boolean => coveringGlob(globs, path) !== null;
