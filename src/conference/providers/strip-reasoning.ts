// Reasoning that a model puts into its text between tags. It is removed before anything reads the text: it is neither an answer nor a tool
// call, and it is never shown.

const NAMES = 'think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis';
const OPEN = new RegExp(`[<\\[](?:${NAMES})[>\\]]`, 'i');
const CLOSE = new RegExp(`[<\\[]/(?:${NAMES})[>\\]]`, 'gi');

/**
 * Of several blocks all are removed, nested ones too. A closing tag without an opening one ends reasoning that began with the text: some
 * servers put the opening tag into the prompt. An opening tag that is never closed: the rest is reasoning.
 */
export function stripReasoning(text: string): string {
  let kept = '';
  let rest = text;
  for (;;) {
    const open = OPEN.exec(rest);
    const close = firstClose(rest);
    if (close !== null && (open === null || close.start < open.index)) {
      kept = '';
      rest = rest.slice(close.end);
      continue;
    }
    if (open === null) return `${kept}${rest}`.trim();
    kept += rest.slice(0, open.index);
    const end = endOfBlock(rest, open.index);
    if (end === null) return kept.trim();
    rest = rest.slice(end);
  }
}

function firstClose(text: string): { start: number; end: number } | null {
  CLOSE.lastIndex = 0;
  const found = CLOSE.exec(text);
  return found && { start: found.index, end: found.index + found[0].length };
}

const TAG = new RegExp(`[<\\[](/?)(?:${NAMES})[>\\]]`, 'gi');

/** Behind the closing tag that belongs to the tag at `from`. */
function endOfBlock(text: string, from: number): number | null {
  TAG.lastIndex = from;
  let depth = 0;
  for (let tag = TAG.exec(text); tag !== null; tag = TAG.exec(text)) {
    depth += tag[1] === '/' ? -1 : 1;
    if (depth === 0) return tag.index + tag[0].length;
  }
  return null;
}
