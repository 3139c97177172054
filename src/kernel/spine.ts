// The spine: the one path that every action takes.
//
//   parse → rewrite → gather → admit → (await a human) → record intent → execute or observe → settle
//
// `pass` sends an action all the way through, for tools that the gate executes. `before` and `after` are the two halves of the same
// path, for agents that execute by themselves: the gate decides before and observes after. Read this file top to bottom.

import { admit, type Policy, refusalOf } from '../policy/index.ts';
import {
  type Action,
  type Approval,
  type ChangedFile,
  type Decision,
  type Event,
  type FileFact,
  type FileRef,
  mutates,
  newId,
  type Receipt,
  type Refusal,
  type RunContext,
  type StreamEventDraft,
  streams,
  type ToolCall,
} from '../protocol/index.ts';
import type { ActionRequest, Observation } from './action-request.ts';
import type { Answers } from './answers.ts';
import { basisOf, basisOfBooks } from './basis.ts';
import { askForHelp, timesTooOften } from './breaker.ts';
import { changedFiles } from './changed-files.ts';
import { execute, type Executed } from './execute.ts';
import { withFreshFacts } from './fresh-facts.ts';
import { gather, type SettingsRead } from './gather.ts';
import { unknownTools } from './grants.ts';
import type { IntentNumbers } from './intent-numbers.ts';
import { lapseOf } from './lapse.ts';
import { changesFiles, leaseDrafts, leaseStream } from './lease-stream.ts';
import { asksHuman, explainHeld, type Bypass, bypassOf, proceeds } from './enforcement-bypass.ts';
import type { HiddenNames } from './redaction/hidden-names.ts';
import { overtakenBy } from './overtaken-by.ts';
import { parseRequest } from './parse-request.ts';
import type { NativeAsks } from './native-asks.ts';
import { makeReceipt } from './receipt.ts';
import { makeRunContext } from './run-context.ts';
import type { KernelPorts, Settings } from './ports.ts';
import type { Basis } from './positions.ts';
import {
  answerAsked,
  answerRecorded,
  answerSentAgain,
  BasisMoved,
  observationDrafts,
  type Observed,
  observedOutcome,
  Recorded,
  recordAdmission,
  recordLapse,
  recordObservation,
  recordRefusal,
  recordSettlement,
  recordWaiting,
  type RecordedOutcome,
  type ToolOutcome,
} from './settle.ts';
import { intentsLock, type SessionLocks } from './session-locks.ts';
import type { State } from './state.ts';
import { stepsSeen } from './tasks-for-steps.ts';

/** What the spine and human authority both hold. */
export interface SharedByKernel {
  readonly answers: Answers;
  readonly locks: SessionLocks;
  readonly intentNumbers: IntentNumbers;
  readonly hiddenNames: HiddenNames;
  readonly nativeAsks: NativeAsks;
}

export class Spine {
  private readonly ports: KernelPorts;
  private readonly state: State;
  private readonly policies: readonly Policy[];
  private readonly policyRevision: string;
  private readonly answers: Answers;
  private readonly locks: SessionLocks;
  private readonly intentNumbers: IntentNumbers;
  private readonly hiddenNames: HiddenNames;
  private readonly nativeAsks: NativeAsks;

  constructor(ports: KernelPorts, state: State, policies: readonly Policy[], policyRevision: string, shared: SharedByKernel) {
    this.ports = ports;
    this.state = state;
    this.policies = policies;
    this.policyRevision = policyRevision;
    this.answers = shared.answers;
    this.locks = shared.locks;
    this.intentNumbers = shared.intentNumbers;
    this.hiddenNames = shared.hiddenNames;
    this.nativeAsks = shared.nativeAsks;
  }

  /** The whole path, for a tool that the gate executes. */
  async pass(request: ActionRequest): Promise<Recorded> {
    const { action, call } = parseRequest(this.ports, request);
    const passed = () => this.passParsed(request, action, call);
    return call.oneAtATime ? this.locks.hold(`calls ${action.session}`, passed) : passed();
  }

