// What the index knows of a tree, and what can be asked of it. Types and their lists only: parsers fill these, questions answer in them, and the
// graph and the proof chains are built on them. Fields are written as they leave the room.
//
// INVARIANT: whatever names a place names the content it was seen in (`file_sha256`), so that an answer can be cited and checked.

import type { Citation } from '../protocol/index.ts';

export type Language =
  | 'typescript'
  | 'javascript'
  | 'python'
  | 'go'
  | 'rust'
  | 'java'
  | 'csharp'
  | 'cpp'
  | 'ruby'
  | 'php'
  | 'html'
  | 'json'
  | 'yaml'
  | 'markdown'
  /** Searched, and not parsed. */
  | 'text';

export const DEFINITION_KINDS = [
  'function',
  'class',
  'method',
  'interface',
  'type',
  'enum',
  'enum_member',
  'variable',
  'const',
  'field',
  'constructor',
  'namespace',
  'struct',
  'trait',
  'macro',
  /** Of Markdown. */
  'heading',
  /** Of JSON and YAML. */
  'key',
] as const;
export type DefinitionKind = (typeof DEFINITION_KINDS)[number];

/** Lines and columns count from 1; the end line is its last one. */
export interface Range {
  readonly start_line: number;
  readonly start_column: number;
  readonly end_line: number;
}

export interface IndexedFile {
  readonly path: string;
  readonly language: Language;
  /** Of its bytes, as the index saw them. */
  readonly sha256: string;
  readonly bytes: number;
  readonly lines: number;
  /** What the parser objected to; the facts are then what could still be read. */
  readonly error: string | null;
}

export interface Definition {
  /** `path#Outer.name`, with `~2` after the second one of that name: it stays while lines move. */
  readonly id: string;
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly path: string;
  readonly range: Range;
  /** The line of its name. */
  readonly line: number;
  /** What contains it: `Outer.Inner`, the headings or the keys above it. */
  readonly container: string | null;
  /** Its head on one line, shortened: `export function f(a: string): void`. */
  readonly signature: string;
  readonly exported: boolean;
}

export const REFERENCE_ROLES = [
  'read',
  'write',
  'call',
  'new',
  'type',
  'extends',
  'implements',
  'decorator',
  'import',
  'export',
  'jsx',
  /** A name in a template. */
  'template',
] as const;
export type ReferenceRole = (typeof REFERENCE_ROLES)[number];

/** A name that is used. `a.b()` is a use of `a` (read) and of `b` (call, of `a`). */
export interface Reference {
  readonly name: string;
  readonly role: ReferenceRole;
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** What it is used on: `a` for `a.b` and `x.a.b`, `this` for `this.b`, the empty string for `f().b` and keys; null for a plain name. */
  readonly of: string | null;
  /** The id of the enclosing definition; null at the top of the file. */
  readonly within: string | null;
}

export interface ImportEdge {
  readonly path: string;
  readonly line: number;
  /** As it is written. */
  readonly specifier: string;
  /** The indexed file that it leads to; null: another package, or not found. */
  readonly target: string | null;
  /** What is taken: a name, `default`, `*` for all; null when it is only run. */
  readonly imported: string | null;
  /** What it is called here; null when it is only passed on or run. */
  readonly local: string | null;
  readonly kind: 'static' | 'dynamic' | 'require' | 'reexport';
  readonly type_only: boolean;
}

export interface ExportEdge {
  readonly path: string;
  readonly line: number;
  /** `default`, or `*` for all of another module. */
  readonly name: string;
  /** What it is called inside, or in the module that it is passed on from; null when it has no name. */
  readonly local: string | null;
  /** The specifier of the module that it is passed on from. */
  readonly from: string | null;
}

export interface CallEdge {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  /** The last name of what is called: `b` for `a.b()`. */
  readonly callee: string;
  /** `a` for `a.b()`, as it is written, shortened; null for a plain name. */
  readonly of: string | null;
  /** The id of the definition that contains the call. */
  readonly caller: string | null;
  /** Whether it is `new callee(…)`. */
  readonly is_new: boolean;
  /** The text between the parentheses, on one line, shortened to 400 characters. */
  readonly arguments: string;
}

export interface Inheritance {
  readonly path: string;
  readonly line: number;
  /** The id of the definition that inherits. */
  readonly heir: string;
  /** As it is written, without type arguments. */
  readonly base: string;
  readonly how: 'extends' | 'implements';
}

