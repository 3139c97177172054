// Walls for agents' own commands, by session. The hook that admits a command leaves a ticket here; the wall program, which the agent starts
// as its shell, uses it up. A call without a ticket (what a client runs for itself) gets walls in which nothing is writable but what that
// client needs.
//
// INVARIANT: a ticket counts once, for the very text that was admitted. What a command was granted beyond its session's walls (a network,
// secrets) is in its ticket alone.

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { PortService, ProcessLink, WallAnswer, WallCall, WallEnd, WallLevel, WallTicket } from '../protocol/index.ts';
import type { CommandAccess } from './access.ts';
import { agentWalls, type AgentWallOrder, realOf } from './agent-walls.ts';
import { type BoxLimits, joinFiles, makeGroups, removeGroups, usualLimits } from './box-limits.ts';
import { BoxNetworks } from './box-network.ts';
import { BoxPorts, type PortSession } from './box-ports.ts';
import type { FoundWalls } from './find-walls.ts';
import { processStarted } from './process-tree.ts';
import { leaveCacheFolder, openCaches, type SessionCaches, takeCacheFolder } from './private-caches.ts';
import { type BoxPlace, SessionBox } from './session-box.ts';
import { type BeforeCommand, lookBefore, takeBack } from './settle-walls.ts';
import type { WallPolicy } from './walls.ts';
import { SettingsWatch } from './watch-settings.ts';

/** How an agent calls its shell. */
export interface ShellSeam {
  /** The command of a tool call in the text that the shell gets; null: the client runs this for itself. */
  readonly commandIn: (line: string) => string | null;
  /** A file that the client reads when the command has ended, where the text names one. */
  readonly readsBack: (line: string) => string | null;
  /** Written by what the client runs for itself; below the user's home. */
  readonly startWrites: readonly string[];
  /** In the folder for temporary files: what the client shows to commands. */
  readonly shownInTemp: readonly string[];
  /** Its commands are replaced by calls that name a ticket. */
  readonly rewrites?: true;
}

export interface WallSettings {
  readonly level: WallLevel;
  readonly readable: readonly string[];
  /** Places outside the work tree that commands change. */
  readonly writable: readonly string[];
  /** Hosts that every command may reach. */
  readonly hosts: readonly string[];
}

export interface WallDeps {
  readonly found: () => Promise<FoundWalls>;
  /** The daemon's own: what is needed to find boxes again. */
  readonly folder: string;
  readonly userHome: string;
  readonly privateFolders: readonly string[];
  readonly agentSettings: readonly string[];
  readonly seamOf: (agent: string) => ShellSeam | null;
  readonly settingsOf: (root: string) => Promise<WallSettings>;
  readonly rootOf: (dir: string) => Promise<string>;
  /** Absent: as much as leaves the machine usable. */
  readonly limits?: BoxLimits;
  /** False: a human has paused the gate, or the work tree only observes. */
  readonly isEnforced: (root: string) => Promise<boolean>;
  /** Null: for a command that only looks. */
  readonly accessOf: (root: string, scope: readonly string[] | null) => Promise<CommandAccess>;
}

interface OpenTicket extends WallTicket {
  used: boolean;
  /** Of its parts. */
  readonly usedParts: Set<number>;
  walled?: true;
  /** Taken when it began; null: it only looks, or did not run behind walls. */
  before: BeforeCommand | null;
}

/** What finds a box again. */
interface Mark extends Kept {
  readonly pid: number;
  readonly started: string;
  readonly agent: ProcessLink | null;
}

/** What a box needs for as long as it lives. */
interface Kept {
  readonly root: string;
  readonly temp: string;
  /** Control groups, for its limits. */
  readonly groups: readonly string[];
  /** Where the layers of its caches are. */
  readonly cacheFolder: string;
  readonly caches: SessionCaches;
}

interface Boxed extends Kept {
  readonly box: SessionBox;
}

/** What one session may have open at once; an agent's own dialog may keep a command waiting for long. */
const MAX_TICKETS = 100;

