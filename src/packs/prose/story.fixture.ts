// The sample story, for tests.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crossReference } from './find-contradictions.ts';
import { type ProseText, readProse } from './text/prose-text.ts';

export const SAMPLE_STORY = fileURLToPath(new URL('../../../examples/sample-story/', import.meta.url));

export interface Planted {
  readonly id: string;
  readonly kind: string;
  readonly entity: string;
  readonly places: readonly (readonly [path: string, words: string])[];
}

export const plantedIn = (file: string): readonly Planted[] =>
  (JSON.parse(readFileSync(fileURLToPath(new URL(`../../../test/prose/${file}`, import.meta.url)), 'utf8')) as { planted: Planted[] })
    .planted;

/** Scenes and character cards. */
export const sampleTexts = (): readonly ProseText[] =>
  readdirSync(SAMPLE_STORY, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?:Scenes|Characters)\/.*\.md$/.test(path))
    .toSorted()
    .map((path) => readProse(path, readFileSync(join(SAMPLE_STORY, path), 'utf8').split('\n')));

const PUBLIC_DOMAIN = fileURLToPath(new URL('../../../test/prose/public-domain/', import.meta.url));

/** Printed prose that was not written for the rules: whatever they find in it was read by a person, and is a false alarm. */
export const publicTexts = (): readonly ProseText[] =>
  readdirSync(PUBLIC_DOMAIN)
    .filter((path) => path.endsWith('.txt'))
    .toSorted()
    .map((path) => readProse(path, readFileSync(join(PUBLIC_DOMAIN, path), 'utf8').split('\n')));

export interface Judged {
  readonly found: readonly string[];
  readonly missed: readonly string[];
  /** Findings that are in neither list. */
  readonly others: readonly string[];
}

/** A planted contradiction counts as found with the right kind, entity and all its places. */
export function judgeSample(lists: readonly (readonly Planted[])[], judged: readonly Planted[]): Judged {
  const { contradictions } = crossReference(sampleTexts());
  const matches = ({ kind, entity, places }: Planted) =>
    contradictions.find(
      (each) =>
        each.kind === kind &&
        each.entity === entity &&
        places.every(([path, words]) =>
          each.places.some((place) => place.path === path && place.quote.toLowerCase().includes(words.toLowerCase())),
        ),
    );
  const explained = new Set(lists.flat().map(matches));
  return {
    found: judged.filter((each) => matches(each)).map(({ id }) => id),
    missed: judged.filter((each) => !matches(each)).map(({ id }) => id),
    others: contradictions.filter((each) => !explained.has(each)).map(({ message }) => message),
  };
}
