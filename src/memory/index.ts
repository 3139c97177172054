// memory: what is remembered of a workspace, and how it is found again.
// Owns recall and its ranking, duplicates and merging, contradictions, memories as a file, and which lessons and rules apply to a plan.
// Invariant: everything here is folded from the ledger; a memory becomes more than it was by evidence only, and a retired one is never found.
// Refuses: to read a clock, the network or a file (`claims` does, for a status), to store a status, to take any of an import when one line of it is bad.

export { activeMemory, type AppliedLesson, isActive, lessonsFor } from './lessons.ts';
export { type ImportedDraft, parseImport } from './exchange.ts';
export { Memory } from './memory.ts';
export { type MemoryPlace, rowsOf, statusAmongOthers } from './memory-rows.ts';
export { merge } from './merge.ts';
export { type RuledPlan, type RuleFinding, ruleFindings, type RuleOfPlans, stepInWords } from './plan-rules.ts';
export type { Hit, RecallQuery } from './recall.ts';
