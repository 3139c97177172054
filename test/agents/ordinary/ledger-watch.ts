// What the daemon writes down while agents work, read from its ledger as it grows, and a human who answers what is asked.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Event } from '../../../src/protocol/index.ts';
import type { World } from '../../lab/world.ts';

const LOOK_EVERY_MS = 200;

export class LedgerWatch {
  private readonly world: World;
  private readonly answered = new Set<string>();

  constructor(world: World) {
    this.world = world;
  }

  events(): Event[] {
    const lines = readFileSync(join(this.world.home, 'ledger/00000001.jsonl'), 'utf8').split('\n');
    // The last line may be half written.
    return lines.slice(0, -1).flatMap((line) => {
      const { type, data } = JSON.parse(line) as { type?: string; data?: unknown };
      return type === undefined ? [] : [{ type, data } as Event];
    });
  }

  questions(): string[] {
    return this.events().flatMap((event) => (event.type === 'approval_requested' ? [event.data.approval.id] : []));
  }

  /** Does the work, while a human gives every question the same answer as it arrives. */
  async answering<T>(answer: 'approve' | 'reject', work: () => Promise<T>): Promise<T> {
    let over = false;
    const working = work().finally(() => {
      over = true;
    });
    while (!over) {
      for (const id of this.questions().filter((each) => !this.answered.has(each))) {
        this.answered.add(id);
        await this.world.human([answer, id]);
      }
      await Promise.race([working.catch(() => {}), new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))]);
    }
    return working;
  }
}
