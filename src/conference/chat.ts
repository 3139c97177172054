// One turn with an agent: the person's message, the tool loop, the evidence, and the record of all of it. The model is an agent like any other:
// what it calls passes the gate, and what it says counts only as far as its evidence holds.

import { createHash, randomUUID } from 'node:crypto';
import { checkReply } from '../claims/index.ts';
import type { Kernel } from '../kernel/index.ts';
import {
  type AgentProfile,
  argsSchema,
  BUCKET_OF_REJECTION,
  type ChatAnswer,
  type ChatProgress,
  type ChatRequest,
  type Door,
  type EndpointRow,
  type EvidenceVerdict,
  Fault,
  GROUNDING_TOOLS,
  type GroundingToolId,
  type ModelPurpose,
  type PromptsView,
  type Rejection,
  type ReplySources,
  stopHookText,
  toolIdOf,
  type ToolStep,
} from '../protocol/index.ts';
import { budgetFor } from './budgets.ts';
import { groundReply, type Version } from './grounded-reply.ts';
import type { Models } from './models.ts';
import { wordsOf } from './prompt-registry.ts';
import type { ModelMessage, ModelRequest } from './providers/model.ts';
import { runToolLoop, type ToolRun } from './tool-loop.ts';
import { catalogText, demandsTool } from './tool-protocol.ts';
import { TurnQueue } from './turn-queue.ts';

export interface Place {
  readonly id: string;
  readonly root: string;
}

export interface ReplyToCheck {
  readonly workspace: string;
  readonly root: string;
  readonly agent: AgentProfile;
  readonly session: string;
  readonly turn: string;
}

export interface ChatPorts {
  readonly kernel: Kernel;
  readonly door: Door;
  readonly models: Models;
  readonly locate: (dir: string) => Promise<Place>;
  /** The cast of a workspace. */
  readonly agents: (workspace: string) => readonly AgentProfile[];
  readonly prompts: (root: string) => Promise<PromptsView>;
  /** What was said before in this session and held, oldest first. */
  readonly history: (session: string) => Promise<readonly ModelMessage[]>;
  /** What a reply is checked against. */
  readonly sources: (reply: ReplyToCheck) => Promise<ReplySources>;
}

export interface Following {
  readonly signal: AbortSignal;
  readonly report: (progress: ChatProgress) => void;
}

const MAX_OUTPUT_TOKENS = 2_000;
const RAW_OUTPUT_TOKENS = 4_000;
/** How much of a reply the record itself holds. */
const KEPT_CHARACTERS = 20_000;
const EXCERPT_CHARACTERS = 500;

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

interface Asked {
  readonly request: ChatRequest;
  readonly place: Place;
  readonly agent: AgentProfile;
  readonly endpoint: EndpointRow;
  readonly allowedTools: readonly GroundingToolId[];
  readonly following: Following;
}

/** Everything that one turn counts and records. */
class Turn {
  readonly #ports: ChatPorts;
  readonly #asked: Asked;
  readonly #at: { readonly session: string; readonly turn: string };
  readonly #tokens = { input: 0, output: 0 };
  readonly #receipts: string[] = [];
  #modelCalls = 0;
  #toolCalls = 0;

  constructor(ports: ChatPorts, asked: Asked, at: { session: string; turn: string }) {
    this.#ports = ports;
    this.#asked = asked;
    this.#at = at;
  }

