// What a file declares that a person would look for by name. A file with errors gives what could still be read.

import { isProgram, kindOf, parseSource, tooLarge } from './parse-source.ts';
import { boundIn, childrenOf, moduleName, nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from './syntax-node.ts';

export type SymbolKind = 'function' | 'class' | 'method' | 'interface' | 'type' | 'enum' | 'variable' | 'const' | 'heading';

export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** What it stands in: `Outer.Inner`, or the headings above it. */
  readonly container: string | null;
  readonly start_line: number;
  readonly end_line: number;
  readonly exported: boolean;
}

const SYMBOLS_MAX = 5000;
const DECLARED: Readonly<Record<string, SymbolKind>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
};

/** In the order of the file. Never throws. Only for a thread whose stack holds the parser: see `code-index.ts`. */
export function symbolsOf(path: string, text: string): readonly CodeSymbol[] {
  try {
    if (tooLarge(text) !== null) return [];
    if (kindOf(path) === '.md') return headingsOf(text);
    return isProgram(path) ? programSymbols(parseSource(path, text).program, text) : [];
  } catch {
    return [];
  }
}

function programSymbols(program: SyntaxNode, text: string): readonly CodeSymbol[] {
  const symbols: CodeSymbol[] = [];
  const lines = lineCounter(text);
  const exported = exportedNames(program);

  const add = (name: string, kind: SymbolKind, container: string | null, node: SyntaxNode, isExported: boolean): void => {
    if (symbols.length >= SYMBOLS_MAX || name === '') return;
    symbols.push({ name, kind, container, start_line: lines(node.start), end_line: lines(node.end), exported: isExported });
  };
  const inside = (container: string | null, name: string): string => (container === null ? name : `${container}.${name}`);

  /** `outer` is the statement that holds the declaration: `export` belongs to it. */
  const visit = (node: SyntaxNode, container: string | null, isTop: boolean, isExported: boolean, outer: SyntaxNode): void => {
    if (/^Export(?:Named|Default)Declaration$/.test(node.type)) {
      const declaration = nodeIn(node, 'declaration');
      if (declaration) visit(declaration, container, isTop, true, node);
      return;
    }
    const id = nodeIn(node, 'id');
    const kind = DECLARED[node.type];
    if (kind !== undefined) {
      const isDefault = outer.type === 'ExportDefaultDeclaration';
      const name = id ? textIn(id, 'name') : isDefault ? 'default' : '';
      add(name, kind, container, outer, isExported || (isTop && exported.has(name)));
      visitInside(node, inside(container, name));
    } else if (node.type === 'VariableDeclaration') {
      for (const declarator of nodesIn(node, 'declarations')) visitVariable(declarator, node, container, isTop, isExported, outer);
    } else if (node.type === 'TSModuleDeclaration' && id?.type === 'Identifier') {
      visitInside(node, inside(container, textIn(id, 'name')));
    } else visitInside(node, container);
  };

  const visitVariable = (
    declarator: SyntaxNode,
    declaration: SyntaxNode,
    container: string | null,
    isTop: boolean,
    isExported: boolean,
    outer: SyntaxNode,
  ): void => {
    const id = nodeIn(declarator, 'id');
    const init = nodeIn(declarator, 'init');
    const isFunction = init !== null && /^(?:Arrow)?FunctionExpression$/.test(init.type);
    const isClass = init?.type === 'ClassExpression';
    const names = id ? boundIn(id).map((each) => textIn(each, 'name')) : [];
    // Of local variables only those that hold functions and classes are worth finding.
    for (const name of isTop || isFunction || isClass ? names : []) {
      const kind = isFunction ? 'function' : isClass ? 'class' : declaration['kind'] === 'const' ? 'const' : 'variable';
      add(
        name,
        kind,
        container,
        nodesIn(declaration, 'declarations').length === 1 ? outer : declarator,
        isExported || (isTop && exported.has(name)),
      );
    }
    if (init) visitInside(init, (isFunction || isClass) && names[0] !== undefined ? inside(container, names[0]) : container);
  };

  const visitInside = (node: SyntaxNode, container: string | null): void => {
    for (const child of childrenOf(node)) {
      if (child.type.endsWith('MethodDefinition')) {
        const name = plainKey(child);
        if (name !== null) add(name, 'method', container, child, false);
        const value = nodeIn(child, 'value');
        if (value) visitInside(value, name === null ? container : inside(container, name));
      } else visit(child, container, false, false, child);
    }
  };

  for (const node of nodesIn(program, 'body')) visit(node, null, true, false, node);
  return symbols;
}

function exportedNames(program: SyntaxNode): ReadonlySet<string> {
  const names = new Set<string>();
  for (const node of nodesIn(program, 'body')) {
    if (node.type === 'ExportNamedDeclaration' && nodeIn(node, 'source') === null)
      for (const specifier of nodesIn(node, 'specifiers')) names.add(moduleName(nodeIn(specifier, 'local')!));
    const declaration = node.type === 'ExportDefaultDeclaration' ? nodeIn(node, 'declaration') : null;
    if (declaration?.type === 'Identifier') names.add(textIn(declaration, 'name'));
  }
  return names;
}

/** The line of an offset. */
function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (starts[middle]! <= offset) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** A heading reaches to the next one of its rank or above. */
function headingsOf(text: string): readonly CodeSymbol[] {
  const lines = text.split('\n');
  const found: { name: string; rank: number; line: number }[] = [];
  let fence: string | null = null;
  for (const [index, line] of lines.entries()) {
    const mark = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line);
    if (mark && fence === null) fence = mark[1]!;
    else if (mark && fence !== null && mark[1]!.startsWith(fence) && mark[2]!.trim() === '') fence = null;
    if (mark || fence !== null) continue;
    const heading = /^ {0,3}(#{1,6})(?:[ \t]+(.*?))?[ \t\r]*$/.exec(line);
    const name = heading?.[2]?.replace(/(?:^|[ \t]+)#+$/, '').trim();
    if (heading && name && found.length < SYMBOLS_MAX) found.push({ name, rank: heading[1]!.length, line: index + 1 });
  }
  const last = lines.length - (lines.at(-1) === '' && lines.length > 1 ? 1 : 0);
  const above: { name: string; rank: number }[] = [];
  return found.map(({ name, rank, line }, index) => {
    while (above.length > 0 && above.at(-1)!.rank >= rank) above.pop();
    const container = above.length > 0 ? above.map((each) => each.name).join(' › ') : null;
    above.push({ name, rank });
    const next = found.slice(index + 1).find((other) => other.rank <= rank);
    return { name, kind: 'heading', container, start_line: line, end_line: next ? next.line - 1 : last, exported: false };
  });
}
