// The 18 verbs: what each is for, what it needs, and in which states of the work it may be called. Names and gating are contract.

import type { WorkState } from '../../protocol/index.ts';

export interface VerbDescription {
  readonly description: string;
  readonly whenToUse: string;
  readonly requiredArgs: readonly string[];
  readonly optionalArgs: readonly string[];
}

interface VerbEntry extends VerbDescription {
  /** Names that models use for an argument, and the one that it has here. */
  readonly meant?: Readonly<Record<string, string>>;
  /** One of these is enough; `requiredArgs` then shows them joined by `|`. */
  readonly oneOf?: readonly string[];
}

const FILE_NAMES = {
  file: 'targetFile',
  path: 'targetFile',
  filePath: 'targetFile',
  file_path: 'targetFile',
  filename: 'targetFile',
  target: 'targetFile',
};
const LINES = { start: 'startLine', start_line: 'startLine', from: 'startLine', end: 'endLine', end_line: 'endLine', to: 'endLine' };
const NODE_NAMES = { nodeId: 'planNodeId', node: 'planNodeId', node_id: 'planNodeId', plan_node_id: 'planNodeId' };

export const VERBS = {
  list_available_verbs: {
    description: 'Lists the verbs that may be called now, with the state of the work and of its plan.',
    whenToUse: 'First, and whenever a verb was denied.',
    requiredArgs: [],
    optionalArgs: [],
  },
  list_scoped_files: {
    description: 'Lists the files of the work tree.',
    whenToUse: 'To see what there is before you read.',
    requiredArgs: [],
    optionalArgs: ['glob'],
    meant: { pattern: 'glob', filter: 'glob' },
  },
  list_directory_contents: {
    description: 'Lists the entries of one folder; folders end in /.',
    whenToUse: 'To look into a folder.',
    requiredArgs: ['targetDir'],
    optionalArgs: [],
    meant: { dir: 'targetDir', directory: 'targetDir', path: 'targetDir', folder: 'targetDir', target: 'targetDir' },
  },
  read_file_lines: {
    description: 'Reads lines of a file, with the hash of its content.',
    whenToUse: 'Before you plan a change of a file: what you have read counts as evidence.',
    requiredArgs: ['targetFile'],
    optionalArgs: ['startLine', 'endLine'],
    meant: { ...FILE_NAMES, ...LINES },
  },
  lookup_symbol_definition: {
    description: 'Finds where a name is defined, with citations that a plan can use as codeEvidence.',
    whenToUse: 'To find a function, class, type or key by its name.',
    requiredArgs: ['symbol'],
    optionalArgs: ['kind'],
    meant: { name: 'symbol', symbolName: 'symbol', query: 'symbol', identifier: 'symbol' },
  },
  trace_symbol_graph: {
    description: 'Shows what is around a symbol, a file or words: callers, uses, containers, and what people wrote about the place.',
    whenToUse: 'To see what else a change touches.',
    requiredArgs: ['symbol|targetFile|query'],
    optionalArgs: ['depth'],
    oneOf: ['symbol', 'targetFile', 'query'],
    meant: { ...FILE_NAMES, name: 'symbol', symbolName: 'symbol', text: 'query' },
  },
  search_codebase_text: {
    description: 'Finds lines with a text, or with regex: true a pattern, with citations.',
    whenToUse: 'To find a text anywhere in the work tree.',
    requiredArgs: ['pattern'],
    optionalArgs: ['regex', 'glob'],
    meant: { query: 'pattern', text: 'pattern', search: 'pattern', q: 'pattern', term: 'pattern' },
  },
  fetch_jira_ticket: {
    description:
      'Fetches a Jira ticket: what is wanted, its acceptance criteria, comments, links and sub-tasks. A plan cites it as jira:KEY.',
    whenToUse: 'When the work is about a ticket.',
    requiredArgs: ['ticketKey'],
    optionalArgs: [],
    meant: { key: 'ticketKey', ticket: 'ticketKey', issue: 'ticketKey' },
  },
  fetch_api_spec: {
    description:
      'Reads an OpenAPI or Swagger description, by address or by path: without operation the list of operations, with it that one and its schemas.',
    whenToUse: 'When the work is about an API.',
    requiredArgs: ['specUrl'],
    optionalArgs: ['operation'],
    meant: { url: 'specUrl', spec: 'specUrl', operationId: 'operation' },
  },
  get_original_prompt: {
    description: 'Returns what the person asked for, as it was first sent.',
    whenToUse: 'When you are not sure what the task was.',
    requiredArgs: [],
    optionalArgs: [],
  },
  write_scratch_file: {
    description: 'Writes a file into the scratch folder of this work. It changes nothing of the project.',
    whenToUse: 'For notes and drafts.',
    requiredArgs: ['relativePath', 'content'],
    optionalArgs: [],
    meant: { path: 'relativePath', file: 'relativePath', filename: 'relativePath', text: 'content', body: 'content' },
  },
  submit_execution_plan: {
    description:
      'Submits a plan: nodes with targetFile, whyThisFile, editIntent and verificationHooks. What the server knows is filled in; what is wrong is returned with its fix.',
    whenToUse: 'When you know which files to change and why; nothing may be changed before a plan is accepted.',
    requiredArgs: ['planGraph'],
    optionalArgs: ['mode', 'intentId'],
    meant: {
      plan: 'planGraph',
      graph: 'planGraph',
      plan_graph: 'planGraph',
      executionPlan: 'planGraph',
      intent: 'intentId',
      intent_id: 'intentId',
    },
  },
  request_evidence_guidance: {
    description: 'Says what is missing and how to go on, with a plan to start from; may ask a human, for more scope or for an intent.',
    whenToUse: 'When you are stuck, or a verb keeps being denied.',
    requiredArgs: ['blockingReasons'],
    optionalArgs: ['question', 'requestScope', 'proposeIntent', 'contextPackRef'],
    meant: { reasons: 'blockingReasons', reason: 'blockingReasons', blockers: 'blockingReasons' },
  },
  signal_task_complete: {
    description: 'Ends the work and returns the compliance stamp, with what was done and what was refused.',
    whenToUse: 'When everything is done, or, with abandoned: true, when you give up.',
    requiredArgs: [],
    optionalArgs: ['summary', 'abandoned'],
    meant: { message: 'summary', note: 'summary' },
  },
  apply_code_patch: {
    description:
      'Changes the file of a change node of the accepted plan: edits are exact replacements [{oldText, newText}] or codemods [{type, from, to}].',
    whenToUse: 'For each change node that is ready.',
    requiredArgs: ['planNodeId', 'targetFile', 'edits'],
    optionalArgs: [],
    meant: { ...FILE_NAMES, ...NODE_NAMES, changes: 'edits', patch: 'edits' },
  },
  run_sandboxed_code: {
    description:
      'Runs an async IIFE in a sandbox: `(async () => { … return value; })()`. It sees the declared inputs as `inputs` and nothing else.',
    whenToUse: 'For a computation that a node of the plan needs.',
    requiredArgs: ['planNodeId', 'code'],
    optionalArgs: ['inputs', 'inputFiles', 'timeoutMs', 'memoryMb', 'expectedReturn'],
    meant: { ...NODE_NAMES, script: 'code', source: 'code' },
  },
  execute_gated_side_effect: {
    description: 'Performs the side effect of a node, once a human has opened its commit gate.',
    whenToUse: 'For each side_effect node whose gate is open.',
    requiredArgs: ['planNodeId', 'sideEffectType'],
    optionalArgs: [],
    meant: { ...NODE_NAMES, type: 'sideEffectType', effect: 'sideEffectType' },
  },
  run_automation_recipe: {
    description: 'Runs a named recipe for a node; run_targeted_validation runs the checks of a validate node.',
    whenToUse: 'For each validate node, after its changes.',
    requiredArgs: ['recipeId', 'planNodeId', 'artifactBundleRef', 'diffSummaryRef'],
    optionalArgs: ['params'],
    meant: { ...NODE_NAMES, recipe: 'recipeId', recipe_id: 'recipeId' },
  },
} as const satisfies Readonly<Record<string, VerbEntry>>;