  private async passParsed(request: ActionRequest, action: Action, call: ToolCall): Promise<Recorded> {
    const { run } = call;
    if (!run) throw new Error(`${action.tool} is executed by agents, not by the gate`);
    const looked = await this.observe(request, action, call);
    if (looked instanceof Recorded) return looked;
    if (looked) return this.recordObservation(looked);

    const answer = await this.admit(request, action, call);
    // Only a fresh admission says `admitted`: a repeated call must not run again.
    if (answer.outcome.kind !== 'admitted') return answer;
    const { approval } = answer.outcome;
    const judged = this.state.actions.get(action.id)?.decision.facts.files ?? [];
    const receipt = newId('rcp');
    const runs = this.runs(request, action, judged, approval, receipt);
    const work = async () => {
      const result = await runs(run);
      const { finish } = result;
      const record = async (final: Executed, basis: Basis) =>
        this.settle(action, await this.receiptOf(action, final, receipt), final, basis);
      // It ran here and nowhere else: its outcome is recorded whatever other kernels wrote.
      if (!finish) return this.locks.hold(action.session, () => record(result, new Map()));
      const settle = async () => {
        const basis = basisOfBooks(this.state, action);
        return record(await runs(async (now) => finish(now)), basis);
      };
      const settleOrFail = () =>
        this.fresh(settle).catch(async (error: unknown) => {
          if (!(error instanceof BasisMoved)) throw error;
          return record(await runs(() => Promise.reject(error)), new Map());
        });
      // A result made from the current state may change an intent.
      return this.locks.hold(action.session, () => this.locks.hold(intentsLock(action.workspace), settleOrFail));
    };
    // Tasks one after the other: what was done for one must not be counted for the next.
    return action.effects.includes('task') ? this.locks.hold(`tasks ${action.root}`, work) : work();
  }

  /** Runs a tool that only looks. Null: it does not only look, or a human has to be asked. A `Recorded`: it was refused, or came before. */
  private async observe(request: ActionRequest, action: Action, call: ToolCall): Promise<Observed | Recorded | null> {
    if (!isObservation(action) || !call.run) return null;
    const earlier = this.earlier(action);
    if (earlier) return earlier;
    await this.ports.turns.noticeEdits(action.root);
    const { decision, bypass, passes } = await this.decide(action, request.cwd, call);
    if (!passes) return decision.outcome === 'deny' ? this.refuseObservation(action, decision) : null;
    const id = newId('rcp');
    const result = await this.runs(request, action, decision.facts.files, null, id)(call.run);
    return { action, decision, receipt: await this.receiptOf(action, result, id), result, bypass: bypass.gate };
  }

  /** What runs a tool. Its receipt's id is known before, so that the tool can cite it in what it writes. */
  private runs(request: ActionRequest, action: Action, judged: readonly FileFact[], approval: string | null, receipt: string) {
    const fromChildren: StreamEventDraft[] = [];
    const context = () => this.contextFor(request, action, judged, approval, receipt, fromChildren);
    return async (run: NonNullable<ToolCall['run']>): Promise<Executed> => {
      const result = await execute(this.ports, this.state, run, action, context);
      return { ...result, events: [...fromChildren.splice(0), ...result.events] };
    };
  }

  /** The last child of an action leaves its record to its parent, whose append has both, if it only looked and changed nothing. */
  private async passLast(request: ActionRequest, toParent: StreamEventDraft[]): Promise<{ readonly outcome: RecordedOutcome }> {
    const { action, call } = parseRequest(this.ports, request);
    const looked = await this.observe(request, action, call);
    if (looked instanceof Recorded) return looked;
    if (!looked) return this.passParsed(request, action, call);
    if (looked.result.events.length > 0) return this.recordObservation(looked);
    toParent.push(...observationDrafts(looked));
    return { outcome: observedOutcome(looked) };
  }

