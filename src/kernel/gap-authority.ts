// Break-glass and acknowledgement: a human suspends enforcement for a time, or confirms having seen changes without a receipt. Both
// leave a labelled gap in the record, never a clean one.

import { acknowledgedSha256 } from '../ledger/index.ts';
import { type EventOf, Fault, type Human, PAUSE_SECONDS, type Statement, statements, streams } from '../protocol/index.ts';
import type { GivenSignature } from './approvers.ts';
import type { Authority } from './authority.ts';
import type { CallerJudgement } from './caller.ts';
import { openQuestions } from './enforcement-bypass.ts';
import { withFreshFacts } from './fresh-facts.ts';
import type { EventLog } from './ports.ts';
import { type Recorded, recordNote } from './settle.ts';
import type { State } from './state.ts';

export class GapAuthority {
  private readonly log: EventLog;
  private readonly state: State;
  private readonly now: () => Date;
  private readonly refuse: Authority['refuse'];

  constructor(log: EventLog, state: State, now: () => Date, refuse: Authority['refuse']) {
    this.log = log;
    this.state = state;
    this.now = now;
    this.refuse = refuse;
  }

  /** From now on every new call passes and is recorded as paused, until then. Waiting calls keep waiting: the output names them. */
  async pause(
    caller: CallerJudgement,
    { workspace, cwd, seconds, reason }: { workspace: string; cwd: string; seconds: number; reason: string },
    given: GivenSignature | null,
  ): Promise<Recorded> {
    if (seconds < PAUSE_SECONDS.least || seconds > PAUSE_SECONDS.most)
      throw new Fault('BAD_REQUEST', 'A pause lasts from one minute to eight hours.', { fix: 'countersign pause --for 30m --reason "…"' });
    const statement = statements.pause(cwd, seconds, reason);
    const stream = streams.gaps(workspace);
    return withFreshFacts(this.log, this.state, () => {
      const basis = this.state.positions.of(stream, streams.authority);
      const judged = this.proven(caller, statement, given);
      if (judged.kind !== 'human') return this.refuse(judged, 'pause');
      const { human } = judged;
      const until = new Date(this.now().getTime() + seconds * 1000).toISOString();
      const waiting = openQuestions(this.state, workspace, this.now());
      const event = { type: 'gate_paused', data: { workspace, until, reason, human } } as const;
      return recordNote(this.log, [{ stream, event }], { until, reason, proof: human.proof, waiting }, null, basis);
    });
  }

  /** Any human may do this: it only restores enforcement. */
  async endPause(caller: CallerJudgement, workspace: string): Promise<Recorded> {
    if (caller.kind !== 'human') return this.refuse(caller, 'pause --end');
    const isPaused = () => this.state.gaps.pauseAt(workspace, this.now()) !== null;
    return this.recordEnd(workspace, 'human', caller.human, isPaused);
  }

  /** Records that a pause whose time is over has ended. */
  async expire(): Promise<void> {
    for (const workspace of this.state.gaps.overdue(this.now())) {
      const isOver = () => this.state.gaps.overdue(this.now()).includes(workspace);
      await this.recordEnd(workspace, 'expired', null, isOver);
    }
  }

  /** `check` throws when one of these changes is no longer open. It runs again when another kernel has recorded one meanwhile. */
  async acknowledge(
    caller: CallerJudgement,
    what: Omit<EventOf<'changes_acknowledged'>['data'], 'human'>,
    given: GivenSignature | null,
    check: () => Promise<void>,
  ): Promise<Recorded> {
    const statement = statements.ack(what.root, acknowledgedSha256(what.files), what.reason);
    const stream = streams.tree(what.workspace);
    return withFreshFacts(this.log, this.state, async () => {
      const basis = this.state.positions.of(stream, streams.authority);
      await check();
      const judged = this.proven(caller, statement, given);
      if (judged.kind !== 'human') return this.refuse(judged, 'ack');
      const { human } = judged;
      const event = { type: 'changes_acknowledged', data: { ...what, human } } as const;
      return recordNote(this.log, [{ stream, event }], { acknowledged: what.files.length, proof: human.proof }, null, basis);
    });
  }

  /** An unsigned note that was left while no daemon ran; recorded as unsigned. */
  async recordUnwired(data: EventOf<'gate_unwired'>['data']): Promise<void> {
    const { workspace, root, from } = data;
    const stream = streams.gaps(workspace);
    const record = async () => {
      const basis = this.state.positions.of(stream);
      // A daemon that starts again finds the same note.
      if (this.state.gaps.of(workspace).some((gap) => gap.root === root && gap.from === from)) return;
      await recordNote(this.log, [{ stream, event: { type: 'gate_unwired', data } }], null, null, basis);
    };
    await withFreshFacts(this.log, this.state, record);
  }

  /** The hooks of a tree are back. Nothing is recorded if another kernel has recorded it meanwhile. */
  async recordRewired(data: EventOf<'gate_rewired'>['data']): Promise<Recorded> {
    const { workspace, root } = data;
    const stream = streams.gaps(workspace);
    return withFreshFacts(this.log, this.state, () => {
      const basis = this.state.positions.of(stream);
      const isOpen = this.state.gaps.of(workspace).some((gap) => gap.kind === 'unwired' && gap.root === root && gap.ended === null);
      return isOpen
        ? recordNote(this.log, [{ stream, event: { type: 'gate_rewired', data } }], data, null, basis)
        : recordNote(this.log, [], data);
    });
  }

  /** Only the pause that was found: one that a human began meanwhile, at another kernel, goes on. */
  private recordEnd(workspace: string, because: 'human' | 'expired', human: Human | null, applies: () => boolean): Promise<Recorded> {
    const stream = streams.gaps(workspace);
    const event = { type: 'pause_ended', data: { workspace, because, human } } as const;
    return withFreshFacts(this.log, this.state, () => {
      const basis = this.state.positions.of(stream);
      return applies()
        ? recordNote(this.log, [{ stream, event }], { ended: true }, null, basis)
        : recordNote(this.log, [], { ended: false });
    });
  }

  private proven(caller: CallerJudgement, statement: Statement, given: GivenSignature | null): CallerJudgement {
    const { approvers } = this.state;
    return approvers.demand(approvers.judge(caller, statement, given));
  }
}
