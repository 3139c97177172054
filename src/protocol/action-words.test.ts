import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { riskWords, wordOf } from './action-words.ts';

verifies('N21', 'an action has one word for what became of it; a failed call is not called done', () => {
  const cases = [
    [{ state: 'observed', status: null, lapsed: false }, 'observed'],
    [{ state: 'waiting', status: null, lapsed: false }, 'waiting'],
    [{ state: 'refused', status: null, lapsed: true }, 'lapsed'],
    [{ state: 'refused', status: null, lapsed: false }, 'refused'],
    [{ state: 'admitted', status: null, lapsed: false }, 'allowed'],
    [{ state: 'settled', status: 'done', lapsed: false }, 'ran'],
    [{ state: 'settled', status: 'failed', lapsed: false }, 'failed'],
    [{ state: 'unknown', status: null, lapsed: true }, 'unknown'],
  ] as const;
  for (const [facts, word] of cases) expect([facts, wordOf(facts)]).toEqual([facts, word]);
});

verifies('I13', 'a command is named by its risks, each once; by its class only where none has a name', () => {
  const risk = (kind: string, ...codes: string[]) => riskWords({ class: kind, reasons: codes.map((code) => ({ code })) });
  expect(risk('DESTRUCTIVE', 'READS_SECRET')).toBe('reads secrets');
  expect(risk('DESTRUCTIVE', 'DELETES', 'EMPTIES_FILES', 'NETWORK')).toBe('deletes, network');
  expect(risk('DESTRUCTIVE', 'REWRITES_REMOTE')).toBe('rewrites history');
  expect(risk('WRITES_OUTSIDE', 'WRITES_FILE')).toBe('writes outside the scope');
  expect(risk('DESTRUCTIVE', 'TOO_MANY_PARTS')).toBe('cannot be undone');
});
