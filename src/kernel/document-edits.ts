// What the documents that humans edit were last seen to say, and edits of them that wait for a human.

import type { EventOf, Intent, ModeDial } from '../protocol/index.ts';
import type { SettingValues } from './settings-rules.ts';

export interface WaitingEdit {
  readonly root: string;
  readonly intent: Intent;
  readonly reason: string;
  readonly at: string;
}

/** Settings of a work tree that a human accepted, or that wait for one. */
export interface TreeSettings {
  readonly workspace: string;
  readonly values: SettingValues;
}

export interface WaitingSettings extends TreeSettings {
  readonly reason: string;
}

type DocumentEvent = EventOf<
  'intents_file_seen' | 'intent_edit_waiting' | 'settings_dial_taken' | 'settings_taken' | 'settings_edit_waiting'
>;

export class DocumentEdits {
  /** By work tree, then by intent. */
  private readonly seen = new Map<string, Map<string, Intent>>();
  /** By workspace, then by intent. */
  private readonly edits = new Map<string, Map<string, WaitingEdit>>();
  /** By work tree: from records of before the other settings were accepted too. */
  private readonly dials = new Map<string, ModeDial>();
  /** By work tree, the last accepted ones at the end. */
  private readonly settings = new Map<string, TreeSettings>();
  /** By work tree. */
  private readonly settingsEdits = new Map<string, WaitingSettings>();

  apply({ type, data }: DocumentEvent, at: string): void {
    if (type === 'intents_file_seen') this.seen.set(data.root, new Map(data.intents.map((intent) => [intent.id, intent])));
    if (type === 'settings_dial_taken') this.dials.set(data.root, { pin: data.pin, minimum: data.minimum });
    if (type === 'settings_taken') {
      this.settings.delete(data.root);
      this.settings.set(data.root, { workspace: data.workspace, values: data.settings });
      this.settingsEdits.delete(data.root);
    }
    if (type === 'settings_edit_waiting') {
      const { workspace, root, settings: values, reason } = data;
      if (Object.keys(values).length === 0) this.settingsEdits.delete(root);
      else this.settingsEdits.set(root, { workspace, values, reason });
    }
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

  /** Null: this work tree's settings were never looked at. */
  settingsOf(root: string): TreeSettings | null {
    return this.settings.get(root) ?? null;
  }

  /** What was last accepted in any work tree of the workspace. */
  settingsIn(workspace: string): TreeSettings | null {
    return [...this.settings.values()].findLast((each) => each.workspace === workspace) ?? null;
  }

  waitingSettings(root: string): WaitingSettings | null {
    return this.settingsEdits.get(root) ?? null;
  }

  dialOf(root: string): ModeDial | null {
    const values = this.settings.get(root)?.values;
    if (!values) return this.dials.get(root) ?? null;
    const { 'mode.pin': pin, 'mode.minimum': minimum } = values;
    return { pin: pin === 'PASSIVE' ? pin : null, minimum: minimum === 'GUARDED' || minimum === 'STRICT' ? minimum : null };
  }
}
