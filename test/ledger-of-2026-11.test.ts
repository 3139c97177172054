// A ledger of version 0.1.0, kept unchanged: every later version must still read it. See its README.

import { createHmac } from 'node:crypto';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { State } from '../src/kernel/index.ts';
import {
  canonicalJson,
  CountersignatureCheck,
  headLine,
  type Checkpoint,
  parseRecord,
  readLine,
  recordLine,
  signatureOf,
  verifyLedger,
} from '../src/ledger/index.ts';
import { Memory } from '../src/memory/index.ts';
import { Event, type LedgerRecord } from '../src/protocol/index.ts';
import { openEmbeddedStore } from '../src/stores/index.ts';
import { verifyPlainly } from './lab/plain-verifier.ts';
import { verifies } from './verifies.ts';

const dir = fileURLToPath(new URL('fixtures/ledger-of-2026-11', import.meta.url));
const text = (name: string): string => readFileSync(join(dir, name), 'utf8');

const publicKeyPem = text('public.pem');
const savedCheckpoint = JSON.parse(text('kept-head.json')) as Checkpoint;
const secret = Buffer.from(text('hmac-key.hex').trim(), 'hex');
const hmac = (bytes: Uint8Array | string): string => createHmac('sha256', secret).update(bytes).digest('hex');
const lines = text('00000001.jsonl')
  .split('\n')
  .slice(0, -1)
  .map((line) => Buffer.from(line));

let records: readonly LedgerRecord[];

beforeAll(() => {
  records = lines.flatMap((line) => {
    const fields = readLine(line);
    return fields?.kind === 'record' ? [parseRecord(line, fields)] : [];
  });
});

verifies('N2', 'a ledger of 2026-11 verifies: every head, every HMAC, against the head that was kept', async () => {
  expect(await verifyLedger({ dir, publicKeyPem, savedCheckpoint, hmac, everyHead: true })).toEqual({
    ok: true,
    size: 231,
    heads: 174,
    chain: savedCheckpoint.chain,
    torn_tail_bytes: 0,
    hmac: 'checked',
    problem: null,
  });
  expect(verifyPlainly(dir, publicKeyPem, savedCheckpoint)).toEqual({ ok: true, size: 231, tornTailBytes: 0 });
});

test('each of its lines comes out byte for byte when it is parsed and written again', () => {
  const again = lines.map((line) => {
    const fields = readLine(line);
    if (fields?.kind === 'head') return headLine(fields, () => Buffer.from(fields.signature, 'base64'));
    if (fields === null) throw new Error(`not a line of a ledger: ${line.toString()}`);
    const { at, event } = parseRecord(line, fields);
    return recordLine({ ...fields, at, data: canonicalJson(event.data) }, hmac);
  });
  expect(again.map(String)).toEqual(lines.map(String));
});

test('each of its events, of 54 types, is one that the schema takes unchanged', () => {
  expect(new Set(records.map(({ event }) => event.type)).size).toBe(54);
  expect(records.map(({ event }) => Event.parse(event))).toEqual(records.map(({ event }) => event));
});

test('it folds into the state that its daemon had', () => {
  const state = new State();
  const memory = new Memory();
  const humans = new CountersignatureCheck();
  for (const record of records) for (const fold of [state, memory, humans]) fold.apply(record);
  const workspaces = [...state.intents.keys()];
  expect({
    sessions: [...state.sessions.values()].map(({ agent, agentId, level, mode, intent, open }) => ({
      ...{ agent, agentId, level, mode, intent, open },
    })),
    actions: tally([...state.actions.values()].map((entry) => entry.state)),
    approvals: tally([...state.approvals.values()].map((entry) => entry.state)),
    intents: [...state.intents.values()].flatMap((each) =>
      [...each.values()].map(({ intent: { id, name, status, owned_scope } }) => ({ id, name, status, owned_scope })),
    ),
    memories: workspaces.flatMap((workspace) => memory.recent(workspace, 10)).map(({ kind, statement }) => ({ kind, statement })),
    countersignatures: humans.result(),
  }).toMatchInlineSnapshot(`
    {
      "actions": {
        "observed": 15,
        "refused": 16,
        "settled": 30,
        "unknown": 7,
      },
      "approvals": {
        "expired": 1,
        "pending": 1,
        "rejected": 1,
        "spent": 5,
      },
      "countersignatures": {
        "bad": [],
        "checked": 4,
      },
      "intents": [
        {
          "id": "INT-001",
          "name": "discounts",
          "owned_scope": [
            "src/discount/**",
          ],
          "status": "proposed",
        },
        {
          "id": "INT-002",
          "name": "discounts in the cart",
          "owned_scope": [
            "src/pay/**",
          ],
          "status": "done",
        },
        {
          "id": "INT-003",
          "name": "all of it",
          "owned_scope": [
            "**",
          ],
          "status": "proposed",
        },
      ],
      "memories": [
        {
          "kind": "constraint",
          "statement": "Never log a card number.",
        },
        {
          "kind": "constraint",
          "statement": "prices are whole cents",
        },
        {
          "kind": "fact",
          "statement": "discount() rounds to whole cents",
        },
        {
          "kind": "fact",
          "statement": "discount.ts is there",
        },
      ],
      "sessions": [
        {
          "agent": "claude-code",
          "agentId": null,
          "intent": "INT-002",
          "level": "hooked",
          "mode": "GUARDED",
          "open": true,
        },
        {
          "agent": "claude-code",
          "agentId": "a1",
          "intent": "INT-002",
          "level": "hooked",
          "mode": "GUARDED",
          "open": true,
        },
        {
          "agent": "claude-code",
          "agentId": null,
          "intent": null,
          "level": "hooked",
          "mode": "PASSIVE",
          "open": false,
        },
      ],
    }
  `);
});

test('a store opens it, finds its records, and takes nothing to be repaired', async () => {
  const home = mkdtempSync(join(tmpdir(), 'countersign-old-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  cpSync(join(dir, '00000001.jsonl'), join(home, 'ledger/00000001.jsonl'));
  const sign = (): Buffer => {
    throw new Error('the key of this ledger is gone');
  };
  const store = await openEmbeddedStore({ dir: home, keys: { keyId: '', publicKeyPem, hmac, sign } });
  try {
    const read: LedgerRecord[] = [];
    for await (const record of store.read()) read.push(record);
    expect(read).toEqual(records);
    const settled = await store.find({ types: ['action_settled'], limit: 1000 });
    const signatures = lines.flatMap((line) => {
      const fields = readLine(line);
      return fields?.kind === 'record' && fields.type === 'action_settled' ? [signatureOf(line)] : [];
    });
    expect(settled.map(({ signature }) => signature)).toEqual(signatures.toReversed());
    expect(store.head()).toEqual({ size: savedCheckpoint.size, chain: savedCheckpoint.chain });
  } finally {
    await store.close();
  }
  expect(readFileSync(join(home, 'ledger/00000001.jsonl')).equals(readFileSync(join(dir, '00000001.jsonl')))).toBe(true);
});

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
