// One thing that a text says about somebody or something, with the words that say it.

export type FactKind = 'eye_colour' | 'hair_colour' | 'age' | 'date' | 'death' | 'birthplace' | 'whereabouts' | 'weekday' | 'term';

export interface Place {
  readonly path: string;
  readonly line: number;
  /** The sentence or the line, as the file has it. */
  readonly quote: string;
}

export interface Fact extends Place {
  readonly kind: FactKind;
  /** Who or what it is about. */
  readonly entity: string;
  readonly value: string;
  /** Somebody says it in the story, so it may be a lie. */
  readonly said: boolean;
  /** The day that the scene is on, where it says so. */
  readonly day: number | null;
  /** Of whereabouts: when, such as `tuesday evening`. */
  readonly when?: string;
}
