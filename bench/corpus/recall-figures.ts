// Recall and FTS5 over the same memories, asked the same questions.

import { Memory } from '../../src/memory/index.ts';
import type { Claim } from '../../src/protocol/index.ts';
import { FullText } from './full-text.ts';
import { Corpus, type Question, randomFrom } from './memories.ts';

export const WORKSPACE = `wsp_${'0'.repeat(26)}`;
const NOW = new Date('2030-06-01T00:00:00.000Z');
const KINDS = ['fact', 'decision', 'constraint', 'claim', 'note'] as const;
const DEPTH = 10;

export interface RecallFigures {
  readonly ours: number;
  readonly fts5: number;
  /** Of our recall, in milliseconds, in rising order. */
  readonly times: readonly number[];
}

export function measureRecall(size: number, questions: number, seed: number): RecallFigures {
  const corpus = new Corpus(size, seed);
  const memory = new Memory();
  for (const [at, claim] of claimsOf(corpus, seed).entries())
    memory.apply({
      seq: at + 1,
      stream: `memory:${WORKSPACE}`,
      stream_seq: at + 1,
      at: claim.written_at,
      event: { type: 'claim_kept', data: { workspace: WORKSPACE, claim } },
    });
  const recall = (query: string): number[] =>
    memory.recall(WORKSPACE, { query, limit: DEPTH, now: NOW, scope: ['src/**'] }).map(({ claim }) => numberOf(claim.id));
  const fullText = new FullText(corpus.memories);
  // Warm-up questions, which are not counted: they build the index and warm the code.
  for (const { text } of corpus.questions(200, seed + 1)) recall(text);

  const asked = corpus.questions(questions, seed + 2);
  const times: number[] = [];
  const ours = meanRank(asked, (text) => {
    const began = performance.now();
    const found = recall(text);
    times.push(performance.now() - began);
    return found;
  });
  const fts5 = meanRank(asked, (text) => fullText.find(text, DEPTH));
  fullText.close();
  return { ours, fts5, times: times.toSorted((a, b) => a - b) };
}

/** The mean reciprocal rank. */
const meanRank = (asked: readonly Question[], find: (text: string) => readonly number[]): number =>
  asked.reduce((sum, { text, about }) => sum + reciprocalRank(find(text), about), 0) / asked.length;

/** Ids count up, so that an answer leads back to its memory. */
const idOf = (at: number): string => `clm_${String(at).padStart(26, '0')}`;
const numberOf = (id: string): number => Number(id.slice(4));
const reciprocalRank = (found: readonly number[], wanted: number): number => (found.includes(wanted) ? 1 / (found.indexOf(wanted) + 1) : 0);

/** Random kinds and ages: they change the order a little, as in real use. */
function claimsOf(corpus: Corpus, seed: number): Claim[] {
  const below = randomFrom(seed + 3);
  return corpus.memories.map(({ statement, rationale, path }, at) => ({
    id: idOf(at),
    kind: KINDS[below(KINDS.length)] ?? 'note',
    statement,
    rationale,
    citations: path === null ? [] : [{ path, start_line: 1, end_line: 2, sha256: '0'.repeat(64) }],
    checks: [],
    receipts: [],
    scope: [],
    session: null,
    agent: 'bench',
    written_at: new Date(NOW.getTime() - below(400) * 86_400_000).toISOString(),
    approved: null,
  }));
}
