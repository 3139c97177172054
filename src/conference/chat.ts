// Conversations with agents: who is asked over which endpoint, one turn at a time in a workspace. The model is an agent like any other: what it
// calls passes the gate, and what it says counts only as far as its evidence holds.

import { randomUUID } from 'node:crypto';
import { type ChatAnswer, type ChatRequest, Fault, GROUNDING_TOOLS, type GroundingToolId, toolIdOf } from '../protocol/index.ts';
import type { ChatPorts, Following } from './chat-ports.ts';
import { type Asked, Turn } from './turn.ts';
import { TurnQueue } from './turn-queue.ts';

export class Chat {
  readonly #ports: ChatPorts;
  readonly #queue = new TurnQueue();

  constructor(ports: ChatPorts) {
    this.#ports = ports;
  }

  /** Rejects with a fault when there is no answer at all; the record then says that the turn failed. */
  async turn(request: ChatRequest, following: Following): Promise<ChatAnswer> {
    const { locate, agents, models } = this.#ports;
    const place = await locate(request.cwd);
    const agent = agents(place.id).find(({ id }) => id === request.agentId);
    if (!agent)
      throw new Fault('NOT_FOUND', `There is no agent ${request.agentId} in this workspace.`, {
        fix: `Ask one of: ${agents(place.id)
          .map(({ id }) => id)
          .join(', ')}`,
      });
    if (request.skipTools && request.conferenceId !== undefined)
      throw new Fault('BAD_REQUEST', 'skipTools is not for conferences: what a model says without evidence is not an answer.', {
        fix: 'Leave out skipTools or conferenceId',
      });
    const allowedTools = allowedIn(request);
    const endpoint = models.choose(request.endpointId ?? agent.endpoint);
    const onWait = () => following.report({ kind: 'waiting' });
    return this.#queue.hold(
      place.id,
      following.signal,
      () => this.#run({ request, place, agent, endpoint, allowedTools, following }),
      onWait,
    );
  }

  async #run(asked: Asked): Promise<ChatAnswer> {
    const turn = new Turn(this.#ports, asked, await this.#open(asked));
    await turn.begin();
    try {
      return await (asked.request.skipTools ? turn.raw() : turn.grounded());
    } catch (error) {
      await turn.end(asked.following.signal.aborted ? 'cancelled' : 'failed', []);
      throw error;
    }
  }

  async #open({ request, place, agent }: Asked): Promise<{ session: string; turn: string }> {
    const { turns, views } = this.#ports.kernel;
    const known = request.sessionId === undefined ? null : views.session(request.sessionId);
    if (request.sessionId !== undefined && (known?.workspace !== place.id || known.agent !== agent.id))
      throw new Fault('NOT_FOUND', `There is no conversation ${request.sessionId} with ${agent.id} in this workspace.`, {
        fix: 'Leave out sessionId for a new one',
      });
    const identity = { workspace: place.id, root: place.root, agent: agent.id, level: 'contained' } as const;
    const session = known?.id ?? (await turns.openSession({ ...identity, nativeSession: `chat-${randomUUID()}` }, 'PASSIVE', null)).session;
    const turn = request.turnId ?? `${request.roundId ?? 'turn'}-${randomUUID()}`;
    await turns.begin(session, turn);
    return { session, turn };
  }
}

function allowedIn({ toolPolicy }: ChatRequest): readonly GroundingToolId[] {
  if (toolPolicy.allowedTools === undefined) return GROUNDING_TOOLS;
  return toolPolicy.allowedTools.map((name) => {
    const tool = toolIdOf(name);
    if (tool !== null) return tool;
    throw new Fault('BAD_REQUEST', `toolPolicy.allowedTools: there is no tool ${JSON.stringify(name)}.`, {
      fix: `Name some of: ${GROUNDING_TOOLS.join(', ')}`,
    });
  });
}
