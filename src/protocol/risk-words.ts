// The names of a command's risks, for whoever decides about it: in questions, in refusals and on the page. Without schemas: the command
// line and the page load it.

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
