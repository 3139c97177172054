// The kernel's view of work trees, from the workspace room and the settings.

import type { CodeIndex } from '../codeindex/index.ts';
import type { WorkspacePort } from '../kernel/index.ts';
import type { Revision } from '../protocol/index.ts';
import {
  changedText,
  compareFiles,
  coveringGlob,
  gatherFileFacts,
  headRevision,
  IMAGE_MAX_BYTES,
  readConfig,
  readDocument,
  readIntentsFile,
  readTasks,
  ScopeImages,
  taskListFor,
} from '../workspace/index.ts';
import type { Reconciler } from '../projections/index.ts';
import { RecentContents } from './recent-contents.ts';

/** How the facts that the kernel asks for are taken from a work tree. */
export const WORKSPACE_PORT_REVISION: Revision = {
  ...{ name: 'fact/work-tree', version: 1 },
  ...{ from: import.meta.url, files: ['workspace-port.ts'] },
};

type Classifier = Pick<CodeIndex, 'classifyMutation'>;

const text = (bytes: Uint8Array | null): string | null => (bytes === null ? null : new TextDecoder().decode(bytes));

/** `privateFolders`: the daemon's own, which no governed tool may even read. */
export function workspacePort(
  privateFolders: readonly string[],
  { classifyMutation }: Classifier,
  changedBy: Reconciler['changedBy'],
): WorkspacePort {
  const read = new RecentContents();
  const scopeImages = new ScopeImages(privateFolders, IMAGE_MAX_BYTES);
  return {
    settings: async (root) => {
      const { mode, approvals, paths, commands } = await readConfig(root);
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
    tasks: async (root, intent) => {
      // Both are read, so that a change is refused while either cannot be.
      await readIntentsFile(root);
      const list = taskListFor((await readTasks(root))?.lists ?? [], intent);
      // A heading without tasks is a list that somebody has just begun: it holds nobody to anything.
      return list && list.tasks.length > 0 ? list : null;
    },
    look: async (at) => {
      const onRead = (sha256: string, bytes: Uint8Array) => read.keep(sha256, bytes);
      const { facts, preImages } = await gatherFileFacts({ ...at, privateFolders, onRead });
      return { files: facts, preImages: [...preImages.values()] };
    },
    compare: async (root, before, images) => {
      const changed = await compareFiles(root, before, (sha256) => images.getBlob(sha256));
      // What it holds now is what the next change starts from, what blame compares and what an undo is checked against.
      for (const { after } of changed) if (after && after.length <= IMAGE_MAX_BYTES) await images.putBlob(after);
      return Promise.all(
        changed.map(async ({ ref, before: old, after }) => {
          const known = (ref.before_sha256 === null || old !== null) && (ref.after_sha256 === null || after !== null);
          return known ? { ...ref, mutation: await classifyMutation(ref.path, text(old), text(after)) } : ref;
        }),
      );
    },
    keepImages: (root, scope, images) => scopeImages.keep(root, scope, images),
    changedBy: ({ id, root }, scope) => changedBy(root, id, scope),
    diffSince: async (root, path, seen, images) => {
      const old = read.get(seen) ?? (await images.getBlob(seen));
      const document = old && (await readDocument(root, path));
      return document ? changedText(old, document.bytes) : null;
    },
    covers: (scope, files) =>
      files.every((file) => file.access === 'read' || (file.real !== null && coveringGlob(scope, file.real) !== null)),
    revision: headRevision,
  };
}
