// The report about a ledger that was changed, word for word: the first wrong line, how it is wrong, and how that is known.

import { join } from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { sha256Hex } from './hash.ts';
import { loadOrCreateKeys } from './keys.ts';
import { FIRST, ledger, linesOf, SECOND } from './ledger.fixture.ts';
import { recordLine } from './record-line.ts';

verifies('N2', 'each way to spoil a ledger is reported in its own words, at the first line that is wrong', async () => {
  const { dir, keys, lines, first, second, write, verify } = await ledger();
  const other = await loadOrCreateKeys(join(dir, 'other'));
  const line = (at: number) => lines[at] as Buffer;
  const swapped = (a: number, b: number) => first.with(a, line(b)).with(b, line(a));
  const instead = (at: number, from: string, to: string) => first.with(at, Buffer.from(line(at).toString().replace(from, to)));
  const edited = (at: number) => instead(at, 'message', 'massage');
  const another = linesOf(keys, [2, 5]);
  const strange = linesOf(other, [3, 2, 2]);
  const chained = (prev: string, seq: number) =>
    recordLine({ at: '2026-01-02T03:04:05.678Z', data: '{}', prev, seq, stream: 's:9', stream_seq: 1, type: 'defect_caught' }, keys.hmac);
  const forged = linesOf({ ...other, keyId: keys.keyId }, [3, 2, 2]);
  const unlinked = Buffer.from(
    line(7)
      .toString()
      .replace(sha256Hex(line(6)), sha256Hex('other')),
  );
  const own = chained(sha256Hex(line(1)), 3);
  const cases: readonly (readonly [name: string, first: readonly Buffer[], second: readonly Buffer[], where: string, message: string])[] = [
    ['a line is gone', first.toSpliced(1, 1), second, `${FIRST} 2 3 dropped`, 'A record is missing before this line.'],
    ['two lines are gone', first.toSpliced(1, 2), second, `${FIRST} 2 null dropped`, '2 records are missing before this line.'],
    [
      'a head is gone',
      first.toSpliced(3, 1),
      second,
      `${FIRST} 4 4 dropped`,
      'The head before this line is missing; the records are all there.',
    ],
    [
      'a batch begins in one file and ends in the next',
      first.slice(0, 6),
      [line(6), ...second],
      `${SECOND} 1 null torn`,
      'A batch lies in one file; this one was cut in two.',
    ],
    [
      'neighbours have changed places',
      swapped(0, 1),
      second,
      `${FIRST} 1 2 swapped`,
      'This line belongs further on; the line that was here is there.',
    ],
    [
      'a head and a record have changed places',
      swapped(3, 4),
      second,
      `${FIRST} 4 4 swapped`,
      'This line belongs further on; the line that was here is there.',
    ],
    ['a line stands twice', first.toSpliced(1, 0, line(0)), second, `${FIRST} 2 1 inserted`, 'This line is a copy of an earlier one.'],
    [
      'a line stands twice in an open batch',
      first.toSpliced(3, 0, line(1)),
      second,
      `${FIRST} 4 2 inserted`,
      'This line is a copy of an earlier one.',
    ],
    [
      'a later line stands here too',
      first.toSpliced(1, 0, line(5)),
      second,
      `${FIRST} 2 5 inserted`,
      'This line is a copy of a later one.',
    ],
    [
      'a word between two lines',
      first.toSpliced(2, 0, Buffer.from('hello')),
      second,
      `${FIRST} 3 null forged`,
      'This line was put in: the next genuine line follows the one before it.',
    ],
    [
      'a word between two batches',
      first.toSpliced(4, 0, Buffer.from('hello')),
      second,
      `${FIRST} 5 null forged`,
      'This line was put in: the next genuine line follows the one before it.',
    ],
    [
      'a word at the end',
      first,
      [...second, Buffer.from('hello')],
      `${SECOND} 4 null forged`,
      'This line is neither a record nor a head, and no signed head follows.',
    ],
    [
      'a word instead of a line',
      first.with(1, Buffer.from('hello')),
      second,
      `${FIRST} 2 null edited`,
      'This line was changed: it is neither a record nor a head any more.',
    ],
    [
      'a word instead of the first line of a batch',
      first.with(4, Buffer.from('hello')),
      second,
      `${FIRST} 5 null edited`,
      'This line was changed: it is neither a record nor a head any more.',
    ],
    [
      'a word instead of the last head',
      first,
      second.with(2, Buffer.from('hello')),
      `${SECOND} 3 null edited`,
      'This line was changed: it is neither a record nor a head any more.',
    ],
    [
      'a record of our own making, chained onto a genuine one',
      first.toSpliced(2, 0, own),
      second,
      `${FIRST} 3 3 forged`,
      'This line was put in: the next genuine line follows the one before it.',
    ],
    [
      'two of them',
      first.toSpliced(2, 0, own, chained(sha256Hex(own), 4)),
      second,
      `${FIRST} 3 3 forged`,
      'This line was put in: the next genuine line follows the one before it.',
    ],
    ['a record is changed', edited(1), second, `${FIRST} 2 2 edited`, 'This line was changed: the next one was written after other bytes.'],
    [
      'the first record of a batch is changed',
      edited(4),
      second,
      `${FIRST} 5 4 edited`,
      'This line was changed: the next one was written after other bytes.',
    ],
    [
      'the last record before a head is changed',
      edited(2),
      second,
      `${FIRST} 3 3 edited`,
      'This line was changed: the next one was written after other bytes.',
    ],
    [
      'a record names another line before it',
      instead(1, '"prev":"', '"prev":"0'),
      second,
      `${FIRST} 2 null edited`,
      'This line was changed: it is neither a record nor a head any more.',
    ],
    [
      'a record names other digits before it',
      instead(1, sha256Hex(line(0)), sha256Hex('other')),
      second,
      `${FIRST} 2 2 edited`,
      'This line was changed: it does not name the line before it.',
    ],
    [
      'the first of a batch names other digits before it',
      instead(4, sha256Hex(line(3)), sha256Hex('other')),
      second,
      `${FIRST} 5 4 edited`,
      'This line was changed: it does not name the line before it.',
    ],
    [
      'a head is changed',
      instead(3, '"head":3', '"head":2'),
      second,
      `${FIRST} 4 null edited`,
      'This line was changed. The head is for 2 records and is after 3.',
    ],
    [
      'the head of another chain',
      first.with(3, strange[3] as Buffer),
      second,
      `${FIRST} 4 null spliced`,
      `This head is of another chain: it is signed with the key ${other.keyId}.`,
    ],
    [
      'a line of another chain',
      first.with(1, strange[1] as Buffer),
      second,
      `${FIRST} 2 2 edited`,
      'This line was changed: it does not name the line before it.',
    ],
    [
      'a line of another chain, put in',
      first.toSpliced(1, 0, strange[1] as Buffer),
      second,
      `${FIRST} 2 2 forged`,
      'This line was put in: the next genuine line follows the one before it.',
    ],
    [
      'lines of another chain, put in',
      first.toSpliced(1, 0, strange[1] as Buffer, strange[2] as Buffer),
      second,
      `${FIRST} 2 2 spliced`,
      'Lines of another chain were put in here.',
    ],
    [
      'a batch of another chain, put in',
      first.toSpliced(4, 0, ...strange.slice(0, 4)),
      second,
      `${FIRST} 5 1 spliced`,
      'Lines of another chain were put in here.',
    ],
    [
      'another ledger of the same key from a batch on',
      [...first.slice(0, 4), ...another.slice(4)],
      [],
      `${FIRST} 5 4 spliced`,
      'From here on the lines belong to another chain: they were written after other lines.',
    ],
    [
      'another ledger of another key from a batch on',
      [...first.slice(0, 4), ...strange.slice(4)],
      [],
      `${FIRST} 5 4 spliced`,
      'From here on the lines belong to another chain: they were written after other lines.',
    ],
    [
      'a record is changed after the last head that is there',
      first,
      [Buffer.from(line(7).toString().replace('message', 'massage')), line(8)],
      `${SECOND} 1 6 edited`,
      'This line was changed: the next one was written after other bytes.',
    ],
    [
      'a head names other digits before it',
      instead(3, sha256Hex(line(2)), sha256Hex('other')),
      second,
      `${FIRST} 4 null edited`,
      'This line was changed. This line does not name the line before it.',
    ],
    [
      'all is rewritten, with another key under the same name',
      forged.slice(0, 7),
      forged.slice(7),
      `${FIRST} 4 null forged`,
      "The head's signature does not fit it. What follows was chained onto it, so the key's owner did not write it.",
    ],
    [
      'another ledger of another key, without its first line',
      [...first.slice(0, 4), ...strange.slice(5)],
      [],
      `${FIRST} 5 5 spliced`,
      'From here on the lines belong to another chain: they were written after other lines.',
    ],
    [
      'another ledger from its beginning',
      [...first.slice(0, 4), ...strange],
      [],
      `${FIRST} 5 1 spliced`,
      'From here on the lines belong to another chain: they were written after other lines.',
    ],
    [
      'the first after the last head names other digits before it',
      first,
      [unlinked, line(8)],
      `${SECOND} 1 6 edited`,
      'This line was changed: it does not name the line before it.',
    ],
    ['a head stands alone behind a gap', first, [line(9)], `${SECOND} 1 null dropped`, '2 records are missing before this line.'],
  ];
  for (const [name, one, two, where, message] of cases) {
    write(one, two);
    const { problem } = await verify();
    if (where === '?') console.log(JSON.stringify([name, problem]));
    else
      expect([name, `${problem?.segment} ${problem?.line} ${problem?.seq} ${problem?.how}`, problem?.message]).toEqual([
        name,
        where,
        message,
      ]);
  }
});
