// A small git repository for an agent to work in. Author, dates and branch are fixed and the user's git configuration is not read,
// so its first commit has the same id on every machine.

import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface ScratchRepo {
  readonly path: string;
  /** Runs git in the repository and returns what it printed. */
  git(...args: string[]): string;
  dispose(): Promise<void>;
}

const files: Readonly<Record<string, string>> = {
  'README.md': `# Login example

\`src/auth\` lets users in. \`src/payments\` takes their money.
`,
  'src/auth/login.ts': `export interface User {
  readonly name: string;
  readonly password: string;
}

export function login(users: readonly User[], name: string, password: string): User | null {
  const user = users.find((candidate) => candidate.name === name);
  if (user === undefined || user.password !== password) return null;
  return user;
}
`,
  'src/payments/index.ts': `export interface Payment {
  readonly user: string;
  readonly cents: number;
}

export function total(payments: readonly Payment[]): number {
  return payments.reduce((sum, payment) => sum + payment.cents, 0);
}
`,
};

const fixedIdentity = {
  GIT_AUTHOR_NAME: 'Ada Example',
  GIT_AUTHOR_EMAIL: 'ada@example.test',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'Ada Example',
  GIT_COMMITTER_EMAIL: 'ada@example.test',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

export async function makeScratchRepo(folder = tmpdir()): Promise<ScratchRepo> {
  await mkdir(folder, { recursive: true });
  // The real path: clients report it, and a temp directory behind a link would not match.
  const path = await realpath(await mkdtemp(join(folder, 'countersign-repo-')));
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: path, encoding: 'utf8', env: { PATH: process.env['PATH'], HOME: path, ...fixedIdentity } });

  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  git('init', '--quiet', '--initial-branch=main');
  // Kept in the repository: an agent that commits has no identity of its own.
  git('config', 'user.name', fixedIdentity.GIT_AUTHOR_NAME);
  git('config', 'user.email', fixedIdentity.GIT_AUTHOR_EMAIL);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Add the login example');
  return { path, git, dispose: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}
