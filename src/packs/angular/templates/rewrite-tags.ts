// Gives an element of an Angular template another tag, at its opening and its closing.

import type { Block, Element, Node } from '@angular/compiler';

interface Replacement {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

type TagsRewritten = { readonly places: readonly Replacement[] } | { readonly declined: string };

const TAG = /^[a-zA-Z][\w:-]*$/;

export async function rewriteTags(path: string, text: string, from: string, to: string): Promise<TagsRewritten> {
  if (!TAG.test(to)) return { declined: `${JSON.stringify(to)} cannot be a tag` };
  const { HtmlParser } = await import('@angular/compiler');
  const { rootNodes, errors } = new HtmlParser().parse(text, path, {
    tokenizeExpansionForms: true,
    tokenizeBlocks: true,
    tokenizeLet: true,
  });
  const [error] = errors;
  if (error) return { declined: `${path} has an error in line ${error.span.start.line + 1}: ${error.msg.slice(0, 200)}` };
  const places: Replacement[] = [];
  const open: Node[] = [...rootNodes];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const { children, name, startSourceSpan, endSourceSpan } = node as Partial<Element> & Partial<Pick<Block, 'children'>>;
    open.push(...(children ?? []));
    if (name !== from || !startSourceSpan || text[startSourceSpan.start.offset] !== '<') continue;
    const at = startSourceSpan.start.offset + 1;
    places.push({ start: at, end: at + from.length, text: to });
    const end = endSourceSpan?.start.offset;
    // An element that ends in itself has one span for both.
    if (end !== undefined && text.startsWith(`</${from}`, end)) places.push({ start: end + 2, end: end + 2 + from.length, text: to });
  }
  return { places };
}
