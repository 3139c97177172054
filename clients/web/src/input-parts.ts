// The input of a tool as blocks of text: every field, none left out, the one that says most first.

export interface InputPart {
  readonly name: string;
  readonly text: string;
}

const LEADING = ['command', 'path', 'file_path', 'url', 'name'];

const rank = (name: string): number => {
  const place = LEADING.indexOf(name);
  return place === -1 ? LEADING.length : place;
};

export function inputParts(input: Readonly<Record<string, unknown>>): InputPart[] {
  return Object.entries(input)
    .map(([name, value]) => ({ name, text: typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? 'undefined') }))
    .sort((a, b) => rank(a.name) - rank(b.name));
}
