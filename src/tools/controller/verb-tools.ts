// The tool of each verb, in the order of the catalogue.

import { signalTaskComplete } from '../plan/signal-task-complete.ts';
import { submitExecutionPlan } from '../plan/submit-execution-plan.ts';
import type { OwnTool, ToolDeps } from '../tool.ts';
import { applyCodePatch } from '../verbs/apply-code-patch.ts';
import { fetchApiSpec } from '../verbs/fetch-api-spec.ts';
import { fetchJiraTicket } from '../verbs/fetch-jira-ticket.ts';
import { getOriginalPrompt } from '../verbs/get-original-prompt.ts';
import { listAvailableVerbs } from '../verbs/list-available-verbs.ts';
import { listDirectoryContents } from '../verbs/list-directory-contents.ts';
import { listScopedFiles } from '../verbs/list-scoped-files.ts';
import { lookupSymbolDefinition } from '../verbs/lookup-symbol-definition.ts';
import { readFileLines } from '../verbs/read-file-lines.ts';
import { requestEvidenceGuidance } from '../verbs/request-evidence-guidance.ts';
import { runSandboxedCode } from '../verbs/run-sandboxed-code.ts';
import { runAutomationRecipe } from '../verbs/run-automation-recipe.ts';
import { searchCodebaseText } from '../verbs/search-codebase-text.ts';
import { traceSymbolGraph } from '../verbs/trace-symbol-graph.ts';
import { executeGatedSideEffect } from '../verbs/unavailable.ts';
import { writeScratchFile } from '../verbs/write-scratch-file.ts';
import type { Verb } from './verb-catalog.ts';

const VERB_TOOLS: Readonly<Record<Verb, OwnTool>> = {
  list_available_verbs: listAvailableVerbs,
  list_scoped_files: listScopedFiles,
  list_directory_contents: listDirectoryContents,
  read_file_lines: readFileLines,
  lookup_symbol_definition: lookupSymbolDefinition,
  trace_symbol_graph: traceSymbolGraph,
  search_codebase_text: searchCodebaseText,
  fetch_jira_ticket: fetchJiraTicket,
  fetch_api_spec: fetchApiSpec,
  get_original_prompt: getOriginalPrompt,
  write_scratch_file: writeScratchFile,
  submit_execution_plan: submitExecutionPlan,
  request_evidence_guidance: requestEvidenceGuidance,
  signal_task_complete: signalTaskComplete,
  apply_code_patch: applyCodePatch,
  run_sandboxed_code: runSandboxedCode,
  execute_gated_side_effect: executeGatedSideEffect,
  run_automation_recipe: runAutomationRecipe,
};

/** Those that no other surface offers. */
export const ONLY_VERBS: readonly OwnTool[] = Object.values(VERB_TOOLS).filter(
  (tool) => tool !== submitExecutionPlan && tool !== signalTaskComplete,
);

export type ArgsFit = (verb: Verb, args: Readonly<Record<string, unknown>>) => boolean;

/** Whether arguments have the form that the verb takes. */
export const argsFit =
  (deps: ToolDeps): ArgsFit =>
  (verb, args) =>
    VERB_TOOLS[verb](deps).input.safeParse(args).success;
