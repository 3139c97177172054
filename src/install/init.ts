// `countersign init`: wires the agents of a work tree to the gate. Shows the exact change first, keeps what is there, can be
// run again without effect, and undone.

import { readFile } from 'node:fs/promises';
import { type HookAdapter, hookAdapters } from '../agents/index.ts';
import { Fault, type Intent } from '../protocol/index.ts';
import { canBuildWalls } from '../sandbox/index.ts';
import {
  brainFileOf,
  excludeFromGit,
  locateWorkspace,
  removeExcludes,
  TrackedFiles,
  unifiedDiff,
  type Workspace,
} from '../workspace/index.ts';
import { confirm } from './confirm.ts';
import { gitHookChange } from './git-hook.ts';
import { initSummary } from './init-summary.ts';
import type { Home } from '../client/node.ts';
import { standingIntent } from './standing-intent.ts';
import { type FoundAgent, findAgents } from './wiring/find-agents.ts';
import { excludedFiles, type Planned, planUndo, planWiring, type WiringRequest } from './wiring/plan.ts';
import { Originals } from './wiring/originals.ts';
import { CLI, wirePaths } from './wiring/program-paths.ts';
import { writeChange } from './wiring/write-change.ts';

export interface InitOptions {
  readonly cwd: string;
  readonly home: Home;
  /** The user's own home. */
  readonly userHome: string;
  readonly xdgConfigHome: string | undefined;
  readonly searchPath: string;
  /** By name; empty: those that are found. */
  readonly agents: readonly string[];
  /** Committed files, for everyone who works on the repository. */
  readonly shared: boolean;
  /** Other files that get the instructions for agents without hooks. */
  readonly instructions: readonly string[];
  /** Whether the gate enforces; null: unchanged. */
  readonly level: 'observing' | 'enforcing' | null;
  /** Also install the check before each commit. */
  readonly git: boolean;
  readonly undo: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Show every line of the change, not only a summary. */
  readonly diff: boolean;
  readonly json: boolean;
  /** To standard output: the diff, or JSON. */
  readonly print: (text: string) => void;
  /** To standard error: what a person should know. */
  readonly say: (text: string) => void;
  /** Given on the command line. Null: not given, so the terminal is asked. */
  readonly intent: { readonly title: string | undefined; readonly paths: readonly string[] | undefined } | null;
  readonly hasActiveIntent: () => Promise<boolean>;
  readonly grant: (title: string, paths: readonly string[]) => Promise<Intent>;
  readonly isObserving: () => Promise<boolean>;
  readonly setObserving: (observing: boolean) => Promise<void>;
}

const NO_TERMINAL_FIX = 'Run it in a terminal, or with --yes after reading countersign init --dry-run';
/** When no agent is found: the gate is useless without one. */
const DEFAULT_AGENT = 'claude';

interface InitPlan {
  readonly workspace: Workspace;
  readonly originals: Originals;
  readonly agents: readonly FoundAgent[];
  readonly request: WiringRequest;
  /** Every file of the wiring, also those that need no change. */
  readonly files: readonly Planned[];
  readonly changes: readonly Planned[];
}

export async function init(options: InitOptions): Promise<void> {
  const { undo, dryRun, level, say } = options;
  const plan = await planInit(options);
  const { workspace, originals, request, files, changes } = plan;
  const isAsked = changes.length > 0 && !dryRun && !options.yes;
  await preview(plan, options);
  const hasMore = options.intent !== null || level !== null;
  if (dryRun || (changes.length === 0 && !hasMore)) return printReport(plan, options, false, null);
  const question = `${undo ? 'Undo' : 'Write'} this in ${workspace.root}?`;
  if (isAsked && !(await confirm(question, NO_TERMINAL_FIX, () => printDifference(changes, options)))) {
    say('Nothing was written.');
    return printReport(plan, options, false, null);
  }

  // First: nothing is written for a caller who may not do this.
  if (level !== null) await options.setObserving(level === 'observing');
  for (const change of changes) await writeChange({ root: workspace.root, userHome: options.userHome }, change);
  await updateOriginals(originals, workspace, files, undo);
  if (undo) await removeExcludes(workspace);
  else await excludeFromGit(workspace, excludedFiles(request));
  const intent = undo ? null : await afterWriting(plan, options);
  if (undo && changes.length > 0) say(`Undone. ${worksOf(agentsIn(changes))} without the gate from the next session on.`);
  printReport(plan, options, changes.length > 0, intent);
}

