// parse, rewrite: a request becomes an action and a call. The action is what is judged and recorded, without secrets; the call is what was
// asked for, and what runs.

import { canonicalJson, NotCanonical, sha256Hex } from '../ledger/index.ts';
import { type Action, ActionId, Fault, newId, recordedDoor, type Refusal, type Resource, type ToolCall } from '../protocol/index.ts';
import type { KernelPorts } from './ports.ts';
import type { ActionRequest } from './action-request.ts';

const REACHING: ReadonlySet<Resource['kind']> = new Set<Resource['kind']>(['file', 'command', 'url']);

/** The tool normalises its own input; what is decided on is what was parsed, and nothing else runs. */
export function parseRequest(
  { tools, redactor, now }: Pick<KernelPorts, 'tools' | 'redactor' | 'now'>,
  { id, session, workspace, root, cwd, actor, door, parent, partOf, native, ...request }: ActionRequest,
): { action: Action; call: ToolCall } {
  if (id !== undefined && !ActionId.safeParse(id).success)
    throw new Fault('BAD_REQUEST', 'The id is not the id of an action.', { fix: 'Send act_ and 26 characters, the time first, or no id' });
  const describe = (input: Record<string, unknown>) =>
    request.invalidCall
      ? failingCall(request.tool, input, request.invalidCall)
      : tools.describeCall({ tool: request.tool, input, place: { root, cwd } });
  const asked = request.call ?? describe(request.input);
  const redacted: string[] = [];
  const input = redactor.value(asked.input, redacted);
  // A call that reaches no file, command or address needs no secret: it runs with the redacted input.
  const staysInside = redacted.length > 0 && !asked.resources.some(({ kind }) => REACHING.has(kind));
  const call = staysInside ? describe(redactor.value(request.input)) : asked;
  const action: Action = {
    ...(id === undefined ? { id: newId('act') } : { id, given: true }),
    ...(parent === undefined ? {} : { parent }),
    ...(partOf === undefined ? {} : { part_of: partOf }),
    session,
    workspace,
    root,
    actor,
    ...recordedDoor(door),
    tool: call.tool,
    input,
    ...(redacted.length === 0 ? {} : { redacted }),
    input_sha256: inputHash(call.tool, input, root, cwd),
    effects: [...call.effects],
    resources: [...redactor.value(call.resources)],
    ...(native === undefined ? {} : { native }),
    at: now().toISOString(),
  };
  return { action, call };
}

/** It touches nothing; the refusal gives the reason. */
const failingCall = (tool: string, input: Record<string, unknown>, refusal: Refusal): ToolCall => ({
  tool,
  input,
  effects: ['observe'],
  resources: [],
  command: null,
  run: async () => ({ output: { error: refusal }, refusal }),
});

/** Includes the folder: the same path means another file elsewhere. Input without a canonical form (half a surrogate pair) is refused. */
function inputHash(tool: string, input: Record<string, unknown>, root: string, cwd: string): string {
  try {
    return sha256Hex(canonicalJson([tool, input, root, cwd]));
  } catch (cause) {
    if (!(cause instanceof NotCanonical)) throw cause;
    throw new Fault('BAD_REQUEST', `${tool}: ${cause.message}`, { fix: 'Call again with plain JSON values', cause });
  }
}
