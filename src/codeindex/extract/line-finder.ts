// Lines and columns of offsets. Callers walk a text and ask for places near the last one, so the search starts there.

/** How many lines one step back skips while the place is further up. */
const JUMP = 64;

export class LineFinder {
  /** The offset of each line. */
  readonly #starts: number[] = [0];
  /** The index of the line that was found last. */
  #last = 0;

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  get count(): number {
    return this.#starts.length;
  }

  /** Counted from 1. */
  line(offset: number): number {
    const starts = this.#starts;
    let at = this.#last;
    while (at > 0 && starts[at]! > offset) {
      const further = Math.max(0, at - JUMP);
      at = starts[further]! > offset ? further : at - 1;
    }
    while (at + 1 < starts.length && starts[at + 1]! <= offset) at++;
    this.#last = at;
    return at + 1;
  }

  /** Counted from 1. */
  column(offset: number): number {
    return offset - this.#starts[this.line(offset) - 1]! + 1;
  }

  startOf(line: number): number {
    return this.#starts[line - 1] ?? 0;
  }
}
