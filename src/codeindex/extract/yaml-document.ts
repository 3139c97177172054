// The keys of YAML. Its parser is large, so it is only loaded for a YAML file.

import { isAlias, isMap, isScalar, isSeq, LineCounter, parseAllDocuments, type Node as YamlNode } from 'yaml';
import type { SegmentBuilder } from '../segment/builder.ts';
import { addEntry, DEPTH_MAX, KEYS_MAX } from './documents.ts';

const YAML_MAX = 200_000;

export function readYaml(out: SegmentBuilder, text: string): string | null {
  // A lock file of megabytes: the parser is slow, and its outline is useless.
  if (text.length > YAML_MAX) return `is longer than ${YAML_MAX} characters: it is searched, and not parsed`;
  const counter = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: counter, logLevel: 'silent', uniqueKeys: false, strict: false });
  let keys = 0;
  const visit = (node: YamlNode | null | undefined, container: number, depth: number): void => {
    if (!node || isAlias(node) || isScalar(node) || depth > DEPTH_MAX) return;
    if (isSeq(node)) for (const item of node.items) visit(item as YamlNode, container, depth + 1);
    if (!isMap(node)) return;
    for (const { key, value } of node.items) {
      const range = isScalar(key) ? key.range : null;
      if (!range || !isScalar(key) || keys++ >= KEYS_MAX) continue;
      const start = range[0];
      const end = (value as YamlNode | null)?.range?.[1] ?? range[1];
      const from = counter.linePos(start);
      const number = addEntry(
        out,
        String(key.value),
        'key',
        from.line,
        from.col,
        counter.linePos(Math.max(start, end - 1)).line,
        container,
        start,
        end,
      );
      visit(value as YamlNode | null, number, depth + 1);
    }
  };
  if (!Array.isArray(documents)) return null;
  for (const document of documents) visit(document.contents, -1, 0);
  return documents.flatMap(({ errors }) => errors)[0]?.message.split('\n')[0] ?? null;
}
