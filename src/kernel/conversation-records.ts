// What is recorded of conversations with models, and of what humans keep about them. A model's endpoint is authority: only a human adds one.

import { type ConversationEvent, type Endpoint, type EndpointReport, type Human, type Refusal, streams } from '../protocol/index.ts';
import type { Authority } from './authority.ts';
import type { CallerJudgement } from './caller.ts';
import type { EventLog } from './ports.ts';
import { type Recorded, recordNote } from './settle.ts';

/** Of a turn with a model. */
export type TurnEvent = Extract<ConversationEvent, { type: 'chat_asked' | 'model_called' | 'tool_call_rejected' | 'chat_answered' }>;
type OtherEvent = Exclude<ConversationEvent, TurnEvent>;

export class ConversationRecords {
  readonly #log: EventLog;
  readonly #refuse: Authority['refuse'];

  constructor(log: EventLog, refuse: Authority['refuse']) {
    this.#log = log;
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

  async noteTested(id: string, report: EndpointReport): Promise<void> {
    await recordNote(this.#log, [{ stream: streams.endpoints, event: { type: 'endpoint_tested', data: { id, report } } }], null);
  }

  /** A human's change. `stream`: where it belongs. */
  async tend(
    caller: CallerJudgement,
    stream: string,
    command: string,
    make: (human: Human) => { readonly events: readonly OtherEvent[]; readonly output: unknown },
  ): Promise<Recorded> {
    if (caller.kind !== 'human') return this.#refuse(caller, command);
    const { events, output } = make(caller.human);
    return recordNote(
      this.#log,
      events.map((event) => ({ stream, event })),
      output,
    );
  }

  /** From anyone but a human it is a proposal, without a key: nothing is sent to that host before a human confirms it. */
  async addEndpoint(caller: CallerJudgement, workspace: string, endpoint: Endpoint, has_key: boolean): Promise<Recorded> {
    const record = (event: OtherEvent, refusal: Refusal | null) =>
      recordNote(this.#log, [{ stream: streams.endpoints, event }], { id: endpoint.id }, refusal);
    if (caller.kind === 'human')
      return record({ type: 'endpoint_added', data: { workspace, endpoint, has_key, human: caller.human } }, null);
    const session = caller.kind === 'agent' ? caller.session : null;
    return record(
      { type: 'endpoint_proposed', data: { workspace, endpoint, session, reason: caller.why } },
      {
        error_code: 'HUMAN_CHANNEL_REQUIRED',
        message: `The endpoint ${endpoint.id} at ${endpoint.host} is only proposed: ${caller.why}.`,
        recoverable: false,
        required_action: `A human confirms it in a terminal of their own or on the page: countersign endpoints confirm ${endpoint.id}`,
        remedy: { tool: 'request_human', args: { question: `May the model endpoint ${endpoint.id} at ${endpoint.host} be used?` } },
        also_missing: [],
      },
    );
  }
}