async function planInit(options: InitOptions): Promise<InitPlan> {
  const { undo, level } = options;
  const workspace = await locateWorkspace(options.cwd);
  const originals = await Originals.open(options.home.dir);
  const hook = options.git || undo ? await gitHookChange(workspace, { cli: CLI, home: options.home.dir }, options, undo) : null;
  if (options.git && hook === null) throw new Fault('BAD_REQUEST', `${workspace.root} is no git repository.`, { fix: 'Leave --git out' });
  const agents = undo ? [] : await chosenAgents(workspace, options, originals);
  const observing = level === null ? !undo && (await options.isObserving()) : level === 'observing';
  const places = { ...options, root: workspace.root, home: options.home.dir };
  const known = [...hookAdapters.values()];
  const isWallable = !undo && !observing && known.some(({ profile }) => profile) && (await canBuildWalls());
  const request: WiringRequest = { ...places, observing, isWallable, adapters: agents.map(({ adapter }) => adapter) };
  const wired = undo ? await planUndo(request, known, originals) : await planWiring(request, known);
  const files: Planned[] = [...wired, ...(hook ? [{ ...hook, place: 'git' as const, wasOurs: true, instructions: false }] : [])];
  return { workspace, originals, agents, request, files, changes: files.filter(({ before, after }) => before !== after) };
}

/** A summary of what is written; the whole difference on request, and where nothing is written. */
async function preview({ workspace, agents, changes }: InitPlan, options: InitOptions): Promise<void> {
  const { undo, shared, dryRun, say } = options;
  const { root, gitCommonDir } = workspace;
  if (changes.length > 0 && !undo && options.agents.length === 0) explainChoice(agents, say);
  if (dryRun || options.diff) printDifference(changes, options);
  if (changes.length > 0 && !dryRun)
    say(initSummary(changes, { undo, shared, inGit: gitCommonDir !== null, brainFile: await brainFileOf(root) }));
  if (changes.length === 0) say(undo ? `Nothing of Countersign is wired in ${root}.` : `${root} is wired already; nothing to change.`);
}

function printDifference(changes: readonly Planned[], { json, print }: InitOptions): void {
  if (!json) for (const { file, before, after } of changes) print(unifiedDiff(file, bytesOf(before), bytesOf(after)));
}

function printReport({ workspace, agents, changes }: InitPlan, options: InitOptions, written: boolean, intent: Intent | null): void {
  const { undo, json, print } = options;
  const files = changes.map(({ file, before, after }) => ({ file, before, after }));
  const found = agents.map(({ adapter, because }) => ({ name: adapter.name, because }));
  if (json) print(JSON.stringify({ workspace: workspace.root, undo, agents: found, written, changes: files, intent }, null, 2));
}

/** The other requested changes, and what a human should know now. */
async function afterWriting(
  { workspace, agents, changes, request: { isWallable } }: InitPlan,
  options: InitOptions,
): Promise<Intent | null> {
  const { say, level } = options;
  const observing = await options.isObserving();
  if (changes.length > 0) {
    const what = observing ? 'What the gate would say is recorded; nothing is stopped.' : 'Reading is free; changes need an intent.';
    say(`Done. ${asksOf(agents.map(({ adapter }) => adapter))} the gate before each tool, from the next session on. ${what}`);
  }
  if (observing)
    say('This workspace only observes. countersign stats tells what would have been stopped; countersign init --enforce makes it count.');
  else if (level === 'enforcing') say('Verdicts count here from now on.');
  if (changes.length > 0) await sayTrust(workspace.root, options, agents);
  if (changes.length > 0 && !observing) sayWalls(agents, isWallable, say);
  const localFiles = options.shared ? [] : changes.filter(({ place }) => place === 'workspace').map(({ file }) => file);
  const tracked = await TrackedFiles.at(workspace.root);
  for (const file of localFiles.filter((each) => tracked.has(each)))
    say(`${file} is in git, and what was written names paths of this machine: leave it out of commits, or use --shared.`);
  if (options.shared && changes.length > 0)
    say('Commit these files. On a machine without countersign-hook on its PATH they let everything pass.');

  const request = await standingIntent(workspace, options);
  const intent = request && (await options.grant(request.title, request.paths));
  if (intent)
    say(`${intent.id} is active: ${intent.name}, for ${intent.owned_scope.join(', ')}. End it with: countersign intents done ${intent.id}`);
  else if (!(await options.hasActiveIntent())) say('Next:  countersign intent "what should change" PATH');
  return intent;
}

