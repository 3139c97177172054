// The part of a prompt that says how a tool is called, and what counts as a call. The marks `TOOL_NONCE` and `TOOL_CALL_REQUIRED` and the
// title of the section are the contract's.

import { randomBytes } from 'node:crypto';
import { GROUNDING_TOOLS, type GroundingToolId } from '../protocol/index.ts';

/** One for each call of a model: the reply to it has to carry it, and no later reply may. */
export const newNonce = (): string => randomBytes(12).toString('hex');

export const PROTOCOL_TITLE = 'Tool Call Protocol (STRICT JSON ONLY)';

export interface ProtocolOptions {
  readonly nonce: string;
  readonly isRequired: boolean;
}

export function firstProtocol({ nonce, isRequired }: ProtocolOptions): string {
  return [
    `## ${PROTOCOL_TITLE}`,
    'To call a tool, reply with exactly one JSON object and nothing else: no other text, no Markdown, no code fence.',
    `{"tool":"<id>","args":{…},"nonce":"${nonce}"}`,
    isRequired
      ? 'This reply has to be a tool call.'
      : 'If you need no tool, answer the question instead, with its Evidence line. A reply that mixes text and a tool call is rejected.',
    'Where an example says <TOOL_NONCE>, send the nonce of this step.',
    `TOOL_NONCE: ${nonce}`,
    ...(isRequired ? ['TOOL_CALL_REQUIRED: true'] : []),
  ].join('\n');
}

/** After a tool result: another tool, or the end of tools. */
export function decisionProtocol(nonce: string, left: number): string {
  return [
    `## ${PROTOCOL_TITLE}`,
    'Decide what comes next. Reply with exactly one of these JSON objects and nothing else:',
    `{"action":"tool","tool":"<id>","args":{…},"nonce":"${nonce}"}`,
    `{"action":"final","nonce":"${nonce}"}`,
    `You may call ${left === 1 ? 'one more tool' : `${left} more tools`}. Choose "final" as soon as you can answer; you write the answer after that.`,
    `TOOL_NONCE: ${nonce}`,
  ].join('\n');
}

const PHRASES: readonly RegExp[] = [
  new RegExp(`use the (?:${GROUNDING_TOOLS.flatMap((tool) => [tool, tool.replaceAll('_', '-')]).join('|')}) tool first`, 'i'),
  /return only the json tool call object/i,
  /respond with exactly one json object/i,
];

/** Only the person's own message counts: text of a file or of a tool cannot demand a call. */
export const demandsTool = (message: string): boolean => PHRASES.some((phrase) => phrase.test(message.replaceAll(/\s+/g, ' ')));

export interface CatalogEntry {
  readonly tool: GroundingToolId;
  readonly words: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export const catalogText = (entries: readonly CatalogEntry[]): string =>
  entries
    .map(({ tool, words, schema }) => {
      const { properties = {}, required = [] } = schema as {
        properties?: Record<string, { type?: string; enum?: readonly string[]; items?: { type?: string }; description?: string }>;
        required?: readonly string[];
      };
      const args = Object.entries(properties).map(([name, { type, enum: values, items, description }]) => {
        const form = values ? values.join('|') : type === 'array' ? `${items?.type ?? 'any'}[]` : (type ?? 'any');
        return `  - ${name}: ${form}${required.includes(name) ? ', required' : ''}${description === undefined ? '' : `. ${description}`}`;
      });
      return [`### ${tool}`, words, ...args].join('\n');
    })
    .join('\n\n');
