// SQLite's FTS5 with its defaults: its bm25 with equal columns and its unicode61 tokenizer. The peer for recall.

import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { Memo } from './memories.ts';

export class FullText {
  readonly #database = new DatabaseSync(':memory:');
  readonly #find: StatementSync;

  constructor(memories: readonly Memo[]) {
    this.#database.exec('CREATE VIRTUAL TABLE memories USING fts5(statement, rationale, paths)');
    const insert = this.#database.prepare('INSERT INTO memories(rowid, statement, rationale, paths) VALUES (?, ?, ?, ?)');
    this.#database.exec('BEGIN');
    for (const [at, { statement, rationale, path }] of memories.entries()) insert.run(at + 1, statement, rationale, path);
    this.#database.exec('COMMIT');
    this.#find = this.#database.prepare('SELECT rowid FROM memories WHERE memories MATCH ? ORDER BY rank LIMIT ?');
  }

  /** Any of the question's words may match. A name with `_` or `-` becomes a phrase, which serves FTS5 better than its parts would. */
  find(question: string, limit: number): number[] {
    const words = question.match(/[\p{L}\p{N}_-]+/gu) ?? [];
    const rows = this.#find.all(words.map((word) => `"${word}"`).join(' OR '), limit);
    return rows.map(({ rowid }) => Number(rowid) - 1);
  }

  close(): void {
    this.#database.close();
  }
}
