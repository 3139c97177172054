// Which checks a workspace has: what a human configured, else what its own files name, if it is installed. Pure: it reads the workspace
// through a port. The table holds everything about a tool.

import { type CheckName, CHECKS } from '../protocol/index.ts';
import type { Check } from './check.ts';

/** What exists. Paths are relative to the root. */
export interface WorkspaceFiles {
  readonly has: (path: string) => boolean;
  /** A small text file; null when there is none. */
  readonly read: (path: string) => string | null;
  /** A program in `node_modules/.bin`. */
  readonly hasBin: (name: string) => boolean;
  readonly isOnPath: (name: string) => boolean;
}

/** As in the settings: a command, several, `true` for whatever is detected, `false` or null for none. */
export type CheckSetting = string | readonly string[] | boolean | null;
export type CheckSettings = Readonly<Record<CheckName, CheckSetting>>;

interface ToolRow {
  readonly tool: string;
  readonly command: string;
  readonly takes?: RegExp;
  readonly everything?: string;
  /** One of these exists, or the manifest names the tool: a program that another one brought along is not the workspace's choice. */
  readonly configs: readonly string[];
  readonly program: { readonly bin: string } | { readonly onPath: string };
  /** A text that one of the configs has to hold. */
  readonly mentions?: RegExp;
}

const SCRIPTS_AND_STYLES = /\.(?:[cm]?[jt]sx?|jsonc?|css|scss|less|html|vue|svelte|md|mdx|ya?ml)$/;
const BIOME_FILES = /\.(?:[cm]?[jt]sx?|jsonc?|css|graphql)$/;
const SCRIPTS = /\.[cm]?[jt]sx?$/;
const PYTHON = /\.pyi?$/;
const bin = (name: string): string => `node_modules/.bin/${name}`;
const prettierConfigs = ['', '.json', '.json5', '.yml', '.yaml', '.toml', '.js', '.cjs', '.mjs', '.ts'].map((end) => `.prettierrc${end}`);
const namedConfigs = (name: string): string[] => ['js', 'cjs', 'mjs', 'ts', 'mts'].map((end) => `${name}.config.${end}`);

/** Formats and lints with one program and one configuration. */
const BIOME = { tool: 'biome', takes: BIOME_FILES, everything: '.', configs: ['biome.json', 'biome.jsonc'], program: { bin: 'biome' } };
const RUFF = {
  ...{ tool: 'ruff', takes: PYTHON, everything: '.', program: { onPath: 'ruff' } },
  ...{ configs: ['ruff.toml', '.ruff.toml', 'pyproject.toml'], mentions: /ruff/ },
};
const CARGO = { configs: ['Cargo.toml'], program: { onPath: 'cargo' } };
const GO = { configs: ['go.mod'], program: { onPath: 'go' } };

