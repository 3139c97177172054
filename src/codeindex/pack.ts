// What a pack adds to the index: knowledge of a framework. A pack is handed over by the address of
// its module, since each thread that reads files imports it for itself.
//
// INVARIANT: what a pack finds in a file depends on the path and the text of that file alone. It is kept with the file: a pack that finds
// something else than before needs another SEGMENT_VERSION.

import type { FilePart } from './graph/file-part.ts';
import type { GraphContent } from './graph/graph-model.ts';
import type { NameResolver } from './graph/name-resolver.ts';
import type { ComponentFact, Language, TemplateFact } from './model.ts';
import type { LineFinder } from './extract/line-finder.ts';
import type { SegmentBuilder } from './segment/builder.ts';
import type { SyntaxNode } from './syntax-node.ts';

/** What the module of a pack exports as `pack`. Every parsing thread loads it before its first file: what is large is loaded late. */
export interface CodePack {
  readonly name: string;
  /** Null: the pack does not know the class. Asked about every class; `number` is that of its definition in the file. */
  readonly describeClass: (node: SyntaxNode, number: number, line: number) => ClassDescription | null;
  /** Languages whose whole files are templates. */
  readonly templateLanguages: readonly Language[];
  /** What is wrong with the template, or null. */
  readonly readTemplate: (out: TemplateRows, source: TemplateSource) => Promise<string | null>;
  readonly graph: () => Promise<GraphPack>;
}

export interface ClassDescription {
  readonly component: StoredComponent;
  /** Between its quotes; null without a template in the class. */
  readonly template: { readonly start: number; readonly end: number } | null;
}

/** As it is stored: the rest of a `ComponentFact` is computed on request. */
export interface StoredComponent extends Omit<ComponentFact, 'path' | 'definition' | 'template_path'> {
  /** Of the definition of the class. */
  readonly number: number;
}

export type TemplateRows = Pick<SegmentBuilder, 'template' | 'reference'>;

export interface TemplateSource {
  readonly path: string;
  readonly text: string;
  readonly lines: Pick<LineFinder, 'line' | 'column'>;
  /** Where the template is; null: it is the whole file. */
  readonly inside: { readonly start: number; readonly end: number } | null;
  /** The number of its class; -1 in a file of its own. */
  readonly of: number;
}

/** A pack's part of the graph: it reads files one by one, and then ties together what they say. */
export interface GraphPack<Facts = unknown> {
  /** Whether the graph keeps this line of a template for the pack. */
  readonly keeps: (fact: TemplateFact) => boolean;
  /** Whether the file can contain anything that the pack reads. */
  readonly isFor: (part: FilePart) => boolean;
  /** Runs in a thread of its own; the answer is sent to another thread. */
  readonly read: (source: PackSource) => Facts;
  /** The facts of a file that could not be read. */
  readonly nothing: Facts;
  /** Ids of its nodes begin with `pack:`. A method, so that a list of packs need not know the facts of each. */
  content(input: PackInput<Facts>): GraphContent;
}

export interface PackSource {
  readonly path: string;
  readonly text: string;
  /** Null: it is not a program. */
  readonly program: SyntaxNode | null;
}

export interface PackInput<Facts> {
  readonly parts: ReadonlyMap<string, FilePart>;
  /** Of the files that the pack is for. */
  readonly facts: ReadonlyMap<string, Facts>;
  readonly resolver: NameResolver;
}
