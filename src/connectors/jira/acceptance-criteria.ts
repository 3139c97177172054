// What a ticket says about when it is done: a field of that name, or the section of the description below such a heading.

interface NamedText {
  readonly name: string;
  readonly text: string;
}

const NAME = /\bacceptance\s+criteria\b|\bdefinition\s+of\s+done\b/i;
/** Jira's `h3.`, Markdown's `##`, a line that is bold, or one that ends with a colon. */
const HEADINGS: readonly RegExp[] = [
  /^\s*h[1-6]\.\s+(.+?)\s*:?\s*$/,
  /^\s*#{1,6}\s+(.+?)\s*:?\s*$/,
  /^\s*[*_]{1,2}([^*_]+)[*_]{1,2}\s*:?\s*$/,
  /^\s*([^:]{3,60}):\s*$/,
];
/** A bullet, a number, or a checkbox. */
const MARK = /^\s*(?:[-*#•]+|\d+[.)]|\(\d+\))\s+(?:\[[ xX]?\]\s*)?/;

export function acceptanceCriteria(description: string, fields: readonly NamedText[]): readonly string[] {
  const field = fields.find(({ name }) => NAME.test(name));
  return entriesOf(field ? field.text.split(/\r?\n/) : sectionOf(description));
}

/** It ends with the next heading of the same kind: in Jira `#` begins an entry of a list, in Markdown a heading. */
function sectionOf(description: string): readonly string[] {
  const lines = description.split(/\r?\n/);
  for (const heading of HEADINGS) {
    const start = lines.findIndex((line) => NAME.test(heading.exec(line)?.[1] ?? ''));
    if (start < 0) continue;
    const end = lines.findIndex((line, at) => at > start && heading.test(line));
    return lines.slice(start + 1, end < 0 ? undefined : end);
  }
  return [];
}

/** One entry for each mark, with the lines that go on below it; without marks one for each paragraph. */
function entriesOf(lines: readonly string[]): readonly string[] {
  const hasMarks = lines.some((line) => MARK.test(line));
  const entries: string[] = [];
  let isNew = true;
  for (const line of lines) {
    const text = line.replace(MARK, '').trim();
    if (hasMarks ? MARK.test(line) : isNew) entries.push(text);
    else if (entries.length > 0 && text !== '') entries[entries.length - 1] += ` ${text}`;
    isNew = text === '';
  }
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}
