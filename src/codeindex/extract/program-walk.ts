// The walk over a program's tree: what every part of it shares.

import { visitorKeys } from 'oxc-parser';
import type { DefinitionKind, ReferenceRole } from '../model.ts';
import type { SegmentBuilder } from '../segment/builder.ts';
import { nodesIn, type SyntaxNode } from '../syntax-node.ts';
import type { CodePack } from '../pack.ts';
import { LineFinder } from './line-finder.ts';
import { LOCAL, Scope, UNBOUND } from './scopes.ts';

export interface Use {
  readonly name: string;
  readonly role: ReferenceRole;
  readonly at: number;
  readonly of: string | null;
  readonly within: number;
  readonly scope: Scope;
  /** Known without looking it up; otherwise `UNBOUND`. */
  readonly target: number;
  /** Of a call: the positions of its object and its arguments. */
  readonly call: readonly [ofStart: number, ofEnd: number, argumentsStart: number, argumentsEnd: number] | null;
}

/** A template that is part of a class, with the pack that found it and the number of the class. */
export interface InlineTemplate {
  readonly pack: CodePack;
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

export abstract class ProgramWalk {
  readonly out: SegmentBuilder;
  readonly text: string;
  readonly path: string;
  readonly lines: LineFinder;
  scope = new Scope(null, true);
  /** The definition that is being visited, and the class whose members are. */
  within = -1;
  classOf = -1;
  /** The interface or the type whose members are: the parts of a type that is only written down define nothing. */
  typeOf = -1;
  /** What an `export { … }` further down names. */
  readonly exportedLater: string[] = [];
  readonly templates: InlineTemplate[] = [];
  readonly packs: readonly CodePack[];
  readonly uses: Use[] = [];

  constructor(out: SegmentBuilder, path: string, text: string, packs: readonly CodePack[]) {
    this.out = out;
    this.packs = packs;
    this.path = path;
    this.text = text;
    this.lines = new LineFinder(text);
  }

  abstract visit(node: SyntaxNode): void;

  read(program: SyntaxNode): void {
    const top = this.scope;
    for (const node of nodesIn(program, 'body')) this.visit(node);
    for (const name of this.exportedLater) {
      const target = top.find(name);
      if (target >= 0) this.out.exportDefinition(target);
    }
    for (const use of this.uses) this.settle(use);
  }

  /** Names of parameters and local variables are not visible outside. */
  settle({ name, role, at, of, within, scope, target: known, call }: Use): void {
    const found = known !== UNBOUND || of !== null ? known : scope.find(name);
    if (found === LOCAL) return;
    const line = this.lines.line(at);
    const row = this.out.reference(name, role, line, at - this.lines.startOf(line) + 1, of, within, found === UNBOUND ? -1 : found);
    if (call) this.out.call(row, call[0], call[1], call[2], call[3]);
  }

  use(name: string, role: ReferenceRole, at: number, of: string | null = null, call: Use['call'] = null, target = UNBOUND): void {
    this.uses.push({ name, role, at, of, within: this.within, scope: this.scope, target, call });
  }

  define(name: string, kind: DefinitionKind, node: SyntaxNode, nameNode: SyntaxNode, headEnd: number, exported = false): number {
    return this.out.definition({
      name,
      kind,
      exported,
      startLine: this.lines.line(node.start),
      startColumn: this.lines.column(node.start),
      endLine: this.lines.line(Math.max(node.start, node.end - 1)),
      line: this.lines.line(nameNode.start),
      container: this.within,
      headStart: node.start,
      headEnd,
    });
  }

  inScope(isFunction: boolean, work: () => void, isOpen = false): void {
    const before = this.scope;
    this.scope = new Scope(before, isFunction, isOpen);
    work();
    this.scope = before;
  }

  /** What is found inside belongs to this definition. */
  inside(definition: number, work: () => void): void {
    const before = this.within;
    this.within = definition < 0 ? before : definition;
    work();
    this.within = before;
  }

  visitAll(nodes: readonly SyntaxNode[]): void {
    for (const node of nodes) this.visit(node);
  }

  children(node: SyntaxNode): void {
    const keys = visitorKeys[node.type];
    if (keys === undefined) return;
    for (const key of keys) {
      const value = node[key];
      if (value === null || value === undefined) continue;
      if (Array.isArray(value)) {
        for (const child of value) if (child) this.visit(child as SyntaxNode);
      } else this.visit(value as SyntaxNode);
    }
  }

  maybe(node: SyntaxNode | null): void {
    if (node) this.visit(node);
  }
}
