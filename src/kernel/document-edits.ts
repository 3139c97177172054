// What the documents that humans edit were last seen to say, and edits of them that wait for a human.

import type { EventOf, Intent, ModeDial } from '../protocol/index.ts';

export interface WaitingEdit {
  readonly root: string;
  readonly intent: Intent;
  readonly reason: string;
  readonly at: string;
}

export class DocumentEdits {
  /** By work tree, then by intent. */
  private readonly seen = new Map<string, Map<string, Intent>>();
  /** By workspace, then by intent. */
  private readonly edits = new Map<string, Map<string, WaitingEdit>>();
  /** By work tree. */
  private readonly dials = new Map<string, ModeDial>();

  apply({ type, data }: EventOf<'intents_file_seen' | 'intent_edit_waiting' | 'settings_dial_taken'>, at: string): void {
    if (type === 'intents_file_seen') this.seen.set(data.root, new Map(data.intents.map((intent) => [intent.id, intent])));
    if (type === 'settings_dial_taken') this.dials.set(data.root, { pin: data.pin, minimum: data.minimum });
    if (type !== 'intent_edit_waiting') return;
    const { workspace, root, intent, reason } = data;
    const here = this.edits.get(workspace) ?? new Map<string, WaitingEdit>();
    here.set(intent.id, { root, intent, reason, at });
    this.edits.set(workspace, here);
  }

  /** Any decision of a human about the intent settles the pending edit. */
  settle(workspace: string, intent: string): void {
    this.edits.get(workspace)?.delete(intent);
  }

  /** Null: this work tree's file was never read. */
  seenIn(root: string): ReadonlyMap<string, Intent> | null {
    return this.seen.get(root) ?? null;
  }

  waitingIn(workspace: string): readonly WaitingEdit[] {
    return [...(this.edits.get(workspace)?.values() ?? [])];
  }

  waitingFor(workspace: string, intent: string): WaitingEdit | null {
    return this.edits.get(workspace)?.get(intent) ?? null;
  }

  /** Pin and minimum of the settings, as a human was last known to have written them; null: never. */
  dialOf(root: string): ModeDial | null {
    return this.dials.get(root) ?? null;
  }
}
