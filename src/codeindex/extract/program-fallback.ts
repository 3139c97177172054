// Facts of a program with errors in its syntax, from TypeScript's own parser: it continues after an error where the fast one stops. Names
// are not looked up in scopes here: such a file is about to change.

import type tsModule from '@typescript/typescript6';
import type { DefinitionKind, ReferenceRole } from '../model.ts';
import type { SegmentBuilder } from '../segment/builder.ts';
import { LineFinder } from './line-finder.ts';

type Ts = typeof tsModule;
let ts: Ts | null = null;

export async function loadFallback(): Promise<void> {
  ts ??= (await import('@typescript/typescript6')).default;
}

const DEPTH_MAX = 2_000;

/** `loadFallback` was awaited before. */
export function readBrokenProgram(out: SegmentBuilder, path: string, text: string): void {
  if (ts === null) throw new Error('the fallback parser is not loaded');
  const { SyntaxKind, forEachChild } = ts;
  const kinds = new Map<number, DefinitionKind>([
    [SyntaxKind.FunctionDeclaration, 'function'],
    [SyntaxKind.ClassDeclaration, 'class'],
    [SyntaxKind.InterfaceDeclaration, 'interface'],
    [SyntaxKind.TypeAliasDeclaration, 'type'],
    [SyntaxKind.EnumDeclaration, 'enum'],
    [SyntaxKind.EnumMember, 'enum_member'],
    [SyntaxKind.ModuleDeclaration, 'namespace'],
    [SyntaxKind.MethodDeclaration, 'method'],
    [SyntaxKind.MethodSignature, 'method'],
    [SyntaxKind.GetAccessor, 'method'],
    [SyntaxKind.SetAccessor, 'method'],
    [SyntaxKind.PropertyDeclaration, 'field'],
    [SyntaxKind.PropertySignature, 'field'],
  ]);
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = new LineFinder(text);

  const visit = (node: tsModule.Node, within: number, depth: number): void => {
    if (depth > DEPTH_MAX) return;
    const inner = define(node, within);
    use(node, inner);
    forEachChild(node, (child) => visit(child, inner, depth + 1));
  };

  const define = (node: tsModule.Node, within: number): number => {
    const name = (node as Partial<tsModule.NamedDeclaration>).name;
    const kind = isOpenVariable(node) ? 'variable' : kinds.get(node.kind);
    if (kind === undefined || !name || !('text' in name) || name.text === '') return within;
    const outer = node.kind === SyntaxKind.VariableDeclaration ? node.parent.parent : node;
    const start = outer.getStart(source);
    const body = (node as { body?: tsModule.Node }).body ?? null;
    const number = out.definition({
      name: name.text,
      kind,
      exported: text.startsWith('export', start),
      startLine: lines.line(start),
      startColumn: lines.column(start),
      endLine: lines.line(Math.max(start, outer.end - 1)),
      line: lines.line(name.getStart(source)),
      container: within,
      headStart: start,
      headEnd: body ? body.getStart(source) : Math.min(outer.end, start + 200),
    });
    return number < 0 ? within : number;
  };

  const isOpenVariable = (node: tsModule.Node): boolean =>
    node.kind === SyntaxKind.VariableDeclaration &&
    node.parent.parent.kind === SyntaxKind.VariableStatement &&
    node.parent.parent.parent === source;

  const use = (node: tsModule.Node, within: number): void => {
    if (ts!.isImportDeclaration(node) && ts!.isStringLiteral(node.moduleSpecifier))
      out.import(lines.line(node.getStart(source)), node.moduleSpecifier.text, '*', null, 'static', false);
    if (
      !ts!.isIdentifier(node) ||
      node.text === '' ||
      ((node.parent as Partial<tsModule.NamedDeclaration>).name === node && !ts!.isPropertyAccessExpression(node.parent))
    )
      return;
    const parent = node.parent;
    const isMember = ts!.isPropertyAccessExpression(parent) && parent.name === node;
    const outer = isMember ? parent.parent : parent;
    const callee = isMember ? parent : node;
    let role: ReferenceRole = 'read';
    if (ts!.isCallExpression(outer) && outer.expression === callee) role = 'call';
    else if (ts!.isNewExpression(outer) && outer.expression === callee) role = 'new';
    else if (ts!.isTypeReferenceNode(parent)) role = 'type';
    else if (ts!.isImportSpecifier(parent)) role = 'import';
    const at = node.getStart(source);
    const object = isMember ? parent.expression : null;
    const of = object === null ? null : ts!.isIdentifier(object) ? object.text : object.kind === SyntaxKind.ThisKeyword ? 'this' : '';
    const row = out.reference(node.text, role, lines.line(at), lines.column(at), of, within, -1);
    if ((ts!.isCallExpression(outer) || ts!.isNewExpression(outer)) && (role === 'call' || role === 'new')) {
      const given = outer.arguments;
      out.call(row, object?.getStart(source) ?? -1, object?.end ?? -1, given?.pos ?? outer.end, given?.end ?? outer.end);
    }
  };

  forEachChild(source, (node) => visit(node, -1, 0));
}
