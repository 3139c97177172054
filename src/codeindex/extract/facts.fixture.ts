// What the index says about one text, for tests.

import type { FileFacts, IndexEvent } from '../model.ts';
import type { CodePack } from '../pack.ts';
import { SegmentBuilder } from '../segment/builder.ts';
import { decodeFacts } from '../segment/decode.ts';
import { Segment } from '../segment/segment.ts';
import { readIntoSegment } from './read-file.ts';

export async function read(
  path: string,
  content: string | Uint8Array,
  packs: readonly CodePack[] = [],
): Promise<{ readonly facts: FileFacts | null; readonly event: IndexEvent | null }> {
  const out = new SegmentBuilder();
  const bytes = Buffer.from(content as string);
  const event = await readIntoSegment(out, path, bytes, packs);
  if (out.fileCount === 0) return { facts: null, event };
  return { facts: decodeFacts(new Segment(out.finish()), 0, bytes.toString('utf8'), { target: () => null }), event };
}

export async function factsOf(path: string, text: string, packs: readonly CodePack[] = []): Promise<FileFacts> {
  const { facts } = await read(path, text, packs);
  if (!facts) throw new Error(`${path} is left out`);
  return facts;
}

const short = (id: string | null): string => id?.slice(id.indexOf('#') + 1) ?? '-';

/** One line for each thing that the file says. */
export function summaryOf({ definitions, references, calls, imports, exports, inheritance, decorators }: FileFacts): {
  readonly definitions: readonly string[];
  readonly uses: string;
  readonly calls: readonly string[];
  readonly imports: readonly string[];
  readonly exports: readonly string[];
  readonly inherits: readonly string[];
  readonly decorators: readonly string[];
} {
  return {
    definitions: definitions.map(
      ({ id, kind, range, exported }) => `${exported ? 'export ' : ''}${kind} ${short(id)} ${range.start_line}-${range.end_line}`,
    ),
    uses: references.map(({ role, of, name }) => `${role}:${of === null ? '' : `${of}.`}${name}`).join(' '),
    calls: calls.map(
      ({ caller, of, callee, is_new, arguments: given }) =>
        `${short(caller)} → ${is_new ? 'new ' : ''}${of === null ? '' : `${of}.`}${callee}(${given})`,
    ),
    imports: imports.map(
      ({ specifier, imported, local, kind, type_only }) => `${kind}${type_only ? ' type' : ''} ${specifier} ${imported} as ${local}`,
    ),
    exports: exports.map(({ name, local, from }) => `${name} = ${local}${from === null ? '' : ` from ${from}`}`),
    inherits: inheritance.map(({ heir, how, base }) => `${short(heir)} ${how} ${base}`),
    decorators: decorators.map(({ name, arguments: given, on }) => `@${name}${given === null ? '' : `(${given})`} on ${short(on)}`),
  };
}
