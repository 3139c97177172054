// What kind of file a path is. Governed files are what scopes are about. Derived files are made by tools from governed ones: they
// may be written, are counted and not traced. Companions change because another file does, and follow that file's scope.
//
// A path is derived by its name alone. Being ignored by git is not enough: secrets and scratch files are ignored too.
// Names that also stand for sources (`dist`, `target`, `coverage`) are not derived below a folder of sources.

import { coveringGlob } from './glob.ts';

export interface PathConfig {
  /** Git tracks it. Absent: not known. */
  readonly isTracked?: (path: string) => boolean;
  readonly hasTrackedBelow?: (folder: string) => boolean;
  /** More globs of derived files. */
  readonly derived: readonly string[];
  /** Lists of globs; what one of them does not cover is left out as if it were derived. For the code index. */
  readonly only?: readonly (readonly string[])[];
  /** By the path of a file: globs of what is generated from it. */
  readonly companions: Readonly<Record<string, readonly string[]>>;
}

export const NO_PATH_CONFIG: PathConfig = { derived: [], companions: {} };

export interface DerivedRule {
  /** Completes a sentence: "it is …". */
  readonly what: string;
  /** Names of folders, at every depth: everything below them. */
  readonly folders?: readonly string[];
  /** The same, but not below a folder of sources: there the name may mean something else. */
  readonly foldersOutsideSources?: readonly string[];
  /** Names of files, at every depth. */
  readonly files?: readonly string[];
  readonly examples: { readonly derived: readonly string[]; readonly governed: readonly string[] };
}

const SOURCE_FOLDERS = new Set(['src', 'lib', 'test', 'tests']);

export const DERIVED_RULES: readonly DerivedRule[] = [
  {
    what: 'an installed dependency',
    folders: ['node_modules', '.venv', 'venv', '.pnpm-store'],
    examples: {
      derived: ['node_modules/left-pad/index.js', 'packages/web/node_modules/.bin/vite', '.venv/lib/x.py', 'src/node_modules/a.js'],
      governed: ['node_modules', 'src/node_modules.ts', '.yarn/cache/a.zip', 'vendor/lib.go', 'Node_Modules/a.js'],
    },
  },
  {
    what: 'the output of a build',
    folders: ['.next', '.nuxt', '.svelte-kit', '.angular'],
    foldersOutsideSources: ['dist', 'target'],
    files: ['tsconfig.tsbuildinfo'],
    examples: {
      derived: [
        'dist/main.js',
        'packages/web/dist/a/b.js',
        '.next/server/app.js',
        'target/debug/app',
        'tsconfig.tsbuildinfo',
        'dist/src/a.js',
      ],
      governed: ['dist', 'src/dist/a.ts', 'packages/web/src/ui/target/drop.ts', 'distribution/a.ts', 'build/webpack.js', 'next/a.ts'],
    },
  },
  {
    what: 'a cache',
    folders: [
      '.cache',
      '.turbo',
      '.parcel-cache',
      '.vite',
      '.nx',
      '.gradle',
      '__pycache__',
      '.pytest_cache',
      '.mypy_cache',
      '.ruff_cache',
      '.tox',
    ],
    files: ['.eslintcache', '.stylelintcache', '.DS_Store'],
    examples: {
      derived: ['.cache/x', 'app/__pycache__/a.pyc', '.pytest_cache/v/x', '.turbo/run.log', '.eslintcache', 'src/.DS_Store'],
      governed: ['src/cache/lru.ts', 'cache/x', '.eslintrc.json', '.nxignore'],
    },
  },
  {
    what: 'a report of test coverage',
    folders: ['.nyc_output', 'htmlcov'],
    foldersOutsideSources: ['coverage'],
    files: ['.coverage'],
    examples: {
      derived: ['coverage/lcov.info', 'packages/a/coverage/index.html', '.nyc_output/1.json', '.coverage'],
      governed: ['src/coverage/report.ts', 'coverage.md', 'test/lib/coverage/a.ts'],
    },
  },
];

export interface CompanionRule {
  /** The last name of a file, and the file beside it that it follows. */
  readonly lockfiles?: readonly (readonly [lockfile: string, manifest: string])[];
  /** `folder/__snapshots__/NAME` with the suffix follows `folder/NAME` with `of`. */
  readonly snapshot?: { readonly suffix: string; readonly of: string };
  readonly examples: { readonly follows: readonly (readonly [path: string, followed: string])[]; readonly alone: readonly string[] };
}

