// OpenAI's Responses API.

import type { ContentBlock, ModelDialect, ModelMessage, OfferedTool } from '../scripted-model.ts';
import { beginStream, sendWhole } from './stream.ts';

interface Item {
  readonly type?: string;
  readonly role?: string;
  readonly content?: string | readonly { readonly text?: string }[];
  readonly call_id?: string;
  readonly name?: string;
  readonly output?: string | readonly { readonly text?: string }[];
}
interface Tool {
  readonly type: string;
  readonly name?: string;
  readonly description?: string;
  readonly parameters?: unknown;
  readonly tools?: readonly Tool[];
}
interface Body {
  readonly model: string;
  readonly stream?: boolean;
  readonly input: string | readonly Item[];
  readonly tools?: readonly Tool[];
}

export const responses: ModelDialect = {
  path: /\/responses$/,
  read: (body) => {
    const { model, stream = false, input, tools = [] } = body as Body;
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    return { model, stream, messages: items.map(messageOf), tools: tools.flatMap(offered) };
  },
  write: (response, request, content, serial) => {
    const items = content.map((block, index) => itemOf(block, `${serial}_${index}`));
    const usage = {
      ...{ input_tokens: 10, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5 },
      ...{ output_tokens_details: { reasoning_tokens: 0 }, total_tokens: 15 },
    };
    const whole = (status: string, output: readonly object[]) => ({
      ...{ id: `resp_${serial}`, object: 'response', created_at: 0, status, model: request.model, output },
      ...(status === 'completed' ? { usage } : {}),
    });
    if (!request.stream) return sendWhole(response, whole('completed', items));
    const say = beginStream(response);
    let sequence_number = 0;
    const emit = (type: string, fields: object) => say({ type, sequence_number: sequence_number++, ...fields }, type);
    emit('response.created', { response: whole('in_progress', []) });
    items.forEach((item, output_index) => {
      emit('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } });
      emit('response.output_item.done', { output_index, item });
    });
    emit('response.completed', { response: whole('completed', items) });
    response.end();
  },
};

function itemOf({ type, text, id, name, input, namespace }: ContentBlock, key: string): Record<string, unknown> {
  const status = 'completed';
  if (type === 'text') {
    return { type: 'message', id: `msg_${key}`, role: 'assistant', status, content: [{ type: 'output_text', text, annotations: [] }] };
  }
  // Some tools take text, not arguments.
  if (typeof input === 'string') return { type: 'custom_tool_call', id: `ctc_${key}`, call_id: id, name, input, status };
  const named = { name, ...(namespace === undefined ? {} : { namespace }) };
  return { type: 'function_call', id: `fc_${key}`, call_id: id, ...named, arguments: JSON.stringify(input), status };
}

function messageOf({ type = 'message', role, content, call_id, name, output }: Item): ModelMessage {
  if (type.endsWith('_output'))
    return { role: 'user', content: [{ type: 'tool_result', tool_use_id: call_id ?? '', content: words(output) }] };
  if (type.endsWith('_call')) return { role: 'assistant', content: [{ type: 'tool_use', id: call_id ?? '', name: name ?? '' }] };
  if (role === 'assistant' || type === 'reasoning') return { role: 'assistant', content: [{ type: 'text', text: words(content) }] };
  return { role: role === 'user' ? 'user' : 'system', content: words(content) };
}

const words = (content: Item['content']): string =>
  typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');

function offered({ type, name = type, description = '', parameters, tools }: Tool): OfferedTool[] {
  return tools
    ? tools.flatMap(offered).map((tool) => ({ ...tool, name: `${name}${tool.name}` }))
    : [{ name, description, input_schema: parameters }];
}
