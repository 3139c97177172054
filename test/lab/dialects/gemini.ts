// Gemini's generateContent.

import type { ContentBlock, ModelDialect, ModelMessage } from '../scripted-model.ts';
import { beginStream, sendWhole } from './stream.ts';

interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly id?: string; readonly name: string; readonly args?: unknown };
  readonly functionResponse?: { readonly id?: string; readonly name: string; readonly response?: unknown };
}
interface Body {
  readonly contents: readonly { readonly role?: string; readonly parts: readonly Part[] }[];
  readonly systemInstruction?: { readonly parts: readonly Part[] };
  readonly tools?: readonly {
    readonly functionDeclarations?: readonly {
      readonly name: string;
      readonly description?: string;
      readonly parametersJsonSchema?: unknown;
    }[];
  }[];
}

export const gemini: ModelDialect = {
  path: /:(?:stream)?generateContent$/i,
  read: (body, path) => {
    const { contents, systemInstruction, tools = [] } = body as Body;
    // Calls have no ids there: one is made from the call's position, the same for its answer.
    let calls = 0;
    let answers = 0;
    const messages = contents.map(({ role, parts }): ModelMessage => {
      const content = parts.map(({ text, functionCall, functionResponse }): ContentBlock => {
        if (functionCall) return { type: 'tool_use', id: `call_${++calls}`, name: functionCall.name, input: functionCall.args };
        if (functionResponse)
          return { type: 'tool_result', tool_use_id: `call_${++answers}`, content: JSON.stringify(functionResponse.response ?? '') };
        return { type: 'text', text: text ?? '' };
      });
      return { role: role === 'model' ? 'assistant' : 'user', content };
    });
    return {
      model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
      stream: /:streamGenerateContent$/i.test(path),
      system: (systemInstruction?.parts ?? []).map(({ text = '' }) => text).join('\n'),
      messages,
      tools: tools.flatMap(({ functionDeclarations = [] }) =>
        functionDeclarations.map(({ name, description = '', parametersJsonSchema }) => ({
          name,
          description,
          input_schema: parametersJsonSchema,
        })),
      ),
    };
  },
  write: (response, request, content, serial) => {
    const parts = content.map(({ type, text, name, input }) => (type === 'text' ? { text } : { functionCall: { name, args: input } }));
    const answer = {
      candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
      modelVersion: request.model,
      responseId: `r_${serial}`,
    };
    if (!request.stream) return sendWhole(response, answer);
    beginStream(response)(answer);
    response.end();
  },
};