/** Some agents run hooks only after a human has trusted them. */
async function sayTrust(root: string, { userHome, home, shared, say }: InitOptions, agents: readonly FoundAgent[]): Promise<void> {
  const readText = (file: string) => readFile(file, 'utf8').catch(() => null);
  for (const { trust, title } of agents.map(({ adapter }) => adapter))
    if (trust && (await trust.isStored({ root, userHome, paths: wirePaths(shared, home.dir), readText })) !== true)
      say(`${title}: ${trust.how}`);
}

/** Some agents have walls only if they are started in a certain way. */
function sayWalls(agents: readonly FoundAgent[], isWallable: boolean, say: (text: string) => void): void {
  for (const { title, wall, profile, installed } of isWallable ? agents.map(({ adapter }) => adapter) : []) {
    const [program = ''] = installed.programs;
    if (wall?.launch) say(`${title}: start it with countersign run -- ${program}, and its commands run behind walls.`);
    if (profile) say(`${title}: start it without -s and --profile, and its commands run behind walls that follow the active intents.`);
  }
}

async function chosenAgents(
  { root }: Workspace,
  { agents, userHome, searchPath }: InitOptions,
  originals: Originals,
): Promise<FoundAgent[]> {
  const unknown = agents.find((name) => !hookAdapters.has(name));
  if (unknown !== undefined) {
    const names = [...hookAdapters.keys()].join(', ');
    throw new Fault('BAD_REQUEST', `There is no agent ${unknown}.`, { fix: `The agents are ${names}` });
  }
  const isOurs = (target: string) => originals.isMadeByUs(target);
  const candidates = await findAgents(hookAdapters.values(), { root, userHome, searchPath, isOurs });
  if (agents.length > 0) return candidates.filter(({ adapter }) => agents.includes(adapter.name));
  const found = candidates.filter(({ because }) => because !== null);
  return found.length > 0 ? found : candidates.filter(({ adapter }) => adapter.name === DEFAULT_AGENT);
}

function explainChoice(agents: readonly FoundAgent[], say: (text: string) => void): void {
  for (const { adapter, because } of agents)
    say(
      because === null
        ? `No agent was found on this machine: this is for ${adapter.title}. Name others with --agent.`
        : `${adapter.title}: ${because}.`,
    );
}

/** Remembers what `--undo` restores, or forgets it after an undo. */
async function updateOriginals(originals: Originals, { root }: Workspace, files: readonly Planned[], undo: boolean): Promise<void> {
  for (const change of files.filter(({ marked }) => !marked)) {
    if (undo) originals.forget(change.target, root);
    else if (change.before !== change.after) originals.wrote(change, root, change);
    else originals.uses(change.target, root);
  }
  await originals.save();
}

/** The agents whose hook files are among the changes. */
const agentsIn = (changes: readonly Planned[]): HookAdapter[] =>
  [...hookAdapters.values()].filter(({ wiring }) =>
    wiring.some(
      ({ file, holds }) => holds.includes('hooks') && changes.some((change) => change.file === file || change.file === `~/${file}`),
    ),
  );

const bytesOf = (text: string | null): Uint8Array | null => (text === null ? null : Buffer.from(text));
const listed = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? 'No agent') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
const titlesOf = (agents: readonly HookAdapter[]): string => listed(agents.map(({ title }) => title));
const asksOf = (agents: readonly HookAdapter[]): string => `${titlesOf(agents)} ${agents.length > 1 ? 'ask' : 'asks'}`;
const worksOf = (agents: readonly HookAdapter[]): string => `${titlesOf(agents)} ${agents.length > 1 ? 'work' : 'works'}`;
