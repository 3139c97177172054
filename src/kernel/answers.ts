// Calls that wait for a human's answer, and what wakes them. A wait never outlasts the caller's time limit: an agent's own
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

  /** A record about a question wakes the calls that wait for it, whichever kernel wrote it. */
  onRecords(records: readonly LedgerRecord[]): void {
    if (this.waiting.size === 0) return;
    for (const { event } of records)
      if (event.type === 'approval_answered' || event.type === 'approval_expired' || event.type === 'approval_withdrawn')
        this.wake(event.data.approval);
  }

  wake(approval: string): void {
    for (const wake of [...(this.waiting.get(approval) ?? [])]) wake();
  }
}