/** By check and language, in the order of preference: the first that applies is taken. */
const TOOLS: Readonly<Record<CheckName, Readonly<Record<string, readonly ToolRow[]>>>> = {
  format: {
    javascript: [
      { ...BIOME, command: `${bin('biome')} format --write {files}` },
      {
        ...{ tool: 'oxfmt', takes: SCRIPTS, everything: '.', program: { bin: 'oxfmt' } },
        command: `${bin('oxfmt')} {files}`,
        configs: ['.oxfmtrc.json', '.oxfmtrc.jsonc'],
      },
      {
        ...{ tool: 'prettier', takes: SCRIPTS_AND_STYLES, everything: '.', program: { bin: 'prettier' } },
        command: `${bin('prettier')} --write --ignore-unknown --log-level warn {files}`,
        configs: [...prettierConfigs, ...namedConfigs('prettier')],
      },
    ],
    python: [{ ...RUFF, command: 'ruff format {files}' }],
    go: [{ ...GO, tool: 'gofmt', command: 'gofmt -w {files}', takes: /\.go$/, everything: '.', program: { onPath: 'gofmt' } }],
    rust: [{ ...CARGO, tool: 'cargo fmt', command: 'cargo fmt' }],
  },
  lint: {
    javascript: [
      { ...BIOME, command: `${bin('biome')} lint --reporter=github {files}` },
      {
        ...{ tool: 'oxlint', takes: SCRIPTS, everything: '.', program: { bin: 'oxlint' } },
        command: `${bin('oxlint')} --format unix {files}`,
        configs: ['.oxlintrc.json', 'oxlint.json'],
      },
      {
        ...{ tool: 'eslint', takes: SCRIPTS, everything: '.', program: { bin: 'eslint' } },
        command: `${bin('eslint')} --format json --no-error-on-unmatched-pattern {files}`,
        configs: [...namedConfigs('eslint'), '.eslintrc', ...['js', 'cjs', 'json', 'yml', 'yaml'].map((end) => `.eslintrc.${end}`)],
      },
    ],
    python: [{ ...RUFF, command: 'ruff check --output-format concise {files}' }],
    go: [{ ...GO, tool: 'go vet', command: 'go vet ./...' }],
    rust: [{ ...CARGO, tool: 'cargo clippy', command: 'cargo clippy --all-targets', program: { onPath: 'cargo-clippy' } }],
  },
  typecheck: {
    javascript: [{ tool: 'tsc', command: `${bin('tsc')} --noEmit --pretty false`, configs: ['tsconfig.json'], program: { bin: 'tsc' } }],
    rust: [{ ...CARGO, tool: 'cargo check', command: 'cargo check --all-targets' }],
  },
  test: {
    javascript: [
      { tool: 'vitest', command: `${bin('vitest')} run`, configs: namedConfigs('vitest'), program: { bin: 'vitest' } },
      { tool: 'jest', command: bin('jest'), configs: namedConfigs('jest'), program: { bin: 'jest' } },
    ],
    python: [
      {
        ...{ tool: 'pytest', command: 'python3 -m pytest -q', program: { onPath: 'pytest' } },
        configs: ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'pyproject.toml', 'setup.cfg', 'tox.ini', 'requirements.txt'],
        mentions: /pytest|conftest/,
      },
    ],
    go: [{ ...GO, tool: 'go test', command: 'go test ./...' }],
    rust: [{ ...CARGO, tool: 'cargo test', command: 'cargo test' }],
  },
};

/** Names that people give to their scripts, best first. A formatter itself is better than a script, which may only check. */
const SCRIPT_NAMES: Readonly<Record<CheckName, readonly string[]>> = {
  format: ['format', 'fmt', 'format:write', 'format:fix', 'prettier'],
  lint: ['lint', 'lint:check', 'eslint', 'lint:js', 'lint:ts'],
  typecheck: ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'types:check', 'tsc'],
  test: ['test', 'test:unit', 'unit'],
};

/** Lockfiles by the program that wrote them. */
const RUNNERS: readonly (readonly [lockfile: string, program: string, run: string])[] = [
  ['pnpm-lock.yaml', 'pnpm', 'pnpm --silent run'],
  ['yarn.lock', 'yarn', 'yarn run'],
  ['bun.lock', 'bun', 'bun run'],
  ['bun.lockb', 'bun', 'bun run'],
];

export function detectChecks(workspace: WorkspaceFiles, settings: CheckSettings): Check[] {
  return CHECKS.flatMap((check): Check[] => {
    const setting = settings[check];
    if (setting === false || setting === null) return [];
    if (setting === true) return detected(workspace, check);
    return [setting].flat().map((command) => ({ check, tool: programOf(command), command, source: 'configured', ...takesAny(command) }));
  });
}

/** A configured command is given all changed files where it asks for them. */
const takesAny = (command: string): Pick<Check, 'takes' | 'everything'> =>
  command.includes('{files}') ? { takes: /./, everything: '.' } : {};

