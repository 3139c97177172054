// What `init` would write, and what `init --undo` would restore: every file, before and after. Nothing is written here.

import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { GROUNDING, type HookAdapter, type WiredFile, type WirePaths } from '../../agents/index.ts';
import { Fault } from '../../protocol/index.ts';
import {
  brainFileOf,
  INTENTS_FILE,
  outsideBrain,
  readConfig,
  readDocument,
  TASKS_ARCHIVE_FILE,
  TASKS_FILE,
  textOf,
} from '../../workspace/index.ts';
import { ignoredBuildOutput } from './build-output.ts';
import { withBlock, withoutBlock } from '../instructions-block.ts';
import { firstProfile, profileTemp } from './agent-profile.ts';
import type { Originals } from './originals.ts';
import { isShared, wirePaths } from './program-paths.ts';
import { type FileChange, nextJson, planFile, readWired, stateOf, type WirePlaces } from './wired-file.ts';

export interface Planned extends FileChange {
  /** It held our part before. */
  readonly wasOurs: boolean;
  /** A file with instructions for agents that a human named. */
  readonly instructions: boolean;
  /** Our part is between two marks and serves this work tree alone: undo removes it by the marks, whatever else the file holds now. */
  readonly marked?: true;
}

export interface WiringRequest extends WirePlaces {
  readonly adapters: readonly HookAdapter[];
  readonly shared: boolean;
  /** The work tree only observes. Its hooks say so, for the time when no daemon is reachable. */
  readonly observing: boolean;
  /** The daemon's folder. */
  readonly home: string;
  readonly instructions: readonly string[];
  /** Walls were tried on this machine, and work: an agent with walls of its own would not start without. */
  readonly isWallable: boolean;
  /** Instead of this installation's own. */
  readonly paths?: WirePaths;
}

const LOCAL_CONFIG = '.ai/config/env.local.json';
const SHARED_CONFIG = '.ai/config/repo.json';
/** Instructions for agents that do not know our tools yet. */
const INSTRUCTIONS_FILE = '.github/copilot-instructions.md';
/** The gate keeps a block of its own there. */
const KEPT_BY_GATE = /^(?:AGENTS?|CLAUDE)\.md$/i;

/**
 * Views and local files: kept out of git on this machine, without a change of the repository's own .gitignore. Also the temporary file beside
 * a view that is being written: `git stash -u` would take it along and bring it back for good.
 */
const EXCLUDED = [
  '/.orchestration/intent_map.md',
  '/.orchestration/agent_trace.jsonl',
  '/.orchestration/.*.tmp',
  '/.tinyTasks.md.*.tmp',
  `/${LOCAL_CONFIG}`,
  '/.ai/auth/',
  '/.ai/tmp/',
  ...['agents', 'audit', 'credits', 'issues', 'memory', 'telemetry'].map((folder) => `/.control-room/${folder}/`),
  '/data/notifications.json',
  '/private/conference_log.md',
];

/** Committed by a team that shares the gate (`--shared`), or by whoever adds them with `git add --force`; otherwise an agent's `git add -A` would. */
const EXCLUDED_UNLESS_SHARED = [INTENTS_FILE, TASKS_ARCHIVE_FILE, TASKS_FILE].map((file) => `/${file}`);

const isWritten = ({ audience }: WiredFile, shared: boolean): boolean => audience === 'both' || audience === (shared ? 'shared' : 'local');

export const excludedFiles = ({ adapters, shared }: WiringRequest): string[] => [
  ...EXCLUDED,
  ...(shared ? [] : EXCLUDED_UNLESS_SHARED),
  ...new Set(
    adapters.flatMap(({ wiring }) =>
      wiring.filter((wired) => !shared && wired.place === 'workspace' && isWritten(wired, shared)).map(({ file }) => `/${file}`),
    ),
  ),
  // A file that is in git stays there.
  ...(shared ? [] : adapters.some(({ instructionsFile }) => instructionsFile === INSTRUCTIONS_FILE) ? [`/${INSTRUCTIONS_FILE}`] : []),
];