/** What a client runs before it has a session. */
const WITHOUT_SESSION_MS = 60_000;

export class WallSessions {
  private readonly deps: WallDeps;
  private readonly tickets = new Map<string, OpenTicket[]>();
  private readonly boxes = new Map<string, Promise<Boxed>>();

  private readonly limits: BoxLimits;
  /** Of sessions that have ended: to be removed once their last process is gone. */
  private leftGroups: string[] = [];
  private readonly openPorts = new BoxPorts();
  private readonly networks: BoxNetworks;
  private readonly settings: SettingsWatch;
  /** That a session uses, also one of an earlier daemon. */
  private readonly cacheFolders: Set<string>;
  /** The agent's process, by session. */
  private readonly agents = new Map<string, ProcessLink>();

  constructor(deps: WallDeps) {
    this.deps = deps;
    this.limits = deps.limits ?? usualLimits();
    this.networks = new BoxNetworks(deps.folder);
    this.settings = new SettingsWatch(path.join(deps.folder, 'taken-back'));
    const marks = namesIn(deps.folder).flatMap((name) => (name.endsWith('.json') ? (readMark(path.join(deps.folder, name)) ?? []) : []));
    this.cacheFolders = new Set(marks.filter(({ pid, started }) => processStarted(pid) === started).map(({ cacheFolder }) => cacheFolder));
  }

  /** A command of this session was admitted. An agent without a seam never comes for it: its receipt says that it had no walls. */
  admit(ticket: WallTicket): void {
    const key = keyOf(ticket);
    const open = this.tickets.get(key) ?? [];
    // The same call, sent again: it runs once.
    if (open.some(({ action }) => action === ticket.action)) return;
    if (ticket.process !== null) this.agents.set(key, ticket.process);
    const given: OpenTicket = { ...ticket, used: false, usedParts: new Set(), before: null };
    this.tickets.set(key, [...open, given].slice(-MAX_TICKETS));
    if (ticket.byAgent) return this.watchAgentsOwn(key, given);
    // Ready before the agent has started its shell. The first box is made by the first call: an agent without walls never needs one.
    if (!ticket.open && this.boxes.has(key))
      this.policyFor(ticket, { ...ticket, cwd: ticket.root, tempFolder: os.tmpdir(), userHome: this.deps.userHome, line: '' }).catch(
        () => {},
      );
  }

  /** The walls are the agent's: what they let be written, and no command may leave behind, is taken back here all the same. */
  private watchAgentsOwn(key: string, ticket: OpenTicket): void {
    ticket.used = true;
    ticket.walled = true;
    if (ticket.scope === null) return;
    this.deps.accessOf(ticket.root, ticket.scope).then(
      (access) => {
        ticket.before = lookBefore(access);
        const isOpen = () => this.tickets.get(key)?.includes(ticket) === true;
        if (isOpen()) this.settings.begin(`${key} ${ticket.root}`, ticket.before, isOpen);
      },
      () => {},
    );
  }

  /** The command is over. Null: there is no such ticket. */
  settled(action: string): WallEnd | null {
    for (const [key, tickets] of this.tickets) {
      const at = tickets.findIndex((ticket) => ticket.action === action);
      const ticket = tickets[at];
      if (!ticket) continue;
      this.tickets.set(key, tickets.toSpliced(at, 1));
      const { used, before, scope, network } = ticket;
      // First what was seen meanwhile: then it is not there to be taken back again.
      const meanwhile = this.settings.takenSince(`${key} ${ticket.root}`);
      const takenBack = [...meanwhile, ...(before === null ? [] : takeBack(before, path.join(this.deps.folder, 'taken-back')))];
      return { walled: used && ticket.walled === true, takenBack, scope, network };
    }
    return null;
  }

  /** One call of the wall program for each command; null: it runs as it is. */
  rewritten(action: string): readonly string[] | null {
    const ticket = [...this.tickets.values()].flat().find((each) => each.action === action);
    if (!ticket || ticket.open) return null;
    return (ticket.parts ?? [ticket.command]).map((_, at) => `${action}-${at}`);
  }

