// The Anthropic Messages API.

import type { ContentBlock, ModelDialect, ModelRequest } from '../scripted-model.ts';
import { beginStream, sendWhole } from './stream.ts';

const usage = { input_tokens: 10, output_tokens: 5, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };

export const messages: ModelDialect = {
  path: /^\/v1\/messages$/,
  read: (body) => body as ModelRequest,
  write: (response, request, content, serial) => {
    const stop_reason = content.some((block) => block.type === 'tool_use') ? 'tool_use' : 'end_turn';
    const message = {
      id: `msg_${String(serial).padStart(4, '0')}`,
      type: 'message',
      role: 'assistant',
      model: request.model,
      stop_sequence: null,
    };
    if (request.stream !== true) return sendWhole(response, { ...message, content, stop_reason, usage });
    const say = beginStream(response);
    const emit = (type: string, fields: object): void => say({ type, ...fields }, type);
    emit('message_start', { message: { ...message, content: [], stop_reason: null, usage } });
    content.forEach((block, index) => {
      emit('content_block_start', { index, content_block: opened(block) });
      emit('content_block_delta', { index, delta: deltaOf(block) });
      emit('content_block_stop', { index });
    });
    emit('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: usage.output_tokens } });
    emit('message_stop', {});
    response.end();
  },
};

const opened = (block: ContentBlock): ContentBlock => (block.type === 'text' ? { ...block, text: '' } : { ...block, input: {} });

function deltaOf(block: ContentBlock): object {
  return block.type === 'text'
    ? { type: 'text_delta', text: block.text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
}
