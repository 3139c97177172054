// workspace: the tree that agents work in, and the documents that people share with them.
// Owns real paths, scope globs, governance files, file facts and changed lines, the git facts of a work tree, the intents file,
// the tasks file and its archive, the shared brain's block, the Agent Trace file and git's exclude file.
// Invariant: whatever is judged is the real place of a file; a human's bytes are never reformatted; git is never started.
// Refuses: to follow a document through a link, to guess what an unclear path or pattern means, to decide anything.

export { appendTrace, TRACE_FILE, type TraceContext, traceRecord, type TraceRecord } from './agent-trace.ts';
export { brainFileOf, writeBrain } from './brain-file.ts';
export { changedText } from './changed-text.ts';
export { changedRanges } from './changes.ts';
export { type Document, ensureFolder, readDocument, replaceFile, textOf } from './document.ts';
export { addTasks, archiveFinished, completeTask, detailTask, type NewTasks, reopenTask } from './edit-tasks.ts';
export { excludeFromGit, removeExcludes } from './exclude.ts';
export { type ComparedFile, compareFiles, type FileFactsInput, type GatheredFiles, gatherFileFacts } from './file-facts.ts';
export { compileGlob, coveringGlob } from './glob.ts';
export { GOVERNANCE_RULES, governanceRule } from './governance.ts';
export { INTENTS_FILE } from './intents-document.ts';
export { addIntentToFile, readIntentsFile, updateIntentInFile } from './intents-file.ts';
export { parseJsonWithLines } from './json-lines.ts';
export { locateWorkspace, type Workspace } from './locate.ts';
export { type RealPath, resolveInRoot } from './real-path.ts';
export { headRevision } from './revision.ts';
export { scopeFromPath } from './scope-from-path.ts';
export { parseTasks, taskListFor, TASKS_FILE } from './tasks-document.ts';
export { archiveTasks, changeTasks, readTasks, TASKS_ARCHIVE_FILE } from './tasks-file.ts';
