import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { ACTION_WORDS, SIGNS, wordOf } from './action-words.ts';
import { riskWords } from './risk-words.ts';

verifies('N21', 'an action has one word for what became of it; a failed call is not called done', () => {
  const cases = [
    [{ state: 'observed', status: null, lapsed: false, undone: false }, 'observed'],
    [{ state: 'waiting', status: null, lapsed: false, undone: false }, 'waiting'],
    [{ state: 'refused', status: null, lapsed: true, undone: false }, 'lapsed'],
    [{ state: 'refused', status: null, lapsed: false, undone: false }, 'refused'],
    [{ state: 'admitted', status: null, lapsed: false, undone: false }, 'allowed'],
    [{ state: 'settled', status: 'done', lapsed: false, undone: false }, 'ran'],
    [{ state: 'settled', status: 'failed', lapsed: false, undone: false }, 'failed'],
    [{ state: 'settled', status: 'done', lapsed: false, undone: true }, 'undone'],
    [{ state: 'unknown', status: null, lapsed: true, undone: false }, 'unknown'],
  ] as const;
  for (const [facts, word] of cases) expect([facts, wordOf(facts)]).toEqual([facts, word]);
});

verifies('N21', 'each word has one sign; only what runs or ran well is green', () => {
  expect(ACTION_WORDS.filter((word) => SIGNS[word].tone === 'good')).toEqual(['allowed', 'ran']);
  const shapes = Object.values(SIGNS).map(({ shape, mark }) => `${shape} ${mark}`);
  expect(new Set(shapes).size).toBe(new Set(Object.values(SIGNS).map(({ mark }) => mark)).size);
});

verifies('I13', 'a command is named by its risks, each once; by its class only where none has a name', () => {
  const risk = (kind: string, ...codes: string[]) => riskWords({ class: kind, reasons: codes.map((code) => ({ code })) });
  expect(risk('DESTRUCTIVE', 'READS_SECRET')).toBe('reads secrets');
  expect(risk('DESTRUCTIVE', 'DELETES', 'EMPTIES_FILES', 'NETWORK')).toBe('deletes, network');
  expect(risk('DESTRUCTIVE', 'REWRITES_REMOTE')).toBe('rewrites history');
  expect(risk('WRITES_OUTSIDE', 'WRITES_FILE')).toBe('writes outside the scope');
  expect(risk('DESTRUCTIVE', 'TOO_MANY_PARTS')).toBe('cannot be undone');
});
