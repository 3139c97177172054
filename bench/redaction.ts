// The cost of removing secrets: for one ordinary action, and for long texts, against reading the same text as JSON. node bench/redaction.ts
// [--json FILE]

import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Redactor } from '../src/kernel/index.ts';
import { report } from './report/report.ts';

const ROUNDS = 3_000;
const source = readFileSync(new URL('../src/kernel/spine.ts', import.meta.url), 'utf8');
const redactor = new Redactor((text) => createHmac('sha256', 'key of the bench').update(text).digest('hex'));
for (let number = 0; number < 12; number++) redactor.hold('daemon-token', `held-${number}-${'x'.repeat(30)}`);

/** An edit of twenty lines, as a hook reports it. */
const action = JSON.stringify({
  id: 'act_01M7HG1E6MY6GAS4E1D0XAT5NF',
  session: 'ses_ANKREPP1P5FAY8GZ4MMR7VVYM6',
  workspace: 'wsp_9A4P90ZY16BJ8JJ4F26G9DD46B',
  root: '/home/ada/projects/shop',
  actor: { agent: 'claude-code', model: 'a-model' },
  door: 'hook',
  tool: 'edit_file',
  input: { path: 'src/auth/login.ts', edits: [{ old_text: source.slice(3_000, 3_600), new_text: source.slice(3_000, 3_900) }] },
  input_sha256: 'a1'.repeat(32),
  effects: ['write'],
  resources: [{ kind: 'file', path: 'src/auth/login.ts', access: 'write', targeted: true }],
  at: '2026-01-02T03:04:05.000Z',
});

/** A good time, not the best: the rest is mostly noise from the machine. */
function timeOf(rounds: number, prepare: () => unknown, work: (value: unknown) => unknown): number {
  const times = Array.from({ length: rounds }, () => {
    const value = prepare();
    const started = performance.now();
    work(value);
    return performance.now() - started;
  });
  return times.toSorted((a, b) => a - b)[Math.floor(rounds / 10)]!;
}

const oneAction = timeOf(
  ROUNDS,
  () => JSON.parse(action) as unknown,
  (value) => redactor.value(value),
);
// A new text each time: the engine keeps what it knows about a string.
let nonce = 0;
const text = () => Buffer.from(source.repeat(10) + String(nonce++)).toString('latin1');
const longText = timeOf(100, text, (value) => redactor.text(value as string));
const parsed = timeOf(
  100,
  () => JSON.stringify(text()),
  (value) => JSON.parse(value as string),
);
const megabytes = (source.length * 10) / 1e6;
report('redaction', [
  { what: 'an action with an edit of 1.5 KB', value: oneAction * 1e3, unit: 'µs', atMost: 25 },
  { what: 'source text', value: megabytes / (longText / 1e3), unit: 'MB/s', atLeast: 40 },
  { what: 'JSON.parse of the same text as a string', value: megabytes / (parsed / 1e3), unit: 'MB/s' },
]);
