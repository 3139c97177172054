// Gaps: times in which the gate stopped no action. A human makes a pause; an unsigned note reports hooks that were removed while no daemon
// could be started.

import type { EventOf, Human, Proof } from '../protocol/index.ts';

export interface Gap {
  readonly kind: 'paused' | 'unwired';
  readonly root: string | null;
  readonly from: string;
  /** Null: for good. */
  readonly until: string | null;
  readonly reason: string;
  /** Null: no human was proven. */
  readonly proof: Proof | null;
  readonly human: Human | null;
  /** When it really ended; null while it lasts, as far as is recorded. */
  ended: string | null;
}

/** Of each workspace; older ones are in the ledger. */
const KEEP = 100;

export class Gaps {
  private readonly gaps = new Map<string, Gap[]>();

  apply(event: EventOf<'gate_paused' | 'pause_ended' | 'gate_unwired' | 'gate_rewired'>, at: string): void {
    const { workspace } = event.data;
    switch (event.type) {
      case 'gate_paused': {
        const { until, reason, human } = event.data;
        this.end(workspace, 'paused', null, at);
        this.add(workspace, { kind: 'paused', root: null, from: at, until, reason, proof: human.proof, human, ended: null });
        break;
      }
      case 'pause_ended':
        this.end(workspace, 'paused', null, at);
        break;
      case 'gate_unwired': {
        const { root, from, until, reason } = event.data;
        this.end(workspace, 'unwired', root, from);
        this.add(workspace, { kind: 'unwired', root, from, until, reason, proof: null, human: null, ended: null });
        break;
      }
      case 'gate_rewired':
        this.end(workspace, 'unwired', event.data.root, at);
        break;
    }
  }

  of(workspace: string): readonly Gap[] {
    return this.gaps.get(workspace) ?? [];
  }

  /** The pause that lets actions pass now. A note lets nothing pass: without hooks the gate gets no calls. */
  pauseAt(workspace: string, now: Date): Gap | null {
    return this.of(workspace).find((gap) => gap.kind === 'paused' && isOpen(gap, now)) ?? null;
  }

  openAt(workspace: string, now: Date): Gap | null {
    return this.of(workspace).findLast((gap) => isOpen(gap, now)) ?? null;
  }

  /** Pauses whose time is over and whose end is not recorded yet. */
  overdue(now: Date): readonly string[] {
    const isOverdue = (gap: Gap) => gap.kind === 'paused' && gap.ended === null && !isOpen(gap, now);
    return [...this.gaps].filter(([, gaps]) => gaps.some(isOverdue)).map(([workspace]) => workspace);
  }

  touches(workspace: string, root: string, { from, to }: { readonly from: string; readonly to: string }): boolean {
    return this.of(workspace).some((gap) => {
      const end = endOf(gap);
      return (gap.root === null || gap.root === root) && gap.from <= to && (end === null || end >= from);
    });
  }

  private end(workspace: string, kind: Gap['kind'], root: string | null, at: string): void {
    for (const gap of this.of(workspace)) if (gap.kind === kind && gap.root === root) gap.ended ??= at;
  }

  private add(workspace: string, gap: Gap): void {
    this.gaps.set(workspace, [...this.of(workspace), gap].slice(-KEEP));
  }
}

const endOf = ({ ended, until, kind }: Gap): string | null => ended ?? (kind === 'paused' ? until : null);

function isOpen(gap: Gap, now: Date): boolean {
  if (gap.ended !== null) return false;
  // Hooks are back when somebody restores them, not when a time is reached.
  return gap.kind === 'unwired' || gap.until === null || Date.parse(gap.until) > now.getTime();
}
