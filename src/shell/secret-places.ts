// Where secrets are kept, as places on the disk: for walls, which hide them from programs that no reader of commands understands. Each one
// is also known to `secret-rules.ts`, which knows them by name.

/** Below the user's home. */
export const SECRETS_AT_HOME: readonly string[] = [
  ...['.ssh', '.gnupg', '.password-store', '.aws', '.azure', '.kube', '.config/gcloud', '.config/gh', '.config/countersign'],
  ...['.docker/config.json', '.netrc', '.pgpass', '.pypirc', '.git-credentials', '.vault-token'],
  ...['.terraform.d/credentials.tfrc.json', '.cargo/credentials', '.cargo/credentials.toml'],
];

/** Settings of package tools: secret only where they hold a credential. */
export const SETTINGS_WITH_SECRETS: readonly string[] = ['.npmrc', '.yarnrc', '.yarnrc.yml'];
export const HOLDS_CREDENTIAL = /_auth|password|token|secret/i;

/** For root, whom the system keeps nothing from. */
export const SECRETS_OF_SYSTEM: readonly string[] = ['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d'];
