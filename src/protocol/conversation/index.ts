// Conversations with models: who answers, over which endpoint, what was asked and answered, and what follows from it.

export * from './agents.ts';
export * from './chat.ts';
export * from './endpoints.ts';
export type { ConversationEvent } from './events.ts';
export * from './issues.ts';
export * from './notifications.ts';
export * from './prompts.ts';
export { CONVERSATION_QUERIES } from './queries.ts';
export * from './telemetry.ts';
