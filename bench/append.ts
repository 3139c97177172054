// Durable appends, chained and signed, beside the floor of this disk: one writer that appends a line of the same length and calls
// fdatasync, with no hash, no signature and no queue. node bench/append.ts [--json FILE]

import { closeSync, fdatasyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { newId, streams } from '../src/protocol/index.ts';
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
  const write = async (writer: number, times: number) => {
    for (let at = 0; at < times; at++) await append(store, stream(writer), settled(session, at));
  };
  await write(0, 20);
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
    one: () => perSecond(SINGLE, () => write(0, SINGLE)),
    many: () => perSecond(WRITERS * EACH, () => Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer, EACH)))),
  });
  const against = 'append + fdatasync, one writer';
  report('append', [
    { what: `${against}, ${line.length} bytes`, value: median(rates.floor), unit: '/s' },
    { what: 'durable signed appends, 1 writer', value: median(rates.one), unit: '/s' },
    { what: 'durable signed appends, 64 writers', value: median(rates.many), unit: '/s' },
    { what: 'durable signed appends, 1 writer', value: median(rates.one) / median(rates.floor), unit: '×', against },
    { what: 'durable signed appends, 64 writers', value: median(rates.many) / median(rates.floor), unit: '×', against, atLeast: 8 },
  ]);
} finally {
  closeSync(floor);
  await store.close();
  scratch.remove();
}
