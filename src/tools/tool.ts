// How our own tools are written: the tool contract of `protocol`, and what the daemon gives to them. One file for each tool.

import type { z } from 'zod';
import type { Replacement as CodeReplacement } from '../codeindex/index.ts';
import type { Connectors } from '../connectors/index.ts';
import type { Memory } from '../memory/index.ts';
import {
  BLANKS,
  CODES,
  type Declaration,
  type Event,
  type IntentView,
  makeTool,
  type Refusal,
  type RefusalCode,
  type Remedy,
  type RunContext,
  type StreamEventDraft,
  type Tool,
  type ToolInput,
  type ToolResult,
  type ToolSpec,
} from '../protocol/index.ts';
import type { CodeSandbox } from '../sandbox/index.ts';
import type { QualityPort } from '../quality/index.ts';
import type { PathConfig } from '../workspace/index.ts';
import type { CodePort } from './code/code-place.ts';
import type { PlansPort } from './plan/review.ts';

/** A tool of ours, once it has what it needs. */
export type OwnTool = (deps: ToolDeps) => Tool;

interface OwnToolSpec<S extends ToolInput> extends Omit<ToolSpec<S>, 'run'> {
  /** Absent: agents execute it by themselves, under a name of their own. */
  readonly run?: (input: z.output<S>, context: RunContext, deps: ToolDeps) => Promise<ToolResult>;
}

export const defineTool =
  <S extends ToolInput>({ run, ...spec }: OwnToolSpec<S>): OwnTool =>
  (deps) =>
    makeTool<S>({ ...spec, ...(run ? { run: (input, context) => run(input, context, deps) } : {}) });

/** What the daemon provides to its own tools. */
export interface ToolDeps {
  readonly memory: Memory;
  readonly now: () => Date;
  /** Real folders of the daemon, which must never be quoted. */
  readonly privateFolders: readonly string[];
  /** What a human says about derived files and companions. */
  readonly pathsOf: (root: string) => Promise<PathConfig>;
  /** Runs a command that the gate has admitted, in the work tree, and reports what it wrote there. */
  readonly runCommand: (order: CommandOrder) => Promise<CommandEnd>;
  readonly quality: QualityPort;
  readonly code: CodePort;
  readonly plans: PlansPort;
  /** Where a template has a tag, for another one. */
  readonly templateTags: (path: string, text: string, from: string, to: string) => Promise<TagPlaces>;
  readonly codeSandbox: Pick<CodeSandbox, 'run'>;
  readonly connectors: Pick<Connectors, 'ticket' | 'spec' | 'artifactsOf'>;
  /** Passages of the work tree's documents; null: they are still being indexed. Absent: there is no index. */
  readonly passagesAbout?: (root: string, question: string, limit: number) => Promise<readonly Passage[] | null>;
}

type TagPlaces = { readonly places: readonly CodeReplacement[] } | { readonly declined: string };

/** A heading or a paragraph of a document. */
interface Passage {
  readonly path: string;
  readonly line: number;
  /** The heading that it is below; null: none. */
  readonly heading: string | null;
  readonly text: string;
}

export interface CommandOrder {
  readonly command: string;
  readonly root: string;
  readonly cwd?: string;
  readonly timeoutMs?: number | undefined;
  /** The globs that it may change; other changes are reverted. Null: it only reads. */
  readonly scope: readonly string[] | null;
  /** The action that it belongs to, which is responsible for its writes until the receipt exists; null: none. */
  readonly action: string | null;
  readonly signal?: AbortSignal;
  readonly onOutput?: (text: string) => void;
}

interface WrittenFile {
  readonly path: string;
  readonly change: 'created' | 'changed' | 'deleted';
}

export interface CommandEnd {
  /** Null when it was stopped. */
  readonly exitCode: number | null;
  readonly stopped: 'time' | 'memory' | 'processes' | 'cancelled' | null;
  readonly output: string;
  /** Bytes of the output that were left out. */
  readonly truncated: number;
  readonly sandbox: 'bubblewrap' | 'none';
  readonly changed: readonly (WrittenFile & { readonly before_sha256: string | null })[];
  readonly rolled_back: readonly (WrittenFile & { readonly why: string })[];
  /** Changed while it ran, and neither kept as its work nor reverted. */
  readonly left: readonly (WrittenFile & { readonly why: string })[];
  /** Derived files that it made or changed. */
  readonly derived: number;
  /** The tree is too large to see what changed. */
  readonly unseen?: true;
}

export const refuse = (code: RefusalCode, message: string, required_action: string, remedy: Remedy | null): ToolResult => {
  const refusal: Refusal = {
    error_code: code,
    message,
    recoverable: CODES[code].retry !== 'never',
    required_action,
    // If no call of the agent helps, asking a human still does.
    remedy: remedy ?? { tool: 'request_human', args: { question: message.slice(0, 500).toWellFormed() } },
    also_missing: [],
  };
  return { output: refusal, refusal };
};

/** Proposes an ended intent again; without one, only the agent knows what should change and where. */
export const proposeRemedy = (ended: IntentView | undefined): Remedy =>
  ended
    ? { tool: 'propose_intent', args: { name: ended.name, owned_scope: [...ended.owned_scope] } }
    : { tool: 'propose_intent', args: {}, fill: { name: BLANKS.name, owned_scope: BLANKS.scope } };

export const eventIn = (stream: string, event: Event): StreamEventDraft => ({ stream, event });

export const observe = (): Declaration => ({ effects: ['observe'], resources: [] });
export const plan = (): Declaration => ({ effects: ['plan'], resources: [] });