  /** A ticket that a call names itself, and which of its commands is meant; null: the call names none, or one that was used. */
  private named({ agent, line }: WallCall, seam: ShellSeam): { readonly ticket: OpenTicket; readonly command: string } | null {
    const [, action, at] = (seam.rewrites && /^(\S+)-(\d+)$/.exec(line)) || [];
    const ticket = [...this.tickets.values()].flat().find((each) => each.agent === agent && each.action === action);
    const parts = ticket?.parts ?? (ticket ? [ticket.command] : []);
    const command = parts[Number(at)];
    if (!ticket || command === undefined || ticket.usedParts.has(Number(at))) return null;
    ticket.usedParts.add(Number(at));
    ticket.used = ticket.usedParts.size === parts.length;
    return { ticket, command };
  }

  /** What the wall program is to do. */
  async enter(asked: WallCall): Promise<WallAnswer> {
    const seam = this.deps.seamOf(asked.agent);
    if (seam === null) return { kind: 'refused', why: `there are no walls for ${asked.agent}.` };
    const named = this.named(asked, seam);
    if (seam.rewrites && named === null) return { kind: 'refused', why: 'this call was not admitted, or was run before.' };
    const call = named ? { ...asked, nativeSession: named.ticket.nativeSession } : this.ofSession(asked, seam);
    const { opened, ticket } = named ? { opened: named.ticket, ticket: named.ticket } : this.useTicket(call, seam.commandIn(call.line));
    const command = named ? { command: named.command } : {};
    if (ticket?.open) return { kind: 'open', ...command };
    const root = ticket?.root ?? (await this.deps.rootOf(call.cwd));
    const { level, hosts } = await this.deps.settingsOf(root);
    const found = await this.deps.found();
    // A required wall that cannot be built runs nothing.
    if (level === 'off' || !(await this.deps.isEnforced(root)) || (found.kind === 'none' && level === 'on'))
      return { kind: 'open', ...command };
    if (found.kind === 'none') return { kind: 'refused', why: `walls are required here, and ${found.why}.` };
    const { boxed, policy, access } = await this.policyFor(
      ticket ?? { root, scope: null, showSecrets: false },
      call,
      call.nativeSession === '' ? seam.startWrites : [],
    );
    if (opened !== null) {
      opened.walled = true;
      if (ticket?.scope) opened.before ??= lookBefore(access);
    }
    const back = seam.readsBack(call.line);
    if (back !== null) linkBack(back, boxed.temp, [call.tempFolder, '/tmp']);
    const prefix = await boxed.box.enter(policy, ticket?.network ? 'host' : 'session');
    if (call.nativeSession === '') setTimeout(() => void this.end(call.agent, ''), WITHOUT_SESSION_MS).unref();
    if (opened?.before) this.watchSettings(keyOf(call), root, opened.before, boxed.box);
    // With the machine's own network it needs no way out.
    const way = hosts.length === 0 || ticket?.network ? [] : await this.networks.open(boxed.box, hosts, found.place.programs.env);
    const limits = { processes: this.limits.processes, join: joinFiles(boxed.groups) };
    return { kind: 'walled', temp: boxed.temp, limits, prefix: [...prefix, ...way], ...command };
  }

  /** Servers that commands started, for a human to open. */
  readonly ports: PortService = {
    view: async (root) => this.openPorts.view(await this.portSessions(root)),
    open: async (root, port) => this.openPorts.open(await this.portSessions(root), port),
    close: async (root, port) => this.openPorts.close(await this.portSessions(root), port),
  };

  private async portSessions(root: string): Promise<PortSession[]> {
    const all = await Promise.all([...this.boxes].map(async ([key, opening]) => ({ key, boxed: await opening.catch(() => null) })));
    return all.flatMap(({ key, boxed }) =>
      boxed?.root === root && boxed.box.isAlive() ? [{ key, control: () => this.networks.control(boxed.box) }] : [],
    );
  }

