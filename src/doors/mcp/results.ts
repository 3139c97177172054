// The result of a call, in MCP's form. Every result carries `receipt_id`; null means that nothing was executed.

import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Recorded } from '../../kernel/index.ts';
import { answerLine, type WaitingCall } from '../../agents/index.ts';
import { ReceiptId, Refusal } from '../../protocol/index.ts';

const WithReceipt = { receipt_id: ReceiptId.nullable() };
const RefusalResult = Refusal.extend(WithReceipt);

/** What the result of a tool looks like, refused or not: clients check both against the one schema that a tool may have. */
export const resultSchema = (output: z.ZodType): z.ZodType =>
  z.union([output instanceof z.ZodObject ? output.extend(WithReceipt) : output.and(z.looseObject(WithReceipt)), RefusalResult]);

/** `checks`: what the workspace's checks found at the end of the turn, for the agent. `waiting`: how a person answers an open question. */
export function resultOf(recorded: Recorded, checks: string | null = null, waiting?: WaitingCall): CallToolResult {
  const { outcome } = recorded;
  const refusal = refusalIn(recorded);
  const receipt = 'receipt' in outcome ? (outcome.receipt?.receipt_id ?? null) : null;
  if (refusal) return refused(refusal, receipt, waiting);
  return asResult({ ...(outputOf(recorded) as object), ...(checks === null ? {} : { checks }), receipt_id: receipt });
}

export function refused(refusal: Refusal, receipt: string | null = null, waiting?: WaitingCall): CallToolResult {
  const { content, structuredContent } = asResult({ ...refusal, receipt_id: receipt });
  const first = waiting && refusal.approval_id ? [{ type: 'text' as const, text: answerLine(refusal.approval_id, waiting) }] : [];
  return { isError: true, content: [...first, ...content], structuredContent };
}

export function refusalIn({ outcome }: Recorded): Refusal | null {
  return 'refusal' in outcome ? outcome.refusal : null;
}

export function outputOf({ outcome }: Recorded): unknown {
  if (!('output' in outcome)) throw new Error(`a call ended as ${outcome.kind}`);
  return outcome.output;
}

/** Twice, because clients that know no structured content read the text. */
const asResult = (structuredContent: Record<string, unknown>) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(structuredContent) }],
  structuredContent,
});
