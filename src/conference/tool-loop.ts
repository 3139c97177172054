// The tool loop of one turn: prompt → tool call → result → decision → … → final reply. It executes nothing that the strict reader did not
// accept, and it never tries a rejected call again: the turn ends there.

import { looksLikeToolCall } from '../claims/index.ts';
import {
  decisionFormat,
  type EnvelopeRejection,
  type GroundingToolId,
  readDecision,
  readToolCall,
  type ToolCallEnvelope,
  toolCallFormat,
  type ToolStep,
} from '../protocol/index.ts';
import type { ToolBudget } from './budgets.ts';
import type { ModelMessage, ModelRequest } from './providers/model.ts';
import { cutToBytes, readable, resultText } from './tool-output.ts';
import { decisionProtocol, firstProtocol, newNonce } from './tool-protocol.ts';

export interface ToolRun {
  readonly receiptId: string | null;
  readonly status: ToolStep['status'];
  readonly output: unknown;
  /** Of the output as its receipt has it. */
  readonly sha256: string;
}

export interface LoopPorts {
  /** Records the call and its outcome. Resolves with the reply's text. */
  readonly callModel: (
    purpose: 'first' | 'decision' | 'final',
    messages: readonly ModelMessage[],
    format: ModelRequest['format'] | null,
  ) => Promise<string>;
  /** Through the gate. */
  readonly runTool: (call: ToolCallEnvelope) => Promise<ToolRun>;
  /** The turn's bytes are spent; it goes on without further tools. */
  readonly noteOutputLimit: (message: string) => Promise<void>;
  readonly onTool: (call: ToolCallEnvelope) => void;
  readonly onStep: (step: ToolStep) => void;
}

export interface LoopRequest {
  /** Everything before the person's message. */
  readonly before: readonly ModelMessage[];
  readonly message: string;
  readonly budget: ToolBudget;
  readonly allowedTools: readonly GroundingToolId[];
  readonly isRequired: boolean;
  /** What a final reply has to look like. */
  readonly finalWords: string;
}

export interface Draft {
  readonly kind: 'draft';
  readonly text: string;
  /** The conversation up to and with the draft, for a repair. */
  readonly messages: readonly ModelMessage[];
  readonly steps: readonly ToolStep[];
  readonly forcedFinal: 'steps' | 'tool_call_output_limit' | null;
}

export interface Stopped {
  readonly kind: 'stopped';
  readonly rejected: EnvelopeRejection;
  readonly reply: string;
  readonly steps: readonly ToolStep[];
}

export async function runToolLoop(ports: LoopPorts, request: LoopRequest): Promise<Draft | Stopped> {
  const { budget, allowedTools, isRequired, finalWords } = request;
  const spoken: ModelMessage[] = [...request.before];
  const steps: ToolStep[] = [];
  let pending = request.message;
  let spent = 0;
  const ask = (purpose: 'first' | 'decision' | 'final', words: string, format: ModelRequest['format'] | null) =>
    ports.callModel(purpose, [...spoken, { role: 'user', text: `${pending}\n\n${words}` }], format);
  const finish = async (forcedFinal: Draft['forcedFinal']): Promise<Draft> => {
    const messages: ModelMessage[] = [...spoken, { role: 'user', text: `${pending}\n\n${finalWords}` }];
    const text = await ports.callModel('final', messages, null);
    return { kind: 'draft', text, messages: [...messages, { role: 'assistant', text }], steps, forcedFinal };
  };

  if (allowedTools.length === 0) return finish(null);
  let nonce = newNonce();
  const first = await ask(
    'first',
    firstProtocol({ nonce, isRequired }),
    isRequired ? schemaOf(toolCallFormat({ nonce, allowedTools })) : null,
  );
  // Meant as a call, it is read as one, and rejected if it is not exactly that: it must never pass as an answer.
  if (!isRequired && !looksLikeToolCall(first)) {
    const messages: ModelMessage[] = [...spoken, { role: 'user', text: pending }, { role: 'assistant', text: first }];
    return { kind: 'draft', text: first, messages, steps, forcedFinal: null };
  }
  const opening = readToolCall(first, { nonce, allowedTools });
  if (opening.rejected) return { kind: 'stopped', rejected: opening.rejected, reply: first, steps };

  for (let call = opening.ok, reply = first; ;) {
    ports.onTool(call);
    const run = await ports.runTool(call);
    const cut = cutToBytes(readable(run.output), Math.min(budget.bytesPerStep, budget.bytesPerTurn - spent));
    spent += cut.shown;
    const step: ToolStep = {
      ...{ tool: call.tool, args: call.args, receipt_id: run.receiptId, status: run.status, bytes: cut.bytes, shown: cut.shown },
      sha256: run.sha256,
    };
    steps.push(step);
    ports.onStep(step);
    spoken.push({ role: 'user', text: pending }, { role: 'assistant', text: reply });
    pending = resultText({ tool: call.tool, receiptId: run.receiptId, status: run.status, sha256: run.sha256, cut });

    if (spent >= budget.bytesPerTurn) {
      await ports.noteOutputLimit(`The tools of this turn returned ${spent} bytes, which is all that a turn may use.`);
      return finish('tool_call_output_limit');
    }
    const left = budget.steps - steps.length;
    if (left === 0) return finish('steps');

    nonce = newNonce();
    reply = await ask('decision', decisionProtocol(nonce, left), schemaOf(decisionFormat({ nonce, allowedTools })));
    const decision = readDecision(reply, { nonce, allowedTools });
    if (decision.rejected) return { kind: 'stopped', rejected: decision.rejected, reply, steps };
    if (decision.ok.action === 'final') {
      spoken.push({ role: 'user', text: pending }, { role: 'assistant', text: reply });
      pending = 'Now answer.';
      return finish(null);
    }
    call = decision.ok.call;
  }
}

const schemaOf = ({ json_schema: { name, schema } }: ReturnType<typeof toolCallFormat>): ModelRequest['format'] => ({ name, schema });