/** `all`: every agent that there is; those that are wired and not asked for now keep their wiring, in today's form. */
export async function planWiring(request: WiringRequest, all: readonly HookAdapter[]): Promise<Planned[]> {
  const { adapters, shared, root } = request;
  const changes: Planned[] = [];
  for (const { wired, wiring } of adapters.flatMap(({ wiring }) => wiring.map((wired) => ({ wired, wiring })))) {
    const isOurs = (await stateOf(wired, request)).wired;
    // With hooks for everybody, local ones would only ask a second time.
    const isReplaced = wiring.some(({ audience, holds }) => audience === 'shared' && wired.holds.every((each) => holds.includes(each)));
    const isRemoved = shared && wired.audience === 'local' && isOurs && isReplaced;
    if (!isRemoved && !isWritten(wired, shared)) continue;
    const change = await planFile(wired, request, isRemoved ? null : pathsFor(request, shared), changes);
    addOrReplace(changes, { ...change, wasOurs: isOurs, instructions: false });
  }
  await planOthers(request, all, changes);
  for (const adapter of all) changes.push(...(await planTrust(adapter, request, changes)));
  for (const file of [...(await repositoryInstructions(root, adapters)), ...request.instructions.map(checkedName)])
    addOrReplace(changes, await planInstructions(root, file, false));
  changes.push(...(await planConfig(request)));
  return changes;
}

function pathsFor({ paths, root, home, observing, isWallable }: WiringRequest, shared: boolean): WirePaths {
  const given = paths ?? wirePaths(shared, home, observing);
  return given.wall === undefined || !isWallable ? given : { ...given, profile: { root, temp: profileTemp(root) } };
}

/** Hooks that were written before, by another version or for the other level: one that observes would open a gate that enforces. */
async function planOthers(request: WiringRequest, all: readonly HookAdapter[], changes: Planned[]): Promise<void> {
  for (const wired of all.flatMap(({ wiring }) => wiring)) {
    const { target, wired: isOurs, written } = await stateOf(wired, request);
    const isCurrent = written.failClosed && written.observe === (request.observing && wired.holds.includes('hooks'));
    if (!isOurs || isCurrent || changes.some((change) => change.target === target)) continue;
    const { text } = await readWired(wired, request);
    const paths = pathsFor(request, isShared(text ?? '', request.home));
    changes.push({ ...(await planFile(wired, request, paths, changes)), wasOurs: true, instructions: false });
  }
}

/** The human's trust in the hooks, where the agent keeps it in a file: shown and confirmed like every other change. */
async function planTrust(adapter: HookAdapter, request: WiringRequest, planned: readonly FileChange[] | null): Promise<Planned[]> {
  const { trust } = adapter;
  if (!trust?.store) return [];
  const { file, hooksFile, grant, withdraw } = trust.store;
  const { shown, target, document, text } = await readWired({ file, place: 'home' }, request);
  const { after: hooks = null, before: hooksBefore = null } = planned?.find((change) => change.file === hooksFile) ?? {};
  if (planned !== null && hooks === null) return [];
  const { root, home } = request;
  const shared = hooks !== null && isShared(hooks, home);
  const trusted = hooks === null ? text && withdraw(text, root) : grant(text, { root, hooks, hooksBefore, shared });
  const after = withProfile(adapter, request, hooks === null || shared, trusted);
  return [{ file: shown, target, place: 'home', document, before: text, after, wasOurs: true, instructions: false, marked: true }];
}

/** The agent's own walls are in the same file. Those that are there already are kept: the daemon keeps them up to date. */
function withProfile({ profile }: HookAdapter, request: WiringRequest, isRemoved: boolean, text: string | null): string | null {
  const { root, home } = request;
  if (!profile || (!isRemoved && pathsFor(request, false).profile === undefined)) return text;
  if (isRemoved) return text && profile.remove(text, root);
  return text !== null && profile.isWired(text, root) ? text : profile.write(text, root, firstProfile(root, home));
}

/** Replaces an earlier plan for the same file. */
function addOrReplace<C extends FileChange>(changes: C[], next: C): void {
  const at = changes.findIndex(({ target }) => target === next.target);
  if (at < 0) changes.push(next);
  else changes[at] = next;
}

