// One word for what became of an action, and the names of a command's risks: the same in the log, in receipts, on the page and in JSON.
// Without schemas: the command line and the page load it.

/** `allowed`: its outcome is not known yet. `lapsed`: it waited, and its caller left or no human answered. */
export const ACTION_WORDS = ['observed', 'waiting', 'lapsed', 'allowed', 'ran', 'failed', 'refused', 'unknown'] as const;
export type ActionWord = (typeof ACTION_WORDS)[number];

export interface WordFacts {
  readonly state: 'observed' | 'refused' | 'waiting' | 'admitted' | 'settled' | 'unknown';
  /** Of a settled action: whether the agent's call succeeded. */
  readonly status: 'done' | 'failed' | null;
  /** It waited for a human and ended without an answer. */
  readonly lapsed: boolean;
}

export function wordOf({ state, status, lapsed }: WordFacts): ActionWord {
  if (state === 'admitted') return 'allowed';
  if (state === 'settled') return wordOfReceipt(status ?? 'done');
  return state === 'refused' && lapsed ? 'lapsed' : state;
}

/** A receipt is about a call that ended. */
export const wordOfReceipt = (status: 'done' | 'failed'): ActionWord => (status === 'failed' ? 'failed' : 'ran');

const RISKS: Readonly<Record<string, string>> = {
  READS_SECRET: 'reads secrets',
  NETWORK: 'network',
  LOCAL_REQUEST: 'network',
  PUBLISHES: 'publishes',
  DELETES: 'deletes',
  DELETES_CONTAINERS: 'deletes',
  DROPS_DATA: 'deletes',
  EMPTIES_FILES: 'deletes',
  DISCARDS_WORK: 'discards work',
  REWRITES_REMOTE: 'rewrites history',
  OVERWRITES_DEVICE: 'overwrites a device',
  PRIVILEGED: 'other rights',
  CHANGES_PERMISSIONS: 'changes permissions',
  CHANGES_GIT_CONFIG: 'changes git settings',
  CHANGES_SYSTEM: 'changes the system',
  CHANGES_INFRASTRUCTURE: 'changes infrastructure',
  STOPS_PROCESSES: 'stops processes',
  PACKAGE_INSTALL: 'installs packages',
};

const CLASSES: Readonly<Record<string, string>> = {
  SAFE: 'safe',
  MUTATING: 'changes things',
  DESTRUCTIVE: 'cannot be undone',
  WRITES_OUTSIDE: 'writes outside the scope',
};

/** What a reader has to fear of it; its class in words where no reason has a name. */
export function riskWords({
  class: kind,
  reasons,
}: {
  readonly class: string;
  readonly reasons: readonly { readonly code: string }[];
}): string {
  const named = [...new Set(reasons.flatMap(({ code }) => RISKS[code] ?? []))];
  const outside = kind === 'WRITES_OUTSIDE' ? [CLASSES[kind]!] : [];
  return [...named, ...outside].join(', ') || (CLASSES[kind] ?? kind);
}
