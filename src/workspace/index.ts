// workspace: the tree that agents work in, and the documents that people share with them.
// Owns real paths, scope globs, governance files, file facts and changed lines, the git facts of a work tree, the intents file,
// the tasks file and its archive, the shared brain's block, the intent map, the Agent Trace file and git's exclude file; where a tree differs
// from what the record says, and whose change that can be.
// Invariant: whatever is judged is the real place of a file; a human's bytes are never reformatted; git is never started.
// Refuses: to follow a document through a link, to guess what an unclear path or pattern means, to decide anything.

export { appendTrace, type TraceContext, traceRecord, type TraceRecord } from './agent-trace.ts';
export { type ActionSpan, attribute } from './attribution.ts';
export { type BlameOrigin, blameRows, NO_AUTHOR, unreceipted, unreceiptedBetween } from './blame-rows.ts';
export { brainFileOf, outsideBrain, writeBrain } from './brain-file.ts';
export { changedText } from './changed-text.ts';
export { changeFiles, type FileChange, moveFile } from './change-files.ts';
export { changedRanges } from './changes.ts';
export { type Document, ensureFolder, readDocument, replaceFile, textOf } from './document.ts';
export { addTasks, archiveFinished, completeTask, detailTask, type NewTasks, reopenTask } from './edit-tasks.ts';
export { type GitSetting, readGitSetting } from './git-config.ts';
export { gitOnlyLooksFrom, gitRunsNoPrograms, type LinkedRepository, linkedRepositories, namedPrograms } from './git-programs.ts';
export { excludeFromGit, removeExcludes } from './exclude.ts';
export { editDistance } from './edit-distance.ts';
export { type ComparedFile, compareFiles, type FileFactsInput, type GatheredFiles, gatherFileFacts } from './file-facts.ts';
export { compileGlob, coveringGlob } from './glob.ts';
export { changesByGit, type GitMark, isAsInGitIndex, isGitAtWork, readGitMark } from './git-movement.ts';
export { type IgnoreRules, isIgnored, parseIgnore } from './git-ignore.ts';
export { GOVERNANCE_RULES, governanceRule } from './governance.ts';
export { INTENT_MAP_FILE, type IntentMapEntry, type IntentMapFile, renderIntentMap, writeIntentMap } from './intent-map.ts';
export { addIntentToFile, readIntentsFile, updateIntentInFile } from './intents-file.ts';
export { isProgram } from './is-program.ts';
export { parseJsonWithLines } from './json-lines.ts';
export { shortDiff, unifiedDiff } from './line-diff.ts';
export { linesOfText } from './line-forms.ts';
export { type HistoryChange, type HistoryContent, LineHistory, type LineOrigin, formerNames } from './line-history.ts';
export { mergeContents } from './line-merge.ts';
export { locateWorkspace, type Workspace } from './locate.ts';
export { INTENTS_FILE, TASKS_ARCHIVE_FILE, TASKS_FILE, TRACE_FILE } from './own-files.ts';
export { readPlainFile } from './plain-file.ts';
export { fileRef, hashOf, makeChange, planHash, type PlannedFile, refuseOtherPlan, shownFiles } from './planned-files.ts';
export { configOrigins, readConfig, type SettingOrigin } from './read-config.ts';
export { CONFIG_SCHEMA_FILE, configSchema, type NewSetting, writeSetting } from './write-config.ts';
export { type RealPath, resolveInRoot } from './real-path.ts';
export { headRevision } from './revision.ts';
export { WORKSPACE_REVISIONS } from './revisions.ts';
export { SCRATCH_FOLDERS, staysInScratch } from './scratch.ts';
export { scopeFromPath, scopesFromPath } from './scope-from-path.ts';
export { listWithPlan, type PlanTasks, showPlan, withoutPlan } from './plan-tasks.ts';
export { parseTasks, taskListFor } from './tasks-document.ts';
export { archiveTasks, changeTasks, readTasks } from './tasks-file.ts';
export { type Difference, differencesIn, type Explained, type Explanations, isExplained, isTemporaryFile } from './tree-differences.ts';
export { readInRoot, sha256Of, type TreeFile } from './tree-file.ts';
export { adoptScan, emptySnapshot, scanTree, type TreeChange, type TreeScan } from './tree-scan.ts';
export { appendScan, type ScanMark, readSnapshotFile, writeSnapshotFile } from './tree-scan-file.ts';
export { NO_REST, restHash } from './tree-scan-hash.ts';
export { isSkippedPath } from './tree-scan-skip.ts';
export { type SeenFile, type TreeSnapshot, TreeTooLarge, type Trouble } from './tree-scan-walk.ts';
export { type TreeWatch, watchTree } from './watch.ts';
export { listFolder, listMatches } from './list-files.ts';
export {
  companionOf,
  type InScope,
  inScope,
  MANIFESTS,
  NO_PATH_CONFIG,
  type PathConfig,
  isDerivedFolder,
  pathClass,
} from './path-class.ts';
export { TrackedFiles } from './tracked-files.ts';
export { searchByReading, type TextSearch } from './search.ts';
export { isHidden, type Visibility } from './walk-files.ts';
export { workTrees } from './work-trees.ts';
export { readToken } from './read-token.ts';
export { writePrivateFile } from './private-file.ts';
export { IMAGE_MAX_BYTES, ScopeImages } from './scope-images.ts';
export { isMarkedView, viewText, writeView } from './view-file.ts';
