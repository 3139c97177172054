import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { GROUNDING_TOOLS, readToolCall } from '../protocol/index.ts';
import { GLOBAL_TOOL_WORDS } from './global-prompts.ts';

verifies('C14', 'the words of every tool end with an example that is a valid call once it has the nonce of the step', () => {
  const read = GROUNDING_TOOLS.map((tool) => {
    const example = /\nExample: (.*)$/.exec(GLOBAL_TOOL_WORDS[tool])?.[1] ?? '';
    return [
      readToolCall(example, { nonce: 'n1' }).rejected?.code,
      readToolCall(example.replace('<TOOL_NONCE>', 'n1'), { nonce: 'n1' }).ok?.tool,
    ];
  });
  expect(read).toEqual(GROUNDING_TOOLS.map((tool) => ['tool_call_nonce_invalid', tool]));
});
