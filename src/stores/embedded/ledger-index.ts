// Which record is where, for questions that are not "all of it in order". Always a copy: it is deleted and rebuilt
// whenever it disagrees with the ledger, and its errors never reach an append.

import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { renameSync, rmSync } from 'node:fs';
import type { RecordPlace } from '../../ledger/index.ts';
import type { FindQuery } from '../event-store.ts';
import type { FoundPlace } from '../ledger-files/read-records.ts';
import { openSqlite } from '../sqlite.ts';

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = OFF;
  CREATE TABLE IF NOT EXISTS records (
    seq INTEGER PRIMARY KEY, stream TEXT NOT NULL, stream_seq INTEGER NOT NULL, type TEXT NOT NULL, at TEXT NOT NULL,
    segment INTEGER NOT NULL, offset INTEGER NOT NULL, length INTEGER NOT NULL, chain TEXT NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS records_by_stream ON records (stream, seq);
  CREATE INDEX IF NOT EXISTS records_by_type ON records (type, seq);
`;

/** With this many waiting rows, `add` writes them at once. */
const FLUSH_AT = 1024;
/** With fewer waiting rows than this, an idle moment is not worth a transaction. */
const FLUSH_IDLE_AT = 128;

export function removeIndex(path: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
}

export class LedgerIndex {
  #path: string;
  #database: DatabaseSync;
  #insert: StatementSync;
  #waiting: RecordPlace[] = [];

  constructor(path: string) {
    this.#path = path;
    this.#database = openSqlite(path, 0);
    this.#database.exec(SCHEMA);
    this.#insert = this.#prepareInsert();
  }

  /** The newest record that it knows, to be compared with the ledger's. Null when it is empty or has gaps. */
  newest(): { readonly seq: number; readonly chain: string } | null {
    const { count, seq } = this.#database.prepare('SELECT count(*) AS count, max(seq) AS seq FROM records').get() as {
      count: number;
      seq: number | null;
    };
    if (seq === null || count !== seq) return null;
    return this.#database.prepare('SELECT seq, chain FROM records WHERE seq = ?').get(seq) as { seq: number; chain: string };
  }

  /** The hash of a record's line. */
  chainAt(seq: number): string | null {
    const row = this.#database.prepare('SELECT chain FROM records WHERE seq = ?').get(seq) as { chain: string } | undefined;
    return row?.chain ?? null;
  }

  placeOf(seq: number): { readonly segment: number; readonly offset: number } | null {
    this.flush();
    const row = this.#database.prepare('SELECT segment, offset FROM records WHERE seq = ?').get(seq);
    return (row as { segment: number; offset: number } | undefined) ?? null;
  }

  add(place: RecordPlace): void {
    this.#waiting.push(place);
    if (this.#waiting.length >= FLUSH_AT) this.flush();
  }

  /** For a moment when this thread is idle. */
  flushWhenIdle(): void {
    if (this.#waiting.length >= FLUSH_IDLE_AT) this.flush();
  }

  /** Newest first. */
  find(query: FindQuery): readonly FoundPlace[] {
    this.flush();
    const conditions: string[] = [];
    const values: SQLInputValue[] = [];
    if (query.stream !== undefined) {
      conditions.push('stream = ?');
      values.push(query.stream);
    }
    if (query.types !== undefined) {
      conditions.push(`type IN (${query.types.map(() => '?').join(', ')})`);
      values.push(...query.types);
    }
    if (query.before !== undefined) {
      conditions.push('seq < ?');
      values.push(query.before);
    }
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`;
    const sql = `SELECT seq, segment, offset, length FROM records ${where} ORDER BY seq DESC LIMIT ?`;
    return this.#database.prepare(sql).all(...values, query.limit) as unknown as FoundPlace[];
  }

  /** Forgets everything, also a damaged file. */
  clear(): void {
    this.#database.close();
    removeIndex(this.#path);
    this.#open();
    this.#waiting = [];
  }

  /** Replaces another index, whose database is closed. */
  moveTo(path: string): void {
    this.close();
    removeIndex(path);
    renameSync(this.#path, path);
    this.#path = path;
    this.#open();
  }

  close(): void {
    try {
      this.flush();
    } finally {
      this.#database.close();
    }
  }

  #open(): void {
    this.#database = openSqlite(this.#path, 0);
    this.#database.exec(SCHEMA);
    this.#insert = this.#prepareInsert();
  }

  #prepareInsert(): StatementSync {
    return this.#database.prepare('INSERT INTO records VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  }

  flush(): void {
    if (this.#waiting.length === 0) return;
    this.#database.exec('BEGIN');
    try {
      for (const { seq, stream, stream_seq, type, at, segment, offset, length, chain } of this.#waiting) {
        this.#insert.run(seq, stream, stream_seq, type, at, segment, offset, length, chain);
      }
      this.#database.exec('COMMIT');
    } catch (error) {
      this.#database.exec('ROLLBACK');
      throw error;
    }
    this.#waiting = [];
  }
}
