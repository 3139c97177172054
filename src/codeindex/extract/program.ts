// Facts of TypeScript and JavaScript, from the fast parser's tree: one walk, with names looked up in their scopes at its end.

import type { ReferenceRole } from '../model.ts';
import { boundIn, moduleName, nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from '../syntax-node.ts';
import { isFunction, lastName, ProgramDeclarations, requiredBy } from './program-declarations.ts';
import type { Use } from './program-walk.ts';
import { importTarget } from '../segment/builder.ts';
import { LOCAL } from './scopes.ts';

const CALLED_THROUGH = new Set(['ChainExpression', 'TSNonNullExpression', 'TSInstantiationExpression']);

export class ProgramReader extends ProgramDeclarations {
  visit(node: SyntaxNode): void {
    switch (node.type) {
      case 'Identifier':
        this.use(node['name'] as string, 'read', node.start);
        this.maybe(nodeIn(node, 'typeAnnotation'));
        return;
      case 'MemberExpression':
        return this.member(node, 'read');
      case 'CallExpression':
      case 'NewExpression':
        return this.callTo(node);
      // The most frequent ones first: every kind above is compared with before one is found.
      case 'Literal':
      case 'ThisExpression':
        return;
      case 'ExpressionStatement':
      case 'ReturnStatement':
      case 'ObjectExpression':
      case 'BinaryExpression':
      case 'TSTypeAnnotation':
        return this.children(node);
      case 'TaggedTemplateExpression': {
        const quasi = nodeIn(node, 'quasi');
        this.callee(nodeIn(node, 'tag')!, 'call', quasi?.start ?? node.end, node.end);
        return this.maybe(quasi);
      }
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
      case 'ClassDeclaration':
      case 'TSInterfaceDeclaration':
      case 'TSTypeAliasDeclaration':
      case 'TSEnumDeclaration':
      case 'TSModuleDeclaration':
      case 'VariableDeclaration':
        return this.declaration(node, node, false);
      case 'FunctionExpression':
      case 'ArrowFunctionExpression':
        return this.functionScope(node);
      case 'ClassExpression':
        return this.inScope(false, () => {
          const id = nodeIn(node, 'id');
          if (id) this.scope.declare(textIn(id, 'name'), LOCAL);
          this.classParts(node, this.within);
        });
      case 'BlockStatement':
      case 'StaticBlock':
      case 'ForStatement':
      case 'ForInStatement':
      case 'ForOfStatement':
      case 'SwitchStatement':
        return this.inScope(node.type === 'StaticBlock', () => this.children(node));
      case 'CatchClause':
        return this.inScope(false, () => {
          const parameter = nodeIn(node, 'param');
          if (parameter) this.bind(parameter);
          this.maybe(nodeIn(node, 'body'));
        });
      case 'AssignmentExpression':
        this.target(nodeIn(node, 'left')!);
        return this.visit(nodeIn(node, 'right')!);
      case 'UpdateExpression':
        return this.target(nodeIn(node, 'argument')!);
      case 'Property':
        return this.property(node);
      case 'LabeledStatement':
        return this.visit(nodeIn(node, 'body')!);
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'MetaProperty':
        return;
      case 'Decorator':
        return this.decorator(node, -1);
      case 'ImportDeclaration':
      case 'ExportNamedDeclaration':
      case 'ExportDefaultDeclaration':
      case 'ExportAllDeclaration':
      case 'TSExportAssignment':
      case 'TSImportEqualsDeclaration':
      case 'ImportExpression':
      case 'TSImportType':
        return this.moduleNode(node);
      default:
        return this.visitTypesAndTags(node);
    }
  }

  visitTypesAndTags(node: SyntaxNode): void {
    switch (node.type) {
      case 'TSTypeReference':
      case 'TSTypeQuery':
        this.entity(nodeIn(node, node.type === 'TSTypeQuery' ? 'exprName' : 'typeName'), node.type === 'TSTypeQuery' ? 'read' : 'type');
        return this.maybe(nodeIn(node, 'typeArguments'));
      case 'TSTypeParameter': {
        const name = nodeIn(node, 'name');
        this.scope.declare(name ? textIn(name, 'name') : textIn(node, 'name'), LOCAL);
        this.maybe(nodeIn(node, 'constraint'));
        return this.maybe(nodeIn(node, 'default'));
      }
      case 'TSMappedType':
        return this.inScope(false, () => {
          const key = nodeIn(node, 'key');
          if (key) this.scope.declare(textIn(key, 'name'), LOCAL);
          for (const part of ['constraint', 'nameType', 'typeAnnotation']) this.maybe(nodeIn(node, part));
        });
      case 'TSFunctionType':
      case 'TSConstructorType':
      case 'TSCallSignatureDeclaration':
      case 'TSConstructSignatureDeclaration':
      case 'TSConditionalType':
        return this.inScope(false, () => {
          this.maybe(nodeIn(node, 'typeParameters'));
          for (const parameter of nodesIn(node, 'params')) this.bind(parameter);
          for (const part of ['returnType', 'checkType', 'extendsType', 'trueType', 'falseType']) this.maybe(nodeIn(node, part));
        });
      case 'TSTypePredicate':
        return this.maybe(nodeIn(node, 'typeAnnotation'));
      case 'TSIndexSignature':
        return this.inScope(false, () => {
          for (const parameter of nodesIn(node, 'parameters')) this.bind(parameter);
          this.maybe(nodeIn(node, 'typeAnnotation'));
        });
      case 'TSNamedTupleMember':
        return this.maybe(nodeIn(node, 'elementType'));
      case 'TSPropertySignature':
      case 'TSMethodSignature':
        return this.memberDefinition(node, node.type === 'TSMethodSignature' ? 'method' : 'field');
      case 'JSXOpeningElement':
        this.tag(nodeIn(node, 'name')!);
        this.maybe(nodeIn(node, 'typeArguments'));
        return this.visitAll(nodesIn(node, 'attributes'));
      case 'JSXClosingElement':
        return this.tag(nodeIn(node, 'name')!);
      case 'JSXAttribute':
        return this.maybe(nodeIn(node, 'value'));
      default:
        return this.children(node);
    }
  }

  /** `A.B.C` in a type or after `typeof`. */
  entity(node: SyntaxNode | null, role: ReferenceRole): void {
    if (node?.type === 'Identifier') this.use(textIn(node, 'name'), role, node.start);
    else if (node?.type === 'TSQualifiedName') {
      const left = nodeIn(node, 'left')!;
      const right = nodeIn(node, 'right')!;
      this.entity(left, 'read');
      this.use(textIn(right, 'name'), role, right.start, lastName(left));
    } else this.maybe(node);
  }

  tag(node: SyntaxNode): void {
    if (node.type === 'JSXIdentifier' || node.type === 'Identifier') {
      const name = textIn(node, 'name');
      // Small letters are elements of the page.
      if (/^[^a-z]/.test(name)) this.use(name, 'jsx', node.start);
    } else if (node.type === 'JSXMemberExpression') {
      const object = nodeIn(node, 'object')!;
      const property = nodeIn(node, 'property')!;
      if (object.type === 'JSXMemberExpression') this.tag(object);
      else this.use(textIn(object, 'name'), 'read', object.start);
      this.use(textIn(property, 'name'), 'jsx', property.start, lastName(object));
    }
  }

  member(node: SyntaxNode, role: ReferenceRole, call: Use['call'] = null): void {
    const object = nodeIn(node, 'object')!;
    const property = nodeIn(node, 'property')!;
    this.visit(object);
    if (node['computed'] !== true) {
      const name = property.type === 'PrivateIdentifier' ? `#${textIn(property, 'name')}` : textIn(property, 'name');
      this.use(name, role, property.start, lastName(object), call);
    } else if (property.type === 'Literal' && typeof property['value'] === 'string') {
      this.use(property['value'], role, property.start, lastName(object), call);
    } else this.visit(property);
  }

  callTo(node: SyntaxNode): void {
    const callee = nodeIn(node, 'callee')!;
    const types = nodeIn(node, 'typeArguments');
    const given = nodesIn(node, 'arguments');
    const specifier = requiredBy(node);
    if (specifier !== null) this.out.import(this.lines.line(node.start), specifier, null, null, 'require', false);
    const open = this.text.indexOf('(', types?.end ?? callee.end);
    const hasArguments = open >= 0 && open < node.end && this.text[node.end - 1] === ')';
    this.callee(
      callee,
      node.type === 'NewExpression' ? 'new' : 'call',
      hasArguments ? open + 1 : node.end,
      hasArguments ? node.end - 1 : node.end,
    );
    this.maybe(types);
    this.visitAll(given);
  }

  callee(given: SyntaxNode, role: ReferenceRole, argumentsStart: number, argumentsEnd: number): void {
    const callee = CALLED_THROUGH.has(given.type) ? nodeIn(given, 'expression')! : given;
    if (callee.type === 'Identifier') this.use(textIn(callee, 'name'), role, callee.start, null, [-1, -1, argumentsStart, argumentsEnd]);
    else if (callee.type === 'MemberExpression') {
      const object = nodeIn(callee, 'object')!;
      this.member(callee, role, [object.start, object.end, argumentsStart, argumentsEnd]);
    } else this.visit(callee);
  }

  /** The left side of an assignment, or what `++` counts. */
  target(node: SyntaxNode): void {
    if (node.type === 'Identifier') this.use(textIn(node, 'name'), 'write', node.start);
    else if (node.type === 'MemberExpression') this.member(node, 'write');
    else if (node.type === 'ObjectPattern' || node.type === 'ArrayPattern') {
      for (const part of [...nodesIn(node, 'properties'), ...nodesIn(node, 'elements')])
        this.target(nodeIn(part, 'value') ?? nodeIn(part, 'argument') ?? part);
    } else if (node.type === 'AssignmentPattern') {
      this.target(nodeIn(node, 'left')!);
      this.visit(nodeIn(node, 'right')!);
    } else this.visit(node);
  }

  /** A key of an object that is written down. Functions there are found by name, as methods are. */
  property(node: SyntaxNode): void {
    const key = nodeIn(node, 'key')!;
    const value = nodeIn(node, 'value')!;
    const name = plainKey(node);
    if (name === null) this.visit(key);
    if (node['shorthand'] === true) return this.use(textIn(value, 'name'), 'read', value.start);
    if (name !== null && isFunction(value)) {
      const definition = this.define(name, 'method', node, key, nodeIn(value, 'body')?.start ?? node.end);
      return this.inside(definition, () => this.functionScope(value));
    }
    if (name !== null) this.use(name, 'write', key.start, '');
    this.visit(value);
  }

  moduleNode(node: SyntaxNode): void {
    const source = nodeIn(node, 'source') ?? nodeIn(node, 'argument');
    const from =
      source?.type === 'Literal'
        ? textIn(source, 'value')
        : source?.type === 'TSLiteralType'
          ? textIn(nodeIn(source, 'literal') ?? source, 'value')
          : null;
    const line = this.lines.line(node.start);
    switch (node.type) {
      case 'ImportDeclaration':
        return this.imports(node, from ?? '', line);
      case 'ImportExpression':
        if (from !== null) this.out.import(line, from, '*', null, 'dynamic', false);
        return this.maybe(source);
      case 'TSImportType':
        if (from !== null) this.out.import(line, from, '*', null, 'dynamic', true);
        if (nodeIn(node, 'qualifier')) this.use(lastName(nodeIn(node, 'qualifier')!), 'type', nodeIn(node, 'qualifier')!.start, '');
        return this.maybe(nodeIn(node, 'typeArguments'));
      case 'TSImportEqualsDeclaration': {
        const local = textIn(nodeIn(node, 'id')!, 'name');
        const reference = nodeIn(node, 'moduleReference')!;
        const target = nodeIn(reference, 'expression');
        if (target?.type === 'Literal')
          this.scope.declare(local, importTarget(this.out.import(line, textIn(target, 'value'), '*', local, 'require', false)));
        else {
          this.scope.declare(local, LOCAL);
          this.entity(reference, 'read');
        }
        return;
      }
      case 'TSExportAssignment':
        this.out.export(line, 'default', lastName(nodeIn(node, 'expression')!) || null, null);
        this.exportedLater.push(lastName(nodeIn(node, 'expression')!));
        return this.visit(nodeIn(node, 'expression')!);
      case 'ExportAllDeclaration': {
        const exported = nodeIn(node, 'exported');
        this.out.import(line, from ?? '', '*', null, 'reexport', node['exportKind'] === 'type');
        return this.out.export(line, exported ? moduleName(exported) : '*', null, from);
      }
      case 'ExportDefaultDeclaration': {
        const declaration = nodeIn(node, 'declaration')!;
        const name = declaration.type === 'Identifier' ? textIn(declaration, 'name') : textIn(nodeIn(declaration, 'id') ?? node, 'name');
        this.out.export(line, 'default', name || 'default', null);
        if (declaration.type === 'Identifier') this.exportedLater.push(name);
        if (/Declaration$|^TSDeclareFunction$/.test(declaration.type)) return this.declaration(declaration, node, true, 'default');
        return this.visit(declaration);
      }
      default:
        return this.exports(node, from, line);
    }
  }

  imports(node: SyntaxNode, from: string, line: number): void {
    const typeOnly = node['importKind'] === 'type';
    const specifiers = nodesIn(node, 'specifiers');
    if (specifiers.length === 0) this.out.import(line, from, null, null, 'static', typeOnly);
    for (const specifier of specifiers) {
      const local = textIn(nodeIn(specifier, 'local')!, 'name');
      const given = nodeIn(specifier, 'imported');
      const imported = given ? moduleName(given) : specifier.type === 'ImportDefaultSpecifier' ? 'default' : '*';
      const row = this.out.import(
        this.lines.line(specifier.start),
        from,
        imported,
        local,
        'static',
        typeOnly || specifier['importKind'] === 'type',
      );
      this.scope.declare(local, importTarget(row));
      if (imported !== '*') this.use(imported, 'import', specifier.start, null, null, importTarget(row));
    }
  }

  exports(node: SyntaxNode, from: string | null, line: number): void {
    const declaration = nodeIn(node, 'declaration');
    if (declaration) {
      for (const name of declaredNames(declaration)) this.out.export(line, name, name, null);
      return this.declaration(declaration, node, true);
    }
    for (const specifier of nodesIn(node, 'specifiers')) {
      const local = nodeIn(specifier, 'local')!;
      const name = moduleName(local);
      const at = this.lines.line(specifier.start);
      this.out.export(at, moduleName(nodeIn(specifier, 'exported')!), name, from);
      if (from === null) {
        this.exportedLater.push(name);
        this.use(name, 'export', local.start);
      } else {
        const row = this.out.import(at, from, name, null, 'reexport', node['exportKind'] === 'type' || specifier['exportKind'] === 'type');
        this.use(name, 'export', local.start, null, null, importTarget(row));
      }
    }
  }
}

function declaredNames(node: SyntaxNode): readonly string[] {
  if (node.type === 'VariableDeclaration')
    return nodesIn(node, 'declarations').flatMap((each) => boundIn(nodeIn(each, 'id')!).map((name) => textIn(name, 'name')));
  const id = nodeIn(node, 'id');
  return id ? [id.type === 'Literal' ? textIn(id, 'value') : textIn(id, 'name')] : [];
}