  /** The first half, for an action that the agent will execute. */
  async before(request: ActionRequest): Promise<Recorded> {
    const { action, call: described } = parseRequest(this.ports, request);
    const call = { ...described, ...(request.wallsMissing === undefined ? {} : { wallsMissing: request.wallsMissing }) };
    if (!isObservation(action)) return this.admit(request, action, call);
    const earlier = this.earlier(action);
    if (earlier) return earlier;
    await this.ports.turns.noticeEdits(action.root);
    const { decision, bypass, passes } = await this.decide(action, request.cwd, call, request.settings);
    if (!passes) return decision.outcome === 'deny' ? this.refuseObservation(action, decision) : this.admit(request, action, call);
    const result = { output: null, refusal: null, code: null, events: stepsSeen(action, call) };
    return this.recordObservation({ action, decision, receipt: null, result, bypass: bypass.gate });
  }

  /** The second half: the outcome of an admitted action. A late report counts: `unknown` may still settle. */
  async after(actionId: string, seen: Observation): Promise<Recorded | null> {
    const known = this.state.actions.get(actionId);
    if (!known) return null;
    // Locked like an admission: the same outcome may be reported twice at once, or while the turn ends.
    const settle = async () => {
      await this.nativeAsks.agreed(actionId);
      const { action, decision, state } = this.state.actions.get(actionId) ?? known;
      const lease = leaseStream(this.ports.log, action);
      const basis = this.state.positions.of(streams.session(action.session), ...(lease === null ? [] : [lease]));
      if (state !== 'admitted' && state !== 'unknown') return null;
      const receipt = await makeReceipt(this.ports, this.state, action, {
        output: seen.output,
        status: seen.failed ? 'failed' : 'done',
        files: await this.changedFiles(action, decision),
        ...(seen.walls === undefined ? {} : { walls: seen.walls }),
      });
      return this.settle(action, receipt, { output: seen.output, refusal: null, code: null, events: [] }, basis);
    };
    return this.locks.hold(known.action.session, () => this.fresh(settle));
  }

  /** The outcome is always recorded; one that was overtaken is marked. */
  private settle(action: Action, receipt: Receipt, result: ToolOutcome, basis: Basis): Promise<Recorded> {
    return recordSettlement(this.ports.log, action, receipt, result, basis, overtakenBy(this.state.actions, action.id));
  }

  /** gather, admit: pure once the facts are there. Whether it passes is settled here, once: a pause may begin or end right after. */
  private async decide(action: Action, cwd: string, call: ToolCall, given?: SettingsRead): Promise<Decided> {
    const asked = this.state.approvalFor(action, this.policyRevision, this.ports.now());
    const basis = basisOf(this.state, action, asked ?? null, leaseStream(this.ports.log, action));
    const { facts, settings, preImages, trouble } = await gather(
      this.ports,
      this.state,
      this.policyRevision,
      action,
      cwd,
      call,
      this.hiddenNames,
      given,
    );
    const decision = admit(this.policies, this.policyRevision, action, facts, trouble);
    const bypass = bypassOf(this.state, action, this.ports.now());
    const passes = proceeds(action, decision, bypass);
    if (passes && mutates(action.effects)) {
      for (const content of preImages) await this.ports.log.putBlob(content);
    }
    return { decision, bypass, passes, settings, preImages, basis };
  }

  /** What was recorded when this very call came before, by its id or by the agent's own. Null: it did not, or is decided again. */
  private earlier(action: Action): Recorded | null {
    const { givenIds, actions, sessions } = this.state;
    if (action.given) {
      const entry = givenIds.earlier(action, actions.get(action.id));
      return entry && answerRecorded(entry);
    }
    const sent = actions.get(givenIds.sentBefore(action, sessions.get(action.session)?.turn) ?? '');
    return sent ? answerSentAgain(sent) : null;
  }

  private fresh<T>(decide: () => Promise<T>): Promise<T> {
    return withFreshFacts(this.ports.log, this.state, decide);
  }

