// A second, simple implementation of a session's rules, without any code of the kernel or the policies. The real one is compared
// with it after every step.

export type Mode = 'PASSIVE' | 'GUARDED' | 'STRICT';
export type Caller = 'login' | 'none' | 'agent' | 'uncertain';
export type Status = 'proposed' | 'active' | 'paused' | 'done' | 'abandoned';
type ActionState = 'observed' | 'refused' | 'admitted' | 'settled' | 'unknown';
type ApprovalState = 'pending' | 'approved' | 'rejected' | 'spent' | 'expired' | 'withdrawn';

interface Session {
  mode: Mode | null;
  modeBy: 'agent' | 'door' | null;
  intent: string | null;
  open: boolean;
  turn: string;
  recall: { readonly turn: string; readonly intent: string | null; readonly stampable: boolean } | null;
  /** By what was refused: how often the agent repeated it, and when it last got the answer. */
  readonly streaks: Map<string, { rounds: number; at: number }>;
}

interface Action {
  readonly session: string;
  readonly tool: string;
  /** The file that it changes, and since when. */
  readonly path: string | null;
  readonly at: number;
  state: ActionState;
}

interface Question {
  readonly session: string;
  readonly command: string;
  readonly rules: string;
  readonly expiresAt: number;
  state: ApprovalState;
}

/** Whether a proven human is asked, and the scopes that cover what it writes; null: it only reads. */
export const COMMANDS = {
  'rm -rf src/build': { asks: true, in: ['src/**', '**'] },
  'rm -rf src/dist': { asks: true, in: ['src/**', '**'] },
  'npm install left-pad': { asks: false, in: ['src/**', 'docs/**', '**'] },
  ls: null,
} as const satisfies Readonly<Record<string, { readonly asks: boolean; readonly in: readonly string[] } | null>>;
export type Command = keyof typeof COMMANDS;

const PATHS: Readonly<Record<string, { readonly governed: boolean; readonly in: readonly string[] }>> = {
  'src/a.ts': { governed: false, in: ['src/**', '**'] },
  'docs/c.md': { governed: false, in: ['docs/**', '**'] },
  'src/new/deep.ts': { governed: false, in: ['src/**', '**'] },
  '../outside.txt': { governed: false, in: [] },
  '.orchestration/active_intents.yaml': { governed: true, in: ['**'] },
  '.git/hooks/pre-commit': { governed: true, in: ['**'] },
};
export const WRITABLE = Object.keys(PATHS);

const TTL_MS = 900_000;
const LEASE_MS = 120_000;

export class ReferenceModel {
  now = 0;
  rules = 'rules-1';
  minimum: 'GUARDED' | 'STRICT' | null = null;
  pinned = false;
  /** A human's settings cannot be read. */
  broken = false;
  refusedAuthority = 0;
  readonly sessions = new Map<string, Session>();
  readonly intents: { readonly scope: string; status: Status; readonly isByTool?: true }[] = [];
  readonly questions: Question[] = [];
  /** What agents execute, in order: these may settle later. */
  readonly hooked: Action[] = [];
  /** What the gate executes, children included. */
  readonly gates: Action[] = [];

  // Sessions: `a` is a conversation, `a/x` a sub-agent in it.

  open(key: string, declared: Mode | null): string {
    const parent = key.includes('/') ? this.sessions.get(key.slice(0, key.indexOf('/'))) : undefined;
    const known = this.sessions.get(key);
    const session = known ?? { mode: null, modeBy: null, intent: null, open: false, turn: '0', recall: null, streaks: new Map() };
    if (!known && parent?.recall && parent.recall.turn === parent.turn) session.recall = { ...parent.recall, turn: '0', stampable: false };
    if (!session.open) {
      session.open = true;
      if (session.mode === null && parent) [session.mode, session.modeBy] = [parent.mode, parent.modeBy];
      session.intent ??= parent?.intent ?? null;
    }
    const mayOverrule = declared === 'PASSIVE' || session.modeBy !== 'agent';
    if (declared !== null && declared !== session.mode && mayOverrule) [session.mode, session.modeBy] = [declared, 'door'];
    this.sessions.set(key, session);
    return 'noted';
  }

