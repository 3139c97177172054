// Who wrote a line, and why: a table of a whole file, or the full trace from one line to the conversation.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { BlameRow, BlameView } from '../protocol/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

/** `place` is FILE or FILE:LINE. */
export async function blame(context: CommandContext, place: string): Promise<void> {
  const [, file = place, line] = /^(.+):([1-9][0-9]{0,8})$/.exec(place) ?? [];
  const view = await context.client.ask('blame', { cwd: context.cwd, path: file, ...(line === undefined ? {} : { line: Number(line) }) });
  if (context.json) return show(context, view, '');
  const texts = await textsOf(view);
  if (line === undefined) return show(context, view, tableOf(view, texts) || `${visible(view.path)} is empty.`);
  const [row] = view.rows;
  if (row) show(context, view, chainOf(view, row, Number(line), texts[Number(line) - 1] ?? ''));
}

/** Exactly the content that the answer is about. */
async function textsOf({ root, path: name, sha256 }: BlameView): Promise<string[]> {
  const bytes = await readFile(path.join(root, name)).catch(() => null);
  if (!bytes || createHash('sha256').update(bytes).digest('hex') !== sha256)
    throw new Fault('CONFLICT', `${visible(name)} changed while it was looked at.`, { fix: 'Run the command again' });
  return bytes.toString('utf8').split('\n');
}

const WORDS: Record<Exclude<BlameRow['origin'], 'receipt'>, string> = {
  human: 'human',
  'human-unproven': 'human, unproven',
  ambiguous: 'ambiguous',
  untracked: 'untracked',
};
const AGENT_WIDTH = 24;

const cut = (text: string, width: number): string => (text.length > width ? `${text.slice(0, width - 1)}…` : text);

function tableOf({ path: name, rows, lines }: BlameView, texts: readonly string[]): string {
  const cells = rows.map((row) => [
    row.intent ?? '-',
    row.origin === 'receipt' ? cut(visible(row.agent ?? '?'), AGENT_WIDTH) : WORDS[row.origin],
    row.at?.slice(0, 10) ?? '-',
    ...(rows.some((each) => each.path !== name) ? [visible(row.path)] : []),
  ]);
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  const numbers = String(lines).length;
  return rows
    .flatMap(({ start_line, end_line, origin }, at) => {
      const head = (cells[at] ?? []).map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
      const label = origin === 'receipt' ? head : paint('dim', head);
      return texts
        .slice(start_line - 1, end_line)
        .map((text, line) => `${label}  ${String(start_line + line).padStart(numbers)}  ${visible(text, 'block')}`.trimEnd());
    })
    .join('\n');
}

function chainOf(view: BlameView, row: BlameRow, line: number, text: string): string {
  const { origin, intent, intent_name, receipt_id, action, agent, model, session, conversation, at, tool, candidates, note } = row;
  const steps: readonly (readonly [string, string | null])[] = [
    ['origin', origin === 'receipt' ? null : WORDS[origin]],
    [
      'intent',
      origin === 'receipt' ? (intent === null ? 'none' : `${intent}${intent_name === null ? '' : `  ${visible(intent_name)}`}`) : null,
    ],
    ['receipt', receipt_id === null ? null : `${receipt_id}  of ${action}, ${visible(tool ?? '?')}`],
    ['agent', agent === null ? null : `${visible(agent)}, ${model === null ? 'model unknown' : visible(model)}`],
    ['session', session === null ? null : `${session}${conversation === null ? '' : `  conversation ${visible(conversation)}`}`],
    ['at', at],
    ['among', candidates.length === 0 ? null : candidates.join(', ')],
    ['written', row.path === view.path ? null : `when the file was called ${visible(row.path)}`],
    ['note', note === null ? null : visible(note)],
  ];
  return [
    `${visible(view.path)}:${line}  ${visible(text, 'block')}`,
    ...steps.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(8)} ${value}`])),
  ].join('\n');
}
