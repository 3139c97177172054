// Recall over 100,000 memories: how long it takes, and how well it answers beside SQLite's FTS5 in the same run.
// node bench/recall.ts [--json FILE]

import { measureRecall } from './corpus/recall-figures.ts';
import { report } from './report/report.ts';

const MEMORIES = 100_000;
const QUESTIONS = 400;

const { ours, fts5, times } = measureRecall(MEMORIES, QUESTIONS, 20_300_601);
const percentile = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

report('recall', [
  { what: `p50 over ${MEMORIES} memories`, value: percentile(0.5), unit: 'ms', atMost: 2 },
  { what: `p99 over ${MEMORIES} memories`, value: percentile(0.99), unit: 'ms' },
  { what: `MRR of ${QUESTIONS} held-out questions`, value: ours, unit: '' },
  { what: 'MRR of FTS5, bm25, unicode61', value: fts5, unit: '' },
  { what: 'MRR against FTS5', value: ours / fts5, unit: '×', atLeast: 1.15 },
]);
