// The tools that every daemon has, in the order in which agents are shown them.

import type { ToolPack } from '../protocol/index.ts';
import { controllerTurn } from './controller/controller-turn.ts';
import { confirmPlan } from './plan/confirm-plan.ts';
import { openWork } from './plan/open-work.ts';
import { planStatus } from './plan/plan-status.ts';
import { signalTaskComplete } from './plan/signal-task-complete.ts';
import { submitExecutionPlan } from './plan/submit-execution-plan.ts';
import { applyCodePatch } from './verbs/apply-code-patch.ts';
import { getOriginalPrompt } from './verbs/get-original-prompt.ts';
import { listAvailableVerbs } from './verbs/list-available-verbs.ts';
import { listDirectoryContents } from './verbs/list-directory-contents.ts';
import { listScopedFiles } from './verbs/list-scoped-files.ts';
import { lookupSymbolDefinition } from './verbs/lookup-symbol-definition.ts';
import { readFileLines } from './verbs/read-file-lines.ts';
import { requestEvidenceGuidance } from './verbs/request-evidence-guidance.ts';
import { runAutomationRecipe } from './verbs/run-automation-recipe.ts';
import { searchCodebaseText } from './verbs/search-codebase-text.ts';
import { traceSymbolGraph } from './verbs/trace-symbol-graph.ts';
import { executeGatedSideEffect, fetchApiSpec, fetchJiraTicket, runSandboxedCode } from './verbs/unavailable.ts';
import { writeScratchFile } from './verbs/write-scratch-file.ts';
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
  listAvailableVerbs,
  listScopedFiles,
  listDirectoryContents,
  readFileLines,
  lookupSymbolDefinition,
  traceSymbolGraph,
  searchCodebaseText,
  fetchJiraTicket,
  fetchApiSpec,
  getOriginalPrompt,
  writeScratchFile,
  requestEvidenceGuidance,
  applyCodePatch,
  runSandboxedCode,
  executeGatedSideEffect,
  runAutomationRecipe,
];

export const ownPack = (deps: ToolDeps): ToolPack => ({ name: 'countersign', tools: OWN_TOOLS.map((tool) => tool(deps)) });
