// Views of the ledger in the work tree: the Agent Trace and the intents file. They follow the ledger, can be made again from
// it, and cannot fail a request: what goes wrong here is logged and left out.

import { existsSync, readFileSync } from 'node:fs';
import type { State } from '../kernel/index.ts';
import type { LedgerRecord } from '../protocol/index.ts';
import type { EventStore } from '../stores/index.ts';
import { addIntentToFile, appendTrace, readIntentsFile, traceRecord } from '../workspace/index.ts';
import { writePrivateFile } from './private-file.ts';

export interface ProjectionOptions {
  readonly store: EventStore;
  readonly state: State;
  /** Remembers how far the views have come. */
  readonly cursorFile: string;
  readonly version: string;
  readonly rootOf: (workspace: string) => string | undefined;
  readonly log: (message: string) => void;
}

export class Projections {
  private readonly options: ProjectionOptions;
  private chain: Promise<void> = Promise.resolve();
  private done: number;

  constructor(options: ProjectionOptions) {
    this.options = options;
    this.done = readCursor(options.cursorFile);
  }

  /** What happened while nobody projected. Listeners must be on before: a record is projected once, by its position. */
  async catchUp(): Promise<void> {
    for await (const record of this.options.store.read(this.done + 1)) this.follow(record);
    await this.settled();
  }

  follow(record: LedgerRecord): void {
    this.chain = this.chain
      .then(() => this.project(record))
      .catch((error: unknown) => this.options.log(`view of record ${record.seq}: ${String(error)}`));
  }

  /** Resolves when all that was followed so far has been written. */
  async settled(): Promise<void> {
    await this.chain;
    await writePrivateFile(this.options.cursorFile, JSON.stringify({ seq: this.done }));
  }

  private async project({ seq, event }: LedgerRecord): Promise<void> {
    if (seq <= this.done) return;
    this.done = seq;
    const { state, version, rootOf } = this.options;
    if (event.type === 'action_settled') {
      const session = state.sessions.get(event.data.session);
      const trace =
        session &&
        traceRecord(event.data.receipt, {
          workspaceId: session.workspace,
          sessionUrl: `urn:countersign:session:${session.id}`,
          toolVersion: version,
        });
      // Writing would make a work tree again that was removed.
      if (session && trace && existsSync(session.root)) await appendTrace(session.root, [trace]);
    }
    if (event.type === 'intent_confirmed') {
      const root = rootOf(event.data.workspace);
      const written = root === undefined ? null : await readIntentsFile(root);
      if (root !== undefined && !written?.some(({ id }) => id === event.data.intent.id)) await addIntentToFile(root, event.data.intent);
    }
  }
}

function readCursor(file: string): number {
  try {
    const { seq } = JSON.parse(readFileSync(file, 'utf8')) as { seq?: unknown };
    return typeof seq === 'number' && Number.isSafeInteger(seq) && seq >= 0 ? seq : 0;
  } catch {
    return 0;
  }
}