/** `@name(arguments)` of TypeScript, Python and Java, `#[name(arguments)]` of Rust, C# and PHP. */
export interface Decorator {
  readonly path: string;
  readonly line: number;
  readonly name: string;
  /** The text between the parentheses as it is written, shortened to 4,000 characters; null without parentheses. */
  readonly arguments: string | null;
  /** The id of the decorated definition; null for one of a parameter or of a field without a name. */
  readonly on: string | null;
}

/** A class that a pack knows by its decorator. */
export interface ComponentFact {
  readonly path: string;
  readonly line: number;
  /** The id and the name of the class. */
  readonly definition: string;
  readonly class_name: string;
  readonly what: 'component' | 'directive' | 'pipe' | 'module' | 'injectable';
  readonly selector: string | null;
  /** As it is written; `template_path` is the file from the root that it leads to. */
  readonly template_url: string | null;
  readonly template_path: string | null;
  readonly has_inline_template: boolean;
  /** Names, as they are written, in `imports`, `declarations`, `providers`, `exports`, `bootstrap`. */
  readonly imports: readonly string[];
  readonly declarations: readonly string[];
  readonly providers: readonly string[];
  readonly exports: readonly string[];
  readonly standalone: boolean | null;
}

/** One thing of a template. Lines are those of the file, also of a template inside of a class. */
export interface TemplateFact {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly what: 'element' | 'attribute' | 'input' | 'output' | 'two_way' | 'reference' | 'directive' | 'pipe' | 'text';
  /** Of an element its tag, otherwise the name of the attribute, binding, reference, directive or pipe; of a text the empty string. */
  readonly name: string;
  /** A value, an expression or a handler, as it is written, shortened to 1,000 characters. */
  readonly value: string | null;
  /** The tag that has it. */
  readonly element: string | null;
  /** The id of the class whose inline template this is; null in a file of its own. */
  readonly of: string | null;
}

/** All that a file says. */
export interface FileFacts {
  readonly file: IndexedFile;
  readonly definitions: readonly Definition[];
  readonly references: readonly Reference[];
  readonly imports: readonly ImportEdge[];
  readonly exports: readonly ExportEdge[];
  readonly calls: readonly CallEdge[];
  readonly inheritance: readonly Inheritance[];
  readonly decorators: readonly Decorator[];
  readonly components: readonly ComponentFact[];
  readonly template: readonly TemplateFact[];
}

/** Lines that can be cited as evidence: `sha256` is over them, in the form of every citation; the rest says what was seen. */
export interface CodeCitation extends Citation {
  readonly excerpt: string;
  readonly file_sha256: string;
}

/** An answer with what is missing from it said in words. */
export interface Found<T> {
  readonly hits: readonly T[];
  /** Why there may be more; null when this is all. */
  readonly incomplete: string | null;
}

export interface DefinitionHit extends Definition {
  readonly citation: CodeCitation;
  /** 1 for exactly the requested name; less for a similar one. */
  readonly score: number;
}

export interface ReferenceHit extends Reference {
  readonly citation: CodeCitation;
  /**
   * `precise`: the compiler says so. `resolved`: imports and scopes lead from here to the definition. `name`: the same name, and
   * nothing speaks against it.
   */
  readonly certainty: 'precise' | 'resolved' | 'name';
  /** Ids of the definitions that it may mean. */
  readonly targets: readonly string[];
}

export interface CallHit {
  /** The function at the other end: who calls, or who is called. Null: the top of a file, or outside of the tree. */
  readonly definition: Definition | null;
  readonly name: string;
  readonly call: CallEdge;
  readonly citation: CodeCitation;
  readonly certainty: ReferenceHit['certainty'];
}

export interface TextHit {
  readonly path: string;
  readonly line: number;
  readonly column: number;
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly citation: CodeCitation;
}

export interface RankedHit {
  readonly path: string;
  readonly score: number;
  /** The words of the question that it has, the rarest first. */
  readonly words: readonly string[];
  /** The definition in it that fits best. */
  readonly definition: Definition | null;
  readonly citation: CodeCitation;
}

export interface OutlineEntry extends Definition {
  readonly depth: number;
}

export interface Outline {
  readonly file: IndexedFile;
  readonly entries: readonly OutlineEntry[];
}

