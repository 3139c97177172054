// protocol: whatever crosses a boundary between rooms, processes or versions.
// Owns the types and schemas of actions, facts, verdicts, receipts, events and codes, the query and command registries, the tool contract.
// Invariant: browser-safe and free of behaviour: nothing here reads a file, a clock other than for ids, or the network.
// Refuses: any import but zod.

export * from './action.ts';
export * from './addresses.ts';
export * from './browser-automation.ts';
export * from './checkpoint.ts';
export * from './claim.ts';
export * from './code.ts';
export * from './codes.ts';
export * from './config.ts';
export * from './context-pack.ts';
export * from './commands/index.ts';
export * from './conversation/index.ts';
export * from './doors.ts';
export * from './events.ts';
export * from './facts.ts';
export * from './foreign-text-note.ts';
export * from './graph.ts';
export * from './grounding/index.ts';
export * from './id-forms.ts';
export * from './ids.ts';
export * from './image-store.ts';
export * from './inbox.ts';
export * from './intent.ts';
export * from './lesson.ts';
export * from './memory-settings.ts';
export * from './action-words.ts';
export * from './risk-words.ts';
export * from './plan.ts';
export * from './plan-codes-for-people.ts';
export * from './process.ts';
export * from './quality.ts';
export * from './queries.ts';
export * from './query-paths.ts';
export * from './receipt.ts';
export * from './receipt-output.ts';
export * from './redaction.ts';
export * from './revisions.ts';
export * from './rows.ts';
export * from './scope-limits.ts';
export * from './sealed.ts';
export * from './stamp.ts';
export * from './stats.ts';
export * from './strategy.ts';
export * from './surfaces.ts';
export * from './blanks.ts';
export * from './tasks.ts';
export * from './tool.ts';
export * from './turn-tools.ts';
export * from './default-port.ts';
export * from './verdict.ts';
export * from './visible-text.ts';
export * from './walls.ts';
export * from './work.ts';
export * from './work-events.ts';
