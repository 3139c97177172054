// What an action needs to know about work trees before and after it: settings, tasks, files and their changes.

import type {
  Action,
  Config,
  FileObservation,
  FileRef,
  ImageStore,
  MutationClass,
  PathSettings,
  Resource,
  Task,
  TaskList,
} from '../protocol/index.ts';
import { changedText } from './changed-text.ts';
import { readDocument } from './document.ts';
import { compareFiles, gatherFileFacts } from './file-facts.ts';
import { coveringGlob } from './glob.ts';
import { readIntentsFile } from './intents-file.ts';
import { RecentContents } from './recent-contents.ts';
import { headRevision } from './revision.ts';
import { IMAGE_MAX_BYTES, ScopeImages } from './scope-images.ts';
import { taskListFor } from './tasks-document.ts';
import { readTasks } from './tasks-file.ts';

export interface WorkTreeDeps {
  /** The settings that hold. */
  readonly configOf: (root: string) => Promise<Config>;
  /** The daemon's own folders, which no agent may even read. */
  readonly privateFolders: readonly string[];
  /** What secrets are kept at an absolute path; null: none. */
  readonly secretIn?: (absolute: string) => string | null;
  /** Whether a change keeps the file's meaning. */
  readonly classifyMutation: (path: string, before: string | null, after: string | null) => Promise<MutationClass>;
  /** Files that changed since the last scan while only this action could have done it, and that the scope covers. */
  readonly changedBy: (root: string, action: string, scope: readonly string[]) => Promise<readonly FileObservation[]>;
}

interface Place {
  readonly root: string;
  readonly cwd: string;
  readonly resources: readonly Resource[];
  readonly scope: readonly string[] | null;
  readonly paths: PathSettings;
}

const decode = (bytes: Uint8Array | null): string | null => (bytes === null ? null : new TextDecoder().decode(bytes));

export function workTrees({ configOf, privateFolders, classifyMutation, changedBy, secretIn }: WorkTreeDeps) {
  const recentContents = new RecentContents();
  const scopeImages = new ScopeImages(privateFolders, IMAGE_MAX_BYTES);
  return {
    settings: async (root: string) => {
      const { mode, approvals, paths, commands } = await configOf(root);
      return {
        minimumMode: mode.minimum,
        pinnedMode: mode.pin,
        approvalTtlSeconds: approvals.ttlSeconds,
        paths,
        network: commands.network,
        allowedCommands: commands.allow,
        destructiveProof: approvals.destructiveProof,
      };
    },
    checkIntents: async (root: string): Promise<void> => {
      await readIntentsFile(root);
    },
    tasks: async (root: string, intent: { readonly id: string; readonly name: string } | null): Promise<TaskList | null> => {
      // Both are read: a change is refused while either is unreadable.
      await readIntentsFile(root);
      const list = taskListFor((await readTasks(root))?.lists ?? [], intent);
      // A heading without tasks is a list that a human has just started: it requires nothing.
      return list && list.tasks.length > 0 ? list : null;
    },
    allTasks: async (root: string): Promise<readonly Task[]> => ((await readTasks(root))?.lists ?? []).flatMap(({ tasks }) => tasks),
    observe: async (at: Place) => {
      const onRead = (sha256: string, bytes: Uint8Array) => recentContents.keep(sha256, bytes);
      const { facts, preImages } = await gatherFileFacts({
        ...at,
        privateFolders,
        onRead,
        ...(secretIn === undefined ? {} : { secretIn }),
      });
      return { files: facts, preImages: [...preImages.values()] };
    },
    compare: async (root: string, before: readonly FileObservation[], images: ImageStore): Promise<FileRef[]> => {
      const changed = await compareFiles(root, before, (sha256) => images.getBlob(sha256));
      // This content is the base for the next change, for blame and for undo.
      for (const { after } of changed) if (after && after.length <= IMAGE_MAX_BYTES) await images.putBlob(after);
      return Promise.all(
        changed.map(async ({ ref, before: old, after }) => {
          const areBothKept = (ref.before_sha256 === null || old !== null) && (ref.after_sha256 === null || after !== null);
          return areBothKept ? { ...ref, mutation: await classifyMutation(ref.path, decode(old), decode(after)) } : ref;
        }),
      );
    },
    keepImages: (root: string, scope: readonly string[], images: ImageStore) => scopeImages.keep(root, scope, images),
    changedBy: ({ id, root }: Action, scope: readonly string[]) => changedBy(root, id, scope),
    diffSince: async (root: string, path: string, seen: string, images: ImageStore) => {
      const old = recentContents.get(seen) ?? (await images.getBlob(seen));
      const document = old && (await readDocument(root, path));
      return document ? changedText(old, document.bytes) : null;
    },
    covers: (scope: readonly string[], files: readonly FileObservation[]) =>
      files.every((file) => file.access === 'read' || (file.real !== null && coveringGlob(scope, file.real) !== null)),
    revision: headRevision,
  };
}
