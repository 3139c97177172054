// Those who wait for a human's answer, and who wakes them. Waiting is never longer than the caller's patience: an agent's own
// time-out would let the action run.

import type { LedgerRecord } from '../protocol/index.ts';

export class Answers {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** True: answered, judge again. False: out of time, or the caller went away. */
  wait(approval: string, ms: number, signal: AbortSignal): Promise<boolean> {
    if (signal.aborted || ms <= 0) return Promise.resolve(false);
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const wakers = this.waiting.get(approval) ?? new Set();
    this.waiting.set(approval, wakers);

    const end = (answered: boolean) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      wakers.delete(wake);
      if (wakers.size === 0) this.waiting.delete(approval);
      resolve(answered);
    };
    const wake = () => end(true);
    const onAbort = () => end(false);
    const timer = setTimeout(() => end(false), ms);
    signal.addEventListener('abort', onAbort);
    wakers.add(wake);
    return promise;
  }

  /** What was recorded about a question wakes those who wait for it, whoever recorded it. */
  hear(records: readonly LedgerRecord[]): void {
    if (this.waiting.size === 0) return;
    for (const { event } of records)
      if (event.type === 'approval_answered' || event.type === 'approval_expired' || event.type === 'approval_withdrawn')
        this.wake(event.data.approval);
  }

  wake(approval: string): void {
    for (const wake of [...(this.waiting.get(approval) ?? [])]) wake();
  }
}
