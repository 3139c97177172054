// Questions that an agent puts to its human in its own dialog. The answer is never reported: a call that ran was allowed, and one
// that is not reported by the end of the turn was not. Only for what needs no better proof than a dialog.

import { isProofEnough } from '../policy/index.ts';
import { type Decision, streams } from '../protocol/index.ts';
import { withFreshFacts } from './fresh-facts.ts';
import type { EventLog } from './ports.ts';
import type { Basis } from './positions.ts';
import { recordDialog, recordDialogEnded } from './settle.ts';
import type { SessionLocks } from './session-locks.ts';
import type { ActionEntry } from './state-entries.ts';
import type { State } from './state.ts';

export class NativeAsks {
  private readonly log: EventLog;
  private readonly state: State;
  private readonly locks: SessionLocks;
  /** Actions whose dialog may be open. A new daemon has ended them all. */
  private readonly asked = new Set<string>();

  constructor(log: EventLog, state: State, locks: SessionLocks) {
    this.log = log;
    this.state = state;
    this.locks = locks;
  }

  mayAsk = ({ facts }: Decision): boolean => isProofEnough(facts, 'dialog');

  begin(action: string): void {
    this.asked.add(action);
  }

  isOpen = (action: string): boolean => this.asked.has(action) && this.state.actions.get(action)?.state === 'waiting';

  /** The action was reported to have run. Called with the session locked. */
  agreed(id: string): Promise<void> {
    return withFreshFacts(this.log, this.state, () => this.recordAgreed(id));
  }

  private async recordAgreed(id: string): Promise<void> {
    const entry = this.state.actions.get(id);
    if (!entry || !this.isOpen(id)) return;
    const question = this.state.approvals.get(entry.approval ?? '');
    const basis = this.basisOf(entry);
    const counts = question?.state === 'pending' || question?.state === 'approved';
    await recordDialog(this.log, entry.action, entry.decision, counts ? entry.approval : null, question?.state === 'pending', basis);
    this.asked.delete(id);
  }

  /** A turn is over: the questions of a session and its sub-agents are no longer open. */
  async end(session: string, reason: string): Promise<void> {
    for (const id of this.asked) {
      const asking = this.state.actions.get(id)?.action.session;
      if (asking === undefined) this.asked.delete(id);
      else if (asking === session || this.state.sessions.get(asking)?.parent === session) {
        // Locked: a report that is on its way counts.
        await this.locks.hold(asking, () => withFreshFacts(this.log, this.state, () => this.recordEnd(id, reason)));
        this.asked.delete(id);
      }
    }
  }

  private async recordEnd(id: string, reason: string): Promise<void> {
    const entry = this.state.actions.get(id);
    if (!entry || !this.isOpen(id)) return;
    const isPending = this.state.approvals.get(entry.approval ?? '')?.state === 'pending';
    await recordDialogEnded(this.log, entry.action, isPending ? entry.approval : null, reason, this.basisOf(entry));
  }

  private basisOf({ action, approval }: ActionEntry): Basis {
    return this.state.positions.of(streams.session(action.session), ...(approval === null ? [] : [streams.approval(approval)]));
  }
}
