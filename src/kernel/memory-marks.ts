// What the gate itself has to know about memory: which constraints a human approved, and when the tree was last changed.

import type { LedgerRecord } from '../protocol/index.ts';

export class MemoryMarks {
  /** By workspace: the globs that each constraint is about. */
  private readonly constraints = new Map<string, Map<string, readonly string[]>>();
  private readonly approvals = new Map<string, { readonly seq: number; readonly scope: readonly string[] }[]>();
  private readonly changedAt = new Map<string, string>();

  kept({ event }: LedgerRecord): void {
    if (event.type !== 'claim_kept' && event.type !== 'claim_merged') return;
    const claim = event.type === 'claim_kept' ? event.data.claim : { ...event.data.addition, id: event.data.into };
    if (claim.kind !== 'constraint') return;
    const known = this.constraints.get(event.data.workspace) ?? new Map<string, readonly string[]>();
    const before = known.get(claim.id) ?? claim.scope;
    // As in memory: no scope means everything.
    known.set(claim.id, before.length === 0 || claim.scope.length === 0 ? [] : [...new Set([...before, ...claim.scope])]);
    this.constraints.set(event.data.workspace, known);
  }

  approved(workspace: string, claim: string, seq: number): void {
    const scope = this.constraints.get(workspace)?.get(claim);
    if (scope) this.approvals.set(workspace, [...(this.approvals.get(workspace) ?? []), { seq, scope }]);
  }

  /** Whether a human approved a constraint after `seq` that could concern these globs. */
  isNewConstraint(workspace: string, seq: number, globs: readonly string[]): boolean {
    return (this.approvals.get(workspace) ?? []).some(
      (approval) =>
        approval.seq > seq && (approval.scope.length === 0 || approval.scope.some((glob) => globs.some((own) => mayMeet(glob, own)))),
    );
  }

  changed(workspace: string, at: string): void {
    this.changedAt.set(workspace, at);
  }

  lastChange(workspace: string): string | null {
    return this.changedAt.get(workspace) ?? null;
  }
}

/** Globs with different literal beginnings share no path. Globs with a common beginning may, which counts as yes. */
function mayMeet(one: string, other: string): boolean {
  const [a, b] = [beginning(one), beginning(other)];
  return a.startsWith(b) || b.startsWith(a);
}

const beginning = (glob: string): string => glob.slice(0, Math.max(0, glob.search(/[*?[{\\]|$/)));
