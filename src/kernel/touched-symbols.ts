// Which definitions of a file a change touches: those that were there and whose own text differs, or that go. New ones, and lines outside of all
// definitions (imports, comments between them), belong to the file.

/** A definition with its lines, counted from 1. */
export interface LocatedSymbol {
  readonly name: string;
  readonly container: string | null;
  readonly start_line: number;
  readonly end_line: number;
}

export type SymbolReader = (path: string, text: string) => Promise<readonly LocatedSymbol[]>;

/** By name, `Outer.inner`. `before` or `after` null: there is no such file. */
export async function touchedSymbols(read: SymbolReader, path: string, before: string | null, after: string | null): Promise<string[]> {
  const [old, now] = [await ownTexts(read, path, before), await ownTexts(read, path, after)];
  return [...old.keys()].filter((name) => old.get(name) !== now.get(name)).toSorted();
}

/** The text of each definition without what is defined inside it; several of one name are taken together. */
async function ownTexts(read: SymbolReader, path: string, text: string | null): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (text === null) return texts;
  const lines = text.split('\n');
  const symbols = await read(path, text);
  for (const symbol of symbols) {
    const inner = symbols.filter((other) => other !== symbol && isInside(other, symbol));
    const isInner = (line: number) => inner.some(({ start_line, end_line }) => start_line <= line && line <= end_line);
    const own = lines
      .slice(symbol.start_line - 1, symbol.end_line)
      .filter((line, index) => line.trim() !== '' && !isInner(symbol.start_line + index));
    const name = qualified(symbol);
    texts.set(name, `${texts.get(name) ?? ''}\n${own.join('\n')}`);
  }
  return texts;
}

const isInside = (inner: LocatedSymbol, outer: LocatedSymbol): boolean =>
  outer.start_line <= inner.start_line &&
  inner.end_line <= outer.end_line &&
  inner.end_line - inner.start_line < outer.end_line - outer.start_line;

const qualified = ({ name, container }: LocatedSymbol): string => (container === null ? name : `${container}.${name}`);

/** Whether a plan's symbol names this one: itself, or what contains it. An index id (`path#Outer.name~2`) names it too. */
export function isNamedBy(touched: string, target: string): boolean {
  const wanted = target.replace(/^.*#/, '').replace(/~\d+$/, '');
  return touched === wanted || touched.startsWith(`${wanted}.`) || touched.endsWith(`.${wanted}`);
}