  /** gather, admit, await a human, record intent. Ends as refused or as admitted, never in between. */
  private async admit(request: ActionRequest, action: Action, call: ToolCall): Promise<Recorded> {
    const { log } = this.ports;
    const deadline = performance.now() + request.waitTimeoutMs;
    let given = request.settings;
    for (;;) {
      await this.ports.turns.noticeEdits(action.root);
      // The session is locked from the facts to the record: no second call can slip in between and be judged by the same facts.
      const step = await this.holding(action, async (): Promise<Recorded | { waitFor: string; refusal: Refusal }> => {
        const earlier = this.earlier(action);
        if (earlier) return earlier;
        const { decision, bypass, passes, settings, preImages, basis } = await this.decide(action, request.cwd, call, given);
        given = undefined;
        const { approval } = decision.facts;
        if (passes) {
          await this.keepImages(action, decision);
          const spent = approval?.state === 'approved' ? approval.id : null;
          const more = [...leaseDrafts(log, action), ...this.remembers(action, decision, spent)];
          return recordAdmission(log, action, decision, spent, bypass.gate, more, basis);
        }
        const refusal = refusalOf(decision);
        if (decision.outcome === 'deny') {
          if (approval?.state === 'rejected') return this.refuse(action, decision, { ...refusal, approval_id: approval.id }, basis);
          return this.refuse(action, decision, explainHeld(refusal, bypass), basis);
        }

        const open = approval?.state === 'pending' ? approval.id : null;
        const question = open === null ? this.question(action, settings) : null;
        const waitFor = open ?? (question as Approval).id;
        if (this.state.actions.get(action.id)?.approval !== waitFor) await recordWaiting(log, action, decision, waitFor, question, basis);
        if (request.asksNatively && this.nativeAsks.mayAsk(decision)) {
          // It may run the moment the dialog is answered.
          await this.keepImages(action, decision);
          for (const content of preImages) await log.putBlob(content);
          this.nativeAsks.begin(action.id);
          return answerAsked(action, { ...refusal, approval_id: waitFor });
        }
        return { waitFor, refusal: { ...refusal, approval_id: waitFor } };
      });
      if (step instanceof Recorded) return step;

      const isOpen = () => this.state.approvals.get(step.waitFor)?.state === 'pending';
      if (isOpen()) await this.answers.wait(step.waitFor, deadline - performance.now(), request.signal);
      const became = this.state.approvals.get(step.waitFor)?.state;
      // Answered, or answered and used by an identical call: judged again with fresh facts, because the old ones may be outdated.
      if (became === 'approved' || became === 'rejected' || became === 'spent') continue;
      const { reason, refusal: lapsed } = lapseOf(step.refusal, step.waitFor, became, request.signal.aborted);
      const bypass = bypassOf(this.state, action, this.ports.now());
      return this.locks.hold(action.session, () =>
        recordLapse(log, action, reason, asksHuman(action) ? lapsed : explainHeld(lapsed, bypass)),
      );
    }
  }

  /** A yes to an unknown tool is remembered, unless it was given as a grant, which has its own end. */
  private remembers({ workspace, actor, resources }: Action, { facts }: Decision, approval: string | null): StreamEventDraft[] {
    const human = approval === null ? null : this.state.approvals.get(approval)?.human;
    if (!human || approval === null || facts.allowance !== undefined) return [];
    return unknownTools(resources).map(({ name, shape_sha256 }) => {
      const made_at = this.ports.now().toISOString();
      const grant = { id: newId('grt'), workspace, agent: actor.agent, tool: name, shape_sha256, made_at };
      return { stream: streams.grants(workspace), event: { type: 'tool_remembered', data: { grant, approval, human } } };
    });
  }

  /** A command says little about what it changes: whatever it may change is kept first. */
  private async keepImages({ root, resources }: Action, { facts }: Decision): Promise<void> {
    const { selected } = facts.intent;
    if (!selected || !resources.some(({ kind }) => kind === 'command')) return;
    await this.ports.workspace.keepImages(root, selected.owned_scope, this.ports.log);
  }