export type Verb = keyof typeof VERBS;
export const VERB_NAMES = Object.keys(VERBS) as readonly Verb[];
export const isVerb = (name: string): name is Verb => Object.hasOwn(VERBS, name);
export const verbEntry = (verb: Verb): VerbEntry => VERBS[verb];

const POST_PLAN: readonly Verb[] = ['apply_code_patch', 'run_sandboxed_code', 'execute_gated_side_effect', 'run_automation_recipe'];
const PRE_PLAN = VERB_NAMES.filter((verb) => !POST_PLAN.includes(verb));
const ENDED: readonly Verb[] = ['list_available_verbs', 'get_original_prompt', 'signal_task_complete'];

/** These run even when the budget is spent. */
export const BUDGET_SAFE: readonly Verb[] = [
  'list_available_verbs',
  'get_original_prompt',
  'request_evidence_guidance',
  'signal_task_complete',
];

const AVAILABLE: Readonly<Record<WorkState, readonly Verb[]>> = {
  PLAN_REQUIRED: PRE_PLAN,
  PLAN_ACCEPTED: VERB_NAMES,
  EXECUTION_ENABLED: VERB_NAMES,
  BLOCKED_BUDGET: BUDGET_SAFE,
  FAILED: ENDED,
  COMPLETED: ENDED,
};

export const verbsIn = (state: WorkState): readonly Verb[] => AVAILABLE[state];

/** The states that offer a verb, for the message of a denial. */
export const statesWith = (verb: Verb): readonly WorkState[] =>
  (Object.keys(AVAILABLE) as WorkState[]).filter((state) => AVAILABLE[state].includes(verb));

const DESCRIPTIONS = new Map(
  (Object.keys(AVAILABLE) as WorkState[]).map((state) => [
    state,
    Object.fromEntries(
      AVAILABLE[state].map((verb) => {
        const { description, whenToUse, requiredArgs, optionalArgs } = VERBS[verb];
        return [verb, { description, whenToUse, requiredArgs, optionalArgs } satisfies VerbDescription];
      }),
    ),
  ]),
);

export const descriptionsIn = (state: WorkState): Readonly<Record<string, VerbDescription>> => DESCRIPTIONS.get(state) ?? {};