export const COMPANION_RULES: readonly CompanionRule[] = [
  {
    lockfiles: [
      ['package-lock.json', 'package.json'],
      ['npm-shrinkwrap.json', 'package.json'],
      ['yarn.lock', 'package.json'],
      ['pnpm-lock.yaml', 'package.json'],
      ['bun.lock', 'package.json'],
      ['bun.lockb', 'package.json'],
      ['deno.lock', 'deno.json'],
      ['Cargo.lock', 'Cargo.toml'],
      ['go.sum', 'go.mod'],
      ['poetry.lock', 'pyproject.toml'],
      ['uv.lock', 'pyproject.toml'],
      ['pdm.lock', 'pyproject.toml'],
      ['Pipfile.lock', 'Pipfile'],
      ['Gemfile.lock', 'Gemfile'],
      ['composer.lock', 'composer.json'],
      ['mix.lock', 'mix.exs'],
      ['pubspec.lock', 'pubspec.yaml'],
      ['Podfile.lock', 'Podfile'],
      ['flake.lock', 'flake.nix'],
    ],
    examples: {
      follows: [
        ['package-lock.json', 'package.json'],
        ['packages/web/pnpm-lock.yaml', 'packages/web/package.json'],
        ['crates/a/Cargo.lock', 'crates/a/Cargo.toml'],
        ['go.sum', 'go.mod'],
      ],
      alone: ['package.json', 'my-package-lock.json', 'package-lock.json.md', 'package-lock.json/x', 'src/lock.ts'],
    },
  },
  {
    snapshot: { suffix: '.snap', of: '' },
    examples: {
      follows: [
        ['src/__snapshots__/a.test.ts.snap', 'src/a.test.ts'],
        ['__snapshots__/a.test.tsx.snap', 'a.test.tsx'],
      ],
      alone: ['src/a.snap', 'src/__snapshots__/deep/a.snap', 'src/__snapshots__/.snap', '__snapshots__/a.png', 'snapshots/a.snap'],
    },
  },
  {
    snapshot: { suffix: '.ambr', of: '.py' },
    examples: { follows: [['tests/__snapshots__/test_a.ambr', 'tests/test_a.py']], alone: ['tests/test_a.ambr'] },
  },
];

const namesIn = (key: 'folders' | 'foldersOutsideSources' | 'files'): ReadonlySet<string> =>
  new Set(DERIVED_RULES.flatMap((rule) => rule[key] ?? []));
const derivedFolders = namesIn('folders');
const derivedOutsideSources = namesIn('foldersOutsideSources');
const derivedFiles = namesIn('files');

const manifestOf = new Map(COMPANION_RULES.flatMap(({ lockfiles = [] }) => lockfiles));
/** Names of files that tools install, build and lock by, beside them. */
export const MANIFESTS: ReadonlySet<string> = new Set(manifestOf.values());
const snapshots = COMPANION_RULES.flatMap(({ snapshot }) => (snapshot ? [snapshot] : []));

export const pathClass = (path: string, config: PathConfig): 'governed' | 'derived' =>
  derivedGlob(path, config) === null ? 'governed' : 'derived';

/** Everything in the folder is derived: nothing in it is tracked by git. */
export const isDerivedFolder = (folder: string, config: PathConfig): boolean =>
  byRules(`${folder}/_`, config) !== null && !(config.hasTrackedBelow?.(folder) ?? false);

/** What git tracks was committed by somebody, whatever folder it is in. */
function derivedGlob(path: string, config: PathConfig): string | null {
  const left = config.only?.find((globs) => coveringGlob(globs, path) === null);
  if (left) return left.join(', ');
  const glob = byRules(path, config);
  return glob === null || config.isTracked?.(path) ? null : glob;
}

function byRules(path: string, config: PathConfig): string | null {
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  let amongSources = false;
  for (const folder of folders) {
    if (derivedFolders.has(folder) || (!amongSources && derivedOutsideSources.has(folder))) return `**/${folder}/**`;
    amongSources ||= SOURCE_FOLDERS.has(folder);
  }
  return derivedFiles.has(file) ? `**/${file}` : coveringGlob(config.derived, path);
}

/** The file that this one follows; null when it follows none. */
export function companionOf(path: string, config: PathConfig): string | null {
  for (const [source, globs] of Object.entries(config.companions)) {
    if (source !== path && coveringGlob(globs, path) !== null) return source;
  }
  const names = path.split('/');
  const name = names.at(-1) ?? '';
  const manifest = manifestOf.get(name);
  if (manifest !== undefined) return [...names.slice(0, -1), manifest].join('/');
  if (names.at(-2) !== '__snapshots__') return null;
  const snapshot = snapshots.find(({ suffix }) => name.endsWith(suffix) && name.length > suffix.length);
  return snapshot ? [...names.slice(0, -2), name.slice(0, -snapshot.suffix.length) + snapshot.of].join('/') : null;
}

/** The glob that lets an intent with this scope change the path, and why; null: not allowed. */
export interface InScope {
  readonly glob: string;
  readonly by: 'scope' | 'companion' | 'derived';
}

export function inScope(scope: readonly string[], path: string, config: PathConfig): InScope | null {
  const direct = coveringGlob(scope, path);
  if (direct !== null) return { glob: direct, by: 'scope' };
  const followed = companionOf(path, config);
  const through = followed === null ? null : coveringGlob(scope, followed);
  if (through !== null) return { glob: through, by: 'companion' };
  const derived = derivedGlob(path, config);
  return derived === null ? null : { glob: derived, by: 'derived' };
}