  private watchSettings(key: string, root: string, before: BeforeCommand, box: SessionBox): void {
    // The command is about to begin, or has left something that runs.
    const isUsed = () => this.tickets.get(key)?.some(({ used }) => used) === true;
    this.settings.begin(`${key} ${root}`, before, () => box.isAlive() && (isUsed() || box.hasCommands()));
  }

  async close(): Promise<void> {
    this.sweep(true);
    await this.openPorts.closeAll();
    await this.networks.close();
  }

  /** Every process of the session ends, also a server in the background. */
  async end(agent: string, nativeSession: string): Promise<void> {
    const key = keyOf({ agent, nativeSession });
    this.tickets.delete(key);
    this.agents.delete(key);
    await this.openPorts.forget(key);
    const opening = this.boxes.get(key);
    this.boxes.delete(key);
    const boxed = await opening?.catch(() => null);
    boxed?.box.close();
    if (boxed) this.forget(boxed);
    rmSync(this.markOf(key), { force: true });
  }

  /** A client that names no session is found by its process. It may have had several: the one that was given this command, or the last. */
  private ofSession(call: WallCall, seam: ShellSeam): WallCall {
    const pid = Number(/^process (\d+)$/.exec(call.nativeSession)?.[1] ?? 0);
    if (pid === 0) return call;
    const started = processStarted(pid);
    const sessions = [...this.agents.entries()].flatMap(([key, agent]) =>
      key.startsWith(`${call.agent} `) && agent.pid === pid && agent.started === started ? [key.slice(call.agent.length + 1)] : [],
    );
    const command = seam.commandIn(call.line)?.trim();
    const isGiven = (nativeSession: string) =>
      (this.tickets.get(keyOf({ ...call, nativeSession })) ?? []).some((each) => !each.used && each.command.trim() === command);
    return { ...call, nativeSession: sessions.findLast(isGiven) ?? sessions.at(-1) ?? '' };
  }

  /** A line in a form that is not known gets the walls of the one command that it can be, without what that was granted beyond them. */
  private useTicket(call: WallCall, command: string | null): { readonly opened: OpenTicket | null; readonly ticket: WallTicket | null } {
    const open = (this.tickets.get(keyOf(call)) ?? []).filter(({ used }) => !used);
    const exact = open.find((each) => each.command.trim() === command?.trim());
    const within = command === null ? open.filter((each) => bare(call.line).includes(bare(each.command))) : [];
    const opened = exact ?? (within.length === 1 ? within[0] : undefined);
    if (opened === undefined) return { opened: null, ticket: null };
    opened.used = true;
    return { opened, ticket: exact ? opened : { ...opened, network: false, showSecrets: false } };
  }

  /** Boxes of agents that were killed, also those that an earlier daemon made. */
  sweep(isClosing = false): void {
    this.leftGroups = this.leftGroups.filter((group) => !removeGroups([group]));
    for (const name of namesIn(this.deps.folder)) {
      if (!name.endsWith('.json')) continue;
      const file = path.join(this.deps.folder, name);
      const mark = readMark(file);
      if (mark === null) continue;
      // Whose agent is not known ends with the daemon.
      const isNeeded = mark.agent === null ? !isClosing : processStarted(mark.agent.pid) === mark.agent.started;
      if (isNeeded) continue;
      if (processStarted(mark.pid) === mark.started) process.kill(mark.pid, 'SIGKILL');
      this.forget(mark);
      rmSync(file, { force: true });
    }
  }

  private forget({ temp, cacheFolder, groups }: Kept): void {
    rmSync(temp, { recursive: true, force: true });
    this.leftGroups.push(...groups);
    this.cacheFolders.delete(cacheFolder);
    leaveCacheFolder(cacheFolder);
  }

