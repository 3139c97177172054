import { expect, test } from 'vitest';
import { type ActionSpan, attribute } from './attribution.ts';

const WINDOW = { fromMs: 100_000, toMs: 200_000, daemonSinceMs: 0, leftRunning: () => [] };

const span = (id: string, fromMs: number, toMs: number | null, paths: readonly string[] | null = null): ActionSpan => ({
  id,
  session: 'ses_1',
  root: '/r',
  fromMs,
  toMs,
  executes: paths === null,
  paths: new Set(paths ?? []),
});

const COMMAND = span('act_command', 120_000, 130_000);

test.each([
  ['while one command ran', 125_000, [COMMAND], 'window', ['act_command']],
  ['while a command runs that has not ended', 150_000, [span('act_open', 140_000, null)], 'window', ['act_open']],
  ['right after a command', 131_000, [COMMAND], 'window', ['act_command']],
  ['right after an edit of this very file', 121_000, [span('act_edit', 120_000, 120_100, ['a.ts'])], 'window', ['act_edit']],
  ['while two commands ran', 125_000, [COMMAND, span('act_other', 110_000, null)], 'ambiguous', ['act_command', 'act_other']],
  ['long after a command, which may have left something running', 190_000, [COMMAND], 'ambiguous', ['act_command']],
  ['before any command', 110_000, [COMMAND], 'human-unproven', []],
  ['while another file was edited', 120_050, [span('act_edit', 120_000, 120_100, ['b.ts'])], 'human-unproven', []],
  ['while nothing went on', 150_000, [], 'human-unproven', []],
  ['and the file is gone, with one command in the window', null, [COMMAND], 'window', ['act_command']],
  ['and the file is gone, with two', null, [COMMAND, span('act_other', 160_000, 170_000)], 'ambiguous', ['act_command', 'act_other']],
  ['and the file is gone, with none', null, [], 'human-unproven', []],
  ['by a stamp that lies outside of the window', 5, [COMMAND], 'window', ['act_command']],
] as const)('a change %s', (_when, changedMs, spans, attribution, actions) => {
  expect(attribute({ path: 'a.ts', changedMs }, { ...WINDOW, spans })).toEqual({ attribution, actions });
});

test.each([
  ['before the daemon was there', 125_000, 'unknown', ['act_command']],
  ['that removed the file, at an unknown time', null, 'unknown', ['act_command']],
  ['after the daemon had started', 150_000, 'ambiguous', ['act_command']],
] as const)('a change %s', (_when, changedMs, attribution, actions) => {
  expect(attribute({ path: 'a.ts', changedMs }, { ...WINDOW, daemonSinceMs: 140_000, spans: [COMMAND] })).toEqual({ attribution, actions });
});

test('what a command left running is a suspect while it lives, also after its session; then it is not', () => {
  const leftRunning = (at: number) => (at < 160_000 ? ['act_gone'] : []);
  const whose = (changedMs: number) => attribute({ path: 'a.ts', changedMs }, { ...WINDOW, spans: [], leftRunning });
  expect([whose(150_000), whose(170_000)]).toEqual([
    { attribution: 'ambiguous', actions: ['act_gone'] },
    { attribution: 'human-unproven', actions: [] },
  ]);
});
