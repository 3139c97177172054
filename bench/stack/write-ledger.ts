// A ledger with a given number of records, as agents' work produces it: sessions, and actions that were admitted and settled. Written by
// the real store.

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { loadOrCreateKeys } from '../../src/ledger/index.ts';
import { type Event, newId, streams } from '../../src/protocol/index.ts';
import { type EventStore, openEmbeddedStore } from '../../src/stores/index.ts';

/** How many appends are under way at once: each batch takes all of them. */
const WRITERS = 64;

/** A store in the daemon's folder, for writing to it without a daemon. */
export async function openHome(home: string): Promise<EventStore> {
  return openEmbeddedStore({ dir: home, keys: await loadOrCreateKeys(join(home, 'keys')) });
}

export async function writeLedger(home: string, records: number): Promise<void> {
  const store = await openHome(home);
  const writers = Array.from({ length: WRITERS }, async (_, at) => {
    const session = newId('ses');
    const stream = streams.session(session);
    await append(store, stream, sessionOpened(session, at), false);
    for (let written = 1; written < records / WRITERS; written++) await append(store, stream, settled(session, written), false);
  });
  await Promise.all(writers);
  await store.close();
}

export async function append(store: EventStore, stream: string, event: Event, durable = true): Promise<void> {
  await store.append([{ stream, expected_seq: null, events: [event] }], { durable });
}

const WORKSPACE = newId('wsp');

function sessionOpened(session: string, at: number): Event {
  return {
    type: 'session_opened',
    data: {
      ...{ session, workspace: WORKSPACE, root: '/home/ada/shop', agent: 'bench', native_session: `n${at}`, agent_id: null },
      ...{ level: 'hooked', parent: null, inherited: null },
    },
  };
}

export function settled(session: string, at: number): Event {
  const action = newId('act');
  const text = `line ${at} of what the tool said`;
  const hash = (words: string) => createHash('sha256').update(words).digest('hex');
  return {
    type: 'action_settled',
    data: {
      ...{ action, session },
      receipt: {
        ...{ receipt_id: newId('rcp'), action_id: action, task_id: session, turn_id: '1', agent_id: 'bench', tool_id: 'edit_file' },
        ...{ inputs: { path: `src/part-${at % 97}.ts` }, status: 'done', excerpt: text, sha256: hash(text), full_size: text.length },
        file_refs: [
          {
            ...{ path: `src/part-${at % 97}.ts`, before_sha256: hash(`b${at}`), after_sha256: hash(`a${at}`) },
            ranges: [{ start_line: at % 400 || 1, end_line: (at % 400 || 1) + 2, sha256: hash(`r${at}`) }],
          },
        ],
        ...{ intent: 'INT-001', revision: null, timestamp: new Date().toISOString() },
      },
    },
  };
}
