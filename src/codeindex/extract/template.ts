// Angular templates, in files of their own and inside of classes. A page without Angular is a template without bindings.

import type { SegmentBuilder } from '../segment/builder.ts';
import { readWithCompiler } from './compiled-template.ts';
import type { LineFinder } from './line-finder.ts';
import { readPlainTemplate } from './plain-template.ts';

export interface TemplateSource {
  readonly path: string;
  readonly text: string;
  readonly lines: LineFinder;
  /** Where the template stands; null: it is the whole file. */
  readonly inside: { readonly start: number; readonly end: number } | null;
  /** The number of its class; -1 in a file of its own. */
  readonly of: number;
}

/** What the compiler objects to, or null. */
export async function readTemplate(out: SegmentBuilder, source: TemplateSource): Promise<string | null> {
  const { inside, text, lines, of } = source;
  const plain = readPlainTemplate(text, inside?.start ?? 0, inside?.end ?? text.length);
  if (plain === null) return readWithCompiler(out, source);
  for (const { what, name, at, start, end, element } of plain.templates)
    out.template(what, name, lines.line(at), lines.column(at), start, end, element, of);
  for (const { name, at, receiver } of plain.uses) out.reference(name, 'template', lines.line(at), lines.column(at), receiver, of, -1);
  return null;
}
