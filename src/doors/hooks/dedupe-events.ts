// One event, several hooks: an agent that reads two hook files runs both, and may run another agent's hooks too. The gate decides
// once; every copy of the event gets the same answer.

import type { HookAnswer } from '../../agents/index.ts';
import type { Recorded } from '../../kernel/index.ts';

type Answer = HookAnswer<Recorded>;

interface Kept {
  readonly answer: Promise<Answer>;
  readonly signal: AbortSignal;
  /** Null while it is being decided. */
  endedAt: number | null;
}

/** Copies come within moments; a later event with the same name is a different one. */
const KEPT_MS = 30_000;

export class DedupeEvents {
  private readonly kept = new Map<string, Kept>();

  /**
   * `stillMeant`: whether an answer that was given already is the answer to this one too. An answer whose asker has gone
   * does not count: it is decided again.
   */
  async dedupe(key: string, signal: AbortSignal, stillMeant: (answer: Answer) => boolean, decide: () => Promise<Answer>): Promise<Answer> {
    const now = performance.now();
    const isOver = ({ endedAt }: Kept) => endedAt !== null && now - endedAt > KEPT_MS;
    // Oldest first: after the first entry that is still kept, hardly any has expired.
    for (const [other, each] of this.kept) {
      if (isOver(each)) this.kept.delete(other);
      else if (each.endedAt !== null) break;
    }
    const known = this.kept.get(key);
    if (known && !isOver(known) && !(known.endedAt === null && known.signal.aborted)) {
      if (known.endedAt === null) return known.answer;
      const answer = await known.answer.catch(() => null);
      if (answer && stillMeant(answer)) return answer;
    }
    const mine: Kept = { answer: decide(), signal, endedAt: null };
    this.kept.set(key, mine);
    try {
      return await mine.answer;
    } finally {
      mine.endedAt = performance.now();
    }
  }
}
