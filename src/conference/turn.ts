// What one turn does, counts and records: the model's calls, the tools through the gate, the evidence, and how it ended.

import { createHash } from 'node:crypto';
import { checkReply } from '../claims/index.ts';
import {
  type AgentProfile,
  argsSchema,
  BUCKET_OF_REJECTION,
  type ChatAnswer,
  type ChatRequest,
  type EndpointRow,
  type EvidenceVerdict,
  Fault,
  type GroundingToolId,
  type ModelPurpose,
  type PartOf,
  type PromptsView,
  type Refusal,
  type Rejection,
  stopHookText,
  type ToolStep,
} from '../protocol/index.ts';
import { budgetFor } from './budgets.ts';
import type { ChatPorts, Following, Place } from './chat-ports.ts';
import { groundReply, type Version } from './grounded-reply.ts';
import { wordsOf } from './prompt-registry.ts';
import type { ModelMessage, ModelRequest } from './providers/model.ts';
import { runToolLoop, type Stopped, type ToolRun } from './tool-loop.ts';
import { catalogText, demandsTool } from './tool-protocol.ts';

const MAX_OUTPUT_TOKENS = 2_000;
const RAW_OUTPUT_TOKENS = 4_000;
/** How much of a reply the record itself holds. */
const KEPT_CHARACTERS = 20_000;
const EXCERPT_CHARACTERS = 500;
const TOOL_NAME_CHARACTERS = 100;

type RejectedCall = NonNullable<Stopped['rejected']['call']>;

export interface Asked {
  readonly request: ChatRequest;
  readonly place: Place;
  readonly agent: AgentProfile;
  readonly endpoint: EndpointRow;
  readonly allowedTools: readonly GroundingToolId[];
  readonly following: Following;
}

/** Everything that one turn counts and records. */
export class Turn {
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
    await this.#ports.kernel.conversations.note({
      type: 'chat_asked',
      data: {
        ...this.#at,
        ...{ workspace: place.id, agent: agent.id, endpoint: endpoint.id, host: endpoint.host, model: endpoint.model },
        ...{ message: request.message, grounded: !request.skipTools, tool_policy: request.toolPolicy },
        ...partOf(request),
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
        noteOutputLimit: (message) => this.#reject('tool_call_output_limit', message, null, null),
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
    if (loop.kind === 'stopped') return this.#stopped(loop);
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
    return this.#answer({ status, text, ...more });
  }

  async #stopped({ rejected: { code: reason, message, call }, reply, steps }: Stopped): Promise<ChatAnswer> {
    await this.#reject(reason, message, reply, call ? await this.#receiptOfRejected(call, reason, message) : null);
    await this.end('stopped', []);
    const stopHook = { type: 'tool_call_rejected', reason } as const;
    return this.#answer({ status: 'stopped', text: stopHookText(reason), stopHook, detail: message, steps: [...steps] });
  }

  /** A call that names a tool leaves a receipt, which says that it failed and why. Nothing runs. */
  async #receiptOfRejected({ tool, args }: RejectedCall, reason: Rejection, message: string): Promise<string | null> {
    const refusal: Refusal = {
      ...{ error_code: 'BAD_REQUEST', message: `${reason}: ${message}`.toWellFormed(), recoverable: true },
      ...{ required_action: 'Ask again', remedy: null, also_missing: [] },
    };
    const { outcome } = await this.#ports.kernel.spine.pass({
      ...this.#caller(),
      ...{ tool: tool.slice(0, TOOL_NAME_CHARACTERS).toWellFormed(), input: { ...args }, invalidCall: refusal },
    });
    const id = 'receipt' in outcome ? (outcome.receipt?.receipt_id ?? null) : null;
    if (id !== null) this.#receipts.push(id);
    return id;
  }

  #caller() {
    const { place, agent, endpoint, following, request } = this.#asked;
    const belongs = partOf(request);
    return {
      ...{ session: this.#at.session, workspace: place.id, root: place.root, cwd: place.root },
      actor: { agent: agent.id, model: endpoint.model },
      ...{ door: this.#ports.door, waitTimeoutMs: 0, signal: following.signal },
      ...(Object.keys(belongs).length === 0 ? {} : { partOf: belongs }),
    };
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
      const reply = await (
        await models.open(endpoint)
      ).call({
        messages,
        ...(format ? { format } : {}),
        maxOutputTokens: purpose === 'raw' ? RAW_OUTPUT_TOKENS : MAX_OUTPUT_TOKENS,
        signal: following.signal,
        onText: (characters) => following.report({ kind: 'writing', characters }),
      });
      const { tokens } = reply;
      // A provider knows its own key, and may send it back.
      const text = kernel.redactor.text(reply.text);
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
    const { kernel } = this.#ports;
    this.#asked.following.signal.throwIfAborted();
    const { outcome } = await kernel.spine.pass({ ...this.#caller(), tool, input });
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

  async #reject(reason: Rejection, message: string, reply: string | null, receipt: string | null): Promise<void> {
    const { place, agent } = this.#asked;
    await this.#ports.kernel.conversations.note({
      type: 'tool_call_rejected',
      data: {
        ...this.#at,
        ...{ workspace: place.id, agent: agent.id, reason, bucket: BUCKET_OF_REJECTION[reason], message: message.toWellFormed() },
        reply_sha256: reply === null ? null : sha256(reply),
        excerpt: (reply ?? '').slice(0, EXCERPT_CHARACTERS).toWellFormed(),
        ...(receipt === null ? {} : { receipt }),
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

/** What the turn belongs to. */
const partOf = ({ conferenceId, roundId, taskId }: ChatRequest): PartOf => ({
  ...(conferenceId === undefined ? {} : { conference_id: conferenceId }),
  ...(roundId === undefined ? {} : { round_id: roundId }),
  ...(taskId === undefined ? {} : { task_id: taskId }),
});

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
