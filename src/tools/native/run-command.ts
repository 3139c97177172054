// run_command: a shell command. Proven to only read, it is an observation of the paths that it names; so is a read-only git command where
// the repository's settings name no programs. Everything else executes.

import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { CommandReading, Declaration, Resource } from '../../protocol/index.ts';
import { gitOnlyLooksFrom, SCRATCH_FOLDERS, staysInScratch } from '../../workspace/index.ts';
import { onlyReadsGit, readCommand, readPlaced } from '../../shell/index.ts';
import { commandScope } from '../plan/command-scope.ts';
import { defineTool } from '../tool.ts';

const MAX_MS = 600_000;

const Written = z.object({ path: z.string(), change: z.enum(['created', 'changed', 'deleted']) });
const Explained = Written.extend({ why: z.string() });

/** The output comes last: a receipt shows the beginning of a result. */
const Output = z.object({
  /** Null when it was stopped. */
  exit_code: z.int().nullable(),
  sandbox: z.enum(['bubblewrap', 'none']),
  /** In scope, and on the receipt. */
  changed: z.array(Written),
  /** Out of scope, and reverted. */
  rolled_back: z.array(Explained),
  /** Changed during the run; not certainly its work, and not reverted. */
  left: z.array(Explained),
  /** Derived files that were made or changed. */
  derived: z.int(),
  unseen: z.string().optional(),
  timed_out: z.literal(true).optional(),
  cancelled: z.literal(true).optional(),
  stopped_for: z.enum(['memory', 'processes']).optional(),
  /** Bytes of the output that were left out. */
  truncated: z.int().optional(),
  output: z.string(),
});

export const runCommand = defineTool({
  name: 'run_command',
  description:
    'Runs a shell command in the work tree, in a sandbox where the system has one: it may write what the intent covers and what tools derive (dependencies, build output), without network unless a human granted it. What else it changes is taken back.',
  input: z.strictObject({
    command: z.string(),
    cwd: z.string().optional(),
    timeout_ms: z.int().min(1).max(MAX_MS).optional(),
  }),
  output: Output,
  declare: ({ command, cwd }, place) => {
    const folder = path.resolve(place.cwd, cwd ?? '.');
    const staysIn = (file: string) => staysInScratch(file, place.root);
    const around = { cwd: folder, root: place.root, home: os.homedir(), scratch: SCRATCH_FOLDERS, staysInScratch: staysIn };
    const readIn: Declaration['readIn'] = ({ scope, paths, network }) => readCommand(command, { ...around, scope, paths, network });
    const { reading, named: seen } = readPlaced(command, { ...around, scope: null });
    const named = namedPaths(command, folder, seen);
    const resources: Resource[] = [{ kind: 'command', command, cwd: folder }, ...named.slice(0, MAX_NAMED)];
    // Anything named beyond that was not checked.
    const isWhole = named.length <= MAX_NAMED;
    if (isWhole && (reading.class === 'SAFE' || isGitRead(reading, command, folder, place.root)))
      return { effects: ['observe'], resources, command: reading, readIn };
    return { effects: ['execute'], resources: [...resources, ...writtenFiles(reading, place.root)], command: reading, readIn };
  },
  surfaces: ['contract'],
  run: async ({ command, cwd, timeout_ms: timeoutMs }, context, deps) => {
    const { action, place, signal, report } = context;
    const onlyReads = !action.effects.includes('execute');
    const end = await deps.runCommand({
      command,
      root: place.root,
      cwd: path.resolve(place.cwd, cwd ?? '.'),
      timeoutMs,
      scope: onlyReads ? null : commandScope(context),
      action: onlyReads ? null : action.id,
      signal,
      onOutput: report,
    });
    const { exitCode, stopped, sandbox, truncated } = end;
    const attribution = sandbox === 'none' ? { attribution: 'window' as const } : {};
    const answer: z.infer<typeof Output> = {
      exit_code: exitCode,
      sandbox,
      changed: end.changed.map(({ path: file, change }) => ({ path: file, change })),
      rolled_back: [...end.rolled_back],
      left: [...end.left],
      derived: end.derived,
      ...(end.unseen ? { unseen: 'The tree is too large to tell what changed.' } : {}),
      ...(stopped === 'time' ? { timed_out: true } : {}),
      ...(stopped === 'cancelled' ? { cancelled: true } : {}),
      ...(stopped === 'memory' || stopped === 'processes' ? { stopped_for: stopped } : {}),
      ...(truncated > 0 ? { truncated } : {}),
      output: end.output,
    };
    return {
      output: answer,
      ...(exitCode === 0 ? {} : { failed: true }),
      ...(end.unseen ? {} : { files: end.changed.map(({ path: file, before_sha256 }) => ({ path: file, before_sha256, ...attribution })) }),
    };
  },
});

