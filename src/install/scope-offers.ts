// The scopes that `init` offers for everyday work: what each lets agents change, and what it leaves out. From what git tracks at the top
// of the work tree; without git, from what is there.

import { readdir } from 'node:fs/promises';
import { governanceRule, NO_PATH_CONFIG, pathClass, TrackedFiles } from '../workspace/index.ts';

export interface ScopeOffer {
  readonly what: string;
  readonly paths: readonly string[];
  readonly leavesOut: readonly string[];
}

interface Entry {
  readonly name: string;
  readonly isFolder: boolean;
}

/** They run on a server or at a developer's next command, so that a change of them is more than a change of text. */
const RUNS_CODE = new Set([
  ...['.github', '.gitlab', '.circleci', '.buildkite', '.ci', 'ci', '.husky', '.githooks', '.devcontainer', 'scripts', 'bin', 'hack'],
  ...['.gitlab-ci.yml', '.travis.yml', 'azure-pipelines.yml', 'bitbucket-pipelines.yml', 'jenkinsfile', '.pre-commit-config.yaml'],
  ...[
    'makefile',
    'gnumakefile',
    'justfile',
    '.justfile',
    'taskfile.yml',
    'taskfile.yaml',
    'rakefile',
    'gradlew',
    'gradlew.bat',
    'mvnw',
    'mvnw.cmd',
  ],
  ...['dockerfile', 'docker-compose.yml', 'docker-compose.yaml', 'compose.yml', 'compose.yaml', 'vagrantfile', '.envrc', 'procfile'],
]);
/** As a path of an intent it would mean other files. */
const LIKE_A_GLOB = /[*?[\]{}\\]/;
const SCRIPT = /\.(?:sh|bash|zsh|fish|ps1|bat|cmd)$/i;
/** An intent holds fifty paths; a few are left for the person. */
const MAX_PATHS = 40;

const runsCode = ({ name, isFolder }: Entry): boolean => RUNS_CODE.has(name.toLowerCase()) || (!isFolder && SCRIPT.test(name));

/** The first is the default. Never empty. */
export async function scopeOffers(root: string): Promise<readonly [ScopeOffer, ...ScopeOffer[]]> {
  // Agents may not touch those under any intent.
  const entries = (await entriesAt(root)).filter((entry) => runsCode(entry) || governanceRule(entry.name) === null);
  const kept = entries.filter((entry) => !runsCode(entry) && !LIKE_A_GLOB.test(entry.name));
  const names = (some: readonly Entry[]) => some.map(({ name }) => name);
  const [outside, folders] = [
    names(entries.filter(runsCode)),
    names(kept.filter(({ name, isFolder }) => isFolder && !name.startsWith('.'))),
  ];
  const sources = {
    what: 'source and tests',
    paths: folders,
    leavesOut: [...names(kept).filter((name) => !folders.includes(name)), ...outside],
  };
  const all = { what: 'everything in git but CI and scripts that run code', paths: names(kept), leavesOut: outside };
  const offers = [sources, all].filter(
    ({ paths }, at, both) => paths.length > 0 && paths.length <= MAX_PATHS && (at === 0 || paths.length > both[0]!.paths.length),
  );
  const [first, ...more] = offers;
  return first ? [first, ...more] : [{ what: 'the whole work tree', paths: ['.'], leavesOut: [] }];
}

async function entriesAt(root: string): Promise<Entry[]> {
  const tracked = (await TrackedFiles.at(root)).topLevel();
  if (tracked.length > 0) return tracked;
  const found = await readdir(root, { withFileTypes: true });
  return found
    .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
    .filter(({ name, isFolder }) => !name.startsWith('.') && pathClass(isFolder ? `${name}/x` : name, NO_PATH_CONFIG) === 'governed')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
