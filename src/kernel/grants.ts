// Grants: a yes in advance, for commands that fit a pattern, within one intent and for a time.

import type { EventOf, Grant, Human } from '../protocol/index.ts';

export interface GrantEntry {
  readonly grant: Grant;
  readonly human: Human;
  ended: boolean;
}

/** Ended ones that are still listed. */
const KEEP = 200;

export class Grants {
  private readonly entries = new Map<string, GrantEntry>();

  make({ grant, human }: EventOf<'grant_made'>['data']): void {
    this.entries.set(grant.id, { grant, human, ended: false });
    for (const [id, { ended }] of this.entries) {
      if (this.entries.size <= KEEP) break;
      if (ended) this.entries.delete(id);
    }
  }

  end(id: string): void {
    const entry = this.entries.get(id);
    if (entry) entry.ended = true;
  }

  get(id: string): GrantEntry | undefined {
    return this.entries.get(id);
  }

  all(): readonly GrantEntry[] {
    return [...this.entries.values()];
  }

  openFor(workspace: string, intent: string, now: Date): Grant[] {
    return this.all()
      .filter((entry) => isGrantOpen(entry, now))
      .map(({ grant }) => grant)
      .filter((grant) => grant.workspace === workspace && grant.intent === intent);
  }
}

export const isGrantOpen = ({ grant, ended }: GrantEntry, now: Date): boolean => !ended && Date.parse(grant.expires_at) > now.getTime();
