// Lines as a formatter cannot change them: without layout, with one kind of quote, without semicolons and trailing commas.

const TOKEN = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;
const QUOTE = /^['"`]$/;
const CLOSING = /^[)\]}]$/;
const WORD = /^[\p{L}\p{N}_$]/u;
/** With this many letters and digits, a line is not repeated by chance. */
const DISTINCTIVE = 12;

export interface LineForm {
  /** The same for lines that differ only in form. */
  readonly id: number;
  /** Without any comma: where a list is broken into lines, a formatter adds or drops the last one. */
  readonly tokens: readonly string[];
  /** How many characters of words it has. */
  readonly weight: number;
}

/** Remembers every line that it has seen: the versions of a file are mostly the same lines. */
export class LineForms {
  private readonly byLine = new Map<string, LineForm>();
  private readonly byKey = new Map<string, LineForm>();

  of(lines: readonly string[]): LineForm[] {
    return lines.map((line) => this.formOf(line));
  }

  /** The same, quicker where most lines are those of another content in the same order: comparing two lines is cheaper than looking one up. */
  ofNext(lines: readonly string[], other: { readonly lines: readonly string[]; readonly forms: readonly LineForm[] }): LineForm[] {
    let at = 0;
    return lines.map((line, index) => {
      if (line !== other.lines[at]) {
        if (line === other.lines[at + 1]) at++;
        else {
          // Changed when the next lines are the same again, otherwise new.
          if (lines[index + 1] === other.lines[at + 1]) at++;
          return this.formOf(line);
        }
      }
      return other.forms[at++]!;
    });
  }

  private formOf(line: string): LineForm {
    return this.byLine.get(line) ?? this.add(line);
  }

  private add(line: string): LineForm {
    const tokens = tokensOf(line);
    const key = tokens.join(' ');
    let form = this.byKey.get(key);
    if (!form) {
      const weight = tokens.reduce((sum, token) => sum + (WORD.test(token) ? token.length : 0), 0);
      form = { id: this.byKey.size, tokens: tokens.filter((token) => token !== ','), weight };
      this.byKey.set(key, form);
    }
    this.byLine.set(line, form);
    return form;
  }
}

export const isDistinctive = ({ weight }: Pick<LineForm, 'weight'>): boolean => weight >= DISTINCTIVE;

/** For a content's text. The last line needs no newline. */
export function linesOfText(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function tokensOf(line: string): string[] {
  const found = line.match(TOKEN) ?? [];
  const tokens: string[] = [];
  found.forEach((token, at) => {
    const next = found[at + 1];
    if (token === ';' || (token === ',' && (next === undefined || CLOSING.test(next)))) return;
    tokens.push(QUOTE.test(token) ? '"' : token);
  });
  return tokens;
}
