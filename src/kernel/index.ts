// kernel: the spine, session state, principals, approvals, authority, and the ports that these need.
// Invariant: the server owns every transition. Nothing executes before its admission is durable, and a door can only answer
// with a value that `settle.ts` made after writing.
// Refuses: to know any tool, agent or door by name.

export { Answers } from './answers.ts';
export { type GivenSignature } from './approvers.ts';
export { type IntentRequest } from './authority.ts';
export { type CallerJudgement, judgeCaller, type KnownAgents } from './caller.ts';
export type { CallerFollowing, CommandAct, CommandHandlers, CommandPort } from './command-handlers.ts';
export type { AgentShell } from './command-walls.ts';
export type { EventClaim, EventSender } from './event-sender.ts';
export type { CommandRuleEntry } from './command-rules.ts';
export type { Confirmation } from './confirmation.ts';
export type { TurnEvent } from './conversation-records.ts';
export { restoreFields, savedFields } from './fold-fields.ts';
export type { Circumstances } from './document-authority.ts';
export type { Gap } from './gaps.ts';
export { type GrantEntry, isGrantOpen, type ToolGrantEntry } from './grants.ts';
export { isUnavailable } from './is-written.ts';
export { effectiveMode } from './mode-limits.ts';
export { Kernel } from './kernel.ts';
export { openQuestions } from './enforcement-bypass.ts';
export type * from './ports.ts';
export type { Reporter } from './presence.ts';
export { PresentAgents } from './present-agents.ts';
export { Redactor } from './redaction/redactor.ts';
export { KERNEL_REVISIONS } from './revisions.ts';
export { readByAgent } from './seen-files.ts';
export { type SettingsInForce, settingsInForce } from './settings-authority.ts';
export { configOf, type SettingValues, settingValues } from './settings-rules.ts';
export { type SessionIdentity, sessionId } from './principals.ts';
export type { Recorded, RecordedOutcome } from './settle.ts';
export type { ActionRequest, Observation } from './action-request.ts';
export type { ActionEntry, ApprovalEntry, IntentEntry, SessionEntry } from './state-entries.ts';
export { State } from './state.ts';
export { workView } from './work-views.ts';
export type { CommandRunView, SessionView, Views } from './views.ts';
export type { SessionEvent, TurnAnswer } from './turns.ts';
