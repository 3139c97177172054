// conference: providers of models, the tool loop, and the turns of agents that answer with evidence.
// Invariant: nothing that a model says is executed unless the strict reader accepts it and the gate admits it; nothing that it says is shown as an
// answer unless its evidence holds.
// Refuses: to call a host that no human confirmed, and to send a key to any other host than its own.

export { BUILT_IN_CHIEF } from './built-in-agents.ts';
export { Chat } from './chat.ts';
export type { ReplyToCheck } from './chat-ports.ts';
export { conversationHandlers, type IndexCanon } from './handlers.ts';
export { Models } from './models.ts';
export { PROJECT_PROMPTS_FILE, readPrompts, USER_PROMPTS_FILE } from './prompt-registry.ts';
export type { ModelMessage } from './providers/model.ts';
