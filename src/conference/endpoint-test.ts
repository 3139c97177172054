// What a model is good for, found out by asking it: whether it answers, holds to a schema, calls a tool, finds something far back in a long
// prompt, and quotes what it was given.

import { randomBytes } from 'node:crypto';
import { argsSchema, type EndpointReport, Fault, readToolCall } from '../protocol/index.ts';
import { GLOBAL_PARTS, GLOBAL_TOOL_WORDS } from './global-prompts.ts';
import type { Model, ModelMessage, ModelReply, ModelRequest } from './providers/model.ts';
import { catalogText, firstProtocol, newNonce } from './tool-protocol.ts';

const CONTEXT_WORDS = [500, 2_000, 8_000] as const;
const OUTPUT_TOKENS = 300;

export async function testEndpoint(model: Model, signal: AbortSignal): Promise<EndpointReport> {
  const tokens = { input: 0, output: 0 };
  const troubles: string[] = [];
  const ask = async (what: string, messages: readonly ModelMessage[], format?: ModelRequest['format']): Promise<ModelReply | null> => {
    try {
      const reply = await model.call({ messages, maxOutputTokens: OUTPUT_TOKENS, signal, ...(format ? { format } : {}) });
      tokens.input += reply.tokens.input;
      tokens.output += reply.tokens.output;
      return reply;
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      troubles.push(`${what}: ${error.message}`);
      return null;
    }
  };
  const answers = (await ask('answer', [{ role: 'user', text: 'Reply with one word: ready' }])) !== null;
  if (!answers)
    return {
      answers,
      json_schema: 'unknown',
      context_words: 0,
      tool_call: false,
      evidence: false,
      good_for: goodFor({ answers, tool_call: false, evidence: false }),
      troubles,
      tokens,
    };

  const json_schema = await probeSchema(ask);
  const tool_call = await probeToolCall(ask);
  let context_words = 0;
  for (const words of CONTEXT_WORDS) {
    if (!(await probeContext(ask, words))) break;
    context_words = words;
  }
  const evidence = await probeEvidence(ask);
  return {
    answers,
    json_schema,
    context_words,
    tool_call,
    evidence,
    good_for: goodFor({ answers, tool_call, evidence }),
    troubles,
    tokens,
  };
}

type Ask = (what: string, messages: readonly ModelMessage[], format?: ModelRequest['format']) => Promise<ModelReply | null>;

async function probeSchema(ask: Ask): Promise<EndpointReport['json_schema']> {
  const word = codeWord();
  const schema = { type: 'object', properties: { word: { const: word } }, required: ['word'], additionalProperties: false };
  // Nothing in the prompt says what to send: only a server that holds to the schema sends it.
  const reply = await ask('schema', [{ role: 'user', text: 'Say hello.' }], { name: 'probe', schema });
  if (!reply?.isSchemaSent) return 'no';
  return reply.text.replaceAll(/\s/g, '') === `{"word":"${word}"}` ? 'yes' : 'no';
}

async function probeToolCall(ask: Ask): Promise<boolean> {
  const nonce = newNonce();
  const catalog = catalogText([{ tool: 'file_reader', words: GLOBAL_TOOL_WORDS.file_reader, schema: argsSchema('file_reader') }]);
  const reply = await ask('tool call', [
    { role: 'system', text: `## Tools\n${catalog}` },
    { role: 'user', text: `What does notes/harbour.md say?\n\n${firstProtocol({ nonce, isRequired: true })}` },
  ]);
  return reply !== null && readToolCall(reply.text, { nonce, allowedTools: ['file_reader'] }).ok !== undefined;
}

async function probeContext(ask: Ask, words: number): Promise<boolean> {
  const word = codeWord();
  const filler = Array.from({ length: words }, (_, at) => FILLER[at % FILLER.length]).join(' ');
  const reply = await ask(`${words} words`, [
    {
      role: 'user',
      text: `The code word is ${word}.\n\n${filler}\n\nWhat is the code word at the beginning of this text? Reply with the code word only.`,
    },
  ]);
  return reply !== null && reply.text.includes(word);
}

const PASSAGE = 'The keeper lit the lamp at dusk, and the last ferry turned back at the sandbar.';

async function probeEvidence(ask: Ask): Promise<boolean> {
  const reply = await ask('evidence', [
    { role: 'system', text: GLOBAL_PARTS['evidence-rules'] },
    {
      role: 'user',
      text: `notes/harbour.md:1 says: ${PASSAGE}\n\nWhere did the ferry turn back? Answer in one sentence and end with the Evidence line.`,
    },
  ]);
  const quotes = [...(reply?.text ?? '').matchAll(/^\W*Evidence:\W*"([^"]{10,})"/gm)].map(([, quote = '']) => quote);
  return quotes.length === 1 && PASSAGE.includes(quotes[0]!);
}

const FILLER = 'the harbour lay quiet and grey under a low sky while gulls walked along the wall looking for bread'.split(' ');
const codeWord = (): string => `quay${randomBytes(4).toString('hex')}`;

function goodFor({ answers, tool_call, evidence }: Pick<EndpointReport, 'answers' | 'tool_call' | 'evidence'>): string {
  if (!answers) return 'It does not answer, so it is good for nothing yet.';
  if (tool_call && evidence) return 'Good for grounded answers: it calls tools and quotes what it read.';
  if (evidence) return 'It quotes well but does not call tools by itself. Grounded answers work where the endpoint holds it to a schema.';
  if (tool_call) return 'It calls tools but does not quote reliably: expect answers that are refused.';
  return 'Too weak for grounded answers: expect refusals. It may do for experiments.';
}
