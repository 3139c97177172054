// run_sandboxed_code: a computation that a node of the plan needs. The code sees its declared inputs and nothing else, changes nothing, and has to return
// something of the shape that was declared.

import { hash } from 'node:crypto';
import { z } from 'zod';
import { Fault, PathId, type Receipt, type ToolResult } from '../../protocol/index.ts';
import { CODE_LIMITS, type CodeEnd, isPlaceholder, ReturnShape, shapeMismatch } from '../../sandbox/index.ts';
import { readInRoot } from '../../workspace/index.ts';
import { decodeOf, missing, realPathOf, touch } from '../native/file-place.ts';
import { nodeNamed } from '../plan/plan-node.ts';
import { defineTool, refuse } from '../tool.ts';

const Name = z.string().regex(/^[A-Za-z_$][\w$]{0,63}$/, 'is a name such as rows');
const { timeoutMs, memoryMb } = CODE_LIMITS;

export const runSandboxedCode = defineTool({
  name: 'run_sandboxed_code',
  description: 'Runs a piece of code in a sandbox.',
  input: z.strictObject({
    planNodeId: PathId,
    code: z.string().min(1).max(CODE_LIMITS.code),
    inputs: z.record(Name, z.json()).optional(),
    /** Names of inputs and the files whose text they are. */
    inputFiles: z.record(Name, z.string().min(1).max(1_024)).optional(),
    timeoutMs: z.int().min(10).max(timeoutMs.most).optional(),
    memoryMb: z.int().min(8).max(memoryMb.most).optional(),
    expectedReturn: ReturnShape.optional(),
  }),
  declare: ({ inputFiles = {} }) => ({
    effects: ['observe'],
    resources: Object.values(inputFiles).map((path) => touch('read', path, { whole: true })),
  }),
  surfaces: [],
  run: async (input, context, deps) => {
    const { planNodeId, code, inputs = {}, inputFiles = {}, expectedReturn } = input;
    const { refusal } = nodeNamed(context, planNodeId);
    if (refusal) return refusal;
    const { root } = context.place;
    const reads: NonNullable<Receipt['reads']> = [];
    const given: Record<string, unknown> = { ...inputs };
    for (const [name, path] of Object.entries(inputFiles)) {
      const real = await realPathOf(context.place, path, 'read', deps);
      const file = await readInRoot(root, real);
      if (!file) throw missing(root, real);
      given[name] = decodeOf(real, file.bytes);
      reads.push({ path: real, sha256: file.sha256, start_line: 1, end_line: String(given[name]).split('\n').length });
    }
    if (JSON.stringify(given).length > CODE_LIMITS.inputs)
      throw new Fault('TOO_LARGE', `The inputs have more than ${CODE_LIMITS.inputs} characters.`, {
        fix: 'Declare fewer or smaller inputs',
      });
    const limits = { timeoutMs: input.timeoutMs ?? timeoutMs.usual, memoryMb: input.memoryMb ?? memoryMb.usual };
    const end = await deps.codeSandbox.run({ code, inputs: given, ...limits }, context.signal);
    const result = judged(end, expectedReturn, limits);
    if (result.refusal) return { ...result, ...(reads.length > 0 ? { reads } : {}) };
    return { output: { node: planNodeId, ...(result.output as object) }, ...(reads.length > 0 ? { reads } : {}) };
  },
});

const FORM = '(async () => { return 6 * inputs.count; })()';

function judged(end: CodeEnd, shape: ReturnShape | undefined, limits: { timeoutMs: number; memoryMb: number }): ToolResult {
  const refused = (message: string, todo: string): ToolResult =>
    refuse('CODE_REFUSED', message, todo, { tool: 'list_available_verbs', args: {} });
  switch (end.kind) {
    case 'returned':
      break;
    case 'nothing':
      return refused('The code returned nothing that JSON can hold.', 'Return what was computed');
    case 'threw':
      return refused(`The code threw: ${end.message}`, `Fix the code. Its form is ${FORM}; it has no modules, no network and no files`);
    case 'not_async':
      return refused('The code is not an async function that is called at once.', `Send it in this form: ${FORM}`);
    case 'pending':
      return refused('The code waits for something that never comes.', 'There are no timers and no events: return what was computed');
    case 'too_large':
      return refused(`The code returned more than ${CODE_LIMITS.result} characters.`, 'Return a summary');
    case 'stopped': {
      const why = {
        time: `was stopped after ${limits.timeoutMs} ms`,
        memory: `needed more than ${limits.memoryMb} MB`,
        cancelled: 'was stopped because the caller went away',
      };
      return refused(`The code ${why[end.why]}.`, 'Make it smaller, or declare a larger timeoutMs or memoryMb');
    }
  }
  const value: unknown = JSON.parse(end.json);
  const mismatch = shape ? shapeMismatch(value, shape) : null;
  if (mismatch !== null) return refused(`The code returned another shape than declared: ${mismatch}.`, 'Return the declared shape');
  if (isPlaceholder(value)) return refused('The code returned a placeholder, not a result.', 'Return what was really computed');
  return { output: { value, sha256: hash('sha256', end.json) } };
}