  /** A change of files also locks the work tree: two sessions that look at the same moment must not both find a file free. */
  private holding<T>(action: Action, work: () => Promise<T>): Promise<T> {
    const decided = () => this.fresh(work);
    const inTree = () => (changesFiles(action) ? this.locks.hold(`tree ${action.root}`, decided) : decided());
    return this.locks.hold(action.session, inTree);
  }

  /** Written under the session's lock: recording a read would change the basis of a decision. */
  private recordObservation(observed: Observed): Promise<Recorded> {
    return this.locks.hold(observed.action.session, () => recordObservation(this.ports.log, observed));
  }

  private refuseObservation(action: Action, decision: Decision): Promise<Recorded> {
    return this.locks.hold(action.session, () => this.refuse(action, decision, refusalOf(decision)));
  }

  private question(action: Action, settings: Settings): Approval {
    const now = this.ports.now();
    return {
      id: newId('apr'),
      workspace: action.workspace,
      session: action.session,
      action: action.id,
      tool: action.tool,
      input_sha256: action.input_sha256,
      policy_revision: this.policyRevision,
      requested_at: now.toISOString(),
      expires_at: new Date(now.getTime() + settings.approvalTtlSeconds * 1000).toISOString(),
    };
  }

  /** A refusal that the agent keeps repeating, although it got the reason, becomes a question to a human. */
  private refuse(action: Action, decision: Decision, refusal: Refusal, basis?: Basis): Promise<Recorded> {
    const { log } = this.ports;
    const { tool, session } = action;
    const code = refusal.error_code;
    const times = timesTooOften(this.state.sessions.get(session)?.streaks, action, code);
    if (times === null) return recordRefusal(log, action, decision, refusal, [], basis);
    const tripped: Event = { type: 'breaker_tripped', data: { session, action: action.id, tool, code, times } };
    return recordRefusal(log, action, decision, askForHelp(refusal, tool, times), [tripped], basis);
  }

  private async receiptOf(action: Action, { output, refusal, failed, files: reported, reads }: Executed, id: string): Promise<Receipt> {
    const decision = this.state.actions.get(action.id)?.decision;
    const files = decision ? await this.changedFiles(action, decision, reported) : [];
    return makeReceipt(this.ports, this.state, action, {
      id,
      output,
      status: refusal || failed ? 'failed' : 'done',
      files,
      ...(reads && { reads }),
    });
  }

  private changedFiles(action: Action, decision: Decision, reported?: readonly ChangedFile[]): Promise<FileRef[]> {
    return changedFiles(this.ports, this.state, this.hiddenNames, action, decision, reported);
  }

  private contextFor(
    request: ActionRequest,
    action: Action,
    judged: readonly FileFact[],
    approval: string | null,
    receiptId: string,
    fromChildren: StreamEventDraft[],
  ): Promise<RunContext> {
    const { native: _native, call: _call, id: _id, settings: _settings, ...rest } = request;
    return makeRunContext(action, {
      ports: this.ports,
      state: this.state,
      intentNumbers: this.intentNumbers,
      signal: request.signal,
      report: request.report ?? (() => {}),
      approval,
      receiptId,
      place: { root: action.root, cwd: request.cwd, judged: this.hiddenNames.onDisk(judged) },
      passChild: (tool, input, options) => {
        const child = { ...rest, tool, input, parent: action.id, ...(options ? { waitTimeoutMs: 0 } : {}) };
        return options?.last ? this.passLast(child, fromChildren) : this.pass(child);
      },
    });
  }
}

interface Decided {
  readonly decision: Decision;
  readonly bypass: Bypass;
  readonly passes: boolean;
  readonly settings: Settings;
  readonly preImages: readonly Uint8Array[];
  readonly basis: Basis;
}

const isObservation = (action: Action): boolean => action.effects.every((effect) => effect === 'observe');
