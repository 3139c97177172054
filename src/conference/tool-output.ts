// A tool's output as a model sees it: readable text, so that it can be quoted word for word, cut to what the turn may still use.

export interface CutText {
  readonly text: string;
  /** Of the whole. */
  readonly bytes: number;
  readonly shown: number;
}

/** Strings as they are: quotes and line breaks that JSON escapes could not be quoted. */
export function readable(value: unknown, indent = ''): string {
  if (typeof value === 'string') return value.includes('\n') ? `\n${value}` : value;
  if (Array.isArray(value)) {
    if (value.length === 0) return '(none)';
    return value.map((each) => `\n${indent}- ${readable(each, `${indent}  `).trimStart()}`).join('');
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value).filter(([, each]) => each !== undefined);
    return fields.map(([name, each]) => `\n${indent}${name}: ${readable(each, `${indent}  `)}`).join('');
  }
  return String(value);
}

/** At a character's end: half a character would be another one. */
export function cutToBytes(text: string, most: number): CutText {
  const whole = Buffer.from(text, 'utf8');
  if (whole.length <= most) return { text, bytes: whole.length, shown: whole.length };
  let end = Math.max(0, most);
  while (end > 0 && (whole[end]! & 0xc0) === 0x80) end--;
  return { text: whole.subarray(0, end).toString('utf8'), bytes: whole.length, shown: end };
}

export interface ShownResult {
  readonly tool: string;
  readonly receiptId: string | null;
  readonly status: string;
  readonly sha256: string;
  readonly cut: CutText;
}

export function resultText({ tool, receiptId, status, sha256, cut: { text, bytes, shown } }: ShownResult): string {
  return [
    `TOOL_RESULT ${tool} (${status})`,
    ...(receiptId === null ? [] : [`receipt_id: ${receiptId}`]),
    `sha256: ${sha256}`,
    // Foreign text is data, whatever it says. It cannot hold its own hash, so it cannot end the block.
    `<<<DATA ${sha256.slice(0, 8)}`,
    text.trim(),
    `DATA ${sha256.slice(0, 8)}>>>`,
    ...(shown < bytes ? [`The output was cut: ${shown} of ${bytes} bytes are shown.`] : []),
  ].join('\n');
}