  beginTurn(key: string, turn: string): string {
    const session = this.session(key);
    session.turn = turn;
    session.streaks.clear();
    return this.endTurn(key);
  }

  endTurn(key: string): string {
    for (const action of this.hooked) {
      const here = action.session === key || action.session.startsWith(`${key}/`);
      if (here && action.state === 'admitted') action.state = 'unknown';
    }
    return 'noted';
  }

  close(key: string): string {
    this.endTurn(key);
    this.session(key).open = false;
    return 'noted';
  }

  // What an agent asks of the gate itself. It may always ask; the receipt has the outcome.

  setMode(key: string, mode: Mode): string {
    let code = '';
    if (mode !== 'PASSIVE' && this.pinned) code = 'MODE_PINNED';
    else if (mode === 'GUARDED' && this.minimum === 'STRICT') code = 'MODE_BELOW_MINIMUM';
    else if (mode === 'GUARDED' && this.session(key).mode === 'STRICT') code = 'MODE_LOWERED';
    else Object.assign(this.session(key), { mode, modeBy: 'agent' });
    return this.settled(key, 'memory_set_mode', mode, code);
  }

  select(key: string, id: string): string {
    const session = this.session(key);
    const active = this.intent(id)?.status === 'active';
    if (active) {
      session.intent = id;
      if (session.recall && session.recall.intent !== id)
        session.recall = { ...session.recall, intent: session.recall.intent === null ? id : '-' };
    }
    return this.settled(key, 'select_active_intent', id, active ? '' : 'INTENT_NOT_ACTIVE');
  }

  recall(key: string, intent: string | null = null): string {
    const session = this.session(key);
    session.recall = { turn: session.turn, intent: intent ?? session.intent, stampable: true };
    this.gates.push({ session: key, tool: 'memory_query', path: null, at: this.now, state: 'observed' });
    return 'observed';
  }

  stamp(key: string): string {
    const { recall, turn } = this.session(key);
    const passes = recall?.stampable === true && recall.turn === turn;
    if (passes) this.session(key).recall = { ...recall, stampable: false };
    return `${this.settled(key, 'elefanteAssertCompliance', '', '')} ${passes ? 'PASS' : 'FAIL'}`;
  }

  abandon(key: string): string {
    Object.assign(this.session(key), { intent: null, mode: 'PASSIVE', modeBy: 'agent' });
    return this.settled(key, 'abandon', '', '');
  }

  beginWork(key: string, intent: string | null, mode: Mode | null): string {
    const session = this.session(key);
    const active = this.intents.flatMap(({ status }, index) => (status === 'active' ? [idAt(index)] : []));
    const cited = active.find((id) => id === (intent ?? session.intent));
    const chosen = cited ?? (intent === null && active.length === 1 ? active[0]! : null);
    this.recall(key, chosen);
    const lowest = session.mode === 'STRICT' ? 'STRICT' : ((this.broken ? null : this.minimum) ?? 'GUARDED');
    const wanted = mode ?? lowest;
    const code = codeOf(this.setMode(key, wanted)) || this.citeFor(key, chosen, intent, active.length, wanted);
    return this.settled(key, 'begin_work', `${intent} ${mode}`, code);
  }

  private citeFor(key: string, chosen: string | null, named: string | null, active: number, mode: Mode): string {
    if (chosen !== null) {
      const code = codeOf(this.select(key, chosen));
      if (!code) this.gates.push({ session: key, tool: 'task_list', path: null, at: this.now, state: 'observed' });
      return code;
    }
    if (mode === 'PASSIVE') return '';
    if (named !== null) return 'INTENT_NOT_ACTIVE';
    return active === 0 ? 'INTENT_REQUIRED' : 'INTENT_AMBIGUOUS';
  }

  propose(key: string, scope: string): string {
    // The same proposal is not made twice.
    const waits = this.intents.some((intent) => intent.isByTool && intent.scope === scope && intent.status === 'proposed');
    if (!waits) this.intents.push({ scope, status: 'proposed', isByTool: true });
    return this.settled(key, 'propose_intent', '', '');
  }

