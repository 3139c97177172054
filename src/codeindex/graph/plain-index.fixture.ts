// An index of a folder for tests of what is built on it: the real parsers, and the plainest search there is. No threads, no watching.

import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readIntoSegment } from '../extract/read-file.ts';
import type { CodeCitation, Definition, DefinitionHit, FileFacts, IndexStatus, TreeIndex } from '../model.ts';
import type { CodePack } from '../pack.ts';
import { SegmentBuilder } from '../segment/builder.ts';
import { decodeFacts } from '../segment/decode.ts';
import { Segment } from '../segment/segment.ts';
import { termsOf, tokensOf } from '../text/terms.ts';
import { compileGlob } from '../../workspace/index.ts';

export type PlainIndex = Pick<TreeIndex, 'status' | 'files' | 'facts' | 'text' | 'cite' | 'definitions' | 'search' | 'rank'> & {
  /** Scans the folder again. */
  readonly reread: () => Promise<void>;
};

export async function plainIndex(root: string, packs: readonly CodePack[] = []): Promise<PlainIndex> {
  const all = new Map<string, FileFacts>();
  const texts = new Map<string, string>();
  let revision = 0;
  const reread = async (): Promise<void> => {
    const paths = filesBelow(root);
    const target = targets(new Set(paths));
    all.clear();
    texts.clear();
    for (const name of paths) {
      const bytes = readFileSync(path.join(root, name));
      const out = new SegmentBuilder();
      await readIntoSegment(out, name, bytes, packs);
      const segment = new Segment(out.finish());
      if (segment.fileCount === 0) continue;
      texts.set(name, bytes.toString('utf8'));
      all.set(name, decodeFacts(segment, 0, bytes.toString('utf8'), { target }));
    }
    revision++;
  };
  await reread();

  const cite = (name: string, start_line: number, end_line: number): CodeCitation | null => {
    const lines = texts
      .get(name)
      ?.split('\n')
      .slice(start_line - 1, end_line);
    if (!lines || lines.length <= end_line - start_line) return null;
    const sha256 = createHash('sha256').update(lines.join('\n')).digest('hex');
    return { path: name, start_line, end_line, sha256, excerpt: lines.join('\n'), file_sha256: all.get(name)!.file.sha256 };
  };
  const hit = (definition: Definition, score: number): DefinitionHit => ({
    ...definition,
    score,
    citation: cite(definition.path, definition.line, definition.line)!,
  });
  return {
    reread,
    status: async () => ({ root, state: 'ready', pending: 0, revision, files: all.size }) as unknown as IndexStatus,
    files: async () => [...all.values()].map(({ file }) => file),
    facts: async (paths) => paths.flatMap((name) => all.get(name) ?? []),
    text: async (name) => (texts.has(name) ? { text: texts.get(name)!, sha256: all.get(name)!.file.sha256 } : null),
    cite: async (name, start, end) => cite(name, start, end),
    definitions: async ({ name, fuzzy = false, kinds, limit = 50 }) => {
      const fits = ({ id, name: own, container }: Definition): boolean =>
        fuzzy ? own.toLowerCase().includes(name.toLowerCase()) : [own, id, `${container ?? ''}.${own}`].includes(name);
      const found = [...all.values()]
        .flatMap(({ definitions }) => definitions)
        .filter((each) => fits(each) && (!kinds || kinds.includes(each.kind)));
      return { hits: found.slice(0, limit).map((each) => hit(each, fuzzy ? 0.5 : 1)), incomplete: null };
    },
    search: async ({ pattern, under, glob, limit = 50 }) => {
      const covers = glob === undefined ? () => true : compileGlob(glob);
      const isBelow = (name: string): boolean => under === undefined || name === under || name.startsWith(`${under}/`);
      const hits = [...texts].flatMap(([name, text]) =>
        !isBelow(name) || !covers(name)
          ? []
          : text.split('\n').flatMap((line, at) =>
              line.includes(pattern)
                ? [
                    {
                      path: name,
                      line: at + 1,
                      column: line.indexOf(pattern) + 1,
                      text: line,
                      before: [],
                      after: [],
                      citation: cite(name, at + 1, at + 1)!,
                    },
                  ]
                : [],
            ),
      );
      return { hits: hits.slice(0, limit), incomplete: null };
    },
    rank: async (question, limit = 10) => {
      const wanted = [...new Set(tokensOf(question).flatMap(termsOf))];
      const hits = [...texts].map(([name, text]) => {
        const held = new Set(tokensOf(`${name} ${text}`).flatMap(termsOf));
        const words = wanted.filter((term) => held.has(term));
        return { path: name, score: words.length / (1 + Math.log(1 + text.length)), words, definition: null, citation: cite(name, 1, 1)! };
      });
      const sorted = hits.filter(({ words }) => words.length > 0).toSorted((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
      return { hits: sorted.slice(0, limit), incomplete: null };
    },
  };
}

const filesBelow = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((name) => !/^\.(?:ai|git)\//.test(name))
    .toSorted();

const targets =
  (paths: ReadonlySet<string>) =>
  (from: string, specifier: string): string | null => {
    if (!specifier.startsWith('.')) return null;
    const base = path.posix.join(path.posix.dirname(from), specifier);
    return ['', '.ts', '.tsx', '.js', '/index.ts'].map((end) => base + end).find((candidate) => paths.has(candidate)) ?? null;
  };
