// At most so many requests a minute: whoever comes too early waits for their turn.

import { setTimeout as sleep } from 'node:timers/promises';

/** So many may come at once, after a quiet time. */
const BURST = 10;

export class Pace {
  readonly #everyMs: number;
  #nextAt = 0;

  constructor(perMinute: number) {
    this.#everyMs = 60_000 / perMinute;
  }

  async take(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    this.#nextAt = Math.max(this.#nextAt, now - BURST * this.#everyMs) + this.#everyMs;
    const wait = this.#nextAt - now;
    if (wait > 0) await sleep(wait, undefined, { signal });
  }
}
