// A digest of sources that comments, white space, trailing commas and the folder of an imported file do not change. Another version of a package
// that they import does.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { ROOT, type SourceFile } from './source-files.ts';

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [key: string]: unknown;
}

interface Span {
  readonly start: number;
  readonly end: number;
  /** What it counts as; null: nothing. */
  readonly as: string | null;
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value && 'start' in value;

const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Readonly<Record<string, string>> };

/** A file that moves, or whose import does, decides what it did before. A package may not. */
function importedFrom(specifier: string): string {
  if (specifier.startsWith('.')) return specifier.replace(/^(?:\.{1,2}\/)+/, '');
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(specifier) ?? [''];
  const version = dependencies[name];
  return version === undefined ? specifier : `${specifier}@${version}`;
}

/** The words and signs of a source text, in order. Literals stay whole and as they are. */
export function tokensOf({ path, text }: SourceFile): readonly string[] {
  const { program, comments, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const spans: Span[] = comments.map(({ start, end }) => ({ start, end, as: null }));
  const visit = (value: unknown, key: string): void => {
    if (Array.isArray(value)) for (const item of value) visit(item, key);
    if (!isNode(value)) return;
    const { type, start, end } = value;
    if (type === 'Literal' || type === 'TemplateElement') {
      const literal = text.slice(start, end);
      spans.push({ start, end, as: key === 'source' ? importedFrom(String(value['value'])) : literal });
    } else for (const [name, inner] of Object.entries(value)) visit(inner, name);
  };
  visit(program, '');

  const tokens: string[] = [];
  let at = 0;
  const readTo = (end: number) => tokens.push(...(text.slice(at, end).match(/[\p{ID_Continue}$@#]+|\S/gu) ?? []));
  for (const { start, end, as } of spans.toSorted((a, b) => a.start - b.start)) {
    readTo(start);
    if (as !== null) tokens.push(as);
    at = end;
  }
  readTo(text.length);
  return tokens.filter((token, index) => !(token === ',' && /^[)\]}]$/.test(tokens[index + 1] ?? '')));
}

/** Of several files, in the order given. A file counts by its name, not by its folder. */
export function digestOf(files: readonly SourceFile[]): string {
  const hash = createHash('sha256');
  for (const file of files) hash.update(JSON.stringify([file.path.split('/').at(-1), tokensOf(file)]));
  return hash.digest('hex');
}