  private async policyFor(
    { root, scope, showSecrets }: Pick<WallTicket, 'root' | 'scope' | 'showSecrets'>,
    call: WallCall,
    startWrites: readonly string[] = [],
  ): Promise<{ readonly boxed: Boxed; readonly policy: WallPolicy; readonly access: CommandAccess }> {
    const { privateFolders, agentSettings, seamOf, settingsOf, accessOf } = this.deps;
    const userHome = realOf(call.userHome);
    const [boxed, access, { readable, writable }] = await Promise.all([
      this.boxOf(keyOf(call), { root, userHome }),
      accessOf(root, scope),
      settingsOf(root),
    ]);
    const places = [...new Set(['/tmp', call.tempFolder])];
    const shown = (seamOf(call.agent)?.shownInTemp ?? []).flatMap((name) => places.map((place) => path.join(place, name)));
    const order: AgentWallOrder = {
      ...{
        access,
        privateFolders,
        agentSettings,
        readable,
        writable,
        caches: boxed.caches,
        shown,
        showSecrets,
        userHome,
        otherHome: this.deps.userHome,
      },
      ...{ temp: boxed.temp, tempPlaces: [call.tempFolder], looks: scope === null },
      more: startWrites.map((place) => path.join(userHome, place)),
    };
    return { boxed, policy: agentWalls(order), access };
  }

  /** A box that is gone is made again: a command never runs without one. */
  private async boxOf(key: string, of: { readonly root: string; readonly userHome: string }): Promise<Boxed> {
    const known = this.boxes.get(key);
    const boxed = await known?.catch(() => null);
    if (boxed?.box.isAlive()) return boxed;
    // Another call may be making it already.
    const now = this.boxes.get(key);
    if (now !== undefined && now !== known) return now;
    if (boxed) this.forget(boxed);
    const opening = this.openBox(key, of);
    this.boxes.set(key, opening);
    return opening;
  }

  private async openBox(key: string, { root, userHome }: { readonly root: string; readonly userHome: string }): Promise<Boxed> {
    const found = await this.deps.found();
    if (found.kind === 'none') throw new Error(found.why);
    const left = this.leftBehind(found.place, key);
    if (left !== null) return left;
    const box = await SessionBox.open(found.place);
    const temp = mkdtempSync(path.join(os.tmpdir(), 'countersign-'));
    const folders = takeCacheFolder({ folder: path.join(this.deps.folder, 'caches'), root, used: this.cacheFolders });
    this.cacheFolders.add(folders.own);
    const caches = openCaches(folders, userHome, box.mountsOnly(), found.place.programs.sh);
    const groups = makeGroups(`countersign-${box.pid}`, box.pid, this.limits);
    const kept: Kept = { root, temp, groups, cacheFolder: folders.own, caches };
    writeFileSync(this.markOf(key), JSON.stringify({ ...box.mark, ...kept, agent: this.agents.get(key) ?? null } satisfies Mark), {
      mode: 0o600,
    });
    return { box, ...kept };
  }

  /** An earlier daemon's, with the servers that run in it. */
  private leftBehind(place: BoxPlace, key: string): Boxed | null {
    try {
      const { pid, started, agent: _agent, ...kept } = JSON.parse(readFileSync(this.markOf(key), 'utf8')) as Mark;
      const box = SessionBox.adopt(place, { pid, started });
      return box && { box, ...kept };
    } catch {
      return null;
    }
  }

  private markOf(key: string): string {
    return path.join(this.deps.folder, `${Buffer.from(key).toString('base64url')}.json`);
  }
}

const keyOf = ({ agent, nativeSession }: Pick<WallTicket, 'agent' | 'nativeSession'>): string => `${agent} ${nativeSession}`;

function readMark(file: string): Mark | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Mark;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Without what quoting may add. */
const bare = (text: string): string => text.replaceAll(/[\s'"\\]/g, '');

/** Within the walls the file is in the session's own folder; the client looks for it outside. It may be in a folder that the client made. */
function linkBack(file: string, temp: string, places: readonly string[]): void {
  const place = places.find((each) => path.dirname(file) === each || path.dirname(path.dirname(file)) === each);
  if (place === undefined) return;
  const within = path.join(temp, path.relative(place, file));
  try {
    mkdirSync(path.dirname(within), { recursive: true });
    symlinkSync(within, file);
  } catch {
    // It exists, so the client reads that.
  }
}