  // What humans grant.

  declareIntent(caller: Caller, scope: string): string {
    this.intents.push({ scope, status: isHuman(caller) ? 'active' : 'proposed' });
    return isHuman(caller) ? 'noted' : 'noted HUMAN_CHANNEL_REQUIRED';
  }

  setIntent(caller: Caller, index: number, status: Status): string {
    if (!isHuman(caller)) return this.refuseAuthority();
    this.intents[index]!.status = status;
    return 'noted';
  }

  answer(caller: Caller, index: number, answer: 'approved' | 'rejected'): string {
    const question = this.questions[index]!;
    if (!isHuman(caller)) return this.refuseAuthority();
    if (question.state !== 'pending' || question.expiresAt <= this.now) return 'noted APPROVAL_NOT_OPEN';
    if (answer === 'approved' && caller === 'none' && COMMANDS[question.command as Command]?.asks) return 'noted HUMAN_CHANNEL_REQUIRED';
    question.state = answer;
    return 'noted';
  }

  // What an agent executes by itself.

  read(key: string, secret: boolean): string {
    return secret ? this.refuse(key, 'read_file', 'secret', 'GOVERNANCE_FILE') : this.enter(key, 'read_file', 'observed');
  }

  write(key: string, path: string): string {
    const place = PATHS[path]!;
    const { intent } = this.session(key);
    const outside = intent !== null && !place.in.includes(this.intent(intent)!.scope);
    const code =
      this.unreadable() ||
      (place.governed ? 'GOVERNANCE_FILE' : '') ||
      this.missing(key) ||
      (outside ? 'SCOPE_VIOLATION' : '') ||
      (this.isLeased(key, path) ? 'FILE_LEASED' : '');
    return code ? this.refuse(key, 'write_file', path, code) : this.admit(key, 'write_file', path);
  }

  command(key: string, command: Command): string {
    const known = COMMANDS[command];
    if (known === null) return this.enter(key, 'run_command', 'observed');
    const { intent } = this.session(key);
    const covering: readonly string[] = known.in;
    const outside = intent !== null && !covering.includes(this.intent(intent)!.scope);
    const code = this.unreadable() || this.missing(key) || (outside ? 'SCOPE_VIOLATION' : '');
    if (code) return this.refuse(key, 'run_command', command, code);
    if (!known.asks) return this.admit(key, 'run_command');
    const question = this.questions.findLast(
      (one) =>
        one.session === key &&
        one.command === command &&
        one.rules === this.rules &&
        one.expiresAt > this.now &&
        one.state !== 'spent' &&
        one.state !== 'expired' &&
        one.state !== 'withdrawn',
    );
    if (question?.state === 'rejected') return this.refuse(key, 'run_command', command, 'APPROVAL_REJECTED');
    if (question?.state === 'approved') {
      question.state = 'spent';
      return this.admit(key, 'run_command');
    }
    if (!question) this.questions.push({ session: key, command, rules: this.rules, expiresAt: this.now + TTL_MS, state: 'pending' });
    return this.enter(key, 'run_command', 'refused APPROVAL_REQUIRED');
  }

  /** A call that waits while somebody answers. */
  commandAndAnswer(key: string, command: Command, caller: Caller, answer: 'approved' | 'rejected'): string {
    const first = this.command(key, command);
    if (first !== 'refused APPROVAL_REQUIRED') return first;
    const index = this.questions.findLastIndex((one) => one.session === key && one.command === command && one.state === 'pending');
    if (this.answer(caller, index, answer) !== 'noted') return first;
    this.hooked.pop();
    return this.command(key, command);
  }

  settle(index: number): string {
    const action = this.hooked[index]!;
    if (action.state !== 'admitted' && action.state !== 'unknown') return 'nothing';
    action.state = 'settled';
    return 'settled';
  }

  // Time and crashes.

  sweep(): string {
    for (const question of this.questions) {
      const of = question.state === 'pending' || question.state === 'approved';
      if (of && question.expiresAt <= this.now) question.state = 'expired';
    }
    return 'noted';
  }

