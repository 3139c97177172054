// Which declaration every name in a program means.
//
// INVARIANT: a name counts as a reference only where the language says so, and where this file does not know the language well
// enough, no name of the whole program may change (`rigid`). A missed reference would let half a rename pass for a whole one.

import { JSX_FACTORIES, PLAIN, SPELLED } from './language-facts.ts';
import type { Source } from './parse-source.ts';
import { ANY, type Binding, PRIVATE, Scope, SPACE, TYPE, VALUE } from './scope.ts';
import { boundIn, childrenOf, isNode, nodeIn, nodesIn, plainKey, type SyntaxNode, textIn } from './syntax-node.ts';

export interface Names {
  /** Declarations and references alike; what is not in it is no name of this program. */
  readonly bindingOf: ReadonlyMap<SyntaxNode, Binding>;
  /** Why no name may change at all; completes "and". */
  readonly rigid: string | null;
  /** `eval` or `with`: what a name means is then only known when the program runs. */
  readonly unknowable: string | null;
}

export function resolveNames(source: Source): Names {
  return new Resolver(source).run();
}

class Resolver {
  readonly #source: Source;
  readonly #references: { readonly node: SyntaxNode; readonly name: string; readonly meaning: number; readonly scope: Scope }[] = [];
  readonly #nameReads: SyntaxNode[] = [];
  readonly #imports: Binding[] = [];
  readonly #enums = new Set<Binding>();
  #hasJsx = false;
  #readsNames = false;
  #rigid: string | null;
  #unknowable: string | null = null;
  /** Where `infer` declares: the branch that the nearest conditional type takes when it fits. */
  #inferred: Scope | null = null;

  constructor(source: Source) {
    this.#source = source;
    this.#rigid = source.ambient ? 'other files see all of a declaration file' : null;
  }

  run(): Names {
    const top = new Scope(null, 'top');
    this.#visitAll(nodesIn(this.#source.program, 'body'), top);
    const bindingOf = new Map<SyntaxNode, Binding>();
    // Only now: names are declared for their whole scope, also for earlier code.
    for (const { node, name, meaning, scope } of this.#references) {
      const binding = scope.find(name, meaning);
      if (binding) bindingOf.set(node, binding);
    }
    for (const binding of bindingOf.values()) if (SPELLED.test(binding.name)) binding.fixed ??= 'tools go by such names';
    if (this.#source.topNames === 'shared')
      for (const binding of top.bindings()) binding.fixed ??= 'other scripts see the names of a script';
    if (this.#hasJsx) {
      for (const binding of this.#imports) binding.fixed ??= 'JSX may use it unseen';
      for (const binding of bindingOf.values()) if (JSX_FACTORIES.has(binding.name)) binding.fixed ??= 'JSX may use it unseen';
    }
    if (this.#readsNames || this.#nameReads.some((node) => bindingOf.get(node)?.isCallable))
      for (const binding of bindingOf.values())
        if (binding.isCallable) binding.fixed ??= 'the program reads names of its functions or classes';
    return { bindingOf, rigid: this.#rigid, unknowable: this.#unknowable };
  }

  #declare(id: SyntaxNode, scope: Scope, meanings: number, visibleIn: Scope = scope): Binding {
    const name = textIn(id, 'name');
    if (name === 'arguments') this.#rigid ??= 'a declared `arguments` hides the one of functions';
    const binding = scope.declare(name, meanings);
    this.#references.push({ node: id, name, meaning: meanings, scope: visibleIn });
    return binding;
  }

  #refer(node: SyntaxNode, scope: Scope, meaning: number): void {
    const name = textIn(node, 'name');
    if (name === 'eval') this.#unknowable ??= '`eval` is used';
    this.#references.push({ node, name: meaning === PRIVATE ? `#${name}` : name, meaning, scope });
  }

  #visitAll(nodes: readonly SyntaxNode[], scope: Scope): void {
    for (const node of nodes) this.#visit(node, scope);
  }

  #visitField(node: SyntaxNode, field: string, scope: Scope): void {
    const child = nodeIn(node, field);
    if (child) this.#visit(child, scope);
  }

