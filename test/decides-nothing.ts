// Files that are imported where decisions are made and cannot change one, each with the reason. They have no version.

const KERNEL: Readonly<Record<string, string>> = {
  'answers.ts': 'wakes a call that waits for a human',
  'authority.ts': 'takes what humans do; what that changes is folded into facts, which have versions',
  'breaker.ts': 'changes what a refusal says, never whether it is one',
  'changed-files.ts': 'what a receipt says about files, after the decision',
  'execute.ts': 'runs what was admitted',
  'explain-walls.ts': 'words about what walls did to a command',
  'fold-fields.ts': 'saves and restores what was folded, field by field',
  'gaps.ts': 'a pause changes no verdict; what it lets pass is recorded as that',
  'given-ids.ts': 'finds what was recorded of a call that is sent again; judges none',
  'intent-numbers.ts': 'the next free number of an intent',
  'is-written.ts': 'tells a ledger that cannot be written from other failures',
  'kernel.ts': 'connects the parts',
  'lapse.ts': 'words about a question that was not answered',
  'overtaken-by.ts': 'a mark on a receipt',
  'positions.ts': 'how far streams were folded; what moved meanwhile is decided again by the same rules',
  'receipt.ts': 'what is recorded after a call has ended',
  'redaction/hidden-names.ts': 'hides secrets in names after scope and governance were found',
  'run-context.ts': 'what a tool that was admitted may use',
  'session-locks.ts': 'lets one call of a session be decided at a time',
  'settle.ts': 'writes what was decided',
  'turn-texts.ts': 'what an agent reads at a prompt',
};

const PROTOCOL: Readonly<Record<string, string>> = {
  'blanks.ts': 'what a form says about its blanks',
  'claim.ts': 'forms of claims',
  'codes.ts': 'advice that goes with a code',
  'events.ts': 'forms of records; a new meaning gets a new type',
  'ids.ts': 'forms of ids',
  'quality.ts': 'forms of what checks found',
  'scope-limits.ts': 'how long a proposal of scope may be',
  'stamp.ts': 'the text of a stamp',
  'surfaces.ts': 'which tools an agent is offered',
  'walls.ts': 'what a receipt says about walls',
};

const WORKSPACE: Readonly<Record<string, string>> = {
  'change-files.ts': 'writes files, after the decision',
  'changed-text.ts': 'what a stale file is said to have changed',
  'changes.ts': 'changed lines of a receipt, after the decision',
  'complaints.ts': 'words about a document that cannot be read',
  'edit-tasks.ts': 'writes the list of tasks',
  'insert-intent.ts': 'writes the intents file',
  'list-files.ts': 'what a tool that was admitted answers',
  'recent-contents.ts': 'what was read lately, for telling what changed since',
  'revision.ts': 'the commit that a receipt names',
  'scope-images.ts': 'keeps contents so that a change can be undone',
  'search.ts': 'what a tool that was admitted answers',
  'tree-file.ts': 'opens a file for a tool that was admitted',
  'update-intent.ts': 'writes the intents file',
  'walk-files.ts': 'finds files for a tool that was admitted',
  'yaml-text.ts': 'places in a text, for changing it',
};

const AGENTS: Readonly<Record<string, string>> = {
  'explain.ts': 'words of a refusal',
  'grounding.ts': 'what an agent’s instructions say',
  'seals.ts': 'what an agent needs in a sealed run',
  'transcript.ts': 'the model that a receipt names',
};

/** The same in every agent's folder. */
const IN_EACH_AGENT: Readonly<Record<string, string>> = {
  'wall.ts': 'how the agent calls its shell; walls are the sandbox’s',
  'wire.ts': 'what init writes into settings',
  'trust.ts': 'what init writes into settings',
};

/** Why a file decides nothing; null: it does. By its path from the project's root. */
export function whyItDecidesNothing(path: string): string | null {
  const [, room = '', ...rest] = path.split('/');
  const within = rest.join('/');
  const inRoom = { kernel: KERNEL, protocol: PROTOCOL, workspace: WORKSPACE, agents: AGENTS }[room]?.[within];
  const inAgent = room === 'agents' ? IN_EACH_AGENT[rest.at(-1) ?? ''] : undefined;
  return inRoom ?? inAgent ?? null;
}

/** Those that are named one by one. */
export const NAMED_AS_DECIDING_NOTHING: readonly string[] = Object.entries({
  kernel: KERNEL,
  protocol: PROTOCOL,
  workspace: WORKSPACE,
  agents: AGENTS,
}).flatMap(([room, files]) => Object.keys(files).map((file) => `src/${room}/${file}`));
