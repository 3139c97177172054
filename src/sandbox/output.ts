// What a command printed, bounded: the beginning says what was started, the end says how it went; only the size of the middle is kept.

const HEAD_BYTES = 16 * 1024;
const TAIL_BYTES = 48 * 1024;

export class KeptOutput {
  private readonly head: Buffer[] = [];
  private room = HEAD_BYTES;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private cut = 0;

  add(chunk: Buffer): void {
    const first = chunk.subarray(0, this.room);
    if (first.length > 0) this.head.push(first);
    this.room -= first.length;
    const rest = chunk.subarray(first.length);
    if (rest.length === 0) return;
    this.tail.push(rest);
    this.tailBytes += rest.length;
    // Joined now and then, so that a flood of small pieces costs no more than one of large ones.
    if (this.tailBytes <= 2 * TAIL_BYTES && this.tail.length < 1_000) return;
    this.trim();
  }

  /** Bytes that were left out. */
  get truncated(): number {
    this.trim();
    return this.cut;
  }

  text(): string {
    const left = this.truncated;
    const [head, tail] = [Buffer.concat(this.head), Buffer.concat(this.tail)];
    if (left === 0) return Buffer.concat([head, tail]).toString('utf8');
    return `${head.toString('utf8')}\n… ${left} bytes left out …\n${tail.toString('utf8')}`;
  }

  private trim(): void {
    const whole = Buffer.concat(this.tail);
    const kept = whole.subarray(-TAIL_BYTES);
    this.cut += whole.length - kept.length;
    this.tail = [kept];
    this.tailBytes = kept.length;
  }
}
