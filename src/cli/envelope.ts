// Whether bytes that a model sent are a tool call, for a caller that asks line by line. Pure: no disk, no daemon, and no tool runs.

import { z } from 'zod';
import { type EnvelopeRejection, readDecision, readToolCall, type Rejection } from '../protocol/index.ts';

const Question = z
  .object({
    id: z.unknown().optional(),
    mode: z.enum(['tool_call', 'decision']),
    nonce: z.string(),
    raw: z.string().optional(),
    /** What is not valid UTF-8 cannot be sent as text. */
    raw_b64: z.base64().optional(),
    allowedTools: z.array(z.string()).optional(),
  })
  .refine(({ raw, raw_b64 }) => (raw === undefined) !== (raw_b64 === undefined), 'needs either raw or raw_b64');

export interface EnvelopeAnswer {
  readonly id: unknown;
  readonly code: 'ok' | Rejection;
  /** The registered id; absent where the decision is to use no more tools. */
  readonly tool?: string;
  readonly message?: string;
}

/** One line in, one answer out. An unreadable line is answered too, as a call that is rejected. */
export function envelopeLine(line: string): EnvelopeAnswer {
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch {
    return unreadable(null, 'This line is not JSON.');
  }
  const id = typeof given === 'object' && given !== null && 'id' in given ? given.id : null;
  const question = Question.safeParse(given);
  if (!question.success) {
    const [issue] = question.error.issues;
    return unreadable(id, `${issue?.path.join('.') || 'This line'}: ${issue?.message ?? 'not a question'}.`);
  }
  const { mode, nonce, raw, raw_b64, allowedTools } = question.data;
  const bytes = raw ?? Buffer.from(raw_b64 ?? '', 'base64');
  const rules = { nonce, allowedTools };
  if (mode === 'tool_call') {
    const { ok, rejected } = readToolCall(bytes, rules);
    return rejected ? { id, ...whyNot(rejected) } : { id, code: 'ok', tool: ok.tool };
  }
  const { ok, rejected } = readDecision(bytes, rules);
  if (rejected) return { id, ...whyNot(rejected) };
  return { id, code: 'ok', ...(ok.action === 'tool' ? { tool: ok.call.tool } : {}) };
}

const whyNot = ({ code, message }: EnvelopeRejection) => ({ code, message });

const unreadable = (id: unknown, message: string): EnvelopeAnswer => ({ id, code: 'tool_call_invalid_format', message });
