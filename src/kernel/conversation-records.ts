// What is recorded of conversations with models, and of what humans keep about them. A model's endpoint is authority: only a human adds one.

import { type ConversationEvent, type Endpoint, type EndpointReport, type Human, type Refusal, streams } from '../protocol/index.ts';
import type { Authority } from './authority.ts';
import type { CallerJudgement } from './caller.ts';
import { withFreshFacts } from './fresh-facts.ts';
import type { EventLog } from './ports.ts';
import { type Recorded, recordNote } from './settle.ts';
import type { State } from './state.ts';

/** Of a turn with a model. */
export type TurnEvent = Extract<ConversationEvent, { type: 'chat_asked' | 'model_called' | 'tool_call_rejected' | 'chat_answered' }>;
type OtherEvent = Exclude<ConversationEvent, TurnEvent>;

interface MadeRecord {
  readonly events: readonly OtherEvent[];
  readonly output: unknown;
  readonly refusal?: Refusal | null;
}

export class ConversationRecords {
  readonly #log: EventLog;
  readonly #state: State;
  readonly #refuse: Authority['refuse'];

  constructor(log: EventLog, state: State, refuse: Authority['refuse']) {
    this.#log = log;
    this.#state = state;
    this.#refuse = refuse;
  }

  /** Durable before it resolves: nothing is sent to a model that is not on the record. */
  async note(...events: readonly TurnEvent[]): Promise<void> {
    await recordNote(
      this.#log,
      events.map((event) => ({ stream: streams.session(event.data.session), event })),
      null,
    );
  }

  /** `isStill`: the endpoint that was tested is the one of this id. */
  async noteTested(id: string, report: EndpointReport, isStill: () => boolean): Promise<void> {
    await this.#record(streams.endpoints, () => ({
      ...{ events: isStill() ? [{ type: 'endpoint_tested', data: { id, report } }] : [], output: null },
    }));
  }

  /** A human's change. `stream`: where it belongs. `make` reads what is there, and reads it again when another kernel has written meanwhile. */
  async tend(
    caller: CallerJudgement,
    stream: string,
    command: string,
    make: (human: Human) => MadeRecord | Promise<MadeRecord>,
  ): Promise<Recorded> {
    if (caller.kind !== 'human') return this.#refuse(caller, command);
    const { human } = caller;
    return this.#record(stream, () => make(human));
  }

  /** From anyone but a human it is a proposal, without a key: nothing is sent to that host before a human confirms it. */
  async addEndpoint(caller: CallerJudgement, workspace: string, endpoint: Endpoint, hasKey: () => boolean): Promise<Recorded> {
    const record = (make: () => OtherEvent, refusal: Refusal | null) =>
      this.#record(streams.endpoints, () => ({ events: [make()], output: { id: endpoint.id }, refusal }));
    if (caller.kind === 'human') {
      const { human } = caller;
      return record(() => ({ type: 'endpoint_added', data: { workspace, endpoint, has_key: hasKey(), human } }), null);
    }
    const session = caller.kind === 'agent' ? caller.session : null;
    return record(() => ({ type: 'endpoint_proposed', data: { workspace, endpoint, session, reason: caller.why } }), {
      error_code: 'HUMAN_CHANNEL_REQUIRED',
      message: `The endpoint ${endpoint.id} at ${endpoint.host} is only proposed: ${caller.why}.`,
      recoverable: false,
      required_action: `A human confirms it in a terminal of their own or on the page: countersign endpoints confirm ${endpoint.id}`,
      remedy: { tool: 'request_human', args: { question: `May the model endpoint ${endpoint.id} at ${endpoint.host} be used?` } },
      also_missing: [],
    });
  }
  #record(stream: string, make: () => MadeRecord | Promise<MadeRecord>): Promise<Recorded> {
    return withFreshFacts(this.#log, this.#state, async () => {
      const basis = this.#state.positions.of(stream);
      const { events, output, refusal = null } = await make();
      const drafts = events.map((event) => ({ stream, event }));
      return recordNote(this.#log, drafts, output, refusal, basis);
    });
  }
}
