// The daemon: owns keys, ledger and state; one per home. Everything else is a client.

import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, realpath, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { DOORS } from '../doors/doors.ts';
import { openHttpDoor } from '../doors/http/server.ts';
import { hookAdapters, modelInTranscript } from '../agents/index.ts';
import { loadPageFiles } from '../doors/http/page-files.ts';
import type { DoorServices } from '../doors/services.ts';
import { type CallerJudgement, Kernel, PresentAgents, Redactor, settingsInForce } from '../kernel/index.ts';
import { DocumentSync, openCommands } from '../commands/index.ts';
import { Connectors } from '../connectors/index.ts';
import { documentSearch, openCodeIndex } from '../codeindex/index.ts';
import { loadOrCreateKeys, verifyLedger } from '../ledger/index.ts';
import { CODE_PACKS, rewriteTags } from '../packs/index.ts';
import type { Ask, Mode } from '../protocol/index.ts';
import { secretIn } from '../shell/index.ts';
import { type OpenStore, storeNamed } from '../stores/index.ts';
import { codePort, commandRunner, createRegistry, ownPack } from '../tools/index.ts';
import { IMAGE_MAX_BYTES, readConfig, readInRoot, readToken, scopesFromPath, workTrees } from '../workspace/index.ts';
import { approverFolder } from '../cli/approver-key.ts';
import { Callers } from './callers.ts';
import {
  openStories,
  answerQueries,
  FileChanges,
  FoldRegistry,
  FOLDS,
  graphSyncs,
  IntentMapView,
  Projections,
  readSnapshot,
  Reconciler,
  restoreSnapshot,
  RowStream,
  Snapshots,
  StateView,
  TreeGraphs,
} from '../projections/index.ts';
import { BreakGlass } from './break-glass.ts';
import { type Home, VERSION } from '../client/node.ts';
import { desktopNotices } from './desktop-notices.ts';
import { holdEnvironment, holdKeys } from './held-secrets.ts';
import { CheckpointSaver, refuseRolledBack } from './saved-checkpoint.ts';
import { homePresence } from './home-presence.ts';
import { readJsonFile } from './read-json-file.ts';
import { removeLeftTemporaries } from './left-temporaries.ts';
import { hasCheckpoint, recordSuspicions, refuseLostKeys } from './ledger-suspicions.ts';
import { listenEverywhere, namedPorts } from './listen.ts';
import { openLogins } from './logins.ts';
import { DECIDING, policyRevision } from './policy-revision.ts';
import { reconcileInTime } from './reconcile-in-time.ts';
import { expireDaily } from './retention.ts';
import { noteSurvivors, noteSurvivorsAtStart } from './note-survivors.ts';
import { CodeSandbox, findSandbox, processEntry, processStarted, type Sandbox, Survivors } from '../sandbox/index.ts';
import { makeFolders } from './make-folders.ts';
import { openQuality } from './open-quality.ts';
import { freshToken } from './mcp-token.ts';
import { startHousekeeping } from './housekeeping.ts';
import { indexedPaths } from './indexed-paths.ts';
import { openConversations } from './open-conversations.ts';
import { openPlans, staleReader } from './open-plans.ts';
import { openWalls } from './open-walls.ts';
import { withTrackedFiles } from './tracked-paths.ts';
import { openSealedRuns } from './open-sealed-runs.ts';
import { steadyClock } from './steady-clock.ts';
import { wiredAgents } from '../install/wiring/wired-file.ts';

export interface Daemon {
  readonly address: string;
  readonly services: DoorServices;
  /** Whether this process itself may be given a human's secrets. */
  readonly judgeSelf: () => CallerJudgement;
  /** What the daemon does every second: what has expired ends, what changed is saved, agents that have ended are recorded. */
  readonly housekeep: () => Promise<void>;
  /** Resolves when the daemon has ended, by `stop` or by a client's request. */
  readonly ended: Promise<void>;
  readonly stop: () => void;
}

