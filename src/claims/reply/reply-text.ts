// A reply taken apart: what an agent says itself, and what it only shows. Fenced blocks, inline code and quotations are data: what stands in
// them is not said by the agent, so no rule about its words looks there.

export interface ReplyText {
  /** The lines of the reply, each with whether it is part of a fenced block. */
  readonly lines: readonly { readonly text: string; readonly isFenced: boolean }[];
  readonly fences: readonly string[];
}

const FENCE = /^\s{0,3}(`{3,}|~{3,})/;

export function takeApart(reply: string): ReplyText {
  const all = reply.replaceAll('\r\n', '\n').split('\n');
  const lines: { text: string; isFenced: boolean }[] = [];
  const fences: string[] = [];
  for (let at = 0; at < all.length; at++) {
    const text = all[at]!;
    const fence = FENCE.exec(text)?.[1];
    const end = fence === undefined ? -1 : closing(all, at + 1, fence);
    // A fence that does not end is no fence: otherwise one stray mark would hide the Evidence line.
    if (end < 0) {
      lines.push({ text, isFenced: false });
      continue;
    }
    fences.push(all.slice(at + 1, end).join('\n'));
    for (const fenced of all.slice(at, end + 1)) lines.push({ text: fenced, isFenced: true });
    at = end;
  }
  return { lines, fences };
}

function closing(lines: readonly string[], from: number, fence: string): number {
  return lines.findIndex((line, at) => {
    const mark = at < from ? undefined : /^\s{0,3}(`{3,}|~{3,})\s*$/.exec(line)?.[1];
    return mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length;
  });
}

/** Without fences and inline code. */
export const withoutCode = ({ lines }: ReplyText): string =>
  lines
    .map(({ text, isFenced }) => (isFenced ? '' : text))
    .join('\n')
    .replace(/(`+)(?!`)[^\n]*?[^`\n]\1(?!`)/g, ' ');

/** Without quotations either; one ends within its paragraph. */
export const withoutQuotations = (text: string): string =>
  text.replace(/"[^"\n]*(?:\n(?!\n)[^"\n]*)*"|“[^”]*”|„[^“”]*[“”]|«[^»]*»/g, ' ').replace(/^\s*>.*$/gm, ' ');
