// The kernel's view of work trees, from the workspace room and the settings.

import type { WorkspacePort } from '../kernel/index.ts';
import { compareFiles, coveringGlob, gatherFileFacts, headRevision, locateWorkspace } from '../workspace/index.ts';
import { readConfig } from './config.ts';

/** `privateFolders`: the daemon's own, which no governed tool may even read. */
export function workspacePort(privateFolders: readonly string[]): WorkspacePort {
  return {
    settings: async (root) => {
      const { mode, approvals } = await readConfig(root);
      return { minimumMode: mode.minimum, pinnedMode: mode.pin, approvalTtlSeconds: approvals.ttlSeconds };
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
