import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Receipt } from '../protocol/index.ts';
import { appendTrace, type TraceContext, traceRecord, type TraceRecord } from './agent-trace.ts';
import schema from './agent-trace.schema.json' with { type: 'json' };
import { makeTree } from './tree.fixture.ts';
import { TRACE_FILE } from './own-files.ts';

const ajv = new Ajv2020({
  allErrors: true,
  formats: {
    uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/,
    uri: (text: string) => URL.canParse(text),
  },
});
const isTrace = ajv.compile(schema);
const complaints = (record: unknown): unknown => (isTrace(record) ? [] : isTrace.errors);

const HASHES = { old: 'a'.repeat(64), now: 'b'.repeat(64), lines: 'c'.repeat(64) };
const receiptOf = (part: Partial<Receipt> = {}): Receipt =>
  Receipt.parse({
    receipt_id: 'rcp_01JD0000000000000000000001',
    action_id: 'act_01JD0000000000000000000002',
    task_id: 'ses_01JD0000000000000000000003',
    turn_id: 't1',
    agent_id: 'claude-code',
    model: 'anthropic/claude-opus-4-5-20251101',
    tool_id: 'edit_file',
    inputs: {},
    status: 'done',
    excerpt: '',
    sha256: HASHES.old,
    full_size: 0,
    file_refs: [
      {
        path: 'src/auth/login.ts',
        before_sha256: HASHES.old,
        after_sha256: HASHES.now,
        ranges: [{ start_line: 3, end_line: 5, sha256: HASHES.lines }],
      },
      { path: 'src/auth/old.ts', before_sha256: HASHES.old, after_sha256: null, ranges: [] },
      { path: 'src/auth/same.ts', before_sha256: HASHES.old, after_sha256: HASHES.old, ranges: [] },
    ],
    intent: 'INT-001',
    revision: 'd'.repeat(40),
    timestamp: '2026-11-15T10:00:00.000Z',
    ...part,
  });
const context: TraceContext = {
  workspaceId: 'wsp_01JD0000000000000000000004',
  sessionUrl: 'http://127.0.0.1:8722/ui/sessions/1',
  toolVersion: '0.1.0',
};
const recordOf = (number: number): TraceRecord => {
  const record = traceRecord(receiptOf({ receipt_id: `rcp_${String(number).padStart(26, '0')}` }), context);
  if (!record) throw new Error('the receipt changed a file');
  return record;
};
const linesIn = (root: string): unknown[] => {
  const text = readFileSync(join(root, TRACE_FILE), 'utf8');
  expect(text.endsWith('\n')).toBe(true);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
};

verifies('I4', 'a receipt becomes a record of the public form, with intent, model, ranges, hashes and revision', () => {
  const record = traceRecord(receiptOf(), context);
  expect(complaints(record)).toEqual([]);
  expect(record).toEqual({
    version: '0.1.0',
    id: expect.any(String) as string,
    timestamp: '2026-11-15T10:00:00.000Z',
    vcs: { type: 'git', revision: 'd'.repeat(40) },
    tool: { name: 'countersign', version: '0.1.0' },
    files: [
      {
        path: 'src/auth/login.ts',
        conversations: [
          {
            url: 'http://127.0.0.1:8722/ui/sessions/1',
            contributor: { type: 'ai', model_id: 'anthropic/claude-opus-4-5-20251101' },
            ranges: [{ start_line: 3, end_line: 5, content_hash: `sha256:${HASHES.lines}` }],
            related: [
              { type: 'intent', url: 'urn:countersign:intent:INT-001' },
              { type: 'receipt', url: 'urn:countersign:receipt:rcp_01JD0000000000000000000001' },
            ],
          },
        ],
      },
      {
        path: 'src/auth/old.ts',
        conversations: [expect.objectContaining({ ranges: [] })],
      },
    ],
    metadata: {
      'dev.countersign': {
        workspace: 'wsp_01JD0000000000000000000004',
        session: 'ses_01JD0000000000000000000003',
        intent: 'INT-001',
        receipt_id: 'rcp_01JD0000000000000000000001',
        action_id: 'act_01JD0000000000000000000002',
        agent: 'claude-code',
        base_revision: 'd'.repeat(40),
        mutations: [],
        deleted: ['src/auth/old.ts'],
        moved: [],
      },
    },
  });
});

test('the schema in use refuses what is not a record', () => {
  expect(isTrace({})).toBe(false);
  expect(isTrace({ ...recordOf(1), id: 'x' })).toBe(false);
  expect(isTrace({ ...recordOf(1), timestamp: 'yesterday' })).toBe(false);
});

verifies('I4', 'a model is named with its provider where that is known, and otherwise as it was reported', () => {
  const idOf = (model: string) => traceRecord(receiptOf({ model }), context)?.files[0]?.conversations[0]?.contributor.model_id;
  expect(['claude-opus-4-5', 'gpt-5-codex', 'o3', 'gemini-2.5-pro', 'qwen3-coder-plus', 'my-model', 'acme/claude-x'].map(idOf)).toEqual([
    ...['anthropic/claude-opus-4-5', 'openai/gpt-5-codex', 'openai/o3', 'google/gemini-2.5-pro', 'alibaba/qwen3-coder-plus'],
    ...['my-model', 'acme/claude-x'],
  ]);
});

