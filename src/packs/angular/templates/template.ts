// Angular templates, in files of their own and inside of classes, read by Angular's own compiler. A page without Angular is a template
// without bindings. The compiler is large: it is loaded with the first template.

import type { AST, ParseTemplateOptions, TmplAstNode } from '@angular/compiler';
import type { TemplateFact, TemplateRows, TemplateSource } from '../../../codeindex/plain.ts';

type Compiler = typeof import('@angular/compiler');
type What = TemplateFact['what'];

let compiler: Compiler | null = null;
let Collecting: ReturnType<typeof collectorClass> | null = null;

interface Span {
  readonly start: { readonly offset: number };
  readonly end: { readonly offset: number };
}

/** What the compiler objects to, or null. */
export async function readTemplate(out: TemplateRows, source: TemplateSource): Promise<string | null> {
  compiler ??= await import('@angular/compiler');
  Collecting ??= collectorClass(compiler);
  const { inside, text, lines } = source;
  const options: ParseTemplateOptions = {
    // The compiler counts offsets in the text that it keeps: with blanks dropped, names would be found at wrong places.
    preserveWhitespaces: true,
    preserveLineEndings: true,
    leadingTriviaChars: [],
    alwaysAttemptHtmlToR3AstConversion: true,
    ...(inside === null
      ? {}
      : {
          escapedString: true,
          range: {
            startPos: inside.start,
            endPos: inside.end,
            startLine: lines.line(inside.start) - 1,
            startCol: lines.column(inside.start) - 1,
          },
        }),
  };
  const parsed = compiler.parseTemplate(text, source.path, options);
  const collector = new Collecting(out, source);
  for (const node of parsed.nodes) collector.visit(node);
  return parsed.errors?.[0]?.msg ?? null;
}

const BLANK = /[ \t\r\n]/;

interface Collector {
  visit(node: TmplAstNode): void;
}

/** Created once: the classes that it checks for come from a module that is loaded late. */
function collectorClass(kinds: Compiler): new (out: TemplateRows, source: TemplateSource) => Collector {
  const Base = kinds.CombinedRecursiveAstVisitor;
  return class extends Base {
    readonly #out: TemplateRows;
    readonly #source: TemplateSource;
    #element: string | null = null;
    readonly #met = new Set<string>();

    constructor(out: TemplateRows, source: TemplateSource) {
      super();
      this.#out = out;
      this.#source = source;
    }

    #add(what: What, name: string, at: number, value: Span | undefined): void {
      const { lines, of } = this.#source;
      if (!this.#isNew(`${what} ${name} ${at}`)) return;
      const start = value ? this.#beginning(value) : -1;
      this.#out.template(what, name, lines.line(at), lines.column(at), start, value ? value.end.offset : -1, this.#element, of);
    }

    /** After its blanks. */
    #beginning({ start, end }: Span): number {
      let at = start.offset;
      while (at < end.offset && BLANK.test(this.#source.text[at]!)) at++;
      return at;
    }

    #use(name: string, at: number, receiver: string | null): void {
      const { lines, of } = this.#source;
      if (name === '$event' || !this.#isNew(`use ${at}`)) return;
      this.#out.reference(name, 'template', lines.line(at), lines.column(at), receiver, of, -1);
    }

    /** A template created by a star repeats what is on its element. */
    #isNew(key: string): boolean {
      if (this.#met.has(key)) return false;
      this.#met.add(key);
      return true;
    }

    /** After a star. */
    #isStructural(at: number): boolean {
      return this.#source.text[at] === '*' || this.#source.text[at - 1] === '*';
    }

    override visit(node: AST | TmplAstNode): void {
      const before = this.#element;
      if (node instanceof kinds.TmplAstElement) {
        this.#element = node.name.replace(/^:[^:]*:/, '');
        this.#add('element', this.#element, node.startSourceSpan.start.offset, undefined);
      } else if (node instanceof kinds.TmplAstTemplate) {
        // `*ngIf` makes one around its element; `<ng-template>` is one.
        this.#element = node.tagName ?? 'ng-template';
        const at = node.startSourceSpan.start.offset;
        if (this.#source.text.startsWith('<ng-template', at)) this.#add('element', 'ng-template', at, undefined);
      } else if ('sourceSpan' in node && 'visit' in node) this.#part(node as TmplAstNode);
      this.#expression(node as AST);
      super.visit(node);
      this.#element = before;
    }

    #part(node: TmplAstNode): void {
      const at = (node.sourceSpan as Partial<Span>).start?.offset;
      if (at === undefined) return;
      if (node instanceof kinds.TmplAstContent) this.#add('element', 'ng-content', at, undefined);
      else if (node instanceof kinds.TmplAstTextAttribute)
        this.#add(this.#isStructural(at) ? 'directive' : 'attribute', node.name, at, node.valueSpan);
      else if (node instanceof kinds.TmplAstBoundAttribute)
        this.#add(
          this.#source.text.startsWith('[(', at) ? 'two_way' : this.#isStructural(at) ? 'directive' : 'input',
          node.name,
          at,
          node.valueSpan,
        );
      else if (node instanceof kinds.TmplAstBoundEvent) this.#add('output', node.name, at, node.handlerSpan);
      else if (node instanceof kinds.TmplAstReference) this.#add('reference', node.name, at, node.valueSpan);
      else if (node instanceof kinds.TmplAstBoundText) this.#add('text', '', this.#beginning(node.sourceSpan), node.sourceSpan);
    }

    #expression(node: AST): void {
      if (node instanceof kinds.BindingPipe) {
        this.#add('pipe', node.name, node.nameSpan.start, undefined);
        this.#use(node.name, node.nameSpan.start, null);
      } else if ((node instanceof kinds.PropertyRead || node instanceof kinds.SafePropertyRead) && node.name !== '') {
        const { receiver } = node;
        const isOwn = receiver instanceof kinds.ImplicitReceiver || receiver instanceof kinds.ThisReceiver;
        this.#use(node.name, node.nameSpan.start, isOwn ? 'this' : receiver instanceof kinds.PropertyRead ? receiver.name : '');
      }
    }
  };
}
