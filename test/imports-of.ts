// What a source text imports, read by a parser: static, dynamic, type-only, re-exported, `import('…')` in a type, `require('…')`.

import { parseSync } from 'vite';

export interface Import {
  /** Null when the text does not say what is imported: the specifier is computed. */
  readonly specifier: string | null;
  readonly line: number;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly [key: string]: unknown;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

export function importsOf(path: string, text: string): readonly Import[] {
  const { program, errors } = parseSync(path, text);
  const [error] = errors;
  if (error) throw new Error(`${path}: ${error.message}`);
  const found: Import[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit);
    if (!isNode(value)) return;
    const source = importedBy(value);
    if (source !== undefined) found.push({ specifier: literal(source), line: text.slice(0, value.start).split('\n').length });
    Object.values(value).forEach(visit);
  };
  visit(program);
  return found;
}

/** The node that names the imported module; undefined when `node` imports nothing. */
function importedBy(node: Node): unknown {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node['source'];
    case 'ExportNamedDeclaration':
      return node['source'] ?? undefined;
    case 'TSExternalModuleReference':
      return node['expression'];
    case 'CallExpression':
      return loadsModule(node['callee']) ? (node['arguments'] as readonly unknown[])[0] : undefined;
    default:
      return undefined;
  }
}

/** `require(…)`, `process.getBuiltinModule(…)`. */
function loadsModule(callee: unknown): boolean {
  if (!isNode(callee)) return false;
  if (callee.type === 'Identifier') return callee['name'] === 'require';
  const { property } = callee;
  return callee.type === 'MemberExpression' && isNode(property) && property['name'] === 'getBuiltinModule';
}

function literal(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type === 'TemplateLiteral') {
    const [only, ...others] = node['quasis'] as readonly { value: { cooked: string } }[];
    return only && others.length === 0 ? only.value.cooked : null;
  }
  return null;
}
