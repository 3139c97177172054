// The tools that every daemon has, in the order in which agents are shown them.

import type { ToolPack } from '../protocol/index.ts';
import { controllerTurn } from './controller/controller-turn.ts';
import { ONLY_VERBS } from './controller/verb-tools.ts';
import { confirmPlan } from './plan/confirm-plan.ts';
import { openWork } from './plan/open-work.ts';
import { planStatus } from './plan/plan-status.ts';
import { signalTaskComplete } from './plan/signal-task-complete.ts';
import { submitExecutionPlan } from './plan/submit-execution-plan.ts';
import { codeGraph } from './code/code-graph.ts';
import { findReferences } from './code/find-references.ts';
import { findSymbol } from './code/find-symbol.ts';
import { searchCode } from './code/search-code.ts';
import { abandon } from './gate/abandon.ts';
import { assertCompliance } from './gate/assert-compliance.ts';
import { beginWork } from './gate/begin-work.ts';
import { checkTaskAuthority } from './gate/check-task-authority.ts';
import { countersignStatus } from './gate/countersign-status.ts';
import { elefanteMemorySearch, memoryQuery, memoryRecent, recallForPrompt } from './gate/memory-recall.ts';
import { memorySetMode } from './gate/memory-set-mode.ts';
import { memoryWrite } from './gate/memory-write.ts';
import { proposeIntent } from './gate/propose-intent.ts';
import { qualityFormat } from './gate/quality-format.ts';
import { requestHuman } from './gate/request-human.ts';
import { requestScope } from './gate/request-scope.ts';
import { selectActiveIntent } from './gate/select-active-intent.ts';
import { taskAdd, taskComplete, taskList, taskUpdate } from './gate/tasks.ts';
import { validate } from './gate/validate.ts';
import { applyPatch } from './native/apply-patch.ts';
import { deleteFile } from './native/delete-file.ts';
import { editFile } from './native/edit-file.ts';
import { listFiles } from './native/list-files.ts';
import { moveFile } from './native/move-file.ts';
import { readFile } from './native/read-file.ts';
import { runCommand } from './native/run-command.ts';
import { searchFiles } from './native/search-files.ts';
import { consultSelf, fetchUrl, listSteps, readFiles } from './native/unknown-tool.ts';
import { writeFile } from './native/write-file.ts';
import type { OwnTool, ToolDeps } from './tool.ts';

const OWN_TOOLS: readonly OwnTool[] = [
  beginWork,
  countersignStatus,
  abandon,
  requestHuman,
  memoryQuery,
  memoryRecent,
  recallForPrompt,
  memoryWrite,
  memorySetMode,
  checkTaskAuthority,
  elefanteMemorySearch,
  assertCompliance,
  taskList,
  taskAdd,
  taskUpdate,
  taskComplete,
  selectActiveIntent,
  proposeIntent,
  requestScope,
  submitExecutionPlan,
  planStatus,
  signalTaskComplete,
  validate,
  qualityFormat,
  readFile,
  listFiles,
  searchFiles,
  findSymbol,
  findReferences,
  searchCode,
  codeGraph,
  writeFile,
  editFile,
  applyPatch,
  deleteFile,
  moveFile,
  runCommand,
  readFiles,
  fetchUrl,
  consultSelf,
  listSteps,
  controllerTurn,
  openWork,
  confirmPlan,
  ...ONLY_VERBS,
];

export const ownPack = (deps: ToolDeps): ToolPack => ({ name: 'countersign', tools: OWN_TOOLS.map((tool) => tool(deps)) });
