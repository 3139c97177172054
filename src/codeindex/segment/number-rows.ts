// Numbers of a table while it grows: in one array of 32-bit numbers, which is what the segment takes.

export class NumberRows {
  #numbers = new Int32Array(256);
  length = 0;

  push(...row: readonly number[]): void {
    if (this.length + row.length > this.#numbers.length) this.#grow(row.length);
    for (let at = 0; at < row.length; at++) this.#numbers[this.length + at] = row[at]!;
    this.length += row.length;
  }

  #grow(by: number): void {
    const larger = new Int32Array(2 * (this.length + by));
    larger.set(this.#numbers);
    this.#numbers = larger;
  }

  at(place: number): number {
    return this.#numbers[place]!;
  }

  set(place: number, number: number): void {
    this.#numbers[place] = number;
  }

  cut(length: number): void {
    this.length = length;
  }

  /** A view, not a copy: nothing may be added after this. */
  all(): Int32Array {
    return this.#numbers.subarray(0, this.length);
  }
}
