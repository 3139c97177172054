// A piece of ordinary work.

export interface OrdinaryTask {
  readonly name: string;
  readonly calls: readonly string[];
  /** Programs without which it is left out. */
  readonly needs?: readonly string[];
  /** These calls were judged to need other machines. */
  readonly network?: true;
}
