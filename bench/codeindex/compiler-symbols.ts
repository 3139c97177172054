// What TypeScript's own parser says is declared in a file, to check the index by.

import ts from '@typescript/typescript6';

export interface DeclaredNames {
  /** Names that are visible outside: declarations, members of classes, interfaces and enums, top-level variables. As `line name`. */
  readonly open: ReadonlySet<string>;
  /** Everything that is declared by a name, also locals and parts of literals. */
  readonly all: ReadonlySet<string>;
}

const OPEN = new Set<ts.SyntaxKind>([
  ts.SyntaxKind.FunctionDeclaration,
  ts.SyntaxKind.ClassDeclaration,
  ts.SyntaxKind.InterfaceDeclaration,
  ts.SyntaxKind.TypeAliasDeclaration,
  ts.SyntaxKind.EnumDeclaration,
  ts.SyntaxKind.EnumMember,
  ts.SyntaxKind.ModuleDeclaration,
]);
const MEMBERS = new Set<ts.SyntaxKind>([
  ts.SyntaxKind.MethodDeclaration,
  ts.SyntaxKind.MethodSignature,
  ts.SyntaxKind.GetAccessor,
  ts.SyntaxKind.SetAccessor,
  ts.SyntaxKind.PropertyDeclaration,
  ts.SyntaxKind.PropertySignature,
]);

export function declaredNames(path: string, text: string): DeclaredNames {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const open = new Set<string>();
  const all = new Set<string>();
  const visit = (node: ts.Node): void => {
    const name = nameOf(node);
    if (name !== null) {
      const at = (node as Partial<ts.NamedDeclaration>).name ?? node;
      const key = `${source.getLineAndCharacterOfPosition(at.getStart(source)).line + 1} ${name}`;
      all.add(key);
      if (isOpen(node)) open.add(key);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return { open, all };
}

function nameOf(node: ts.Node): string | null {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  const name = (node as Partial<ts.NamedDeclaration>).name;
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name)) ? name.text : null;
}

function isOpen(node: ts.Node): boolean {
  if (OPEN.has(node.kind)) return true;
  if (MEMBERS.has(node.kind)) return ts.isClassDeclaration(node.parent) || ts.isInterfaceDeclaration(node.parent);
  return (
    ts.isVariableDeclaration(node) &&
    ts.isVariableStatement(node.parent.parent) &&
    (ts.isSourceFile(node.parent.parent.parent) || ts.isModuleBlock(node.parent.parent.parent))
  );
}
