// Reads the Evidence line of a reply: `"quote" (path:lines)`, `path:lines`, `path §section`, `checked …`, `request access …`, `receipt rcp_…`,
// separated by `;`.

import type { EvidencePart, LineRange } from '../../protocol/index.ts';
import type { ReplyText } from './reply-text.ts';

/** `Evidence:`, `**Evidence:**`, `__Evidence:__`, `**Evidence**:`, also as an item of a list. */
const LABEL = /^\s*(?:[-*+>]\s+)?(?:\*\*|__)?\s*evidence\s*(?:(?:\*\*|__)\s*:|:\s*(?:\*\*|__)?)\s*(.*)$/i;

/** The text after each label, one for each line that has it. A line of a fenced block is data. */
export const evidenceLines = ({ lines }: ReplyText): readonly { readonly at: number; readonly text: string }[] =>
  lines.flatMap(({ text, isFenced }, at) => {
    const found = isFenced ? null : LABEL.exec(text);
    return found ? [{ at, text: found[1]!.replace(/(?:\*\*|__)?\s*$/, '') }] : [];
  });

export type ParsedEvidence = { readonly parts: readonly EvidencePart[] } | { readonly problem: string };

export const GRAMMAR =
  'Evidence: "exact quote" (path:lines) | path:lines | path §section | checked <paths or X–Y> | request access <path>; receipt rcp_…';

export function parseEvidence(line: string): ParsedEvidence {
  const parts: EvidencePart[] = [];
  let rest = line.trim().replace(/\.$/, '').trim();
  if (rest === '') return { problem: `It is empty. Write on the same line: ${GRAMMAR}` };
  while (rest !== '') {
    const read = readPart(rest);
    if (typeof read === 'string') return { problem: read };
    parts.push(...read.parts);
    rest = read.rest;
  }
  return { parts };
}

type PartRead = { readonly parts: readonly EvidencePart[]; readonly rest: string } | string;

const OPENING = /^["“„«]/;
/** The quote ends before the source in parentheses: dialogue has quotation marks of its own. */
const QUOTED = /^["“„«]([\s\S]*?)["”“»]\s*[(（]((?:[^()（）]|\([^()]*\))+)[)）]\s*(?:;|,(?=\s*["“„«])|\.?\s*$)/;

function readPart(text: string): PartRead {
  if (OPENING.test(text)) {
    const quoted = QUOTED.exec(text);
    if (!quoted) return 'A quote needs its source after it: "exact quote" (path:lines)';
    const place = placeIn(quoted[2]!);
    if (place.path === '') return 'A quote needs its source after it: "exact quote" (path:lines)';
    return { parts: [{ kind: 'content', quote: quoted[1]!.trim(), ...place }], rest: text.slice(quoted[0].length).trim() };
  }
  const end = text.indexOf(';');
  const part = (end < 0 ? text : text.slice(0, end)).trim();
  const rest = end < 0 ? '' : text.slice(end + 1).trim();
  if (part === '') return { parts: [], rest };
  const read = readUnquoted(part);
  return typeof read === 'string' ? read : { parts: read, rest };
}

const RECEIPT = /^\(?\s*receipts?(?:_ids?)?\s*[:=]?\s*(.*?)\s*\)?$/i;

function readUnquoted(part: string): readonly EvidencePart[] | string {
  const receipts = /\brcp_/.test(part) ? RECEIPT.exec(part)?.[1] : undefined;
  if (receipts !== undefined) return listed(receipts).map((receipt_id) => ({ kind: 'receipt', receipt_id: bare(receipt_id) }));
  const access = /^request(?:ing)?\s+access(?:\s+to)?:?\s+(.+)$/i.exec(part);
  if (access) return [{ kind: 'access', path: bare(access[1]!) }];
  const checked = /^checked:?\s+(.+)$/i.exec(part);
  if (checked) {
    const scope = listed(checked[1]!.replace(/^(?:all\s+)?(?:of\s+)?(?:the\s+)?(?:scenes?|files?|chapters?)\s+/i, '')).map(bare);
    return scope.length > 0 ? [{ kind: 'absence', scope }] : 'What was checked is missing: checked <paths or X–Y>';
  }
  if (/^checked$/i.test(part)) return 'What was checked is missing: checked <paths or X–Y>';
  const section = /^(.+?)\s*§+\s*(.+)$/.exec(part);
  if (section)
    return [{ kind: 'structural', path: bare(section[1]!), lines: null, section: section[2]!.trim().replace(/^["“]|["”]$/g, '') }];
  return [{ kind: 'structural', section: null, ...placeIn(part) }];
}

const listed = (text: string): readonly string[] =>
  text
    .split(/\s*,\s*(?:and\s+)?|\s+and\s+/)
    .map((item) => item.trim())
    .filter((item) => item !== '');

const bare = (path: string): string =>
  path
    .trim()
    .replace(/^[`(*]+|[`)*]+$/g, '')
    .trim();

/** `path:12`, `path:12-14`, `path:L12–L14`; without lines, only the path. */
function placeIn(text: string): { path: string; lines: LineRange | null } {
  const found = /^(.*?):\s*L?([0-9]{1,8})(?:\s*[-–—]\s*L?([0-9]{1,8}))?$/.exec(bare(text));
  if (!found) return { path: bare(text), lines: null };
  const start_line = Math.max(1, Number(found[2]));
  return { path: bare(found[1]!), lines: { start_line, end_line: Math.max(start_line, Number(found[3] ?? found[2])) } };
}
