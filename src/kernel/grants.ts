// Grants: permission in advance. For commands that match a pattern, within one intent and for a time; or for an unknown tool, once a
// human has allowed it.

import type { Action, EventOf, Grant, Human, ToolGrant } from '../protocol/index.ts';

interface GrantLife {
  readonly human: Human;
  ended: boolean;
  /** How many actions it let pass. */
  uses: number;
  lastUsedAt: string | null;
}

export interface GrantEntry extends GrantLife {
  readonly grant: Grant;
}

export interface ToolGrantEntry extends GrantLife {
  readonly grant: ToolGrant;
}

const UNUSED = { ended: false, uses: 0, lastUsedAt: null };

/** Ended ones that are still listed. */
const KEEP = 200;

export class Grants {
  private readonly entries = new Map<string, GrantEntry>();
  private readonly tools = new Map<string, ToolGrantEntry>();

  make({ grant, human }: EventOf<'grant_made'>['data']): void {
    enter(this.entries, { grant, human, ...UNUSED });
  }

  remember({ grant, human }: EventOf<'tool_remembered'>['data']): void {
    enter(this.tools, { grant, human, ...UNUSED });
  }

  use(ids: readonly string[], at: string): void {
    for (const id of ids) {
      const entry = this.get(id);
      if (!entry) continue;
      entry.uses += 1;
      entry.lastUsedAt = at;
    }
  }

  end(id: string): void {
    const entry = this.get(id);
    if (entry) entry.ended = true;
  }

  get(id: string): GrantEntry | ToolGrantEntry | undefined {
    return this.entries.get(id) ?? this.tools.get(id);
  }

  /** In the order in which they were made. */
  all(): readonly (GrantEntry | ToolGrantEntry)[] {
    const both = [...this.entries.values(), ...this.tools.values()];
    return both.toSorted((a, b) => (a.grant.made_at < b.grant.made_at ? -1 : a.grant.made_at > b.grant.made_at ? 1 : 0));
  }

  openFor(workspace: string, intent: string, now: Date): Grant[] {
    return [...this.entries.values()]
      .filter((entry) => isGrantOpen(entry, now))
      .map(({ grant }) => grant)
      .filter((grant) => grant.workspace === workspace && grant.intent === intent);
  }

  /** The grant of each unknown tool that the action touches; null when one has no grant, or there is no such tool. */
  remembered({ workspace, actor, resources }: Pick<Action, 'workspace' | 'actor' | 'resources'>): readonly ToolGrant[] | null {
    const unknown = unknownTools(resources);
    const grants = unknown.map(({ name, shape_sha256 }) =>
      [...this.tools.values()].find(
        ({ grant, ended }) =>
          !ended &&
          grant.workspace === workspace &&
          grant.agent === actor.agent &&
          grant.tool === name &&
          grant.shape_sha256 === shape_sha256,
      ),
    );
    return unknown.length > 0 && grants.every((entry) => entry !== undefined) ? grants.map(({ grant }) => grant) : null;
  }
}

/** Unknown tools, by their names and the form of their input. */
export const unknownTools = (resources: Action['resources']): { name: string; shape_sha256: string }[] =>
  resources.flatMap((resource) =>
    resource.kind === 'other' && resource.shape_sha256 !== undefined ? [{ name: resource.name, shape_sha256: resource.shape_sha256 }] : [],
  );

export const isGrantOpen = ({ grant, ended }: GrantEntry | ToolGrantEntry, now: Date): boolean =>
  !ended && (!('expires_at' in grant) || Date.parse(grant.expires_at) > now.getTime());

function enter<T extends GrantEntry | ToolGrantEntry>(entries: Map<string, T>, entry: T): void {
  entries.set(entry.grant.id, entry);
  for (const [id, { ended }] of entries) {
    if (entries.size <= KEEP) break;
    if (ended) entries.delete(id);
  }
}
