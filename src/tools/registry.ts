// The one registry of tools. MCP surfaces are generated from it; hook adapters translate into it.

import { Fault } from '../protocol/index.ts';
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
import { callUnknown, consultSelf, fetchUrl, listSteps, readFiles } from './native/beyond.ts';
import { deleteFile } from './native/delete-file.ts';
import { editFile } from './native/edit-file.ts';
import { listFiles } from './native/list-files.ts';
import { moveFile } from './native/move-file.ts';
import { readFile } from './native/read-file.ts';
import { runCommand } from './native/run-command.ts';
import { searchFiles } from './native/search-files.ts';
import { writeFile } from './native/write-file.ts';
import type { Context, Declaration, House, Place, Result, Surface, Tool } from './tool.ts';

const tools = [
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
  validate,
  qualityFormat,
  readFile,
  listFiles,
  searchFiles,
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
  callUnknown,
] as unknown as readonly Tool[];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

/** What one call would do. Never throws for a tool it does not know: that is declared as able to do anything. */
export function describeCall(
  name: string,
  raw: Record<string, unknown>,
  place: Place,
): Declaration & {
  tool: string;
  input: Record<string, unknown>;
  run: ((context: Context, house: House) => Promise<Result>) | null;
} {
  const tool = byName.get(name);
  if (!tool) return describeCall(callUnknown.name, { name, arguments: raw }, place);
  const parsed = tool.input.safeParse(raw);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.length ? `${name}.${issue.path.join('.')}` : name;
    throw new Fault('BAD_REQUEST', `${where}: ${issue?.message ?? 'does not fit'}`, {
      fix: `Call ${name} again with arguments that fit its schema`,
    });
  }
  const { run } = tool;
  return {
    tool: tool.name,
    input: parsed.data as Record<string, unknown>,
    ...tool.declare(parsed.data, place),
    run: run ? (context, house) => run(parsed.data, { ...context, place: { ...place, judged: context.judged } }, house) : null,
  };
}

export const toolsOn = (surface: Surface): readonly Tool[] => tools.filter((tool) => tool.surfaces.includes(surface));