/** In this repository only, not in one below it, whose settings were not checked. */
function isGitRead(reading: CommandReading, command: string, folder: string, root: string): boolean {
  if (!onlyReadsGit(reading)) return false;
  const moves = [...command.matchAll(/(?:^|[\s;&|({`])(cd|pushd|popd)(?:\s+(?:--\s+)?([\w./~-]+)|)/g)];
  // The text of a `cd` shows where it leads, relative to the folder before; anything else is unknown.
  if (moves.some(([, verb, target]) => verb !== 'cd' || target === undefined || target.includes('~'))) return false;
  let at = folder;
  const places = [folder, ...moves.map(([, , target]) => (at = path.resolve(at, target!)))];
  return places.every((place) => gitOnlyLooksFrom(place, root));
}

/** Files of the tree that the text certainly writes: judged and compared like those of an edit. */
function writtenFiles({ writes = [] }: CommandReading, root: string): Resource[] {
  const inTree = writes.flatMap(({ resolved, exact }) => (exact && resolved !== null && !/^[/~]/.test(resolved) ? [resolved] : []));
  return inTree.slice(0, MAX_PATHS).map((file) => ({ kind: 'file', path: path.join(root, file), access: 'write', targeted: true }));
}

const MAX_PATHS = 20;
const MAX_NAMED = 1_000;

/** Programs that read everything below a given folder. */
const READS_BELOW =
  /(?:^|[\s;&|(])(?:(?:rg|ag|ack|rgrep|tar|rsync|xargs)\s|(?:grep|egrep|fgrep|cp|diff|zip)\s(?:[^;&|]*\s)?(?:-[a-zA-Z]*[rRa]|--recursive|--archive)|find\s[^;&|]*\s-(?:exec|ok))/;
/** A slash alone with more words after it is a search text, not a folder. */
const SLASH_AT_END = /\s['"]?\/['"]?\s*(?:$|[;&|)])/;

/**
 * What looks like a path in a command, so that the gate's own files are refused to `cat` as they are to a file tool, and a yes to
 * `sh deploy.sh` does not outlive a change of that file. `seen` are the places that the reader found: those that the shell will see behind
 * quotes, braces, defaults and a `cd`. A path that is only made at run time is not seen.
 */
function namedPaths(command: string, folder: string, seen: readonly string[]): Resource[] {
  const words = command.match(/[^\s;|&<>()'"`$\\]+/g) ?? [];
  const paths = new Set(
    words.filter((word) => word.includes('/') || word.startsWith('.')).map((word) => word.replace(/^~(?=\/|$)/, os.homedir())),
  );
  const known = new Set([...paths].map((each) => path.resolve(folder, each)));
  for (const each of seen) if (!known.has(each)) paths.add(each);
  const readsBelow = READS_BELOW.test(command);
  const isDeep = (path: string) => readsBelow && (path !== '/' || SLASH_AT_END.test(command));
  return [...paths].map((path) => ({ kind: 'file', path, access: 'read', ...(isDeep(path) ? { deep: true } : {}) }));
}
