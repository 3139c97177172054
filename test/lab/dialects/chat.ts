// Chat completions, as most providers offer them.

import type { ContentBlock, ModelDialect, ModelMessage } from '../scripted-model.ts';
import { beginStream, sendWhole } from './stream.ts';

interface ChatMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly type: string; readonly text?: string }[];
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[];
}
interface ChatBody {
  readonly model: string;
  readonly stream?: boolean;
  readonly messages: readonly ChatMessage[];
  readonly tools?: readonly {
    readonly function: { readonly name: string; readonly description?: string; readonly parameters?: unknown };
  }[];
}

export const chat: ModelDialect = {
  path: /\/chat\/completions$/,
  read: (body) => {
    const { model, stream = false, messages, tools = [] } = body as ChatBody;
    return {
      model,
      stream,
      messages: messages.map(messageOf),
      tools: tools.map(({ function: { name, description = '', parameters } }) => ({ name, description, input_schema: parameters })),
    };
  },
  write: (response, request, content, serial) => {
    const base = { id: `chatcmpl_${serial}`, created: 0, model: request.model };
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
    const text = content.find(({ type }) => type === 'text')?.text;
    const calls = content
      .filter(({ type }) => type === 'tool_use')
      .map(({ id, name, input }, index) => ({ index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }));
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop';
    const tool_calls = calls.length > 0 ? { tool_calls: calls } : {};
    if (!request.stream) {
      const message = { role: 'assistant', content: text ?? null, ...tool_calls };
      return sendWhole(response, { ...base, object: 'chat.completion', choices: [{ index: 0, finish_reason, message }], usage });
    }
    const say = beginStream(response);
    const chunk = (delta: object, finish: string | null = null) =>
      say({ ...base, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] });
    chunk({ role: 'assistant', content: text ?? '' });
    if (calls.length > 0) chunk(tool_calls);
    chunk({}, finish_reason);
    say({ ...base, object: 'chat.completion.chunk', choices: [], usage });
    say('[DONE]');
    response.end();
  },
};

function messageOf({ role, content, tool_call_id, tool_calls = [] }: ChatMessage): ModelMessage {
  const words = typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join('\n');
  if (role === 'tool') return { role: 'user', content: [{ type: 'tool_result', tool_use_id: tool_call_id ?? '', content: words }] };
  if (role !== 'assistant') return { role: role === 'user' ? 'user' : 'system', content: words };
  const uses = tool_calls.map(({ id, function: { name, arguments: input } }): ContentBlock => ({ type: 'tool_use', id, name, input }));
  return { role, content: [{ type: 'text', text: words }, ...uses] };
}
