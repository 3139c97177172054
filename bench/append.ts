// Durable appends, chained and signed, beside the floor of this disk: one writer that appends a line of the same length and calls
// fdatasync, with no hash, no signature and no queue. node bench/append.ts [--json FILE]

import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { type Event, newId, streams } from '../src/protocol/index.ts';
import { report, sized } from './report/report.ts';
import { median, takeTurns, timed } from './report/rounds.ts';
import { scratchFolder } from './stack/scratch.ts';
import { append, openHome, settled } from './stack/write-ledger.ts';

const ROUNDS = sized(9, 2);
const SINGLE = sized(150, 3);
const WRITERS = 64;
const EACH = sized(30, 2);

const scratch = scratchFolder();
const home = join(scratch.path, 'home');
const store = await openHome(home);
const floor = openSync(join(scratch.path, 'floor'), 'a');
try {
  const session = newId('ses');
  const stream = (writer: number) => streams.session(`${session.slice(0, -2)}${String(writer).padStart(2, '0')}`);
  // The floor's line is there before its clock runs, and so are the events.
  const made = (times: number) => Array.from({ length: times }, (_, at) => settled(session, at));
  const write = async (writer: number, events: readonly Event[]) => {
    for (const event of events) await append(store, stream(writer), event);
  };
  await write(0, made(20));
  const [sample = ''] = readFileSync(join(home, 'ledger/00000001.jsonl'), 'utf8').split('\n').slice(-3);
  const line = Buffer.from(`${sample}\n`);
  const perSecond = async (records: number, work: () => unknown) => (records / (await timed(work))) * 1000;
  const rates = await takeTurns(ROUNDS, {
    floor: () =>
      perSecond(SINGLE, () => {
        for (let at = 0; at < SINGLE; at++) {
          writeSync(floor, line);
          fdatasyncSync(floor);
        }
      }),
    one: () => {
      const events = made(SINGLE);
      return perSecond(SINGLE, () => write(0, events));
    },
    many: () => {
      const events = Array.from({ length: WRITERS }, () => made(EACH));
      return perSecond(WRITERS * EACH, () => Promise.all(events.map((each, writer) => write(writer, each))));
    },
  });
  const against = 'append + fdatasync, one writer';
  report('append', [
    { what: `${against}, ${line.length} bytes`, value: median(rates.floor), unit: '/s' },
    { what: 'durable signed appends, 1 writer', value: median(rates.one), unit: '/s' },
    { what: 'durable signed appends, 64 writers', value: median(rates.many), unit: '/s' },
    { what: 'durable signed appends, 1 writer', value: median(rates.one) / median(rates.floor), unit: '×', against, atLeast: 0.8 },
    { what: 'durable signed appends, 64 writers', value: median(rates.many) / median(rates.floor), unit: '×', against, atLeast: 8 },
  ]);
} finally {
  closeSync(floor);
  await store.close();
  scratch.remove();
}