  #visitFields(node: SyntaxNode, fields: readonly string[], scope: Scope): void {
    for (const field of fields) {
      const value = node[field];
      if (Array.isArray(value)) this.#visitAll(value.filter(isNode), scope);
      else if (isNode(value)) this.#visit(value, scope);
    }
  }

  #visit(node: SyntaxNode, scope: Scope): void {
    if (PLAIN.has(node.type)) return this.#visitAll(childrenOf(node), scope);
    switch (node.type) {
      case 'Identifier':
        this.#refer(node, scope, VALUE);
        return this.#visitFields(node, ['decorators', 'typeAnnotation'], scope);
      case 'PrivateIdentifier':
        return this.#refer(node, scope, PRIVATE);
      case 'MetaProperty':
      case 'BreakStatement':
      case 'ContinueStatement':
      case 'ExportAllDeclaration':
        return;
      case 'LabeledStatement':
        return this.#visitField(node, 'body', scope);
      case 'WithStatement':
        this.#unknowable ??= '`with` is used';
        return this.#visitFields(node, ['object', 'body'], scope);
      case 'MemberExpression':
        return this.#visitMember(node, scope);
      case 'Property':
      case 'TSPropertySignature':
      case 'MethodDefinition':
      case 'PropertyDefinition':
      case 'AccessorProperty':
      case 'TSAbstractMethodDefinition':
      case 'TSAbstractPropertyDefinition':
      case 'TSAbstractAccessorProperty':
        this.#visitKey(node, scope);
        return this.#visitFields(node, ['decorators', 'typeAnnotation', 'value'], scope);
      case 'BlockStatement':
        return this.#visitAll(nodesIn(node, 'body'), new Scope(scope, 'block'));
      case 'StaticBlock':
        return this.#visitAll(nodesIn(node, 'body'), new Scope(scope, 'function'));
      case 'ForStatement':
        return this.#visitFields(node, ['init', 'test', 'update', 'body'], new Scope(scope, 'block'));
      case 'ForInStatement':
      case 'ForOfStatement':
        return this.#visitFields(node, ['left', 'right', 'body'], new Scope(scope, 'block'));
      case 'SwitchStatement':
        this.#visitField(node, 'discriminant', scope);
        return this.#visitAll(nodesIn(node, 'cases'), new Scope(scope, 'block'));
      case 'CatchClause': {
        const caught = new Scope(scope, 'block');
        const param = nodeIn(node, 'param');
        if (param) this.#bind(param, caught, caught);
        return this.#visitField(node, 'body', caught);
      }
      case 'VariableDeclaration':
        return this.#visitVariables(node, scope);
      case 'FunctionDeclaration':
      case 'TSDeclareFunction':
      case 'FunctionExpression':
      case 'TSEmptyBodyFunctionExpression':
      case 'ArrowFunctionExpression':
        return this.#visitFunction(node, scope);
      case 'ClassDeclaration':
      case 'ClassExpression':
        return this.#visitClass(node, scope);
      case 'ImportDeclaration':
        for (const specifier of nodesIn(node, 'specifiers')) {
          const local = nodeIn(specifier, 'local');
          if (local) this.#imports.push(this.#declare(local, scope, ANY));
        }
        return;
      case 'ExportNamedDeclaration':
        this.#visitField(node, 'declaration', scope);
        if (nodeIn(node, 'source') === null) {
          for (const specifier of nodesIn(node, 'specifiers')) {
            const local = nodeIn(specifier, 'local');
            if (local) this.#refer(local, scope, ANY);
          }
        }
        return;
      case 'ExportDefaultDeclaration': {
        const declaration = nodeIn(node, 'declaration');
        // It may be a type that is exported.
        if (declaration?.type === 'Identifier') return this.#refer(declaration, scope, ANY);
        return this.#visitField(node, 'declaration', scope);
      }
      case 'JSXElement':
      case 'JSXFragment':
        this.#hasJsx = true;
        return this.#visitAll(childrenOf(node), scope);
      case 'JSXOpeningElement':
      case 'JSXClosingElement':
        this.#visitTag(nodeIn(node, 'name'), scope);
        return this.#visitFields(node, ['typeArguments', 'attributes'], scope);
      case 'JSXAttribute':
        return this.#visitField(node, 'value', scope);
      default:
        return this.#visitType(node, scope);
    }
  }

  #visitType(node: SyntaxNode, scope: Scope): void {
    switch (node.type) {
      case 'TSEnumDeclaration':
        return this.#visitEnum(node, scope);
      case 'TSTypeAliasDeclaration':
      case 'TSInterfaceDeclaration': {
        this.#markDeclared(node, this.#declareId(node, scope, TYPE));
        return this.#visitFields(node, ['typeParameters', 'extends', 'typeAnnotation', 'body'], new Scope(scope, 'block'));
      }
      case 'TSTypeParameter': {
        const name = nodeIn(node, 'name');
        if (name) this.#declare(name, scope, TYPE);
        return this.#visitFields(node, ['constraint', 'default'], scope);
      }
      case 'TSMappedType': {
        this.#visitField(node, 'constraint', scope);
        const inner = new Scope(scope, 'block');
        const key = nodeIn(node, 'key');
        if (key) this.#declare(key, inner, TYPE);
        return this.#visitFields(node, ['nameType', 'typeAnnotation'], inner);
      }
      case 'TSConditionalType': {
        this.#visitField(node, 'checkType', scope);
        const outer = this.#inferred;
        const fits = new Scope(scope, 'block');
        this.#inferred = fits;
        this.#visitField(node, 'extendsType', scope);
        this.#inferred = outer;
        this.#visitField(node, 'trueType', fits);
        return this.#visitField(node, 'falseType', scope);
      }
      case 'TSInferType': {
        const parameter = nodeIn(node, 'typeParameter');
        const name = parameter && nodeIn(parameter, 'name');
        if (name) this.#declare(name, this.#inferred ?? scope, TYPE);
        return parameter ? this.#visitField(parameter, 'constraint', scope) : undefined;
      }
      case 'TSFunctionType':
      case 'TSConstructorType':
      case 'TSCallSignatureDeclaration':
      case 'TSConstructSignatureDeclaration':
        return this.#visitFunction(node, scope);
      case 'TSMethodSignature':
        this.#visitKey(node, scope);
        return this.#visitFunction(node, scope);
      case 'TSIndexSignature': {
        const inner = new Scope(scope, 'function');
        for (const parameter of nodesIn(node, 'parameters')) this.#bind(parameter, inner, inner);
        return this.#visitField(node, 'typeAnnotation', inner);
      }
      case 'TSTypeReference':
        this.#visitQualified(nodeIn(node, 'typeName'), scope, TYPE, SPACE);
        return this.#visitField(node, 'typeArguments', scope);
      case 'TSTypeQuery':
        this.#visitQualified(nodeIn(node, 'exprName'), scope, VALUE, VALUE);
        return this.#visitField(node, 'typeArguments', scope);
      case 'TSInterfaceHeritage':
      case 'TSClassImplements':
        this.#visitQualified(nodeIn(node, 'expression'), scope, TYPE, SPACE);
        return this.#visitField(node, 'typeArguments', scope);
      case 'TSImportType':
        return this.#visitField(node, 'typeArguments', scope);
      case 'TSTypePredicate':
        return this.#visitFields(node, ['parameterName', 'typeAnnotation'], scope);
      case 'TSNamedTupleMember':
        return this.#visitField(node, 'elementType', scope);
      default:
        // Namespaces merge across blocks and files; whatever else comes here is not known yet.
        this.#rigid ??= `names in a ${node.type} are not followed`;
        return this.#visitAll(childrenOf(node), scope);
    }
  }

  #visitKey(node: SyntaxNode, scope: Scope): void {
    const key = nodeIn(node, 'key');
    if (key && (node['computed'] === true || key.type === 'PrivateIdentifier')) this.#visit(key, scope);
  }

  #visitMember(node: SyntaxNode, scope: Scope): void {
    const object = nodeIn(node, 'object');
    const property = nodeIn(node, 'property');
    if (object) this.#visit(object, scope);
    if (property && (node['computed'] === true || property.type === 'PrivateIdentifier')) this.#visit(property, scope);
    else if (object && property && textIn(property, 'name') === 'name') {
      if (object.type === 'Identifier') this.#nameReads.push(object);
      const owner = nodeIn(object, 'property');
      this.#readsNames ||= object.type === 'MetaProperty' || (owner !== null && textIn(owner, 'name') === 'constructor');
    }
  }

  /** Declares what a pattern binds and visits its defaults, keys and types. */
  #bind(pattern: SyntaxNode, into: Scope, from: Scope, fixed: string | null = null): void {
    for (const id of boundIn(pattern)) {
      if (textIn(id, 'name') === 'this') continue;
      const binding = this.#declare(id, into, VALUE, from);
      binding.fixed ??= fixed;
    }
    this.#visitPattern(pattern, from);
  }

  #visitPattern(pattern: SyntaxNode, scope: Scope): void {
    this.#visitFields(pattern, ['decorators', 'typeAnnotation'], scope);
    switch (pattern.type) {
      case 'ObjectPattern':
        for (const part of nodesIn(pattern, 'properties')) {
          this.#visitKey(part, scope);
          const inner = nodeIn(part, part.type === 'Property' ? 'value' : 'argument');
          if (inner) this.#visitPattern(inner, scope);
        }
        return;
      case 'ArrayPattern':
        for (const element of nodesIn(pattern, 'elements')) this.#visitPattern(element, scope);
        return;
      case 'AssignmentPattern': {
        const left = nodeIn(pattern, 'left');
        if (left) this.#visitPattern(left, scope);
        return this.#visitField(pattern, 'right', scope);
      }
      case 'RestElement':
      case 'TSParameterProperty': {
        const inner = nodeIn(pattern, pattern.type === 'RestElement' ? 'argument' : 'parameter');
        if (inner) this.#visitPattern(inner, scope);
      }
    }
  }

  #visitVariables(node: SyntaxNode, scope: Scope): void {
    for (const declarator of nodesIn(node, 'declarations')) {
      const id = nodeIn(declarator, 'id');
      const init = nodeIn(declarator, 'init');
      if (id) this.#bind(id, node['kind'] === 'var' ? scope.forVar : scope, scope, node['declare'] === true ? DECLARED : null);
      if (id?.type === 'Identifier' && init && /^(?:Arrow)?Function|^Class/.test(init.type)) {
        const binding = (node['kind'] === 'var' ? scope.forVar : scope).declare(textIn(id, 'name'), VALUE);
        binding.isCallable = true;
      }
      if (init) this.#visit(init, scope);
    }
  }

  #declareId(node: SyntaxNode, scope: Scope, meanings: number): Binding | null {
    const id = nodeIn(node, 'id');
    return id && this.#declare(id, scope, meanings);
  }

  #markDeclared(node: SyntaxNode, binding: Binding | null): void {
    if (binding && node['declare'] === true) binding.fixed ??= DECLARED;
  }

  #visitFunction(node: SyntaxNode, scope: Scope): void {
    let outer = scope;
    if (node.type === 'FunctionDeclaration' || node.type === 'TSDeclareFunction') {
      // Outside of modules such a function may be visible around its block as well.
      if (scope.kind === 'block' && this.#source.program['sourceType'] !== 'module')
        this.#rigid ??= 'a function is declared in a block of a script';
    } else if (nodeIn(node, 'id')) outer = new Scope(scope, 'block');
    const binding = this.#declareId(node, outer, VALUE);
    if (binding) binding.isCallable = true;
    this.#markDeclared(node, binding);

    const head = new Scope(outer, 'function');
    this.#visitField(node, 'typeParameters', head);
    for (const parameter of nodesIn(node, 'params'))
      this.#bind(parameter, head, head, parameter.type === 'TSParameterProperty' ? 'a property has the same name' : null);
    this.#visitField(node, 'returnType', head);
    const body = nodeIn(node, 'body');
    if (body?.type === 'BlockStatement') this.#visitAll(nodesIn(body, 'body'), new Scope(head, 'body'));
    else if (body) this.#visit(body, head);
  }

  #visitClass(node: SyntaxNode, scope: Scope): void {
    this.#visitAll(nodesIn(node, 'decorators'), scope);
    const inner = new Scope(scope, 'block');
    const binding = this.#declareId(node, node.type === 'ClassExpression' ? inner : scope, ANY & ~SPACE);
    if (binding) binding.isCallable = true;
    if (binding && nodesIn(node, 'decorators').length > 0) binding.fixed ??= 'its decorators may read it';
    this.#markDeclared(node, binding);
    const members = nodeIn(node, 'body');
    for (const member of members ? nodesIn(members, 'body') : []) {
      const name = plainKey(member);
      if (name?.startsWith('#') && nodeIn(member, 'key')?.type === 'PrivateIdentifier') inner.declare(name, PRIVATE);
    }
    this.#visitFields(node, ['typeParameters', 'superClass', 'superTypeArguments', 'implements'], inner);
    if (members) this.#visitAll(nodesIn(members, 'body'), inner);
  }

  #visitEnum(node: SyntaxNode, scope: Scope): void {
    const binding = this.#declareId(node, scope, ANY);
    this.#markDeclared(node, binding);
    if (binding && this.#enums.has(binding)) this.#rigid ??= 'an enum is declared in parts';
    if (binding) this.#enums.add(binding);
    const body = nodeIn(node, 'body');
    const inner = new Scope(scope, 'block');
    for (const member of body ? nodesIn(body, 'members') : []) {
      const id = nodeIn(member, 'id');
      // Later members may use it by its bare name, and other files by its full one.
      const name = id?.type === 'Literal' ? textIn(id, 'value') : id ? textIn(id, 'name') : '';
      inner.declare(name, VALUE).fixed = 'it is a member of an enum';
      if (member['computed'] === true && id) this.#visit(id, inner);
      this.#visitField(member, 'initializer', inner);
    }
  }

  #visitQualified(node: SyntaxNode | null, scope: Scope, alone: number, leftmost: number): void {
    if (node?.type === 'Identifier') return this.#refer(node, scope, alone);
    if (node?.type === 'TSQualifiedName') return this.#visitQualified(nodeIn(node, 'left'), scope, leftmost, leftmost);
    if (node?.type === 'MemberExpression' && node['computed'] !== true)
      return this.#visitQualified(nodeIn(node, 'object'), scope, leftmost, leftmost);
    if (node) this.#visit(node, scope);
  }

  /** `<a>` is an element of the page, `<A>` and `<a.b>` are references. */
  #visitTag(node: SyntaxNode | null, scope: Scope): void {
    if (node?.type === 'JSXMemberExpression') {
      let object = nodeIn(node, 'object');
      while (object?.type === 'JSXMemberExpression') object = nodeIn(object, 'object');
      if (object) this.#refer(object, scope, VALUE);
    } else if (node?.type === 'JSXIdentifier' && !/^[a-z]|-/.test(textIn(node, 'name'))) this.#refer(node, scope, VALUE);
  }
}

const DECLARED = 'it is defined outside of this file';
