// Sealed runs: an agent is started in its seal; when it has ended, what it changed is shown and, after a yes, merged.

import os from 'node:os';
import path from 'node:path';
import { passedOn, startAgent, terminalMaker, walledStart } from '../install/run-agent.ts';
import { programOn } from '../install/wiring/find-agents.ts';
import type { RunRow, RunView } from '../protocol/index.ts';
import { Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import { checkId, type CommandContext, show } from './command-context.ts';
import { localTime } from './local-time.ts';
import { diffText } from './diff-text.ts';
import { paint } from './terminal-text.ts';

export interface RunOptions {
  readonly agent: string | null;
  readonly modelHosts: readonly string[];
  readonly hosts: readonly string[];
  readonly reads: readonly string[];
  readonly variables: readonly string[];
  readonly merge: 'ask' | 'never' | 'policy';
  /** Asks a person; throws without a terminal. */
  readonly confirm: (question: string) => Promise<boolean>;
}

/** Its own commands run behind walls; everything else is as without this. */
export async function runWalled(home: string, words: readonly string[], agent: string | null): Promise<void> {
  const [name, ...args] = words;
  const usage = 'countersign run -- gemini';
  if (name === undefined) throw new Fault('BAD_REQUEST', 'There is no agent to run.', { fix: usage });
  const program = await programNamed(name);
  const start = walledStart(program, agent, home, process.env);
  if (start === null)
    throw new Fault('BAD_REQUEST', `${visible(path.basename(program))} needs no start of this kind.`, {
      fix: 'Start it as usual, or add --sealed for a run of its own tree; countersign status says whether it has walls',
    });
  process.exitCode = (await startAgent([program, ...start.arguments, ...args], start.env, null).ended) ?? 1;
}

/** `connect`: a context whose first request starts a daemon if none answers. */
export async function runSealed(connect: () => Promise<CommandContext>, words: readonly string[], options: RunOptions): Promise<void> {
  const context = await connect();
  const [name, ...args] = words;
  const usage = 'countersign run --sealed -- claude -p "fix the login bug"';
  if (name === undefined) throw new Fault('BAD_REQUEST', 'There is no agent to run.', { fix: usage });
  const program = await programNamed(name);
  const terminal = await terminalMaker();
  const { run, argv, env, passed, notes } = await context.client.act('start_run', {
    ...{ cwd: context.cwd, program, arguments: args, agent: options.agent, hosts: [...options.hosts] },
    ...{ model_hosts: options.modelHosts.length > 0 ? [...options.modelHosts] : null },
    reads: options.reads.map((place) => path.resolve(context.cwd, place)),
    ...{ terminal: terminal !== null, search_path: process.env['PATH'] ?? '', user_home: os.homedir() },
    addresses: passedOn(
      Object.keys(process.env).filter((each) => each.endsWith('_BASE_URL')),
      process.env,
    ),
  });
  for (const note of notes) context.say(paint('yellow', note));
  context.say(`${run.id}: ${visible(path.basename(program))} is sealed in ${run.tree}`);
  const started = startAgent(
    [...argv, program, ...args],
    { ...passedOn([...passed, ...options.variables], process.env), ...env },
    terminal,
  );
  if (started.pid !== undefined) await context.client.act('enter_run', { id: run.id, pid: started.pid });
  const code = await withDaemon(context, connect, started.ended);
  await discardTyped();
  const after = await connect();
  const view = await after.client.act('end_run', { id: run.id, exit_code: code });
  process.exitCode = code ?? 1;
  await settle(after, view, options);
}

const LOOK_EVERY_MS = 1_000;

/** Inside, nothing can start a daemon, so it is done from here, as a hook client would. */
async function withDaemon<T>({ client }: CommandContext, connect: () => Promise<CommandContext>, work: Promise<T>): Promise<T> {
  let looking = Promise.resolve();
  const timer = setInterval(() => {
    looking = looking.then(async () => {
      if (!(await client.isAlive())) await (await connect()).client.ask('runs', {}).catch(() => {});
    });
  }, LOOK_EVERY_MS);
  try {
    return await work;
  } finally {
    clearInterval(timer);
    await looking;
  }
}

const TYPED_WITHIN_MS = 50;

/** What a terminal answers to what the agent last wrote must not answer the question that comes now. */
async function discardTyped(): Promise<void> {
  const { stdin } = process;
  if (!stdin.isTTY) return;
  stdin.setRawMode(true).on('data', ignore);
  await new Promise((done) => setTimeout(done, TYPED_WITHIN_MS));
  stdin.off('data', ignore).pause().setRawMode(false);
}

const ignore = (): void => {};

async function settle(context: CommandContext, view: RunView, { merge, confirm }: Pick<RunOptions, 'merge' | 'confirm'>): Promise<void> {
  const { id } = view.run;
  const later = `countersign run merge ${id} merges it; countersign run discard ${id} deletes it`;
  const isWhole = view.left_out.length === 0 && !view.files.some(({ change }) => change === 'merged');
  if (view.files.length === 0) return show(context, view, `${textOf(view)}\nNothing to merge. The tree of the run stays: ${view.run.tree}`);
  if (merge === 'never' || (merge === 'policy' && !isWhole)) return show(context, view, `${textOf(view)}\nNothing was merged. ${later}`);
  if (merge === 'ask') {
    context.say(textOf(view));
    if (!process.stdin.isTTY || !(await confirm(questionOf(view)))) return show(context, view, `Nothing was merged. ${later}`);
  }
  await mergePlan(context, id, view.plan);
}

export async function mergeRun(
  context: CommandContext,
  id: string,
  { yes, dryRun, confirm }: { readonly yes: boolean; readonly dryRun: boolean } & Pick<RunOptions, 'confirm'>,
): Promise<void> {
  checkRun(id);
  const view = await context.client.act('merge_run', { id, dry_run: true });
  if (dryRun) return show(context, view, textOf(view));
  if (view.files.length === 0) return show(context, view, `${textOf(view)}\nNothing to merge.`);
  if (!yes) {
    context.say(textOf(view));
    if (!(await confirm(questionOf(view)))) return show(context, view, 'Nothing was changed.');
  }
  await mergePlan(context, id, view.plan);
}

async function mergePlan(context: CommandContext, id: string, plan: string): Promise<void> {
  const done = await context.client.act('merge_run', { id, plan });
  const lines = done.files.map(({ path, change }) => `${change.padEnd(8)} ${visible(path)}`);
  const kept = done.left_out.length > 0 ? [`The run's tree stays: ${done.run.tree}. countersign run discard ${id} deletes it.`] : [];
  show(context, done, [...lines, ...leftOutLines(done), ...kept].join('\n'));
}

export async function discardRun(context: CommandContext, id: string): Promise<void> {
  checkRun(id);
  show(context, await context.client.act('discard_run', { id }), `${id} is gone.`);
}

export async function listRuns(context: CommandContext): Promise<void> {
  const rows = await context.client.ask('runs', {});
  show(context, rows, rows.length === 0 ? 'There are no runs.' : rows.map(lineOf).join('\n'));
}

const questionOf = ({ files, run }: RunView): string =>
  `Merge ${files.length === 1 ? '1 file' : `${files.length} files`} into ${visible(run.root)}?`;

const checkRun = (id: string): void => checkId(ID_FORMS.run, id, "a run's id", 'countersign run list shows them');

const lineOf = ({ id, state, started_at, command, root, refused_hosts }: RunRow): string =>
  [
    `${id}  ${state.padEnd(7)}  ${localTime(started_at)}  ${visible(path.basename(command[0] ?? ''))}  ${visible(root)}`,
    ...(refused_hosts.length > 0 ? [`  refused: ${refused_hosts.map((host) => visible(host)).join(', ')}`] : []),
  ].join('\n');

function textOf(view: RunView): string {
  const diffs = view.files.map(({ diff }) => diffText(diff));
  const refused =
    view.run.refused_hosts.length > 0
      ? [`It asked for hosts that were not granted: ${view.run.refused_hosts.map((host) => visible(host)).join(', ')}`]
      : [];
  return [...diffs, ...leftOutLines(view), ...refused].join('\n');
}

const leftOutLines = ({ left_out }: RunView): string[] => left_out.map(({ path, why }) => `left out ${visible(path)}: ${visible(why)}`);

async function programNamed(name: string): Promise<string> {
  const found = name.includes('/') ? path.resolve(name) : await programOn(process.env['PATH'] ?? '', name);
  if (found !== null) return found;
  throw new Fault('NOT_FOUND', `There is no program ${visible(name)} on PATH.`, { fix: 'Name it by its path' });
}
