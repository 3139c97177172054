// The receipt of an action: what really happened, as the gate saw it.

import { sha256Hex } from '../ledger/index.ts';
import { type Action, Fault, newId, type Receipt } from '../protocol/index.ts';
import type { KernelPorts } from './ports.ts';
import type { State } from './state.ts';

/** How much of an output the receipt itself contains; the hash is over all of it. */
const EXCERPT_CHARACTERS = 2_000;

export interface Outcome {
  /** Where it had to be known before: a tool may cite its own receipt. */
  readonly id?: string;
  readonly output: unknown;
  readonly status: Receipt['status'];
  readonly files: Receipt['file_refs'];
  readonly walls?: Receipt['walls'];
  readonly reads?: Receipt['reads'];
}

export async function makeReceipt(
  ports: KernelPorts,
  state: State,
  action: Action,
  { id, output, status, files, walls, reads }: Outcome,
): Promise<Receipt> {
  const { agent, agent_id, model } = action.actor;
  const session = state.sessions.get(action.session);
  const inOutput: string[] = [];
  // Before it is cut and hashed: half a secret would not be recognised.
  const shown = ports.redactor.value(output, inOutput);
  const text = (typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? '')).toWellFormed();
  const redacted = [...(action.redacted ?? []).map((at) => `/inputs${at}`), ...inOutput.map((at) => `/output${at}`)];
  return {
    receipt_id: id ?? newId('rcp'),
    action_id: action.id,
    ...(action.parent ? { parent: action.parent } : {}),
    task_id: action.session,
    ...(action.part_of ? { part_of: action.part_of } : {}),
    workspace: action.workspace,
    root: action.root,
    turn_id: session?.turn ?? '0',
    agent_id: agent_id ? `${agent}/${agent_id}` : agent,
    ...(model === undefined ? {} : { model }),
    tool_id: action.tool,
    inputs: action.input,
    status,
    // Cutting may leave half a surrogate pair, which canonical JSON refuses.
    ...(text.length <= EXCERPT_CHARACTERS ? { outputs: text } : { excerpt: text.slice(0, EXCERPT_CHARACTERS).toWellFormed() }),
    sha256: sha256Hex(text),
    full_size: Buffer.byteLength(text),
    ...(redacted.length === 0 ? {} : { redacted }),
    file_refs: files,
    ...(reads === undefined ? {} : { reads: ports.redactor.value(reads) }),
    intent: state.actions.get(action.id)?.decision.facts.intent.selected?.id ?? session?.intent ?? null,
    ...(walls === undefined ? {} : { walls }),
    revision: await revisionOf(ports, action.root),
    timestamp: ports.now().toISOString(),
  };
}

/** An action may have removed the very tree that it worked in; it still has to settle. */
async function revisionOf(ports: KernelPorts, root: string): Promise<string | null> {
  try {
    return await ports.workspace.revision(root);
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}
