import fc from 'fast-check';
import { expect, test } from 'vitest';
import { digestOf, sha256Hex } from './hash.ts';
import { readNextRecord } from './next-record.ts';
import { isStreamName, readLine, recordLine } from './record-line.ts';

const prev = sha256Hex('the line before');

/** What a reader that takes any line to pieces makes of it, if it is the one that has to come. */
function byTheOther(line: Buffer, seq: number): ReturnType<typeof readNextRecord> {
  const read = readLine(line);
  return read?.kind === 'record' && read.prev === prev && read.seq === seq ? { stream: read.stream, stream_seq: read.stream_seq } : null;
}

const lines = fc
  .record({
    at: fc.constant('2026-01-02T03:04:05.678Z'),
    data: fc.constantFrom('{}', `{"text":",\\"prev\\":\\"${prev}\\",\\"seq\\":7"}`, '{"text":"é"}'),
    prev: fc.constant(prev),
    seq: fc.integer({ min: 1, max: 1e12 }),
    stream: fc.oneof(fc.constantFrom('daemon', 'a/b@c+d.e:f-g_1', 'x'.repeat(200)), fc.string().filter(isStreamName)),
    stream_seq: fc.integer({ min: 1, max: 1e12 }),
    type: fc.constantFrom('defect_caught', 'x'.repeat(64)),
  })
  .map((fields) => ({ fields, line: recordLine(fields, () => sha256Hex(fields.stream)) }));

test('it reads the record that has to come as any line is read', () => {
  fc.assert(
    fc.property(lines, ({ fields, line }) => {
      const { stream, stream_seq, seq } = fields;
      expect([readNextRecord(line, digestOf(prev), seq), byTheOther(line, seq)]).toEqual([
        { stream, stream_seq },
        { stream, stream_seq },
      ]);
      expect([readNextRecord(line, digestOf(prev), seq + 1), readNextRecord(line, digestOf(sha256Hex('another')), seq)]).toEqual([
        null,
        null,
      ]);
    }),
  );
});

test('a line that was changed anywhere is judged as any line is judged', () => {
  const change = fc.record({
    // Most of what is checked stands at either end.
    at: fc.oneof(fc.nat(50), fc.integer({ min: -420, max: -1 })),
    cut: fc.nat(3),
    put: fc.oneof(fc.constantFrom('', '0', '1', 'a', 'F', '"', ',', '_', 'é'), fc.string({ maxLength: 3 })),
  });
  fc.assert(
    fc.property(lines, change, ({ fields: { seq }, line }, { at, cut, put }) => {
      const from = at < 0 ? Math.max(0, line.length + at) : at;
      const changed = Buffer.concat([line.subarray(0, from), Buffer.from(put), line.subarray(from + cut)]);
      expect(readNextRecord(changed, digestOf(prev), seq)).toEqual(byTheOther(changed, seq));
    }),
    { numRuns: 1000 },
  );
});
