// Where secrets are kept, as places on the disk: for walls, which hide them from programs that no reader of commands understands. Each one
// is also known to `secret-rules.ts`, which knows them by name.

/** Folders below a person's home that hold nothing but secrets, or secrets among their settings. */
export const SECRET_FOLDERS: readonly string[] = [
  ...['.ssh', '.aws', '.gnupg', '.azure', '.kube', '.oci', '.password-store', '.local/share/keyrings', '.config/countersign'],
  ...['.config/gcloud', '.config/gh', '.config/op', '.config/doctl', '.config/rclone', '.mozilla'],
];

/** Files below a person's home that hold secrets. */
export const SECRET_FILES: readonly string[] = [
  ...['.netrc', '.pgpass', '.my.cnf', '.pypirc', '.git-credentials', '.vault-token', '.s3cfg', '.boto', '.databrickscfg'],
  ...['.docker/config.json', '.config/containers/auth.json', '.terraformrc', '.terraform.d/credentials.tfrc.json'],
  ...['.cargo/credentials', '.cargo/credentials.toml', '.gem/credentials', '.composer/auth.json', '.config/composer/auth.json'],
  ...['.config/hub', '.fly/config.yml'],
  ...['.bash_history', '.zsh_history', '.python_history', '.node_repl_history', '.psql_history', '.mysql_history'],
];

/** With what agents log in, and nothing else: walls hide them from commands, and a command that reads one is asked about. */
export const AGENT_LOGINS: readonly string[] = [
  ...['.claude/.credentials.json', '.codex/auth.json', '.gemini/oauth_creds.json', '.qwen/oauth_creds.json'],
  ...['.local/share/opencode/auth.json', '.cline/data/secrets.json', '.copilot/config.json'],
];

/** Settings of agents with a login among them: a command that reads one is asked about. */
export const SETTINGS_WITH_LOGIN: readonly string[] = ['.claude.json', '.config/github-copilot/apps.json'];

/** Below the user's home. */
export const SECRETS_AT_HOME: readonly string[] = [...SECRET_FOLDERS, ...SECRET_FILES];

/** Settings that builds need and that may hold a password: walls leave them, a command that reads one is asked about. */
export const PERSONAL_SETTINGS: readonly string[] = [
  ...['.m2/settings.xml', '.gradle/gradle.properties', '.config/pip/pip.conf', '.pip/pip.conf'],
];

/** Settings of package tools: secret only where they hold a credential. */
export const SETTINGS_WITH_SECRETS: readonly string[] = ['.npmrc', '.yarnrc', '.yarnrc.yml'];
export const HOLDS_CREDENTIAL = /_auth|password|token|secret/i;

/** For root, whom the system keeps nothing from, and what containers are given. */
export const SECRETS_OF_SYSTEM: readonly string[] = [
  ...['/etc/shadow', '/etc/gshadow', '/etc/sudoers', '/etc/sudoers.d', '/etc/ssl/private', '/run/secrets', '/var/run/secrets'],
];
