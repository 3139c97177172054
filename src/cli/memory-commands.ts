// What is remembered of a workspace, for people: found, read, countersigned, retracted, moved between machines.

import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ClaimKind, Fault, ID_FORMS, type MemoryRow, visible } from '../protocol/index.ts';
import { checkId, type CommandContext, show } from './command-context.ts';
import { localTime } from './local-time.ts';
import { block, paint } from './terminal-text.ts';

const RECENT = 'countersign memory recent lists them';

export async function queryMemory(context: CommandContext, words: readonly string[], limit: number): Promise<void> {
  const rows = await context.client.ask('memory', { cwd: context.cwd, query: words.join(' '), limit });
  show(context, rows, rows.map(memoryLines).join('\n') || 'Nothing is remembered about that.');
}

export async function recentMemory(context: CommandContext, limit: number): Promise<void> {
  const rows = await context.client.ask('memory', { cwd: context.cwd, limit });
  show(context, rows, rows.map(memoryLines).join('\n') || 'Nothing is remembered yet.');
}

export async function showMemory(context: CommandContext, id: string): Promise<void> {
  checkId(ID_FORMS.claim, id, "a memory's id", RECENT);
  const [row] = await context.client.ask('memory', { cwd: context.cwd, id });
  if (row === undefined) throw new Fault('NOT_FOUND', `There is no memory ${id} in this workspace.`, { fix: RECENT });
  show(context, row, memoryText(row));
}

export async function approveMemory(context: CommandContext, id: string): Promise<void> {
  checkId(ID_FORMS.claim, id, "a memory's id", RECENT);
  const row = await context.client.act('approve_memory', { id, cwd: context.cwd });
  show(context, row, `${id} is approved. Its status stays what the evidence says.`);
}

export async function retireMemory(context: CommandContext, id: string, reason: string): Promise<void> {
  checkId(ID_FORMS.claim, id, "a memory's id", RECENT);
  await context.client.act('retire_memory', { id, cwd: context.cwd, reason });
  show(context, { retired: id }, `${id} is retired: no recall finds it again. The record keeps it.`);
}

export interface AddOptions {
  readonly rationale?: string;
  readonly cite: readonly string[];
  readonly scope: readonly string[];
}

export async function addMemory(context: CommandContext, kind: string, statement: string, options: AddOptions): Promise<void> {
  const { data: known } = ClaimKind.safeParse(kind);
  if (known === undefined)
    throw new Fault('BAD_REQUEST', `${visible(kind)} is not a kind of memory.`, { fix: `Name one of: ${ClaimKind.options.join(', ')}` });
  const row = await context.client.act('add_memory', {
    cwd: context.cwd,
    kind: known,
    statement,
    rationale: options.rationale ?? null,
    citations: options.cite.map(citationIn),
    scope: [...options.scope],
  });
  show(context, row, memoryText(row));
}

/** The path is relative to the human's folder, the lines as an editor counts them. */
function citationIn(text: string): { path: string; start_line: number; end_line: number } {
  const [, file, start, end] = /^(.+?):([1-9][0-9]{0,6})(?:-([1-9][0-9]{0,6}))?$/.exec(text) ?? [];
  if (file === undefined || start === undefined)
    throw new Fault('BAD_REQUEST', `${visible(text)} does not name lines.`, {
      fix: 'Write --cite PATH:START-END, such as src/login.ts:8-12',
    });
  return { path: file, start_line: Number(start), end_line: Number(end ?? start) };
}

export async function exportMemory(context: CommandContext, file: string | undefined): Promise<void> {
  const { memories, text } = await context.client.act('export_memory', { cwd: context.cwd });
  // The text is the data here: with --json it is JSON Lines all the same.
  if (file === undefined) return context.print(text.trimEnd());
  const target = path.resolve(context.cwd, file);
  await writeFile(target, text, { flag: 'wx' }).catch((cause: NodeJS.ErrnoException) => {
    throw new Fault(
      'BAD_REQUEST',
      cause.code === 'EEXIST' ? `${target} is there already.` : `${target} cannot be written (${cause.code}).`,
      {
        fix: 'Name another file; nothing was written',
        cause,
      },
    );
  });
  show(context, { memories, file: target }, `${count(memories)} in ${target}`);
}

export async function importMemory(context: CommandContext, file: string): Promise<void> {
  const imported = await context.client.act('import_memory', { cwd: context.cwd, file: path.resolve(context.cwd, file) });
  const { kept, merged, weakened } = imported;
  const lines = weakened.map(({ line, kind, because }) => `  line ${line} is only a ${kind} here: ${visible(because)}`);
  show(context, imported, [`${count(kept)} new, ${merged} merged into what was known.`, ...lines].join('\n'));
}

const count = (memories: number): string => `${memories} ${memories === 1 ? 'memory' : 'memories'}`;

const STATUS_STYLE = { VERIFIED: 'green', CITED: 'cyan', ASSERTED: 'dim', STALE: 'yellow', REFUTED: 'red' } as const;

const headOf = ({ id, kind, status, approved, times }: MemoryRow): string =>
  `${paint('bold', id)}  ${kind}  ${paint(STATUS_STYLE[status], status)}${approved ? '  approved' : ''}${times > 1 ? `  said ${times} times` : ''}`;

function memoryLines(row: MemoryRow): string {
  const why = row.why.length > 0 ? [`  ${paint('dim', visible(row.why.join('; ')))}`] : [];
  return [headOf(row), ...block(row.statement), ...why].join('\n');
}

function memoryText(row: MemoryRow): string {
  const { rationale, because, citations, moved, scope, contradicts, agent, session, written_at, approved } = row;
  const cited = citations.map(({ path: file, start_line, end_line }) => `  cites       ${visible(file)}:${start_line}-${end_line}`);
  return [
    headOf(row),
    ...block(row.statement),
    ...(rationale === null ? [] : [`  because     ${visible(rationale)}`]),
    `  ${row.status.padEnd(11)} ${visible(because)}`,
    ...cited,
    ...moved.map(
      ({ was, path: file, start_line, end_line }) => `  moved       ${visible(was)} is at ${visible(file)}:${start_line}-${end_line} now`,
    ),
    ...(scope.length > 0 ? [`  about       ${scope.map((glob) => visible(glob)).join(', ')}`] : []),
    ...(contradicts.length > 0 ? [`  contradicts ${contradicts.join(', ')}`] : []),
    `  written     ${localTime(written_at)} by ${visible(agent)}${session === null ? '' : ` in ${session}`}`,
    ...(approved ? [`  approved    by a human (proof: ${approved.proof})`] : []),
  ].join('\n');
}
