import { expect, test } from 'vitest';
import type { Check } from './check.ts';
import { verifies } from '../../test/verifies.ts';
import { type CheckSettings, commandFor, detectChecks, type WorkspaceFiles } from './detect-checks.ts';

const ALL: CheckSettings = { format: true, lint: true, typecheck: true, test: true };

interface Workspace {
  readonly files?: Readonly<Record<string, string>>;
  readonly bins?: readonly string[];
  readonly onPath?: readonly string[];
}

const sight = ({ files = {}, bins = [], onPath = [] }: Workspace): WorkspaceFiles => ({
  has: (path) => Object.hasOwn(files, path),
  read: (path) => files[path] ?? null,
  hasBin: (name) => bins.includes(name),
  isOnPath: (name) => onPath.includes(name),
});
const described = ({ check, tool, command, source }: Check): string => `${check} ${tool} ${source}: ${command}`;
const found = (workspace: Workspace, settings = ALL): string[] => detectChecks(sight(workspace), settings).map(described);
const manifest = (value: object): Readonly<Record<string, string>> => ({ 'package.json': JSON.stringify(value) });

verifies('I15', 'the scripts that people name their checks by', () => {
  const scripts = { format: 'prettier --write .', lint: 'eslint .', 'type-check': 'tsc --noEmit', test: 'vitest', build: 'vite build' };
  const files = manifest({ scripts, devDependencies: { prettier: '3' } });
  expect(found({ files, bins: ['prettier', 'eslint', 'tsc', 'vitest'], onPath: ['npm'] })).toEqual([
    'format prettier detected: node_modules/.bin/prettier --write --ignore-unknown --log-level warn {files}',
    'lint eslint script: npm run --silent lint',
    'typecheck tsc script: npm run --silent type-check',
    'test vitest script: npm run --silent test',
  ]);
});

test.each<readonly [what: string, workspace: Workspace, checks: readonly string[]]>([
  ['nothing', {}, []],
  ['a tool that is not installed', { files: { 'biome.json': '', 'tsconfig.json': '', 'go.mod': '' } }, []],
  ['a script whose program is not installed', { files: manifest({ scripts: { lint: 'eslint .' } }), onPath: ['npm'] }, []],
  [
    'what npm init writes',
    { files: manifest({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }), onPath: ['npm', 'echo'] },
    [],
  ],
  ['a manifest that is not JSON', { files: { 'package.json': '{"scripts":[]' }, onPath: ['npm'] }, []],
  ['a program that came with another', { files: manifest({}), bins: ['prettier', 'eslint', 'jest'], onPath: ['npm'] }, []],
  [
    'pnpm',
    { files: { ...manifest({ scripts: { test: 'node --test' } }), 'pnpm-lock.yaml': '' }, onPath: ['pnpm', 'npm', 'node'] },
    ['test node script: pnpm --silent run test'],
  ],
  [
    'biome',
    { files: { 'biome.json': '{}' }, bins: ['biome'] },
    [
      'format biome detected: node_modules/.bin/biome format --write {files}',
      'lint biome detected: node_modules/.bin/biome lint --reporter=github {files}',
    ],
  ],
  [
    'oxlint',
    { files: { '.oxlintrc.json': '{}' }, bins: ['oxlint'] },
    ['lint oxlint detected: node_modules/.bin/oxlint --format unix {files}'],
  ],
  [
    'eslint, tsc and jest without scripts',
    {
      files: { 'eslint.config.js': '', 'tsconfig.json': '', ...manifest({ devDependencies: { jest: '30' } }) },
      bins: ['eslint', 'tsc', 'jest'],
    },
    [
      'lint eslint detected: node_modules/.bin/eslint --format json --no-error-on-unmatched-pattern {files}',
      'typecheck tsc detected: node_modules/.bin/tsc --noEmit --pretty false',
      'test jest detected: node_modules/.bin/jest',
    ],
  ],
  [
    'ruff and pytest in one file',
    { files: { 'pyproject.toml': '[tool.ruff]\n[tool.pytest.ini_options]\n' }, onPath: ['ruff', 'pytest'] },
    [
      'format ruff detected: ruff format {files}',
      'lint ruff detected: ruff check --output-format concise {files}',
      'test pytest detected: python3 -m pytest -q',
    ],
  ],
  ['a Python project that names neither', { files: { 'pyproject.toml': '[project]\n' }, onPath: ['ruff', 'pytest'] }, []],
  [
    'Go',
    { files: { 'go.mod': '' }, onPath: ['go', 'gofmt'] },
    ['format gofmt detected: gofmt -w {files}', 'lint go vet detected: go vet ./...', 'test go test detected: go test ./...'],
  ],
  [
    'Rust, without clippy',
    { files: { 'Cargo.toml': '' }, onPath: ['cargo'] },
    [
      'format cargo fmt detected: cargo fmt',
      'typecheck cargo check detected: cargo check --all-targets',
      'test cargo test detected: cargo test',
    ],
  ],
])('%s', (_what, workspace, checks) => {
  expect(found(workspace)).toEqual(checks);
});

verifies('I15', 'what a human configured is taken, and what they turned off is not', () => {
  const files = { 'go.mod': '' };
  expect(
    found(
      { files, onPath: ['go', 'gofmt'] },
      { format: false, lint: null, typecheck: ['make types', 'make more'], test: 'make test {files}' },
    ),
  ).toEqual(['typecheck make configured: make types', 'typecheck make configured: make more', 'test make configured: make test {files}']);
});

const [takesFiles] = detectChecks(sight({ files: { 'go.mod': '' }, onPath: ['gofmt'] }), ALL);

test.each([
  [['a.go', 'b.md', "it's $(x).go", '-w.go'], String.raw`gofmt -w 'a.go' 'it'\''s $(x).go' './-w.go'`],
  [['b.md'], null],
  [[], null],
  [null, 'gofmt -w .'],
])('the command for %j', (files, command) => {
  expect(commandFor(takesFiles!, files)).toBe(command);
});