/** A human's setting is never changed: init sets a minimum, and names build output, only where nothing is set. */
async function planConfig({ root, shared }: WiringRequest): Promise<Planned[]> {
  const { mode, paths } = await readConfig(root);
  const derived = paths.derived.length > 0 ? [] : await ignoredBuildOutput(root);
  const hasMinimum = mode.minimum !== null || mode.pin !== null;
  if (hasMinimum && derived.length === 0) return [];
  const file = shared ? SHARED_CONFIG : LOCAL_CONFIG;
  const { shown, target, document, text } = await readWired({ file, place: 'workspace' }, { root, userHome: root });
  const after = nextJson(shown, text, (config) => ({
    ...config,
    ...(hasMinimum ? {} : { mode: { ...(config['mode'] as object | undefined), minimum: 'GUARDED' } }),
    ...(derived.length === 0 ? {} : { paths: { ...(config['paths'] as object | undefined), derived } }),
  }));
  return [{ file: shown, target, place: 'workspace', document, before: text, after, wasOurs: false, instructions: false }];
}

/** Where an agent that reads them is chosen, or the repository has its folder. A folder with only hooks does not count. */
async function repositoryInstructions(root: string, adapters: readonly HookAdapter[]): Promise<string[]> {
  if (adapters.some(({ instructionsFile }) => instructionsFile === INSTRUCTIONS_FILE)) return [INSTRUCTIONS_FILE];
  const folder = path.dirname(INSTRUCTIONS_FILE);
  const entries = await readdir(path.join(root, folder)).catch(() => null);
  return entries === null || (entries.length === 1 && entries[0] === 'hooks') ? [] : [INSTRUCTIONS_FILE];
}

function checkedName(file: string): string {
  const name = path.normalize(file);
  if (path.isAbsolute(name) || name.startsWith('..'))
    throw new Fault('BAD_REQUEST', `${file} is not in this work tree.`, {
      fix: 'Name a file relative to its root, such as .windsurfrules',
    });
  if (KEPT_BY_GATE.test(name))
    throw new Fault('BAD_REQUEST', `In ${file} the gate keeps what it knows; it cannot hold the instructions too.`, {
      fix: 'Name another file that the agent reads',
    });
  return name;
}

async function planInstructions(root: string, file: string, undo: boolean): Promise<Planned> {
  const document = await readDocument(root, file);
  const before = document === null ? null : textOf(file, document.bytes);
  const bare = before === null ? null : withoutBlock(file, before);
  const after = undo ? bare : withBlock(file, before, GROUNDING);
  const change = { file, target: path.join(root, file), place: 'workspace' as const, document, before, after };
  return { ...change, wasOurs: bare !== before, instructions: file !== INSTRUCTIONS_FILE };
}

/** Every file of every agent, whoever is installed now. Bytes that were not changed since come back as they were. */
export async function planUndo(request: WiringRequest, adapters: readonly HookAdapter[], originals: Originals): Promise<Planned[]> {
  const { root } = request;
  const changes: FileChange[] = [];
  for (const wired of adapters.flatMap(({ wiring }) => wiring)) {
    addOrReplace(changes, await planFile(wired, request, null, changes));
  }
  for (const file of new Set([INSTRUCTIONS_FILE, ...originals.instructionFiles(root)]))
    changes.push(await planInstructions(root, file, true));
  for (const file of [LOCAL_CONFIG, SHARED_CONFIG]) {
    const { shown, target, document, text } = await readWired({ file, place: 'workspace' }, request);
    changes.push({ file: shown, target, place: 'workspace', document, before: text, after: text });
  }
  changes.push(await planBrain(root));
  const trust = await Promise.all(adapters.map((adapter) => planTrust(adapter, request, null)));
  const wired = changes
    .filter(({ before, target }) => before !== null && originals.othersAt(target, root).length === 0)
    .map((change) => {
      const restored = originals.restored(change);
      return { ...change, ...(restored === undefined ? {} : { after: restored }), wasOurs: true, instructions: false };
    });
  return [...wired, ...trust.flat().filter(({ before }) => before !== null)];
}

/** The gate's part of it is removed too; memory itself stays in the record. */
async function planBrain(root: string): Promise<FileChange> {
  const file = await brainFileOf(root);
  const document = await readDocument(root, file);
  const before = document === null ? null : textOf(file, document.bytes);
  const rest = before === null ? null : outsideBrain(file, before);
  return { file, target: path.join(root, file), place: 'workspace', document, before, after: rest === '' && before !== '' ? null : rest };
}
