// The contract of every store backend, as one suite. A backend is done when it passes.

import { describe, expect, onTestFinished, test } from 'vitest';
import { Fault, streams } from '../protocol/index.ts';
import type { Event, FaultCode, LedgerRecord, StreamAppend } from '../protocol/index.ts';
import type { EventStore } from './event-store.ts';
import { kernelRaces } from './two-kernels.fixture.ts';

export interface OpenedStore {
  readonly store: EventStore;
  /** Closes the store that is open and opens the same one again. */
  reopen(): Promise<EventStore>;
  destroy(): Promise<void>;
}

const said = (message: string): Event => ({ type: 'defect_caught', data: { door: 'test', message } });
const started: Event = { type: 'daemon_started', data: { pid: 7, version: '1.0.0', policy_revision: 'r1' } };

const part = (stream: string, expected_seq: number | null, ...events: readonly Event[]): StreamAppend => ({ stream, expected_seq, events });

const messages = (records: readonly LedgerRecord[]): readonly string[] =>
  records.map(({ event }) => (event.type === 'defect_caught' ? event.data.message : event.type));

async function readAll(store: EventStore, from?: number): Promise<readonly LedgerRecord[]> {
  const records: LedgerRecord[] = [];
  for await (const record of store.read(from)) records.push(record);
  return records;
}

/** The positions of streams, in their order. */
async function at(store: EventStore, ...wanted: readonly string[]): Promise<readonly unknown[]> {
  const positions = await store.positions(wanted);
  return wanted.map((stream) => positions.get(stream));
}

async function codeOf(promise: Promise<unknown>): Promise<FaultCode | 'no fault'> {
  try {
    await promise;
    return 'no fault';
  } catch (error) {
    if (error instanceof Fault) return error.code;
    throw error;
  }
}

/** Of the races with two kernels; `npm run test:long` runs more. */
const ROUNDS = Number(process.env['COUNTERSIGN_ROUNDS'] ?? 250);

