// The kernel's view of work trees, from the workspace room and the settings.

import type { WorkspacePort } from '../kernel/index.ts';
import {
  compareFiles,
  coveringGlob,
  gatherFileFacts,
  headRevision,
  locateWorkspace,
  readIntentsFile,
  readTasks,
  taskListFor,
} from '../workspace/index.ts';
import { readConfig } from './config.ts';

/** `privateFolders`: the daemon's own, which no governed tool may even read. */
export function workspacePort(privateFolders: readonly string[]): WorkspacePort {
  return {
    settings: async (root) => {
      const { mode, approvals } = await readConfig(root);
      return { minimumMode: mode.minimum, pinnedMode: mode.pin, approvalTtlSeconds: approvals.ttlSeconds };
    },
    tasks: async (root, intent) => {
      // Both are read, so that a change is refused while either cannot be.
      await readIntentsFile(root);
      const list = taskListFor((await readTasks(root))?.lists ?? [], intent);
      // A heading without tasks is a list that somebody has just begun: it holds nobody to anything.
      return list && list.tasks.length > 0 ? list : null;
    },
    look: async ({ root, cwd, resources, scope }) => {
      const { facts, preImages } = await gatherFileFacts({ root, cwd, resources, scope, privateFolders });
      return { files: facts, preImages: [...preImages.values()] };
    },
    compare: compareFiles,
    covers: (scope, files) =>
      files.every((file) => file.access === 'read' || (file.real !== null && coveringGlob(scope, file.real) !== null)),
    revision: async (root) => headRevision(await locateWorkspace(root)),
  };
}