  restart(rules: string): string {
    this.rules = rules;
    for (const question of this.questions)
      if (question.rules !== rules && (question.state === 'pending' || question.state === 'approved')) question.state = 'withdrawn';
    for (const action of this.hooked) if (action.state === 'admitted') action.state = 'unknown';
    return 'noted';
  }

  /** Everything that must be equal in the real kernel. */
  view() {
    return {
      sessions: Object.fromEntries([...this.sessions].map(([key, { streaks: _, ...session }]) => [key, session])),
      intents: this.intents.map(({ scope, status }, index) => ({ id: idAt(index), scope, status })),
      questions: this.questions.map(({ session, command, state }) => ({ session, command, state })),
      hooked: this.hooked.map(({ state }) => state),
      actions: [...this.hooked, ...this.gates].map(({ session, tool, state }) => `${session} ${tool} ${state}`).toSorted(),
    };
  }

  private missing(key: string): string {
    const { mode, intent, recall, turn } = this.session(key);
    if (this.pinned) return 'MODE_PINNED';
    if (mode === 'PASSIVE') return 'MODE_FORBIDS';
    if (recall?.turn !== turn || (recall.intent !== null && recall.intent !== intent)) return 'RECALL_REQUIRED';
    if (mode === null) return 'MODE_REQUIRED';
    // STRICT needs a plan, and no run here submits one.
    if (mode === 'STRICT' || this.minimum === 'STRICT') return 'PLAN_SCOPE_VIOLATION';
    if (intent === null) return 'INTENT_REQUIRED';
    return this.intent(intent)!.status === 'active' ? '' : 'INTENT_NOT_ACTIVE';
  }

  private unreadable(): string {
    return this.broken ? 'DOCUMENT_INVALID' : '';
  }

  private enter(session: string, tool: string, answer: string, path: string | null = null): string {
    this.hooked.push({ session, tool, path, at: this.now, state: answer.split(' ')[0] as ActionState });
    return answer;
  }

  /** Another session may be changing it, and has not reported the outcome yet. */
  private isLeased(key: string, path: string): boolean {
    return this.hooked.some(
      (action) => action.path === path && action.session !== key && action.state === 'admitted' && action.at >= this.now - LEASE_MS,
    );
  }

  private admit(key: string, tool: string, path: string | null = null): string {
    this.session(key).streaks.clear();
    return this.enter(key, tool, 'admitted', path);
  }

  private refuse(key: string, tool: string, target: string, code: string): string {
    return this.enter(key, tool, `refused ${this.tooOften(key, tool, target, code)}`);
  }

  private settled(session: string, tool: string, input: string, code: string): string {
    this.gates.push({ session, tool, path: null, at: this.now, state: 'settled' });
    return code ? `settled ${this.tooOften(session, tool, input, code)}` : 'settled';
  }

  /** The third time in a row that an agent gets the same refusal, after two answers, the answer is to ask a human. */
  private tooOften(key: string, tool: string, target: string, code: string): string {
    const { streaks } = this.session(key);
    // A file that cannot be read fails the tool, whatever it was called for.
    const what = JSON.stringify(code === 'DOCUMENT_INVALID' ? [code, tool] : [code, tool, target]);
    const known = streaks.get(what);
    const heard = known !== undefined && this.now > known.at;
    const rounds = (known?.rounds ?? 0) + (heard ? 1 : 0);
    if (!known || heard) streaks.set(what, { rounds: known ? rounds : 1, at: this.now });
    return rounds >= 3 ? 'NEEDS_HUMAN' : code;
  }

  private refuseAuthority(): string {
    this.refusedAuthority += 1;
    return 'noted HUMAN_CHANNEL_REQUIRED';
  }

  private session(key: string): Session {
    return this.sessions.get(key)!;
  }

  private intent(id: string) {
    return this.intents[Number(id.slice(4)) - 1];
  }
}

export const idAt = (index: number): string => `INT-${String(index + 1).padStart(3, '0')}`;
const codeOf = (answer: string): string => answer.split(' ')[1] ?? '';
const isHuman = (caller: Caller): boolean => caller === 'login' || caller === 'none';
