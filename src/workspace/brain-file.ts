// The shared brain: what agents and people learned, in a marked block of the file that agents read first.
//
// INVARIANT: no byte outside the block changes. Adding and then removing the block restores the file.

import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Complaint, invalidDocument } from './complaints.ts';
import { readDocument, removeFile, replaceFile, textOf } from './document.ts';
import { UNWRITABLE } from './unwritable.ts';

/** The first that exists holds the block. */
export const BRAIN_FILES = ['AGENTS.md', 'AGENT.md', 'CLAUDE.md'] as const;
const BEGIN = '<!-- countersign:begin (kept by Countersign; edit outside of it) -->';
const END = '<!-- countersign:end -->';
/** Agents read the file on every start, so its content costs tokens on every start. */
const BLOCK_MAX_BYTES = 2048;

export async function brainFileOf(root: string): Promise<string> {
  // Names as the folder has them: a file system may find `agents.md` under `AGENTS.md`.
  const files = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isFile()).map(({ name }) => name);
  return BRAIN_FILES.find((name) => files.includes(name)) ?? BRAIN_FILES[0];
}

/** Makes the block hold these lines, as many as fit; without lines there is no block. `nothing`: no lines, and no block before. */
export async function writeBrain(root: string, lines: readonly string[]): Promise<'written' | 'unchanged' | 'nothing'> {
  const file = await brainFileOf(root);
  const document = await readDocument(root, file);
  const text = document === null ? '' : textOf(file, document.bytes);
  const block = findBlock(file, text);
  if (block === null && lines.length === 0) return 'nothing';

  const next = lines.length > 0 ? withBlock(text, block, lines) : block ? withoutBlock(text, block) : text;
  if (next === text) return 'unchanged';
  if (next === '' && document !== null) await removeFile(join(root, file), document);
  else await replaceFile(join(root, file), document, Buffer.from(next));
  return 'written';
}

/** The text without the block: what people wrote. Throws a DOCUMENT_INVALID fault when the block's position is unclear. */
export function outsideBrain(file: string, text: string): string {
  const block = findBlock(file, text);
  return block ? withoutBlock(text, block) : text;
}

/** From the begin mark to the end of the end mark; line ends around it are not part of it. */
interface Block {
  readonly start: number;
  readonly end: number;
}

const MARK = /^[ \t]*<!--[ \t]*countersign:(begin|end)\b[^]*-->[ \t]*$/;

function findBlock(file: string, text: string): Block | null {
  let begin: { start: number; line: number } | null = null;
  let block: Block | null = null;
  const complaints: Complaint[] = [];
  let start = text.startsWith('\ufeff') ? 1 : 0;
  for (const [index, raw] of text.slice(start).split('\n').entries()) {
    const content = raw.endsWith('\r') ? raw.slice(0, -1) : raw;
    const mark = MARK.exec(content)?.[1];
    const line = index + 1;
    if (mark !== undefined && block) complaints.push({ line, what: 'a second block of countersign is here' });
    else if (mark === 'begin' && begin)
      complaints.push({ line, what: `the block of countersign that begins at line ${begin.line} begins again` });
    else if (mark === 'begin') begin = { start, line };
    else if (mark === 'end' && begin) block = { start: begin.start, end: start + content.length };
    else if (mark === 'end') complaints.push({ line, what: 'a block of countersign ends here that never began' });
    start += raw.length + 1;
  }
  if (begin && !block) complaints.push({ line: begin.line, what: 'the block of countersign that begins here never ends' });
  if (complaints.length > 0)
    throw invalidDocument(file, complaints, `Fix ${file}: leave one pair of the lines \`${BEGIN}\` and \`${END}\`, or none`);
  return block;
}

function withBlock(text: string, block: Block | null, lines: readonly string[]): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const content = blockText(lines.map(harmless), eol);
  if (block) return text.slice(0, block.start) + content + text.slice(block.end);
  if (text === '' || text === '\ufeff') return text + content + eol;
  // A file without a final line end keeps that: removing the block depends on it.
  return text.endsWith('\n') ? text + eol + content + eol : text + eol + eol + content;
}

function blockText(lines: readonly string[], eol: string): string {
  for (let kept = Math.min(lines.length, BLOCK_MAX_BYTES); ; kept--) {
    const left = lines.length - kept;
    const more = left === 0 ? [] : [`(${left} more ${left === 1 ? 'line is' : 'lines are'} left out here)`];
    const text = [BEGIN, ...lines.slice(0, kept), ...more, END].join(eol);
    if (kept === 0 || Buffer.byteLength(text) <= BLOCK_MAX_BYTES) return text;
  }
}

function withoutBlock(text: string, { start, end }: Block): string {
  const before = text.slice(0, start);
  const after = text.slice(end);
  if (after === '') return before.replace(/(?:\r?\n){1,2}$/, '');
  const rest = after.replace(/^\r?\n/, '');
  // The blank line before a block at the end was added with it.
  return (rest === '' ? before.replace(/(?<=\n)\r?\n$/, '') : before) + rest;
}

/** One line that cannot end the block, hide what follows it, or display as different text. */
const harmless = (line: string): string =>
  line
    .toWellFormed()
    .replaceAll(UNWRITABLE, ' ')
    .replaceAll(/<(?=[A-Za-z/!?])/g, '&lt;')
    .replaceAll('-->', '--&gt;')
    .replaceAll(/`{3,}|~{3,}/g, (run) => run.replaceAll(/./g, '\\$&'))
    .trimEnd();
