// Runs a tool. Every error becomes its result, so that an admitted action always settles.

import {
  type Action,
  CODES,
  type Event,
  Fault,
  type Refusal,
  type RunContext,
  streams,
  type ToolCall,
  type ToolResult,
} from '../protocol/index.ts';
import { askForHelp, timesTooOften } from './breaker.ts';
import type { KernelPorts } from './ports.ts';
import type { State } from './state.ts';

/** A tool's outcome. `code` is the tool's own refusal, also when it has become a question to a human. */
export type Executed = Required<Pick<ToolResult, 'output' | 'events'>> & {
  readonly refusal: Refusal | null;
  readonly code: string | null;
} & Pick<ToolResult, 'finish' | 'failed' | 'files' | 'reads'>;

type Run = NonNullable<ToolCall['run']>;

/** A refusal of the tool is its result; a defect is recorded with the receipt. */
export async function execute(
  { redactor }: Pick<KernelPorts, 'redactor'>,
  state: State,
  run: Run,
  action: Action,
  context: () => Promise<RunContext>,
): Promise<Executed> {
  const { refusal: returned = null, events = [], ...result } = await outcomeOf(run, action, context);
  const refusal = returned && redactor.value(returned);
  const { session, tool } = action;
  const times = refusal && timesTooOften(state.sessions.get(session)?.streaks, action, refusal.error_code);
  const code = refusal?.error_code ?? null;
  if (!refusal || times === null) return { ...result, refusal, code, events };
  const tripped: Event = { type: 'breaker_tripped', data: { session, action: action.id, tool, code: refusal.error_code, times } };
  const help = askForHelp(refusal, tool, times);
  return { output: help, refusal: help, code, events: [...events, { stream: streams.session(session), event: tripped }] };
}

async function outcomeOf(run: Run, { tool, input, door }: Action, context: () => Promise<RunContext>): Promise<ToolResult> {
  try {
    return await run(await context());
  } catch (error) {
    const fault = error instanceof Fault ? error : null;
    // Internal errors go into the record, not to an agent.
    const message = fault?.message ?? CODES.INTERNAL.meaning;
    const again = fault !== null && CODES[fault.code].retry === 'later';
    const refusal: Refusal = {
      error_code: fault?.code ?? 'INTERNAL',
      message,
      recoverable: fault !== null,
      required_action: fault?.fix ?? (again ? 'Call again' : 'Tell a human: this is a defect of the gate'),
      // A call that may pass later may be retried; the breaker ends a loop.
      remedy:
        fault?.remedy ??
        (again ? { tool, args: input } : { tool: 'request_human', args: { question: message.slice(0, 500).toWellFormed() || tool } }),
      also_missing: [],
    };
    const inside = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const data = { door: `${door} ${tool}`, message: inside.slice(0, 2_000).toWellFormed() };
    const defect = fault ? [] : [{ stream: streams.daemon, event: { type: 'defect_caught', data } as const }];
    return { output: { error: refusal }, refusal, events: defect };
  }
}
