// The quality loop with its parts: copies in a private folder of temporary files, runs inside the sandbox of commands.

import { randomBytes } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Kernel } from '../kernel/index.ts';
import type { EventStore } from '../stores/index.ts';
import type { ChecksAtStop, Config } from '../protocol/index.ts';
import type { FileChanges } from '../projections/index.ts';
import { Quality, qualityAtStop, QualityRuns, type RunCheck } from '../quality/index.ts';
import { readOnlyAccess, processStarted, type Sandbox } from '../sandbox/index.ts';

const NO_CHECKS = { format: false, lint: false, typecheck: false, test: false };
const COPIES = 'countersign-checks-';

export interface QualityDeps {
  /** The settings that hold. */
  readonly configOf: (root: string) => Promise<Config>;
  readonly findSandbox: () => Promise<Sandbox>;
  readonly privateFolders: readonly string[];
  /** In the tree of a sealed run: its agent decides what checks and installed packages are, and these run outside its seal. */
  readonly isSealed: (root: string) => boolean;
  readonly store: EventStore;
  readonly kernel: () => Kernel;
  readonly changes: () => FileChanges;
  readonly log: (message: string) => void;
}

export interface OpenQuality {
  readonly quality: Quality;
  readonly atStop: ChecksAtStop;
  readonly close: () => Promise<void>;
}

/** Not in the daemon's own folder: commands must not see that folder. */
export function openQuality({ configOf, findSandbox, privateFolders, isSealed, store, kernel, changes, log }: QualityDeps): OpenQuality {
  // A name that cannot be guessed; made when it is first needed.
  const dir = path.join(realpathSync(os.tmpdir()), `${COPIES}${process.pid}-${randomBytes(12).toString('hex')}`);
  const swept = sweep(path.dirname(dir)).catch((error: unknown) => log(`copies of trees: ${String(error)}`));
  let sandbox: Promise<Sandbox> | null = null;
  const run: RunCheck = async (command, { dir: copy, cache, shown }, timeoutMs) => {
    await mkdir(cache, { recursive: true });
    const beside = [{ place: cache, writable: true }, ...shown.map((place) => ({ place, writable: false }))];
    const access = { ...readOnlyAccess(copy, null), open: new Set(['']), whole: new Set(['']), beside };
    const end = await (
      await (sandbox ??= findSandbox())
    ).run({
      // Runners that would watch or write snapshots do neither there. Python would miss an edit within one second that keeps the size.
      command: `export CI=1 PYTHONDONTWRITEBYTECODE=1 XDG_CACHE_HOME='${cache}' GOCACHE='${cache}/go-build'; ${command}`,
      cwd: copy,
      access,
      privateFolders,
      network: false,
      timeoutMs: Math.ceil(timeoutMs),
    });
    return { exitCode: end.exitCode, timedOut: end.stopped === 'time', output: end.output };
  };
  const contentOf = (sha256: string) => store.getBlob(sha256);
  const quality = new Quality({
    configOf: async (root) => (isSealed(root) ? { ...(await configOf(root)), quality: NO_CHECKS } : configOf(root)),
    contentOf,
    runs: new QualityRuns(dir, run, contentOf),
    putBlob: (bytes) => store.putBlob(bytes),
    changedBy: (session, root) => changes().changedBy(session, root),
    pass: async (work) => {
      const { outcome } = await kernel().ownWork.pass({ ...work, waitTimeoutMs: 0 });
      const { refusal, output } = { refusal: null, output: null, ...outcome };
      return { kind: outcome.kind, refusal, output };
    },
  });
  return {
    quality,
    atStop: qualityAtStop(quality, (session) => kernel().views.endingTurn(session), log),
    close: async () => {
      await swept;
      await rm(dir, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** Copies of daemons that were killed: nothing else removes them. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = new RegExp(`^${COPIES}(\\d+)-[0-9a-f]{24}$`).exec(name)?.[1];
    if (pid === undefined || processStarted(Number(pid)) !== null) continue;
    const place = path.join(folder, name);
    const isOurs = await lstat(place).then(
      (found) => found.isDirectory() && found.uid === process.getuid?.(),
      () => false,
    );
    if (isOurs) await rm(place, { recursive: true, force: true });
  }
}
