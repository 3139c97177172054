// Which commands there are, in the order of the help. A new command is a name here, its declaration in `program/`, and its examples in
// `examples.ts`.

import type { CommandLine } from './program/command-line.ts';

interface CommandGroup {
  /** Its heading in the help. Groups with the same title stand together there. */
  readonly title: string;
  /** The commands that it adds. */
  readonly names: readonly string[];
  /** Its commands look at all the others. */
  readonly needsAll?: boolean;
  readonly load: () => Promise<(line: CommandLine) => void>;
}

export const COMMAND_GROUPS: readonly CommandGroup[] = [
  {
    title: 'Begin',
    names: ['init', 'doctor', 'import'],
    load: async () => (await import('./program/set-up-commands.ts')).addSetUpCommands,
  },
  { title: 'Begin', names: ['status', 'open'], load: async () => (await import('./program/daemon-commands.ts')).addStatusCommands },
  {
    title: 'Answer what waits for you',
    names: ['watch', 'approvals', 'approve', 'reject', 'grants', 'rules'],
    load: async () => (await import('./program/approval-commands.ts')).addApprovalCommands,
  },
  {
    title: 'Answer what waits for you',
    names: ['approver'],
    load: async () => (await import('./program/approver-commands.ts')).addApproverCommands,
  },
  {
    title: 'Grant work, and say how much is asked of agents',
    names: ['intent', 'intents'],
    load: async () => (await import('./program/intent-commands.ts')).addIntentCommands,
  },
  {
    title: 'Grant work, and say how much is asked of agents',
    names: ['mode', 'settings', 'config', 'tasks'],
    load: async () => (await import('./program/mode-commands.ts')).addModeCommands,
  },
  {
    title: 'Grant work, and say how much is asked of agents',
    names: ['plan'],
    load: async () => (await import('./program/plan-commands.ts')).addPlanCommands,
  },
  {
    title: 'Read what happened',
    names: ['log', 'receipts', 'show', 'sessions', 'violations', 'stats', 'blame', 'verify', 'verify-stamp'],
    load: async () => (await import('./program/record-commands.ts')).addRecordCommands,
  },
  {
    title: 'Put things right',
    names: ['pause', 'ack', 'reconcile', 'undo'],
    load: async () => (await import('./program/gap-commands.ts')).addGapCommands,
  },
  {
    title: 'Run an agent behind walls',
    names: ['run'],
    load: async () => (await import('./program/run-commands.ts')).addRunCommands,
  },
  {
    title: 'Run an agent behind walls',
    names: ['port'],
    load: async () => (await import('./program/port-commands.ts')).addPortCommands,
  },
  {
    title: 'Know the code',
    names: ['memory'],
    load: async () => (await import('./program/memory-commands.ts')).addMemoryCommands,
  },
  {
    title: 'Know the code',
    names: ['validate', 'explain', 'index', 'symbols', 'refs', 'search', 'outline', 'graph'],
    load: async () => (await import('./program/code-commands.ts')).addCodeCommands,
  },
  {
    title: 'Ask a model, and check what it says',
    names: ['ask', 'chat', 'endpoints', 'issues'],
    load: async () => (await import('./program/conversation-commands.ts')).addConversationCommands,
  },
  {
    title: 'Ask a model, and check what it says',
    names: ['envelope', 'canon'],
    load: async () => (await import('./program/grounding-commands.ts')).addGroundingCommands,
  },
  {
    title: 'The daemon and your shell',
    names: ['start', 'stop', 'reindex'],
    load: async () => (await import('./program/daemon-commands.ts')).addDaemonCommands,
  },
  {
    title: 'The daemon and your shell',
    names: ['service'],
    load: async () => (await import('./program/service-commands.ts')).addServiceCommands,
  },
  {
    title: 'The daemon and your shell',
    names: ['completion'],
    needsAll: true,
    load: async () => (await import('./program/completion-command.ts')).addCompletionCommand,
  },
  {
    title: 'Started by agents',
    names: ['mcp', 'hook'],
    load: async () => (await import('./program/agent-commands.ts')).addAgentCommands,
  },
];

/** Only the group of the wanted command: loading all of them takes longer than most commands do. Help needs them all. */
export function groupsFor(wanted: string | undefined): readonly CommandGroup[] {
  const group = COMMAND_GROUPS.find(({ names }) => wanted !== undefined && names.includes(wanted));
  return group && !group.needsAll ? [group] : COMMAND_GROUPS;
}
