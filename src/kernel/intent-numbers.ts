// The next free id of an intent. An id is given out once: two who ask before either is written would otherwise share one, and
// the human who confirms the first would confirm the second.

import type { State } from './state.ts';

export class IntentNumbers {
  private readonly state: State;
  /** By workspace; recorded intents are counted in `state`. */
  private readonly given = new Map<string, number>();

  constructor(state: State) {
    this.state = state;
  }

  next(workspace: string): string {
    const written = [...(this.state.intents.get(workspace)?.keys() ?? [])].map((id) => Number(id.split('-')[1]));
    const number = Math.max(this.given.get(workspace) ?? 0, ...written) + 1;
    this.given.set(workspace, number);
    return `INT-${String(number).padStart(3, '0')}`;
  }
}