verifies('I4', 'what is not known is absent and never a constant', () => {
  const { model: _, ...without } = receiptOf({ revision: null, intent: null });
  const record = traceRecord(without, { ...context, sessionUrl: null });
  expect(complaints(record)).toEqual([]);
  expect(record).not.toHaveProperty('vcs');
  expect(record?.files[0]?.conversations).toEqual([
    {
      contributor: { type: 'ai' },
      ranges: [{ start_line: 3, end_line: 5, content_hash: `sha256:${HASHES.lines}` }],
      related: [{ type: 'receipt', url: 'urn:countersign:receipt:rcp_01JD0000000000000000000001' }],
    },
  ]);
});

test('a receipt that changed no file has no record; one that only deleted has one without lines', () => {
  expect(traceRecord(receiptOf({ file_refs: [] }), context)).toBe(null);
  expect(
    traceRecord(receiptOf({ file_refs: [{ path: 'a', before_sha256: HASHES.old, after_sha256: HASHES.old, ranges: [] }] }), context),
  ).toBe(null);
  const deleted = traceRecord(
    receiptOf({ file_refs: [{ path: 'a', before_sha256: HASHES.old, after_sha256: null, ranges: [] }] }),
    context,
  );
  expect([complaints(deleted), deleted?.files]).toMatchObject([[], [{ path: 'a', conversations: [{ ranges: [] }] }]]);
});

verifies('I4', 'whatever a receipt says, the record is valid and fits on one line', () => {
  const anything = fc.record({
    agent_id: fc.string({ unit: 'binary' }),
    model: fc.string({ unit: 'binary', maxLength: 400 }),
    intent: fc.option(fc.constant('INT-7')),
    revision: fc.option(fc.constant('e'.repeat(40))),
    file_refs: fc.array(
      fc.record({
        path: fc.string({ unit: 'binary' }),
        before_sha256: fc.option(fc.constant(HASHES.old)),
        after_sha256: fc.option(fc.constant(HASHES.now)),
        ranges: fc.array(
          fc.record({ start_line: fc.integer({ min: 1 }), end_line: fc.integer({ min: 1 }), sha256: fc.constant(HASHES.lines) }),
        ),
      }),
    ),
  });
  fc.assert(
    fc.property(anything, fc.string(), (part, sessionUrl) => {
      const record = traceRecord(receiptOf(part), { ...context, sessionUrl });
      if (record === null) return;
      expect(complaints(record)).toEqual([]);
      expect(JSON.stringify(record)).not.toContain('\n');
    }),
  );
});

verifies('I4', 'the file is only ever added to, and a record is written once', async () => {
  const root = makeTree();
  expect(await appendTrace(root, [recordOf(1), recordOf(2)])).toBe(2);
  const before = readFileSync(join(root, TRACE_FILE));
  expect(await appendTrace(root, [recordOf(2), recordOf(3), recordOf(3)])).toBe(1);
  expect(await appendTrace(root, [recordOf(1)])).toBe(0);
  expect(await appendTrace(root, [])).toBe(0);
  expect(readFileSync(join(root, TRACE_FILE)).subarray(0, before.length)).toEqual(before);
  expect(linesIn(root)).toEqual([recordOf(1), recordOf(2), recordOf(3)]);
  for (const line of linesIn(root)) expect(complaints(line)).toEqual([]);
});

test('a line torn by a crash is completed, wherever it was torn', async () => {
  const root = makeTree();
  await appendTrace(root, [recordOf(1), recordOf(2)]);
  const whole = readFileSync(join(root, TRACE_FILE));
  for (const cut of [whole.length - 1, whole.length - 40, whole.indexOf(10) + 2, whole.indexOf(10) + 1, 5, 0]) {
    truncateSync(join(root, TRACE_FILE), cut);
    await appendTrace(root, [recordOf(1), recordOf(2)]);
    expect(readFileSync(join(root, TRACE_FILE))).toEqual(whole);
  }
});

test('a foreign last line without a newline stays a line of its own', async () => {
  const root = makeTree({ [TRACE_FILE]: 'not ours' });
  await appendTrace(root, [recordOf(1)]);
  expect(readFileSync(join(root, TRACE_FILE), 'utf8')).toBe(`not ours\n${JSON.stringify(recordOf(1))}\n`);
});

test('a long file is looked at from its end', async () => {
  const root = makeTree();
  await appendTrace(root, [recordOf(1)]);
  appendFileSync(join(root, TRACE_FILE), `${JSON.stringify({ filler: 'x'.repeat(300 * 1024) })}\n`);
  expect(await appendTrace(root, [recordOf(2)])).toBe(1);
  expect(await appendTrace(root, [recordOf(2)])).toBe(0);
});

test('a link or a FIFO in the place of the file or its folder is not written through', async () => {
  const root = makeTree({ 'target.jsonl': '', 'elsewhere/': '', '.orchestration/': '' });
  const trace = join(root, TRACE_FILE);
  symlinkSync('../target.jsonl', trace);
  await expect(appendTrace(root, [recordOf(1)])).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  rmSync(trace);
  execFileSync('mkfifo', [trace]);
  await expect(appendTrace(root, [recordOf(1)])).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  rmSync(join(root, '.orchestration'), { recursive: true });
  symlinkSync('elsewhere', join(root, '.orchestration'));
  await expect(appendTrace(root, [recordOf(1)])).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  writeFileSync(join(root, 'elsewhere/agent_trace.jsonl'), '', { flag: 'wx' });
  expect(readFileSync(join(root, 'target.jsonl'), 'utf8')).toBe('');
});