function detected(workspace: WorkspaceFiles, check: CheckName): Check[] {
  const script = scriptFor(workspace, check);
  return Object.entries(TOOLS[check]).flatMap(([language, rows]): Check[] => {
    const row = rows.find((each) => applies(workspace, each));
    const tool = row && checkOf(check, row);
    if (language !== 'javascript') return tool ? [tool] : [];
    // The workspace's own script comes first. For formatting the tool does, because it takes single files.
    const chosen = check === 'format' ? (tool ?? script) : (script ?? tool);
    return chosen ? [chosen] : [];
  });
}

const checkOf = (check: CheckName, { tool, command, takes, everything }: ToolRow): Check => ({
  check,
  tool,
  command,
  source: 'detected',
  ...(takes === undefined ? {} : { takes }),
  ...(everything === undefined ? {} : { everything }),
});

function applies(workspace: WorkspaceFiles, { tool, configs, program, mentions }: ToolRow): boolean {
  if ('bin' in program ? !workspace.hasBin(program.bin) : !workspace.isOnPath(program.onPath)) return false;
  const isConfigured = configs.some((file) => {
    if (!workspace.has(file)) return false;
    return mentions === undefined || mentions.test(file) || mentions.test(workspace.read(file) ?? '');
  });
  return isConfigured || ('bin' in program && tool !== 'tsc' && isNamed(manifest(workspace), tool));
}

interface Manifest {
  readonly scripts: Readonly<Record<string, unknown>>;
  readonly dependencies: ReadonlySet<string>;
}

const PACKAGES: Readonly<Record<string, string>> = { biome: '@biomejs/biome' };
const isNamed = (found: Manifest | null, tool: string): boolean => found?.dependencies.has(PACKAGES[tool] ?? tool) ?? false;

function manifest(workspace: WorkspaceFiles): Manifest | null {
  try {
    const parsed: unknown = JSON.parse(workspace.read('package.json') ?? 'null');
    if (!isRecord(parsed)) return null;
    const names = ['dependencies', 'devDependencies'].flatMap((field) => Object.keys(recordIn(parsed, field)));
    return { scripts: recordIn(parsed, 'scripts'), dependencies: new Set(names) };
  } catch {
    return null;
  }
}

/** What `npm init` writes. */
const NO_TEST = /no test specified/;

function scriptFor(workspace: WorkspaceFiles, check: CheckName): Check | null {
  const scripts = manifest(workspace)?.scripts ?? {};
  for (const name of SCRIPT_NAMES[check]) {
    const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
    if (typeof text !== 'string' || NO_TEST.test(text) || !canRun(workspace, text)) continue;
    const runner = RUNNERS.find(([lockfile, program]) => workspace.has(lockfile) && workspace.isOnPath(program))?.[2];
    if (runner === undefined && !workspace.isOnPath('npm')) return null;
    return { check, tool: programOf(text), command: `${runner ?? 'npm run --silent'} ${name}`, source: 'script' };
  }
  return null;
}

function canRun(workspace: WorkspaceFiles, script: string): boolean {
  const program = programOf(script);
  return program.includes('/') ? workspace.has(program.replace(/^\.\//, '')) : workspace.hasBin(program) || workspace.isOnPath(program);
}

/** The first word that is not an assignment. */
export function programOf(command: string): string {
  return /^\s*(?:\w+=\S*\s+)*(?:cross-env\s+(?:\w+=\S*\s+)*)?(\S+)/.exec(command)?.[1] ?? command.trim();
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordIn = (value: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> => {
  const found = value[field];
  return isRecord(found) ? found : {};
};

/** The command for these files; null when it takes none of them. */
export function commandFor({ command, takes, everything }: Check, files: readonly string[] | null): string | null {
  if (takes === undefined) return command;
  if (files === null) return command.replaceAll('{files}', () => everything ?? '.');
  const taken = files.filter((file) => takes.test(file));
  return taken.length === 0 ? null : command.replaceAll('{files}', () => taken.map(quoted).join(' '));
}

/** For a POSIX shell; a name that begins with a dash is no option. */
const quoted = (file: string): string => `'${(file.startsWith('-') ? `./${file}` : file).replaceAll("'", String.raw`'\''`)}'`;
