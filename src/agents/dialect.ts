// What the dialects of agents share: how a call is expressed in the registry's words, and what is unknown.

import { z } from 'zod';
import type { TranslatedCall } from './adapter.ts';

/** The name under which agents know our MCP server. */
export const OWN_SERVER = 'countersign';

export type Input = Record<string, unknown>;
export type Dialect = Readonly<Record<string, (input: Input) => TranslatedCall>>;

export const call = (tool: string, input: Input): TranslatedCall => ({ kind: 'tool', tool, input });
export const text = (value: unknown): string => z.string().parse(value);

/** The agent's own bookkeeping: nothing outside the agent changes. A sub-agent's calls come through their own hooks. */
export const withinAgent = (names: readonly string[]): Dialect =>
  Object.fromEntries(names.map((name) => [name, () => call('consult_self', { name })]));

const Line = z.int().min(0);

/** The lines from the first to the last, counted from 1, or as many as `count` says. Anything else than numbers says nothing about lines. */
export function lines(first: unknown, { last, count }: { readonly last?: unknown; readonly count?: unknown }): Input {
  const start = Line.safeParse(first).data;
  const start_line = Math.max(1, start ?? 1);
  const many = Line.safeParse(count).data;
  const end_line = Line.safeParse(last).data ?? (many === undefined ? undefined : start_line + many - 1);
  return { ...(start === undefined ? {} : { start_line }), ...(end_line === undefined ? {} : { start_line, end_line }) };
}

/** One replacement, under the registry's names. */
export const edit = (old_text: unknown, new_text: unknown, everywhere: unknown = false) => ({
  old_text: text(old_text),
  new_text: text(new_text),
  ...(everywhere === true ? { replace_all: true } : {}),
});

const Steps = z.array(z.looseObject({ status: z.string().optional() })).max(500);
const Step = z.string().max(2_000);

/** Steps that are still open. A list in an unknown form counts as the agent's own bookkeeping. */
export function stepList(name: string, items: unknown, field: string): TranslatedCall {
  const { data } = Steps.safeParse(items);
  const open = data?.filter(({ status }) => status !== 'completed' && status !== 'cancelled').map((item) => Step.safeParse(item[field]));
  if (!open || open.some(({ success }) => !success)) return call('consult_self', { name });
  return call('list_steps', { name, steps: open.flatMap(({ data: step }) => step ?? []) });
}

/**
 * `ownTool`: the name of our tool behind the agent's name for it, or null. A tool that is not in the dialect is unknown, and keeps its own
 * name: if it happens to share a name with a registry tool, it is still unknown.
 */
export function translateBy(dialect: Dialect, ownTool: (native: string) => string | null, tool: string, input: Input): TranslatedCall {
  const own = ownTool(tool);
  if (own !== null) return { kind: 'own', tool: own, input };
  const known = Object.hasOwn(dialect, tool) ? dialect[tool] : undefined;
  return known ? known(input) : call('call_unknown', { name: tool, arguments: input });
}

/** For agents that put a server's name and a separator before each of its tools. */
export const ownByPrefix =
  (prefix: string) =>
  (native: string): string | null =>
    native.startsWith(prefix) ? native.slice(prefix.length) : null;
