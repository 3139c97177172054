// What reconciliation leaves out: git's own folder, derived files (`path-class.ts`), and the gate's own views, which are listed here.

import { isDerivedFolder, type PathConfig, pathClass } from './path-class.ts';
import { INTENTS_FILE, TASKS_ARCHIVE_FILE, TASKS_FILE, TRACE_FILE } from './own-files.ts';

/**
 * Written by the gate from the ledger, or through the gate. Relative to the root; a folder ends with a slash and includes everything in it.
 */
export const OWN_VIEWS: readonly string[] = [
  TRACE_FILE,
  '.orchestration/intent_map.md',
  INTENTS_FILE,
  TASKS_FILE,
  TASKS_ARCHIVE_FILE,
  '.ai/tmp/',
  '.ai/memory/records.json',
  '.ai/memory/changelog.jsonl',
  '.ai/graph/out/',
  ...['agents', 'audit', 'canon', 'credits', 'issues', 'memory', 'telemetry'].map((folder) => `.control-room/${folder}/`),
  'data/notifications.json',
  'private/conference_log.md',
];

const viewFiles = new Set(OWN_VIEWS.filter((view) => !view.endsWith('/')));
const viewFolders = new Set(OWN_VIEWS.filter((view) => view.endsWith('/')).map((view) => view.slice(0, -1)));

export const isSkippedFolder = (path: string, name: string, paths: PathConfig): boolean =>
  name === '.git' || viewFolders.has(path) || isDerivedFolder(path, paths);
export const isSkippedFile = (path: string, name: string, paths: PathConfig): boolean =>
  name === '.git' || viewFiles.has(path) || pathClass(path, paths) === 'derived';

/** For a path that did not come from the walk. */
export function isSkippedPath(path: string, paths: PathConfig): boolean {
  const names = path.split('/');
  const isSkippedAt = (name: string, at: number): boolean => isSkippedFolder(names.slice(0, at + 1).join('/'), name, paths);
  return isSkippedFile(path, names.at(-1) ?? '', paths) || names.slice(0, -1).some(isSkippedAt);
}