  async begin(): Promise<void> {
    const { request, place, agent, endpoint } = this.#asked;
    const { conferenceId, roundId, taskId } = request;
    await this.#ports.kernel.conversations.note({
      type: 'chat_asked',
      data: {
        ...this.#at,
        ...{ workspace: place.id, agent: agent.id, endpoint: endpoint.id, host: endpoint.host, model: endpoint.model },
        ...{ message: request.message, grounded: !request.skipTools, tool_policy: request.toolPolicy },
        ...(conferenceId === undefined ? {} : { conference_id: conferenceId }),
        ...(roundId === undefined ? {} : { round_id: roundId }),
        ...(taskId === undefined ? {} : { task_id: taskId }),
      },
    });
  }

  /** The message as it is, to the model and back. */
  async raw(): Promise<ChatAnswer> {
    const text = await this.#callModel('raw', [{ role: 'user', text: this.#asked.request.message }], null);
    await this.end('raw', [{ text, verdict: null }]);
    return this.#answer({
      status: 'raw',
      grounded: false,
      text: 'The model was asked without tools and evidence. What it said is not an answer.',
      raw: text,
    });
  }

  async grounded(): Promise<ChatAnswer> {
    const { request, place, agent, allowedTools, following } = this.#asked;
    const { prompts, history } = this.#ports;
    const words = await prompts(place.root);
    const loop = await runToolLoop(
      {
        callModel: (purpose, messages, format) => this.#callModel(purpose, messages, format),
        runTool: (call) => this.#runTool(call.tool, call.args),
        noteOutputLimit: (message) => this.#reject('tool_call_output_limit', message, null),
        onTool: ({ tool, args }) => following.report({ kind: 'tool', tool, args }),
        onStep: (step) => following.report({ kind: 'tool_done', step }),
      },
      {
        before: [{ role: 'system', text: systemText(agent, words, allowedTools) }, ...(await history(this.#at.session))],
        message: request.message,
        budget: budgetFor(agent.tier, request.conferenceId !== undefined),
        allowedTools,
        isRequired: (request.toolPolicy.requireTool ?? false) || demandsTool(request.message),
        finalWords: wordsOf(words, 'final-reply'),
      },
    );
    if (loop.kind === 'stopped') return this.#stopped(loop.reason, loop.message, loop.reply, loop.steps);
    const versions = await groundReply(
      {
        check: async (text) => checkReply(text, await this.#ports.sources({ workspace: place.id, root: place.root, agent, ...this.#at })),
        callModel: (messages) => this.#callModel('repair', messages, null),
        onChecking: () => following.report({ kind: 'checking' }),
        onRepair: (problems) => following.report({ kind: 'repairing', problems }),
      },
      loop,
      wordsOf(words, 'repair'),
    );
    return this.#judged(versions, loop.steps, loop.forcedFinal);
  }

  async #judged(
    versions: readonly [Version, ...Version[]],
    steps: readonly ToolStep[],
    forcedFinal: ChatAnswer['forcedFinal'],
  ): Promise<ChatAnswer> {
    const { text, verdict } = versions.at(-1)!;
    const status = verdict.status === 'accepted' ? 'answered' : verdict.status;
    await this.end(status, versions);
    const refusedAttempts = versions.flatMap((version) => (version.verdict.status === 'refused' ? [version.verdict.problems] : []));
    const more = { evidence: verdict, steps: [...steps], forcedFinal, refusedAttempts };
    if (status === 'refused') return this.#answer({ status, text: refusedText(verdict), ...more, evidence: null });
    return this.#answer({ status, text: this.#ports.kernel.redactor.text(text), ...more });
  }

  async #stopped(reason: Rejection, message: string, reply: string, steps: readonly ToolStep[]): Promise<ChatAnswer> {
    await this.#reject(reason, message, reply);
    await this.end('stopped', []);
    const stopHook = { type: 'tool_call_rejected', reason } as const;
    return this.#answer({ status: 'stopped', text: stopHookText(reason), stopHook, detail: message, steps: [...steps] });
  }

  async #callModel(purpose: ModelPurpose, given: readonly ModelMessage[], format: ModelRequest['format'] | null): Promise<string> {
    const { kernel, models } = this.#ports;
    const { endpoint, following } = this.#asked;
    // Secrets that the gate holds leave this machine in no prompt.
    const messages = given.map(({ role, text }) => ({ role, text: kernel.redactor.text(text) }));
    const prompt = JSON.stringify(messages);
    following.report({ kind: 'model', purpose, step: ++this.#modelCalls });
    const called = { ...this.#at, purpose, endpoint: endpoint.id, prompt_sha256: sha256(prompt), prompt_bytes: Buffer.byteLength(prompt) };
    const note = (reply: string | null, tokens: { input: number; output: number }, trouble: string | null) =>
      kernel.conversations.note({
        type: 'model_called',
        data: { ...called, reply_sha256: reply === null ? null : sha256(reply), tokens, trouble },
      });
    try {
      const { text, tokens } = await (
        await models.open(endpoint)
      ).call({
        messages,
        ...(format ? { format } : {}),
        maxOutputTokens: purpose === 'raw' ? RAW_OUTPUT_TOKENS : MAX_OUTPUT_TOKENS,
        signal: following.signal,
        onText: (characters) => following.report({ kind: 'writing', characters }),
      });
      this.#tokens.input += tokens.input;
      this.#tokens.output += tokens.output;
      await note(text, tokens, null);
      return text;
    } catch (error) {
      const trouble = following.signal.aborted ? 'cancelled' : error instanceof Fault ? error.code : 'INTERNAL';
      await note(null, { input: 0, output: 0 }, trouble);
      throw error;
    }
  }

  /** Through the gate, with a receipt, as any agent's call. */
  async #runTool(tool: GroundingToolId, input: Record<string, unknown>): Promise<ToolRun> {
    const { kernel, door } = this.#ports;
    const { place, agent, endpoint, following } = this.#asked;
    following.signal.throwIfAborted();
    const { outcome } = await kernel.spine.pass({
      ...{ session: this.#at.session, workspace: place.id, root: place.root, cwd: place.root },
      actor: { agent: agent.id, model: endpoint.model },
      ...{ door, tool, input, waitTimeoutMs: 0, signal: following.signal },
    });
    this.#toolCalls++;
    const receipt = 'receipt' in outcome ? outcome.receipt : null;
    const refusal = 'refusal' in outcome ? outcome.refusal : null;
    if (receipt) this.#receipts.push(receipt.receipt_id);
    const output = kernel.redactor.value(
      refusal ? { error: refusal.message, what_to_do: refusal.required_action } : 'output' in outcome ? outcome.output : null,
    );
    return {
      receiptId: receipt?.receipt_id ?? null,
      status: receipt?.status ?? 'refused',
      output,
      sha256: receipt?.sha256 ?? sha256(JSON.stringify(output) ?? ''),
    };
  }

  async #reject(reason: Rejection, message: string, reply: string | null): Promise<void> {
    const { place, agent } = this.#asked;
    await this.#ports.kernel.conversations.note({
      type: 'tool_call_rejected',
      data: {
        ...this.#at,
        ...{ workspace: place.id, agent: agent.id, reason, bucket: BUCKET_OF_REJECTION[reason], message: message.toWellFormed() },
        reply_sha256: reply === null ? null : sha256(reply),
        excerpt: (reply ?? '').slice(0, EXCERPT_CHARACTERS).toWellFormed(),
      },
    });
  }

  async end(
    status: ChatAnswer['status'] | 'failed' | 'cancelled',
    versions: readonly { readonly text: string; readonly verdict: EvidenceVerdict | null }[],
  ): Promise<void> {
    const { request, place, agent } = this.#asked;
    await this.#ports.kernel.conversations.note({
      type: 'chat_answered',
      data: {
        ...this.#at,
        ...{ workspace: place.id, agent: agent.id, status },
        versions: versions.map(({ text, verdict }) => ({ text: text.slice(0, KEPT_CHARACTERS).toWellFormed(), verdict })),
        ...{ receipts: [...this.#receipts], tool_calls: this.#toolCalls, model_calls: this.#modelCalls, tokens: { ...this.#tokens } },
        ...(request.conferenceId === undefined ? {} : { conference_id: request.conferenceId }),
      },
    });
  }

  #answer(what: Pick<ChatAnswer, 'status' | 'text'> & Partial<ChatAnswer>): ChatAnswer {
    const { agent, endpoint } = this.#asked;
    return {
      ...{ sessionId: this.#at.session, turnId: this.#at.turn, agentId: agent.id, endpointId: endpoint.id, model: endpoint.model },
      ...{ grounded: true, raw: null, evidence: null, stopHook: null, detail: null, steps: [], forcedFinal: null, refusedAttempts: [] },
      ...{ tokens: { ...this.#tokens }, modelCalls: this.#modelCalls },
      ...what,
    };
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

function systemText(agent: AgentProfile, words: PromptsView, tools: readonly GroundingToolId[]): string {
  const catalog = tools.map((tool) => ({ tool, words: wordsOf(words, tool), schema: argsSchema(tool) }));
  return [
    `You are ${agent.name}. ${agent.instructions}`.trim(),
    wordsOf(words, 'grounding-header'),
    ...(tools.length > 0 ? [`## Tools\n${catalogText(catalog)}`] : []),
    wordsOf(words, 'evidence-rules'),
  ].join('\n\n');
}

/** The reply itself is in the record only: shown, it would pass for an answer. */
const refusedText = ({ problems }: EvidenceVerdict): string =>
  ['The answer is not shown, because its evidence does not hold.', ...problems.map(({ message }) => `- ${message}`)].join('\n');

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
