// Walls around agents' own commands, connected: where boxes are kept, what a scope opens in a tree, and whether an agent really uses them.

import { mkdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { hookAdapters, type WallLaunch } from '../agents/index.ts';
import type { Home } from '../client/node.ts';
import { AgentProfiles, profileTemp } from '../install/wiring/agent-profile.ts';
import { CLI_FOLDER, WALL_CALL, WALL_FOLDER } from '../install/wiring/program-paths.ts';
import { wiredAgents } from '../install/wiring/wired-file.ts';
import type { Views } from '../kernel/index.ts';
import type { Config, Event, ProcessLink, WalledCall, WallService, WallState } from '../protocol/index.ts';
import {
  findWalls,
  type FoundWalls,
  processStartedWith,
  profileWalls,
  readOnlyAccess,
  type WallDeps,
  WallSessions,
  writingAccess,
} from '../sandbox/index.ts';
import { isProgram, locateWorkspace, type TreeSnapshot } from '../workspace/index.ts';

export interface WallParts {
  /** The kernel starts after this. */
  readonly views: () => Pick<Views, 'isEnforced' | 'grantedScope' | 'agentsIn' | 'bypassingWalls'>;
  readonly home: Pick<Home, 'boxes' | 'dir'>;
  readonly privateFolders: readonly string[];
  readonly knownTree: (root: string) => Promise<TreeSnapshot>;
  readonly readJsonFile: (file: string) => Promise<unknown>;
  /** The settings that are in force. */
  readonly configOf: (root: string) => Promise<Config>;
}

export interface OpenWalls extends WallService {
  /** Why commands of an agent that was seen in this work tree run without walls; null: they have walls. */
  readonly missingIn: (root: string) => Promise<string | null>;
  /** Walls that agents themselves have follow the intents. */
  readonly follow: (event: Event, rootOf: (workspace: string) => string | undefined) => void;
  readonly close: () => Promise<void>;
}

export function openWalls({ views, home, privateFolders, knownTree, readJsonFile, configOf }: WallParts): OpenWalls {
  const userHome = os.homedir();
  let finding: Promise<FoundWalls> | null = null;
  const found = () => (finding ??= findWalls(home.boxes));
  const settingsOf = async (root: string) => (await configOf(root)).walls;
  const parts: WallDeps = {
    ...{ found, folder: home.boxes, userHome, privateFolders, settingsOf },
    isEnforced: async (root) => views().isEnforced((await locateWorkspace(root)).id),
    agentSettings: [...new Set([...hookAdapters.values()].flatMap(({ installed }) => installed.inHome))],
    seamOf: (agent) => hookAdapters.get(agent)?.wall ?? null,
    rootOf: async (dir) => (await locateWorkspace(dir)).root,
    accessOf: async (root, scope) => {
      const { gitCommonDir } = await locateWorkspace(root);
      if (scope === null) return readOnlyAccess(root, gitCommonDir);
      const { paths } = await configOf(root);
      // If they are missing, a command could create them: they must exist to be closed.
      for (const name of ['.ai', '.orchestration']) await mkdir(path.join(root, name), { recursive: true });
      return writingAccess({ root, gitCommonDir, scope, paths, files: (await knownTree(root)).files.keys(), gitSettings: 'open' });
    },
  };
  const sessions = new WallSessions(parts);
  const profiles = new AgentProfiles({
    ...{ adapters: [...hookAdapters.values()], userHome, privateFolders },
    wallsOf: async (root) => {
      const { id } = await locateWorkspace(root);
      const scope = views().grantedScope(id);
      const { readable, writable } = await settingsOf(root);
      const access = await parts.accessOf(root, scope);
      return profileWalls({ ...parts, access, readable, writable, temp: profileTemp(root) });
    },
  });
  const whyMissing = async (agent: string, root: string, reported?: string | null, call?: WalledCall): Promise<string | null> => {
    const walls = await found();
    if (walls.kind === 'none') return walls.why;
    const adapter = hookAdapters.get(agent);
    if (adapter?.profile) return profiles.whyMissing(adapter.profile, root, call ?? {});
    if (!adapter?.wall) return `there are no walls for ${adapter?.title ?? agent} yet`;
    const { wall, wiring } = adapter;
    if (wall.rewrites) return isProgram(WALL_CALL) ? null : `${WALL_CALL} is missing`;
    if (wall.launch) {
      const used = reported ?? null;
      const file = path.join(WALL_FOLDER, wall.launch.by === 'path' ? 'bash' : 'bash-env');
      if (used !== file) return `it was not started with: countersign run -- ${adapter.installed.programs[0] ?? agent}`;
      return call && wall.launch.whyNot ? whyNotTaken(wall.launch.whyNot, call.process ?? null, file) : null;
    }
    const files = wiring.filter(({ form, place }) => form === 'json' && place === 'workspace');
    const named = await Promise.all(files.map(async ({ file }) => wall.programIn(await readJsonFile(path.join(root, file)))));
    const written = named.find((each) => each !== null) ?? null;
    if (wall.reported && reported === null && written !== null)
      return 'the agent has not read its settings since they name the wall program; start it again';
    const program = (wall.reported && reported) || written;
    if (program === null) return 'the agent’s settings do not name the wall program; countersign init writes it';
    if (path.dirname(program) !== CLI_FOLDER) return `the agent’s settings name ${program} as its shell`;
    return isProgram(program) ? null : `${program} is missing`;
  };
  /** What hooks last reported, by agent and root: only they know how their agent was started. */
  const reports = new Map<string, string | null>();
  const stateOf = async (agent: string, root: string, shell?: string | null, call?: WalledCall): Promise<WallState> => {
    const { level } = await settingsOf(root);
    const byAgent = hookAdapters.get(agent)?.profile === undefined ? {} : { byAgent: true as const };
    const isLaunched = hookAdapters.get(agent)?.wall?.launch !== undefined;
    if (isLaunched && shell !== undefined) reports.set(`${agent} ${root}`, shell);
    const used = isLaunched ? (shell ?? reports.get(`${agent} ${root}`) ?? null) : shell;
    return { ...byAgent, level, missing: level === 'off' ? 'they are switched off' : await whyMissing(agent, root, used, call) };
  };
  return {
    stateOf,
    missingIn: async (root) => {
      // Some agents read the files of another one: only those that were seen here count.
      const seen = views().agentsIn(root);
      const adapters = [...hookAdapters.values()].filter(({ agent }) => seen.has(agent));
      const states = (await wiredAgents(adapters, { root, userHome })).map((agent) => stateOf(agent, root));
      const missing = (await Promise.all(states)).find((each) => each.missing !== null)?.missing ?? null;
      const bypassing = views().bypassingWalls(root);
      return missing ?? (bypassing ? `${bypassing.action} of ${bypassing.session} was given walls, and ran without them` : null);
    },
    follow: (event, rootOf) => {
      if (event.type !== 'intent_confirmed' && event.type !== 'settings_taken') return;
      const root = rootOf(event.data.workspace);
      if (root !== undefined) profiles.sync(root).catch(() => {});
    },
    ports: sessions.ports,
    close: () => sessions.close(),
    sweep: () => sessions.sweep(),
    admit: (ticket) => sessions.admit(ticket),
    rewritten: (action) =>
      sessions.rewritten(action)?.map((ticket) => [WALL_CALL, '--home', home.dir, ticket].map(quoted).join(' ')) ?? null,
    enter: (call) => sessions.enter(call),
    settled: (action) => sessions.settled(action),
    end: (agent, session) => sessions.end(agent, session),
  };
}

/** An agent that reads our file only if its arguments and its environment say so: looked up in the process itself, for each call. */
function whyNotTaken(whyNot: NonNullable<WallLaunch['whyNot']>, agent: ProcessLink | null, file: string): string | null {
  const started = agent && processStartedWith(agent);
  if (started === null) return 'how its process was started cannot be read';
  if (started.env.get('BASH_ENV') !== file) return 'BASH_ENV of its process names another file';
  return whyNot(started.words);
}

const quoted = (word: string): string => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
