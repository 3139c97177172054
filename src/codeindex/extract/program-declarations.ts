// Declarations of a program: what they define, bind and inherit.

import type { DefinitionKind, ReferenceRole } from '../model.ts';
import { boundIn, nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from '../syntax-node.ts';
import { importTarget } from '../segment/builder.ts';
import { ProgramWalk, type Use } from './program-walk.ts';
import { LOCAL } from './scopes.ts';

export const isFunction = ({ type }: SyntaxNode): boolean => type === 'ArrowFunctionExpression' || type === 'FunctionExpression';

export abstract class ProgramDeclarations extends ProgramWalk {
  abstract member(node: SyntaxNode, role: ReferenceRole, call?: Use['call']): void;
  abstract entity(node: SyntaxNode | null, role: ReferenceRole): void;
  abstract callee(given: SyntaxNode, role: ReferenceRole, argumentsStart: number, argumentsEnd: number): void;

  functionScope(node: SyntaxNode): void {
    this.inScope(true, () => {
      const id = node.type === 'FunctionExpression' ? nodeIn(node, 'id') : null;
      if (id) this.scope.declare(textIn(id, 'name'), LOCAL);
      this.maybe(nodeIn(node, 'typeParameters'));
      for (const parameter of nodesIn(node, 'params')) this.bind(parameter);
      this.maybe(nodeIn(node, 'returnType'));
      const body = nodeIn(node, 'body');
      // Its block is the function's own scope.
      if (body?.type === 'BlockStatement' || body?.type === 'FunctionBody') this.children(body);
      else this.maybe(body);
    });
  }

  /** Declares what a pattern binds as local, and visits its types and default values. */
  bind(pattern: SyntaxNode, isVar = false): void {
    switch (pattern.type) {
      case 'Identifier':
        if (isVar) this.scope.declareVar(textIn(pattern, 'name'), LOCAL);
        else this.scope.declare(textIn(pattern, 'name'), LOCAL);
        this.visitAll(nodesIn(pattern, 'decorators'));
        return this.maybe(nodeIn(pattern, 'typeAnnotation'));
      case 'AssignmentPattern':
        this.bind(nodeIn(pattern, 'left')!, isVar);
        return this.visit(nodeIn(pattern, 'right')!);
      case 'ObjectPattern':
        for (const part of nodesIn(pattern, 'properties')) {
          const name = part.type === 'Property' ? plainKey(part) : null;
          const key = nodeIn(part, 'key');
          if (name !== null && key) this.use(name, 'read', key.start, '');
          else if (key && part['computed'] === true) this.visit(key);
          this.bind(nodeIn(part, part.type === 'Property' ? 'value' : 'argument')!, isVar);
        }
        return this.maybe(nodeIn(pattern, 'typeAnnotation'));
      case 'ArrayPattern':
        for (const part of nodesIn(pattern, 'elements')) this.bind(part, isVar);
        return this.maybe(nodeIn(pattern, 'typeAnnotation'));
      case 'RestElement':
        this.bind(nodeIn(pattern, 'argument')!, isVar);
        return this.maybe(nodeIn(pattern, 'typeAnnotation'));
      case 'TSParameterProperty': {
        this.visitAll(nodesIn(pattern, 'decorators'));
        const inner = nodeIn(pattern, 'parameter')!;
        // A field of the class around this constructor.
        const name = boundIn(inner)[0];
        if (name && this.classOf >= 0) {
          const before = this.within;
          this.within = this.classOf;
          this.define(textIn(name, 'name'), 'field', pattern, name, pattern.end);
          this.within = before;
        }
        return this.bind(inner);
      }
      default:
        return this.visit(pattern);
    }
  }

  /** `outer` is the statement around it: `export` belongs to it. */
  declaration(node: SyntaxNode, outer: SyntaxNode, exported: boolean, defaultName: string | null = null): void {
    const id = nodeIn(node, 'id');
    const name = id ? textIn(id, 'name') : defaultName;
    const start = id ?? node;
    const body = nodeIn(node, 'body');
    switch (node.type) {
      case 'VariableDeclaration':
        for (const declarator of nodesIn(node, 'declarations')) this.variable(declarator, node, outer, exported);
        return;
      case 'TSModuleDeclaration': {
        const title = id?.type === 'Literal' ? textIn(id, 'value') : id ? this.text.slice(id.start, id.end) : '';
        const number = title === '' ? -1 : this.define(title, 'namespace', outer, start, body?.start ?? outer.end, exported);
        if (number >= 0) this.scope.declare(title, number);
        return this.inside(number, () =>
          this.inScope(
            true,
            () => (body?.type === 'TSModuleDeclaration' ? this.declaration(body, body, true) : body && this.children(body)),
            true,
          ),
        );
      }
      case 'FunctionDeclaration':
      case 'TSDeclareFunction': {
        const number = name === null ? -1 : this.define(name, 'function', outer, start, body?.start ?? outer.end, exported);
        if (number >= 0) this.scope.declare(name!, number);
        return this.inside(number, () => this.functionScope(node));
      }
      case 'ClassDeclaration': {
        const number = name === null ? -1 : this.define(name, 'class', outer, start, body?.start ?? outer.end, exported);
        if (number >= 0) this.scope.declare(name!, number);
        return this.inScope(false, () => this.classParts(node, number));
      }
      default: {
        const kind = node.type === 'TSInterfaceDeclaration' ? 'interface' : node.type === 'TSEnumDeclaration' ? 'enum' : 'type';
        const number = this.define(name ?? 'default', kind, outer, start, body?.start ?? outer.end, exported);
        this.scope.declare(name ?? 'default', number);
        const before = this.typeOf;
        this.typeOf = number;
        this.inside(number, () => this.inScope(false, () => this.typeParts(node, number)));
        this.typeOf = before;
      }
    }
  }

  typeParts(node: SyntaxNode, number: number): void {
    this.maybe(nodeIn(node, 'typeParameters'));
    for (const base of nodesIn(node, 'extends')) this.base(base, 'extends', number);
    for (const member of nodesIn(nodeIn(node, 'body') ?? node, 'members')) {
      const id = nodeIn(member, 'id');
      const name = id ? (id.type === 'Literal' ? textIn(id, 'value') : textIn(id, 'name')) : '';
      if (name !== '') this.define(name, 'enum_member', member, member, member.end);
      this.maybe(nodeIn(member, 'initializer'));
    }
    if (node.type === 'TSInterfaceDeclaration') this.maybe(nodeIn(node, 'body'));
    this.maybe(nodeIn(node, 'typeAnnotation'));
  }

  base(node: SyntaxNode, how: 'extends' | 'implements', heir: number): void {
    const expression = nodeIn(node, 'expression') ?? node;
    const name = lastName(expression);
    if (name !== '' && name !== null)
      this.out.inherits(
        heir,
        this.text.slice(expression.start, Math.min(expression.end, expression.start + 200)),
        how,
        this.lines.line(expression.start),
      );
    if (expression.type === 'Identifier') this.use(textIn(expression, 'name'), how, expression.start);
    else if (expression.type === 'MemberExpression') this.member(expression, how);
    else if (expression.type === 'TSQualifiedName') this.entity(expression, how);
    else this.visit(expression);
    for (const part of ['typeArguments', 'superTypeArguments']) if (expression !== node) this.maybe(nodeIn(node, part));
  }

  classParts(node: SyntaxNode, number: number): void {
    for (const decorator of nodesIn(node, 'decorators')) this.decorator(decorator, number);
    if (number >= 0 && number !== this.within) this.describe(node, number);
    const before = this.classOf;
    this.classOf = number;
    this.inside(number, () => {
      this.maybe(nodeIn(node, 'typeParameters'));
      const base = nodeIn(node, 'superClass');
      if (base) this.base(base, 'extends', number);
      this.maybe(nodeIn(node, 'superTypeArguments'));
      for (const each of nodesIn(node, 'implements')) this.base(each, 'implements', number);
      const body = nodeIn(node, 'body');
      for (const member of body ? nodesIn(body, 'body') : []) this.classMember(member);
    });
    this.classOf = before;
  }

  /** By the first pack that knows the class. */
  describe(node: SyntaxNode, number: number): void {
    for (const pack of this.packs) {
      const found = pack.describeClass(node, number, this.lines.line(node.start));
      if (!found) continue;
      this.out.component(found.component);
      if (found.template) this.templates.push({ pack, number, ...found.template });
      return;
    }
  }

  classMember(node: SyntaxNode): void {
    switch (node.type) {
      case 'MethodDefinition':
      case 'TSAbstractMethodDefinition':
        return this.memberDefinition(node, node['kind'] === 'constructor' ? 'constructor' : 'method');
      case 'PropertyDefinition':
      case 'TSAbstractPropertyDefinition':
      case 'AccessorProperty':
      case 'TSAbstractAccessorProperty':
        return this.memberDefinition(node, 'field');
      default:
        return this.visit(node);
    }
  }

  /** A member of a class, an interface or a type. */
  memberDefinition(node: SyntaxNode, kind: DefinitionKind): void {
    const key = nodeIn(node, 'key');
    const name = plainKey(node);
    const value = nodeIn(node, 'value');
    const body = value ? (isFunction(value) || value.type.startsWith('TSEmptyBody') ? nodeIn(value, 'body') : value) : null;
    const isPart = node.type.startsWith('TS') && node.type.endsWith('Signature') && this.within !== this.typeOf;
    const number = name === null || isPart ? -1 : this.define(name, kind, node, key ?? node, body?.start ?? node.end);
    for (const decorator of nodesIn(node, 'decorators')) this.decorator(decorator, number);
    if (name === null && key && node['computed'] === true) this.visit(key);
    this.inside(number, () =>
      this.inScope(node.type === 'TSMethodSignature', () => {
        this.maybe(nodeIn(node, 'typeParameters'));
        for (const parameter of nodesIn(node, 'params')) this.bind(parameter);
        for (const part of ['returnType', 'typeAnnotation']) this.maybe(nodeIn(node, part));
        if (value && /Function/.test(value.type)) this.functionScope(value);
        else this.maybe(value);
      }),
    );
  }

  variable(declarator: SyntaxNode, declaration: SyntaxNode, outer: SyntaxNode, exported: boolean): void {
    const id = nodeIn(declarator, 'id')!;
    const init = nodeIn(declarator, 'init');
    const holdsFunction = init !== null && isFunction(init);
    const isClass = init?.type === 'ClassExpression';
    const isVar = declaration['kind'] === 'var';
    // Of local variables only those that hold functions and classes are worth finding.
    const isFound = this.isOpen() || holdsFunction || isClass;
    if (isFound && this.takeRequired(id, init)) return this.bind(id, isVar);
    if (!isFound) {
      this.bind(id, isVar);
      return this.maybe(init);
    }
    const names = boundIn(id);
    const only = nodesIn(declaration, 'declarations').length === 1;
    let last = -1;
    for (const each of names) {
      const name = textIn(each, 'name');
      const kind = holdsFunction ? 'function' : isClass ? 'class' : declaration['kind'] === 'const' ? 'const' : 'variable';
      const body = init && (holdsFunction || isClass) ? nodeIn(init, 'body') : null;
      last = this.define(
        name,
        kind,
        only ? outer : declarator,
        each,
        body?.start ?? (init ? Math.min(init.end, init.start + 80) : outer.end),
        exported,
      );
      if (isVar) this.scope.declareVar(name, last);
      else this.scope.declare(name, last);
    }
    // Names are declared above as definitions; this visits the types and defaults beside them.
    this.bind(id, isVar);
    if (isClass) return this.inScope(false, () => this.classParts(init, last));
    this.inside(names.length === 1 ? last : -1, () => this.maybe(init));
  }

  /** At the top of the file or of a namespace. */
  isOpen(): boolean {
    return this.scope.isOpen;
  }

  /** `const a = require('b')`, also with names taken out of it. */
  takeRequired(id: SyntaxNode, init: SyntaxNode | null): boolean {
    const specifier = init && requiredBy(init);
    if (specifier === null || init === null) return false;
    const line = this.lines.line(init.start);
    if (id.type === 'Identifier')
      this.scope.declare(textIn(id, 'name'), importTarget(this.out.import(line, specifier, '*', textIn(id, 'name'), 'require', false)));
    for (const part of id.type === 'ObjectPattern' ? nodesIn(id, 'properties') : []) {
      const name = plainKey(part);
      const local = nodeIn(part, 'value');
      if (name === null || local?.type !== 'Identifier') continue;
      const target = importTarget(this.out.import(line, specifier, name, textIn(local, 'name'), 'require', false));
      this.scope.declare(textIn(local, 'name'), target);
      this.use(name, 'import', part.start, null, null, target);
    }
    return true;
  }

  decorator(node: SyntaxNode, on: number): void {
    const expression = nodeIn(node, 'expression')!;
    const call = expression.type === 'CallExpression' ? expression : null;
    const callee = call ? nodeIn(call, 'callee')! : expression;
    const name = lastName(callee);
    const open = call ? this.text.indexOf('(', callee.end) : -1;
    if (name) this.out.decorator(on, name, this.lines.line(node.start), open < 0 ? -1 : open + 1, open < 0 ? -1 : expression.end - 1);
    if (callee.type === 'Identifier') this.use(textIn(callee, 'name'), 'decorator', callee.start);
    else if (callee.type === 'MemberExpression') this.member(callee, 'decorator');
    else this.visit(callee);
    if (call) this.visitAll(nodesIn(call, 'arguments'));
  }
}

/** What is required when a call is `require('…')`. */
export function requiredBy(node: SyntaxNode): string | null {
  const callee = node.type === 'CallExpression' ? nodeIn(node, 'callee') : null;
  const [first] = callee?.type === 'Identifier' && textIn(callee, 'name') === 'require' ? nodesIn(node, 'arguments') : [];
  return first?.type === 'Literal' && typeof first['value'] === 'string' ? first['value'] : null;
}

/** `b` for `a.b`, `this`, or the empty string for what has no name. */
export function lastName(node: SyntaxNode): string {
  switch (node.type) {
    case 'Identifier':
    case 'JSXIdentifier':
      return textIn(node, 'name');
    case 'ThisExpression':
      return 'this';
    case 'Super':
      return 'super';
    case 'MemberExpression':
    case 'JSXMemberExpression': {
      const property = nodeIn(node, 'property');
      return property && node['computed'] !== true ? textIn(property, 'name') : '';
    }
    case 'TSQualifiedName':
      return textIn(nodeIn(node, 'right') ?? node, 'name');
    case 'TSNonNullExpression':
    case 'ChainExpression':
    case 'TSAsExpression':
    case 'AwaitExpression': {
      const inner = nodeIn(node, 'expression');
      return inner ? lastName(inner) : '';
    }
    default:
      return '';
  }
}
