// Applies codemods to a text, one after the other, each on the tree of what the last one left. The result is parsed once more: a codemod that breaks a file
// changes nothing.

import { isProgram, parseSource, type Source, tooLarge } from '../parse-source.ts';
import { resolveNames } from '../resolve-names.ts';
import { childrenOf, moduleName, nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from '../syntax-node.ts';
import { type Codemod, type Declined, declined, isDeclined, type Replacement, replaced, type Rewritten } from './codemod.ts';
import { renameBindings, renameIdentifier } from './rename-identifier.ts';

export function rewrite(path: string, text: string, codemods: readonly Codemod[]): Rewritten {
  let [now, changes] = [text, 0];
  for (const codemod of codemods) {
    const source = read(path, now);
    if (isDeclined(source)) return source;
    const found = placesFor(source, codemod);
    if (isDeclined(found)) return found;
    if (found.length === 0) return declined(`${JSON.stringify(codemod.from)} does not occur as ${WHAT[codemod.type]}`);
    now = replaced(now, found);
    changes += found.length;
  }
  const after = read(path, now);
  return isDeclined(after) ? declined(`the result would not be valid: ${after.declined}`) : { text: now, changes };
}

const WHAT: Readonly<Record<Codemod['type'], string>> = {
  rename_identifier_in_file: 'a declared name',
  update_import_specifier: 'an import',
  update_route_path_literal: 'the path of a route',
  rewrite_template_tag: 'a tag',
};

function read(path: string, text: string): Source | Declined {
  if (!isProgram(path)) return declined(`${path} is not TypeScript or JavaScript`);
  const large = tooLarge(text);
  if (large !== null) return declined(`${path} ${large}`);
  const source = parseSource(path, text);
  return source.error === null ? source : declined(`${path} has a syntax error: ${source.error}`);
}

function placesFor(source: Source, codemod: Codemod): readonly Replacement[] | Declined {
  const { from, to } = codemod;
  switch (codemod.type) {
    case 'rename_identifier_in_file':
      return renameIdentifier(source, from, to);
    case 'update_import_specifier':
      return codemod.module === undefined ? moduleSpecifiers(source, from, to) : importedNames(source, codemod.module, from, to);
    case 'update_route_path_literal':
      return routePaths(source, from, to);
    case 'rewrite_template_tag':
      return tags(source, from, to);
  }
}

function all(source: Source, visit: (node: SyntaxNode) => readonly Replacement[]): readonly Replacement[] {
  const found: Replacement[] = [];
  const open = [source.program];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    found.push(...visit(node));
    open.push(...childrenOf(node));
  }
  return found;
}

/** The content of a text in quotes, which stay as they are; null: it is written in another way. */
function insideQuotes(source: Source, literal: SyntaxNode | null, from: string, to: string): readonly Replacement[] {
  if (literal?.type !== 'Literal' || literal['value'] !== from) return [];
  const raw = source.text.slice(literal.start + 1, literal.end - 1);
  const quote = source.text[literal.start]!;
  if (raw !== from || to.includes(quote) || /[\\\n]/.test(to)) return [];
  return [{ start: literal.start + 1, end: literal.end - 1, text: to }];
}

/** `import … from 'x'`, `export … from 'x'`, `import('x')`, `require('x')` and `import x = require('x')`. */
function moduleSpecifiers(source: Source, from: string, to: string): readonly Replacement[] {
  return all(source, (node) => {
    switch (node.type) {
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportAllDeclaration':
      case 'ImportExpression':
        return insideQuotes(source, nodeIn(node, 'source'), from, to);
      case 'TSImportType':
        return insideQuotes(source, nodeIn(node, 'source') ?? nodeIn(node, 'argument'), from, to);
      case 'TSExternalModuleReference':
        return insideQuotes(source, nodeIn(node, 'expression'), from, to);
      case 'CallExpression': {
        const callee = nodeIn(node, 'callee');
        const isRequire = callee?.type === 'Identifier' && textIn(callee, 'name') === 'require';
        return isRequire ? insideQuotes(source, nodesIn(node, 'arguments')[0] ?? null, from, to) : [];
      }
      default:
        return [];
    }
  });
}

/** A name that is imported from a module; where it has no other name here, its uses are renamed with it. */
function importedNames(source: Source, module: string, from: string, to: string): readonly Replacement[] | Declined {
  const names = resolveNames(source);
  const found: Replacement[] = [];
  for (const node of nodesIn(source.program, 'body')) {
    if (node.type !== 'ImportDeclaration' || nodeIn(node, 'source')?.['value'] !== module) continue;
    for (const specifier of nodesIn(node, 'specifiers')) {
      const [imported, local] = [nodeIn(specifier, 'imported'), nodeIn(specifier, 'local')];
      if (!imported || !local || moduleName(imported) !== from) continue;
      const binding = names.bindingOf.get(local);
      if (imported.start !== local.start || !binding) {
        found.push({ start: imported.start, end: imported.end, text: to });
        continue;
      }
      const renamed = renameBindings(source, names, new Set([binding]), to);
      if (isDeclined(renamed)) return renamed;
      // Here the imported name itself is meant to change.
      found.push(...renamed.map((each) => (each.start === local.start ? { ...each, text: to } : each)));
    }
  }
  return found;
}

/** Keys that say that an object with a path is a route. */
const ROUTE_KEYS = new Set([
  ...['component', 'loadComponent', 'loadChildren', 'children', 'redirectTo', 'pathMatch', 'canActivate', 'canMatch', 'canLoad', 'outlet'],
  ...['element', 'Component', 'lazy', 'loader', 'handler'],
]);

function routePaths(source: Source, from: string, to: string): readonly Replacement[] {
  return all(source, (node) => {
    if (node.type !== 'ObjectExpression') return [];
    const properties = nodesIn(node, 'properties').filter(({ type }) => type === 'Property');
    if (!properties.some((each) => ROUTE_KEYS.has(plainKey(each) ?? ''))) return [];
    return properties.flatMap((each) => (plainKey(each) === 'path' ? insideQuotes(source, nodeIn(each, 'value'), from, to) : []));
  });
}

const TAG = /^[A-Za-z][\w.:-]*$/;

function tags(source: Source, from: string, to: string): readonly Replacement[] | Declined {
  if (!TAG.test(to)) return declined(`${JSON.stringify(to)} cannot be a tag`);
  return all(source, (node) => {
    if (node.type !== 'JSXOpeningElement' && node.type !== 'JSXClosingElement') return [];
    const name = nodeIn(node, 'name');
    return name && source.text.slice(name.start, name.end) === from ? [{ start: name.start, end: name.end, text: to }] : [];
  });
}
