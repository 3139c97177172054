// What a reader says about the first line that is not as it was written.

export type How =
  | 'edited'
  | 'dropped'
  | 'swapped or inserted'
  | 'unsigned tail'
  | 'bad head'
  | 'not a record'
  | 'missing segment'
  | 'rolled back';

export interface Place {
  readonly segment: string;
  /** From 1. */
  readonly line: number;
  /** Where the line begins in its file. */
  readonly byte: number;
  /** Of the record that stands there, where that can be told. */
  readonly seq: number | null;
}

export interface Problem extends Place {
  readonly how: How;
  readonly message: string;
}
