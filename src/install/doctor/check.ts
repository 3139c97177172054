// The result of one check. `note`: worth knowing, nothing is wrong.

export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'note' | 'bad';
  readonly says: string;
  readonly fix: string | null;
}

export const ok = (name: string, says: string): Check => ({ name, state: 'ok', says, fix: null });
export const note = (name: string, says: string, fix: string | null = null): Check => ({ name, state: 'note', says, fix });
export const bad = (name: string, says: string, fix: string): Check => ({ name, state: 'bad', says, fix });