export function storeContract(name: string, open: () => Promise<OpenedStore>, rounds = ROUNDS): void {
  const opened = async (): Promise<OpenedStore> => {
    const it = await open();
    onTestFinished(() => it.destroy());
    return it;
  };

  describe(`${name} keeps the store contract`, () => {
    test('an empty store has no records, no positions and no head', async () => {
      const { store } = await opened();
      expect([await readAll(store), await store.find({ limit: 10 }), await at(store, 'daemon'), store.head(), store.writable()]).toEqual([
        [],
        [],
        [0],
        { size: 0, chain: null },
        true,
      ]);
    });

    test('an append gives back its records with their positions, and they are read back whole', async () => {
      const { store } = await opened();
      const first = await store.append([part('a', 0, said('one'), said('two')), part('b', 0, started)]);
      const second = await store.append([part('b', 1, said('three'))]);
      const all = [...first, ...second];
      expect(all.map(({ seq, stream, stream_seq, event }) => ({ seq, stream, stream_seq, event }))).toEqual([
        { seq: 1, stream: 'a', stream_seq: 1, event: said('one') },
        { seq: 2, stream: 'a', stream_seq: 2, event: said('two') },
        { seq: 3, stream: 'b', stream_seq: 1, event: started },
        { seq: 4, stream: 'b', stream_seq: 2, event: said('three') },
      ]);
      expect([await readAll(store), await readAll(store, 3), await readAll(store, 5)]).toEqual([all, all.slice(2), []]);
      expect([await at(store, 'a', 'b'), store.head().size]).toEqual([[2, 2], 4]);
    });

    test('one stream that has moved on refuses the whole append', async () => {
      const { store } = await opened();
      await store.append([part('approval:1', 0, said('asked'))]);
      const before = store.head();
      expect(await codeOf(store.append([part('session:1', 0, said('admitted')), part('approval:1', 0, said('spent'))]))).toBe('CONFLICT');
      expect(await codeOf(store.append([part('approval:1', 2, said('spent'))]))).toBe('CONFLICT');
      expect([store.head(), await at(store, 'session:1', 'approval:1')]).toEqual([before, [0, 1]]);
      expect(messages(await readAll(store))).toEqual(['asked']);
    });

    test('of 64 that want to spend the same approval at once, one does', async () => {
      const { store } = await opened();
      await store.append([part('approval:1', 0, said('asked'))]);
      const codes = await Promise.all(
        Array.from({ length: 64 }, (_, i) =>
          codeOf(store.append([part(`session:${i}`, 0, said('in')), part('approval:1', 1, said('spent'))])),
        ),
      );
      expect(codes.toSorted()).toEqual([...Array<string>(63).fill('CONFLICT'), 'no fault']);
      expect(messages(await readAll(store))).toEqual(['asked', 'in', 'spent']);
    });

    test('64 writers at once: every record once, streams without gaps, one order for all', async () => {
      const { store, reopen } = await opened();
      const heard: LedgerRecord[] = [];
      store.subscribe((records) => heard.push(...records));
      const returned = await Promise.all(
        Array.from({ length: 64 }, async (_, writer) => {
          const own: LedgerRecord[] = [];
          for (let i = 0; i < 20; i++)
            own.push(...(await store.append([part(`w:${writer}`, i, said(`${writer}/${i}`))], { durable: i % 3 !== 0 })));
          return own;
        }),
      );
      const all = await readAll(store);
      expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 1280 }, (_, i) => i + 1));
      expect(heard).toEqual(all);
      expect(returned.flat().toSorted((a, b) => a.seq - b.seq)).toEqual(all);
      for (const [writer, own] of returned.entries()) expect(messages(own)).toEqual(Array.from({ length: 20 }, (_, i) => `${writer}/${i}`));
      expect(await readAll(await reopen())).toEqual(all);
    });

    test('appends take their positions in the order in which they come, so that a second one can follow without waiting', async () => {
      const { store } = await opened();
      const first = store.append([part('a', 0, said('one'))]);
      const second = store.append([part('a', 1, said('two'))]);
      expect(await at(store, 'a')).toEqual([2]);
      expect(messages([...(await first), ...(await second)])).toEqual(['one', 'two']);
    });

    test('the same stream twice in one append goes on where it was', async () => {
      const { store } = await opened();
      const records = await store.append([part('a', 0, said('one')), part('b', 0, said('two')), part('a', 1, said('three'))]);
      expect(records.map(({ stream, stream_seq }) => [stream, stream_seq])).toEqual([
        ['a', 1],
        ['b', 1],
        ['a', 2],
      ]);
    });

    test('an append that expects no position goes to the end, also behind one that is on its way', async () => {
      const { store } = await opened();
      const first = store.append([part('a', 0, said('one'))]);
      const second = store.append([part('a', null, said('two')), part('b', null, said('three'))]);
      expect([...(await first), ...(await second)].map(({ stream, stream_seq }) => [stream, stream_seq])).toEqual([
        ['a', 1],
        ['a', 2],
        ['b', 1],
      ]);
    });

    test('a part without events is checked and moves nothing', async () => {
      const { store } = await opened();
      await store.append([part('modes', 0, said('strict'))]);
      expect(await codeOf(store.append([part('session:1', 0, said('admitted')), part('modes', 0)]))).toBe('CONFLICT');
      await store.append([part('session:1', 0, said('admitted')), part('modes', 1)]);
      expect(await store.positions(['session:1', 'modes', 'unknown'])).toEqual(
        new Map([
          ['session:1', 1],
          ['modes', 1],
          ['unknown', 0],
        ]),
      );
    });

    test('an append of nothing writes nothing', async () => {
      const { store } = await opened();
      expect([await store.append([]), await store.append([part('a', 0)]), store.head()]).toEqual([[], [], { size: 0, chain: null }]);
    });

    test('after reopening, everything is there and goes on at the same positions', async () => {
      const { store, reopen } = await opened();
      await store.append([part('a', 0, said('one')), part('b', 0, said('two'))]);
      await store.append([part('a', 1, said('three'))], { durable: false });
      const before = { head: store.head(), all: await readAll(store) };
      const again = await reopen();
      expect({ head: again.head(), all: await readAll(again) }).toEqual(before);
      expect(await at(again, 'a', 'b')).toEqual([2, 1]);
      expect(await codeOf(again.append([part('a', 1, said('late'))]))).toBe('CONFLICT');
      expect((await again.append([part('a', 2, said('four'))])).map(({ seq, stream_seq }) => [seq, stream_seq])).toEqual([[4, 3]]);
      expect(messages(await again.find({ stream: 'a', limit: 10 }))).toEqual(['four', 'three', 'one']);
    });

    test('a subscriber hears an event as it is read back, its names in the same order', async () => {
      const { store } = await opened();
      const heard: LedgerRecord[] = [];
      store.subscribe((records) => heard.push(...records));
      await store.append([part('daemon', null, { type: 'daemon_started', data: { version: '1.0.0', policy_revision: 'r1', pid: 7 } })]);
      expect(JSON.stringify(heard.map(({ event }) => event))).toBe(JSON.stringify((await readAll(store)).map(({ event }) => event)));
    });

    test('a subscriber hears a batch before its append resolves, and nothing after it has left', async () => {
      const { store } = await opened();
      const order: string[] = [];
      const leave = store.subscribe((records) => order.push(...messages(records).map((message) => `heard ${message}`)));
      await store.append([part('a', 0, said('one'))]).then(() => order.push('resolved one'));
      await store.append([part('a', 1, said('two'))], { durable: false }).then(() => order.push('resolved two'));
      leave();
      await store.append([part('a', 2, said('three'))]);
      expect(order).toEqual(['heard one', 'resolved one', 'heard two', 'resolved two']);
    });

    test('find answers newest first, by type, stream, position and limit', async () => {
      const { store } = await opened();
      await store.append([part('a', 0, said('a1')), part('b', 0, started), part('a', 1, said('a2')), part('b', 1, said('b2'))]);
      const find = async (query: Parameters<EventStore['find']>[0]): Promise<readonly number[]> =>
        (await store.find(query)).map(({ seq }) => seq);
      expect(await find({ limit: 10 })).toEqual([4, 3, 2, 1]);
      expect(await find({ limit: 2 })).toEqual([4, 3]);
      expect(await find({ limit: 0 })).toEqual([]);
      expect(await find({ limit: 10, before: 3 })).toEqual([2, 1]);
      expect(await find({ limit: 10, stream: 'a' })).toEqual([3, 1]);
      expect(await find({ limit: 1, stream: 'b', types: ['daemon_started'] })).toEqual([2]);
      expect(await find({ limit: 10, types: ['defect_caught', 'daemon_started'], before: 4 })).toEqual([3, 2, 1]);
      expect(await find({ limit: 10, types: [] })).toEqual([]);
      expect(await find({ limit: 10, stream: 'unknown' })).toEqual([]);
      const found = await store.find({ limit: 10 });
      expect(found.map(({ signature: _, ...record }) => record)).toEqual((await readAll(store)).toReversed());
      expect(found.every(({ signature }) => /^[0-9a-f]{64}$/.test(signature))).toBe(true);
    });

    test('a blob comes back under its digest, once however often it is put', async () => {
      const { store, reopen } = await opened();
      const bytes = Buffer.from('payload\n');
      const digests = await Promise.all([store.putBlob(bytes), store.putBlob(bytes)]);
      const sha256 = 'd4e4877bac978b7952f0d544fc52ebff5411d351d129f1f056fa43f11da9af2b';
      expect([...digests, await store.putBlob(bytes)]).toEqual([sha256, sha256, sha256]);
      const again = await reopen();
      expect(Buffer.from((await again.getBlob(sha256)) ?? [])).toEqual(bytes);
      expect([await again.getBlob('0'.repeat(64)), await again.getBlob('../../etc/passwd')]).toEqual([null, null]);
    });

    test('what is not an event, or has no canonical form, throws and changes nothing', async () => {
      const { store } = await opened();
      const bad: readonly (readonly [unknown, string])[] = [
        [{ type: 'unheard_of', data: {} }, 'invalid_union'],
        [{ type: 'defect_caught', data: { door: 'test' } }, 'invalid_type'],
        [{ type: 'defect_caught', data: { door: 'test', message: 'm', more: 1 } }, 'unrecognized_keys'],
        [{ type: 'defect_caught', data: { door: 'test', message: 'lone \ud800' } }, '$.message: a string with a lone surrogate'],
      ];
      for (const [event, message] of bad) await expect(store.append([part('a', 0, said('good'), event as Event)])).rejects.toThrow(message);
      await expect(store.append([part('a "stream"', 0, said('good'))])).rejects.toThrow('cannot name a stream');
      expect([await at(store, 'a'), store.head().size, store.writable()]).toEqual([[0], 0, true]);
    });

    test('newlines, JSON and odd characters in a field stay in that field', async () => {
      const { store, reopen } = await opened();
      const nasty = '"}\n{"at":"x","data":{},"seq":2}\r\n\u0000\u2028\u{1f600}","signature":"';
      await store.append([part(streams.daemon, 0, said(nasty))]);
      const again = await reopen();
      expect(messages(await readAll(again))).toEqual([nasty]);
      expect(again.head().size).toBe(1);
    });

    test('some types are read alone, in order, whatever is between', async () => {
      const { store } = await opened();
      await store.append([
        part('a', 0, said('a1')),
        part('b', 0, started),
        part('a', 1, said('"type":"daemon_started"')),
        part('b', 1, started),
      ]);
      const seqs = async (...[from, types]: Parameters<EventStore['read']>): Promise<readonly number[]> => {
        const found: number[] = [];
        for await (const { seq } of store.read(from, types)) found.push(seq);
        return found;
      };
      expect(await seqs(1, ['daemon_started'])).toEqual([2, 4]);
      expect(await seqs(3, ['daemon_started'])).toEqual([4]);
      expect(await seqs(2, ['defect_caught', 'daemon_started'])).toEqual([2, 3, 4]);
      expect(await seqs(1, ['session_closed'])).toEqual([]);
    });

    test('a closed store takes nothing more', async () => {
      const { store } = await opened();
      const last = store.append([part('a', 0, said('one'))]);
      await store.close();
      expect(messages(await last)).toEqual(['one']);
      expect(await codeOf(store.append([part('a', 1, said('two'))]))).toBe('AUDIT_UNAVAILABLE');
    });

    kernelRaces(opened, rounds);
  });
}
