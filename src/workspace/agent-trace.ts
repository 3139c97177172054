// The public Agent Trace 0.1.0 form of a receipt, and the file that holds it. The file is a view: it can be rebuilt from the ledger, and a
// record that it already has is recognised by its id.

import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault, type Receipt } from '../protocol/index.ts';
import { ensureFolder } from './document.ts';
import { TRACE_FILE } from './own-files.ts';
import { openToAppend } from './plain-file.ts';

const FOLDER = '.orchestration';
const VERSION = '0.1.0';
/** How far back `appendTrace` looks for records that it wrote before. */
const TAIL_BYTES = 256 * 1024;
/** The schema's limit; a longer name is left out and never cut. */
const MODEL_ID_MAX = 250;

export interface TraceContext {
  readonly workspaceId: string;
  /** Where the conversation can be seen; null when nowhere. */
  readonly sessionUrl: string | null;
  readonly toolVersion: string;
}

export interface TraceRecord {
  readonly version: string;
  readonly id: string;
  readonly timestamp: string;
  readonly vcs?: { readonly type: 'git'; readonly revision: string };
  readonly tool: { readonly name: string; readonly version: string };
  readonly files: readonly TraceFile[];
  readonly metadata: Readonly<Record<string, unknown>>;
}

interface TraceFile {
  readonly path: string;
  readonly conversations: readonly {
    readonly url?: string;
    readonly contributor: { readonly type: 'ai'; readonly model_id?: string };
    readonly ranges: readonly { readonly start_line: number; readonly end_line: number; readonly content_hash: string }[];
    readonly related: readonly { readonly type: string; readonly url: string }[];
  }[];
}

/** Null when the receipt changed no file. */
export function traceRecord(receipt: Receipt, context: TraceContext): TraceRecord | null {
  const changed = receipt.file_refs.filter((file) => file.before_sha256 !== file.after_sha256);
  if (changed.length === 0) return null;

  const url = context.sessionUrl !== null && URL.canParse(context.sessionUrl) ? { url: context.sessionUrl } : {};
  const modelId = receipt.model === undefined ? null : withProvider(receipt.model);
  const model = modelId !== null && modelId.length <= MODEL_ID_MAX ? { model_id: modelId } : {};
  const gone = changed.filter((file) => file.after_sha256 === null);
  const moved = changed.flatMap(({ path, before_sha256, after_sha256, ranges }) => {
    const from = before_sha256 === null ? gone.find((file) => file.before_sha256 === after_sha256) : undefined;
    return from ? [{ from: from.path, to: path, ranges: ranges.map(({ start_line, end_line }) => ({ start_line, end_line })) }] : [];
  });
  const related = [
    ...(receipt.intent === null ? [] : [{ type: 'intent', url: `urn:countersign:intent:${receipt.intent}` }]),
    { type: 'receipt', url: `urn:countersign:receipt:${receipt.receipt_id}` },
  ];
  return {
    version: VERSION,
    id: uuidOf(receipt.receipt_id),
    timestamp: receipt.timestamp,
    ...(receipt.revision === null ? {} : { vcs: { type: 'git', revision: receipt.revision } }),
    tool: { name: 'countersign', version: context.toolVersion },
    // A deleted file has no lines: it is named with none.
    files: changed.map((file) => ({
      path: file.path,
      conversations: [
        {
          ...url,
          contributor: { type: 'ai', ...model },
          ranges: file.ranges.map(({ start_line, end_line, sha256 }) => ({ start_line, end_line, content_hash: `sha256:${sha256}` })),
          related,
        },
      ],
    })),
    metadata: {
      'dev.countersign': {
        workspace: context.workspaceId,
        session: receipt.task_id,
        intent: receipt.intent,
        receipt_id: receipt.receipt_id,
        action_id: receipt.action_id,
        agent: receipt.agent_id,
        // What the change was made on; the lines are counted in what it left.
        base_revision: receipt.revision,
        mutations: changed.flatMap(({ path, mutation }) => (mutation ? [{ path, ...mutation }] : [])),
        // The public form cannot express a deleted file, nor a move.
        deleted: gone.map((file) => file.path),
        moved,
      },
    },
  };
}

/** As models.dev names them. A name that already has its provider, or whose provider is not known, stays as it was reported. */
const PROVIDERS: readonly (readonly [RegExp, string])[] = [
  [/^claude-/, 'anthropic'],
  [/^(?:gpt-|o[1-9](?:-|$)|codex-|chatgpt-)/, 'openai'],
  [/^gemini-/, 'google'],
  [/^qwen/, 'alibaba'],
  [/^grok-/, 'xai'],
  [/^deepseek-/, 'deepseek'],
  [/^(?:mistral|codestral|devstral|magistral)-/, 'mistral'],
];

function withProvider(model: string): string {
  const provider = model.includes('/') ? undefined : PROVIDERS.find(([form]) => form.test(model.toLowerCase()))?.[1];
  return provider === undefined ? model : `${provider}/${model}`;
}

/** A version 8 UUID (RFC 9562): its bits are free to choose, and one receipt must always get the same one. */
function uuidOf(receiptId: string): string {
  const bytes = createHash('sha256').update(`countersign trace record of ${receiptId}`).digest();
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Adds the missing records in one write and returns how many. Only the daemon calls this. */
export async function appendTrace(root: string, records: readonly TraceRecord[]): Promise<number> {
  if (records.length === 0) return 0;
  await ensureFolder(root, FOLDER);
  const handle = await openToAppend(join(root, TRACE_FILE));
  if (handle === null) throw notPlain();
  try {
    const tail = await readTail(handle);
    const lines = tail.split('\n');
    const unfinished = lines.pop() ?? '';
    const known = new Set([...lines, unfinished].map(idIn));
    const added = records.filter((record) => !known.has(record.id) && known.add(record.id));
    if (added.length === 0 && unfinished === '') return 0;

    const text = added.map((record) => `${JSON.stringify(record)}\n`).join('');
    const bytes = Buffer.from(continuing(unfinished, text));
    const { bytesWritten } = await handle.write(bytes);
    // The part that was written is completed by the next call, since the same records give the same text.
    if (bytesWritten !== bytes.length) throw new Error(`${TRACE_FILE}: ${bytesWritten} of ${bytes.length} bytes were written`);
    return added.length;
  } finally {
    await handle.close();
  }
}

/** A crash can leave the beginning of a line. If it is the beginning of what comes now, only the rest is added. */
function continuing(unfinished: string, text: string): string {
  if (unfinished === '') return text;
  return text.startsWith(unfinished) ? text.slice(unfinished.length) : `\n${text}`;
}

const notPlain = (): Fault =>
  new Fault('DOCUMENT_INVALID', `${TRACE_FILE} is not a plain file`, {
    fix: `Move ${TRACE_FILE} away; it is written again from the ledger`,
  });

async function readTail(handle: FileHandle): Promise<string> {
  const { size } = await handle.stat();
  const length = Math.min(size, TAIL_BYTES);
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
  return buffer.toString('utf8', 0, bytesRead);
}

function idIn(line: string): unknown {
  try {
    const record: unknown = JSON.parse(line);
    return typeof record === 'object' && record !== null && 'id' in record ? record.id : undefined;
  } catch {
    return undefined;
  }
}