/** A receipt waits at most this long to learn the kind of change. */
const READING_WITHIN_MS = 2_000;
/** Short enough to copy, long enough that it cannot be guessed: 80 bits. */
const SEAL_CHARACTERS = 20;
const secretOfPath = (absolute: string) => secretIn(absolute, { folder: null, home: os.homedir() });
/** Agents with one process for many sessions. */
const MANY_SESSIONS = new Set([...hookAdapters.values()].flatMap(({ agent, capabilities }) => (capabilities.hostsMany ? [agent] : [])));

export interface DaemonOptions {
  readonly now?: () => Date;
  readonly openStore?: OpenStore;
}

export async function startDaemon(
  home: Home,
  tell: (message: string) => void,
  { now = steadyClock(), openStore = storeNamed(process.env.COUNTERSIGN_STORE) }: DaemonOptions = {},
): Promise<Daemon> {
  await makeFolders(home);
  await refuseLostKeys(home);
  const keys = await loadOrCreateKeys(home.keys);
  await refuseRolledBack(home, keys.publicKeyPem);
  const hadCheckpoint = await hasCheckpoint(home);
  const checkpoints = new CheckpointSaver(home);
  const redactor = new Redactor(keys.hmac);
  await holdKeys(redactor, home.keys);
  holdEnvironment(redactor, process.env);
  const log = (message: string) => tell(redactor.text(message));
  const folds = new FoldRegistry(FOLDS, (error) => log(`fold: ${String(error)}`));
  const snapshotPlace = { file: home.snapshot, keys };
  const snapshot = await readSnapshot(snapshotPlace, folds);
  const store = await openStore({
    ...{ dir: home.dir, keys, clock: now, ...(snapshot && { resumeFrom: snapshot.mark }) },
    onDefect: (error) => log(`listener: ${String(error)}`),
    onSynced: (head) => checkpoints.note(head),
  });
  try {
    await recordSuspicions(store, hadCheckpoint, log);
    // Only after taking the lock: without it, these may be the questions of a daemon that runs.
    for (const name of await readdir(home.challenges)) await rm(path.join(home.challenges, name), { force: true });
    // Kept by older daemons: their logins no longer count.
    await rm(home.logins, { force: true });
    const memory = folds.of('memory');
    // No governed tool may read the human's own key.
    const ownKeys = path.dirname(approverFolder());
    const privateFolders = [await realpath(home.dir), await realpath(ownKeys).catch(() => ownKeys)];
    const state = folds.of('state');
    const survivors = new Survivors();
    const accepted = settingsInForce(state, readConfig);
    const settings = withTrackedFiles(accepted);
    // Plain data: it is sent to other threads.
    const pathsOf = async (root: string) => (await accepted.orAccepted(root)).paths;
    const indexing = { cacheDir: home.code, pathsOf: indexedPaths(accepted.orAccepted), packs: CODE_PACKS };
    const codeIndex = openCodeIndex(READING_WITHIN_MS, { ...indexing, privateFolders, watch: true });
    const intentMap = new IntentMapView(codeIndex);
    // Looked for when it is first needed: a hook that waits for this daemon must not wait for it.
    let sandboxes: Promise<Sandbox> | null = null;
    const sandbox = () => (sandboxes ??= findSandbox());
    const sealed = openSealedRuns({
      home: privateFolders[0]!,
      privateFolders,
      sandbox,
      store,
      now,
      reconciler: () => reconciler,
      http: () => http,
    });
    const runCommand = commandRunner({
      ...{ configOf: settings.orAccepted, sandbox, privateFolders, images: store },
      knownTree: (root) => reconciler.knownTree(root),
      openWindow: (...command) => reconciler.openWindow(...command),
    });
    const checks = openQuality({
      ...{ configOf: accepted.orAccepted, findSandbox: sandbox, privateFolders, store, log },
      ...{ isSealed: sealed.isSealed, kernel: () => kernel, changes: () => changes },
    });
    const code = codePort(codeIndex, () => graphs);
    const plans = openPlans({ configOf: settings.orAccepted, store });
    const connectors = new Connectors({
      settingsOf: settings.orAccepted,
      readToken,
      hold: (secret) => redactor.hold('connector-token', secret),
    });
    const codeSandbox = new CodeSandbox();
    const own = { memory, code, plans, connectors, codeSandbox, pathsOf, privateFolders, runCommand, quality: checks.quality, now };
    const stories = openStories({ privateFolders, pathsOf, now, locate: sealed.locate, conversations: () => folds.of('conversations') });
    const tools = createRegistry([ownPack({ ...own, templateTags: rewriteTags, ...documentSearch(codeIndex) }), stories.pack]);
    const walls = openWalls({
      ...{ views: () => kernel.views, home, privateFolders, readJsonFile, configOf: settings.orAccepted },
      knownTree: (root) => reconciler.knownTree(root),
    });
    const seal = (text: string) => keys.hmac(text).slice(0, SEAL_CHARACTERS);
    const workspace = workTrees({
      configOf: settings.of,
      privateFolders,
      secretIn: secretOfPath,
      classifyMutation: (...change) => codeIndex.classifyMutation(...change),
      changedBy: (...command) => reconciler.changedBy(...command),
    });
    const reconciler: Reconciler = new Reconciler({
      dir: home.trees,
      pathsOf: async (root) => (await settings.orAccepted(root)).paths,
      workspaceOf: async (root) => (await sealed.locate(root)).id,
      record: async (found) => {
        for (const { root, path, after_sha256 } of found) {
          const file = after_sha256 === null ? null : await readInRoot(root, path).catch(() => null);
          if (file && file.bytes.length <= IMAGE_MAX_BYTES) await store.putBlob(file.bytes);
        }
        return kernel.recordUntracked(found);
      },
      contentOf: (sha256) => store.getBlob(sha256),
      shownName: (name) => redactor.text(name),
      leftRunning: (atMs) => survivors.actionsAt(atMs),
      now,
      log,
    });
    folds.register('reconciliation', reconciler);
    folds.register('intent-map', intentMap);
    if (snapshot && store.resumedAt > 0) await restoreSnapshot(snapshotPlace, snapshot, folds);
    const snapshots = new Snapshots(snapshotPlace, store, folds);
    // Before the kernel starts: its records about the last daemon's actions count too.
    await folds.follow(store, store.resumedAt);
    const kernel = await Kernel.start(
      {
        ...{ log: store, tools, workspace, seal, redactor, now, symbolsOf: (...file) => codeIndex.symbolsOf(...file) },
        staleIn: staleReader(privateFolders),
        turns: {
          syncDocuments: (root, inSession) => documents.sync(root, inSession),
          noticeEdits: (root) => documents.syncIfChanged(root, false),
          reconcile: reconcileInTime(reconciler, (session) => kernel.views.isObserved(session), log),
          ...checks.atStop,
          walls,
          senders: {
            reporterOf: (pid, connection) => callers.reporterOf(pid, connection),
            maySpeakFor: (session, reporter) => agents.maySpeakFor(session, reporter, isHuman),
          },
        },
      },
      state,
      { policyRevision: policyRevision(DECIDING), version: VERSION, pid: process.pid },
    );

    const { views } = kernel;
    const inTree = views.places().filter(({ level }) => level !== 'sealed');
    const roots = new Map(inTree.map(({ workspace, root }) => [workspace, root]));
    const locate = async (dir: string) => {
      const { id, root, sealed: isSealed } = await sealed.locate(dir);
      if (!isSealed) roots.set(id, root);
      return { id, root };
    };
    const minimumMode = async (root: string): Promise<Mode | null> => {
      // A work tree that was removed is still in the ledger.
      const here = await locate(root).catch(() => null);
      const { mode } = await settings.orAccepted(root);
      return here && views.minimumMode(here.id, here.root, mode);
    };

    const rows = new RowStream(state);
    const projections = new Projections({
      ...{ store, state, memory, intentMap },
      cursorFile: home.projections,
      version: VERSION,
      rootOf: (workspace) => roots.get(workspace),
      pathsOf,
      log,
    });
    folds.addReader((record) => rows.tell(record));
    folds.addReader((record) => projections.follow(record));
    folds.addReader(({ event }) => walls.follow(event, (workspace) => roots.get(workspace)));
    await projections.catchUp();

    const { promise: ended, resolve: reportEnd } = Promise.withResolvers<void>();
    const agents = new PresentAgents({
      state,
      hostsMany: (agent) => MANY_SESSIONS.has(agent),
      processStarted,
      startedAtMs: (pid) => processEntry(pid)?.startedAtMs ?? null,
      survivors,
      bootedAt: () => new Date(Date.now() - os.uptime() * 1000),
      now,
    });
    noteSurvivorsAtStart(views, survivors);
    folds.addReader((record) => noteSurvivors(record, views, survivors));
    const callers = new Callers(await realpath(home.challenges), views, agents);
    const isHuman = (pid: number) => {
      const judged = callers.judgeOwn(pid);
      return judged.kind === 'human' && judged.human.proof === 'login';
    };
    const changes = new FileChanges(store, state);
    const conversations = await openConversations({ home, redactor, store, locate, now, folds, roots, stories, log });
    const graphs: TreeGraphs = new TreeGraphs({ configOf: settings.of, indexOf: (root) => codeIndex.tree(root), memory, now });
    const breakGlass = new BreakGlass({ home: home.dir, kernel, locate, now, log });
    await breakGlass.record();
    // Before any request: agents that ended while no daemon ran may have been present until now.
    await agents.noteEnded(kernel).catch((error: unknown) => log(`processes: ${String(error)}`));
    const documents = new DocumentSync({ kernel, agents, locate, minimumMode, viewsWritten: () => projections.caughtUp(), now });
    const syncs = graphSyncs({ graphs, locate });
    const logins = openLogins(now, (secret) => redactor.hold('login', secret));
    const ask: Ask = (name, input) => services.ask(name, input);
    // What a human asks about, or decides, is what the files say now.
    const noticeEdits = (cwd: unknown) => (typeof cwd === 'string' ? documents.syncIfChanged(cwd, false) : documents.syncAllIfChanged());
    const services: DoorServices = {
      kernel,
      version: VERSION,
      locate,
      pipeReporter: async (pid, proof) => callers.pipeReporter(pid, proof),
      isAgents: (reporter) => (reporter ? callers.judgeOwn(reporter.pid).kind !== 'human' : agents.isAnyPresent()),
      modelInTranscript,
      readJsonFile,
      tools,
      walls,
      subscribe: rows.subscribe,
      judgeProcess: (pid, proof) => callers.judge(pid, proof),
      challengeProcess: () => callers.challenge(),
      logins,
      pageAddress: () => `${address()}ui/`,
      commands: openCommands({
        ...{
          kernel,
          store,
          memory,
          changes,
          ask,
          locate,
          minimumMode,
          noticeEdits,
          now,
          graph: syncs,
          runs: sealed.handlers(kernel, changes),
          conversations: conversations.handlers(kernel, ask),
        },
        scopeOf: async (root, cwd, paths) => (await Promise.all(paths.map((argument) => scopesFromPath(root, argument, cwd)))).flat(),
        readConfig,
        unexplained: (root) => reconciler.unexplained(root),
        restoreHooks: (root) => breakGlass.end(root),
        validateAll: async (cwd, wanted) => checks.quality.validateAll((await locate(cwd)).root, wanted),
        ...{ ports: walls.ports, issueLoginCode: () => logins.issueCode(), reindex: () => store.reindex() },
        stop: () => setImmediate(stop),
      }),
      ask: answerQueries({
        noticeEdits,
        ...{ ...stories, ...conversations },
        view: new StateView(state, now, conversations.conversations),
        store,
        roots,
        locate,
        minimumMode,
        configOf: settings,
        reconciler,
        runs: sealed.rows,
        sandbox: async () => (await sandbox()).kind,
        untracked: async (root) => {
          const { untracked, byGit } = await reconciler.countsOf(root);
          return {
            in_agents_windows: untracked.exact + untracked.window + untracked.ambiguous,
            human_unproven: untracked['human-unproven'],
            unknown: untracked.unknown,
            by_git: byGit,
          };
        },
        memory,
        changes,
        graphs,
        graphSyncs: syncs,
        ...{ codeIndex, privateFolders, secretIn: secretOfPath, seal },
        verifyRecord: () => verifyLedger({ dir: path.join(home.dir, 'ledger'), publicKeyPem: keys.publicKeyPem, hmac: keys.hmac }),
        now,
        wallsMissing: (root) => walls.missingIn(root),
        isWired: async (root) => (await wiredAgents(hookAdapters.values(), { root, userHome: os.homedir() })).length > 0,
        about: () => ({ version: VERSION, pid: process.pid, address: address(), home: home.dir }),
      }),
    };

    const hookToken = randomBytes(32).toString('base64url');
    const hookAnswer = randomBytes(32).toString('base64url');
    const mcpToken = await freshToken(home.mcpToken);
    for (const token of [hookToken, hookAnswer, mcpToken]) redactor.hold('daemon-token', token);
    const doors = DOORS.map((open) => open({ services, identity: keys.hmac('clients of MCP over HTTP'), log }));
    const page = await loadPageFiles(path.join(import.meta.dirname, '../../clients/web/dist'));
    const http = await openHttpDoor({ services, hookToken, hookAnswer, mcpToken, page, doors });
    // Before the server listens: the very first request must get this answer too.
    let port = 0;
    const address = () => {
      // A server that has closed has no address any more.
      port = (http.loopbackServer.address() as AddressInfo | null)?.port ?? port;
      return `http://127.0.0.1:${port}/`;
    };
    await sealed.runs.reopen();
    await listenEverywhere(http, home, `${hookToken} ${hookAnswer}`, await namedPorts(roots.values(), settings.orAccepted)).catch(
      async (error: unknown) => {
        // A server that listens would keep this process alive.
        await http.close();
        throw error;
      },
    );

    const isHomeThere = homePresence(home.dir);
    const housekeeping = startHousekeeping(async () => {
      // Without its folder it could record nothing, and a new daemon for that folder could not take its place.
      if (!isHomeThere()) return stop();
      await kernel.approvals.expire();
      await kernel.gaps.expire();
      await breakGlass.expire();
      await projections.settled();
      await snapshots.keep();
      await checkpoints.save();
      await sealed.runs.noteEnded();
      await agents.noteEnded(kernel);
      walls.sweep();
      await documents.syncWhereAgentsLeft();
    }, log);
    void removeLeftTemporaries(home, views, roots.values(), now()).catch((error: unknown) => log(`temporaries: ${String(error)}`));
    // Not awaited: a start reads only what came after the last snapshot.
    const closing = new AbortController();
    const verified = store.verifyPast(closing.signal).then(
      (broken) => broken && log(`ledger: ${broken.message}`),
      (error: unknown) => closing.signal.aborted || log(`ledger: ${String(error)}`),
    );
    const notices = desktopNotices({
      ...{ subscribe: (listener) => store.subscribe(listener), inbox: () => services.ask('inbox', {}), log },
      isWanted: async (root) => (await settings.orAccepted(root)).notify.desktop,
    });
    const retention = expireDaily(
      {
        ...{ store, kernel, now },
        roots: async () => [...new Set(roots.values())].filter((root) => existsSync(root)),
        daysOf: async (root) => (await settings.of(root)).ledger.retentionDays,
      },
      log,
    );

    let stopping = false;
    function stop(): void {
      if (stopping) return;
      stopping = true;
      housekeeping.stop();
      const close = async () => {
        await rm(home.hookFile, { force: true });
        for (const door of doors) await door.close?.();
        await sealed.runs.close();
        await http.close();
        await reconciler.close();
        await checks.close();
        await walls.close();
        closing.abort();
        await verified;
        await notices.stop();
        await retention.stop();
        await projections.settled();
        for (const each of [conversations, connectors, codeSandbox, graphs, codeIndex]) await each.close();
        await snapshots.close().catch((error: unknown) => log(`snapshot: ${String(error)}`));
        await store.close();
        await checkpoints.save();
      };
      close()
        .catch((error: unknown) => log(`stop: ${String(error)}`))
        .finally(reportEnd);
    }
    return { address: address(), services, judgeSelf: () => callers.judgeOwn(process.pid), housekeep: housekeeping.pass, ended, stop };
  } catch (error) {
    await store.close();
    throw error;
  }
}