export interface SymbolNode {
  readonly id: string;
  readonly kind: DefinitionKind | 'file';
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

export interface SymbolEdge {
  readonly from: string;
  readonly to: string;
  readonly kind: 'contains' | 'imports' | 'calls' | 'extends' | 'implements' | 'uses';
  /** Where it is written. */
  readonly path: string;
  readonly line: number;
}

export interface SymbolGraph {
  readonly nodes: readonly SymbolNode[];
  readonly edges: readonly SymbolEdge[];
  readonly incomplete: string | null;
}

export interface DefinitionQuery {
  /** `name`, `Outer.name` or an id; with `fuzzy` a part or a misspelling. */
  readonly name: string;
  readonly fuzzy?: boolean | undefined;
  readonly kinds?: readonly DefinitionKind[] | undefined;
  /** A glob. */
  readonly glob?: string | undefined;
  readonly limit?: number | undefined;
}

export interface ReferenceQuery {
  /** `name`, `Outer.name` or an id. */
  readonly name: string;
  readonly roles?: readonly ReferenceRole[] | undefined;
  readonly glob?: string | undefined;
  /** Ask the compiler where it supports the language. */
  readonly precise?: boolean | undefined;
  readonly limit?: number | undefined;
}

export interface TextQuestion {
  readonly pattern: string;
  readonly regex?: boolean | undefined;
  /** Capital and small letters are the same. */
  readonly ignore_case?: boolean | undefined;
  readonly whole_word?: boolean | undefined;
  readonly glob?: string | undefined;
  /** A folder or a file; without it, everything. */
  readonly under?: string | undefined;
  readonly context?: number | undefined;
  readonly limit?: number | undefined;
}

export interface GraphQuery {
  readonly symbol?: string | undefined;
  readonly file?: string | undefined;
  /** Words: the files and definitions that fit best are where it starts. */
  readonly query?: string | undefined;
  readonly depth?: number | undefined;
  readonly limit?: number | undefined;
}

export interface RenameEdit {
  readonly path: string;
  readonly file_sha256: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly text: string;
}

/** What the index does with a tree now. */
export interface IndexStatus {
  readonly root: string;
  readonly state: 'starting' | 'indexing' | 'ready' | 'failed' | 'closed';
  readonly files: number;
  /** Files whose new content is not in yet. */
  readonly pending: number;
  readonly definitions: number;
  readonly references: number;
  readonly bytes: number;
  readonly languages: Readonly<Record<string, number>>;
  readonly skipped: number;
  readonly errors: number;
  /** Grows with each change that came in. */
  readonly revision: number;
  readonly watching: boolean;
  readonly trouble: string | null;
}

/** A file that was left out or only partly read; `why` completes a sentence that begins with the path. */
export interface IndexEvent {
  readonly kind: 'skipped' | 'parse_error' | 'unreadable';
  readonly path: string;
  readonly why: string;
}

/** Files whose facts are others than they were. */
export interface IndexChange {
  readonly revision: number;
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

/** The index of one work tree. Every question may be asked while it is still being built; `status` says how far it is. */
export interface TreeIndex {
  status(): Promise<IndexStatus>;
  /** When the current tree has been scanned completely. */
  ready(): Promise<IndexStatus>;
  /** Scans the tree again: these paths, or all of it. Resolves when the changes are indexed. */
  refresh(paths?: readonly string[]): Promise<IndexStatus>;
  files(): Promise<readonly IndexedFile[]>;
  /** Those that are indexed, in the requested order. */
  facts(paths: readonly string[]): Promise<readonly FileFacts[]>;
  events(limit?: number): Promise<Found<IndexEvent>>;
  definitions(query: DefinitionQuery): Promise<Found<DefinitionHit>>;
  references(query: ReferenceQuery): Promise<Found<ReferenceHit>>;
  callers(query: ReferenceQuery): Promise<Found<CallHit>>;
  callees(query: ReferenceQuery): Promise<Found<CallHit>>;
  outline(path: string): Promise<Outline | null>;
  search(question: TextQuestion): Promise<Found<TextHit>>;
  rank(question: string, limit?: number): Promise<Found<RankedHit>>;
  symbolGraph(query: GraphQuery): Promise<SymbolGraph>;
  /** The edits that give a TypeScript or JavaScript definition another name everywhere; a Fault says why not. */
  rename(name: string, to: string): Promise<readonly RenameEdit[]>;
  /** Null: the file is not indexed, or has fewer lines. */
  cite(path: string, start_line: number, end_line: number): Promise<CodeCitation | null>;
  /** The text as it was indexed. */
  text(path: string): Promise<{ readonly text: string; readonly sha256: string } | null>;
  onChange(listener: (change: IndexChange) => void): () => void;
  close(): Promise<void>;
}
