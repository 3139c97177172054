// Whatever can change a decision or a fold has a version, and no source changes under an old one unnoticed.

import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { DECIDING } from '../src/app/policy-revision.ts';
import { AGENT_REVISIONS } from '../src/agents/index.ts';
import { KERNEL_REVISIONS } from '../src/kernel/index.ts';
import { FOLDS } from '../src/projections/index.ts';
import { POLICY_REVISIONS } from '../src/policy/index.ts';
import { PROTOCOL_REVISIONS, type Revision } from '../src/protocol/index.ts';
import { SHELL_REVISIONS } from '../src/shell/index.ts';
import { TOOL_REVISIONS } from '../src/tools/index.ts';
import { WORKSPACE_REVISIONS } from '../src/workspace/index.ts';
import { NAMED_AS_DECIDING_NOTHING, whyItDecidesNothing } from './decides-nothing.ts';
import { reachedFrom, runs } from './deciding-files.ts';
import { complaints, filesOf, foldFiles, lowered, type Records, recorded, REVISIONS, statedNow } from './revisions.ts';
import { digestOf, tokensOf } from './source-digest.ts';
import { isTestPart, ROOT, sourceFiles } from './source-files.ts';

const folderOf = ([first]: readonly Revision[]): string => relative(ROOT, dirname(fileURLToPath(first!.from)));
const [policy, shell, kernel, workspace, protocol, agents, tools] = [
  ...[POLICY_REVISIONS, SHELL_REVISIONS, KERNEL_REVISIONS, WORKSPACE_REVISIONS, PROTOCOL_REVISIONS, AGENT_REVISIONS, TOOL_REVISIONS],
].map(folderOf) as [string, string, string, string, string, string, string];

/** Where a decision is made, and where its facts come from. */
const ROOTS = [
  ...['policies.ts', 'admit.ts', 'check-examples.ts'].map((file) => join(policy, file)),
  join(shell, 'index.ts'),
  join(kernel, 'gather.ts'),
  join(workspace, 'file-facts.ts'),
  join(workspace, 'read-config.ts'),
  join(workspace, 'work-trees.ts'),
  ...['turns.ts', 'spine.ts', 'caller.ts', 'present-agents.ts'].map((file) => join(kernel, file)),
  join(agents, 'index.ts'),
  ...['own-pack.ts', 'registry.ts'].map((file) => join(tools, file)),
];

const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
const isListOfVersions = (path: string): boolean => basename(path) === 'revisions.ts';
const named = DECIDING.flat().flatMap((revision) => filesOf(revision).map((file) => ({ file, name: revision.name })));

const rooms = [policy, shell, kernel, workspace, protocol, agents, tools];
const refused = new Set<string>();
const reached = reachedFrom(ROOTS, (path) => {
  const decides = whyItDecidesNothing(path) === null;
  if (!decides) refused.add(path);
  return decides && rooms.some((room) => isBelow(path, room));
});

test('every file whose change can change a decision is in exactly one of the lists', () => {
  const product = sourceFiles().filter(({ path }) => !isTestPart(path));
  // Whatever is in these two rooms decides, imported by a root or not.
  const rules = product.map(({ path }) => path).filter((path) => isBelow(path, policy) || isBelow(path, shell));
  const missing = [...new Set([...reached.keys(), ...rules])]
    .filter((path) => runs(path) && !isListOfVersions(path) && !named.some(({ file }) => file === path))
    .map((path) => `${path}, imported by ${reached.get(path) ?? 'none of the roots'}, is in no list of versions`);
  expect(missing).toEqual([]);
  const twice = named.filter(({ file }, index) => named.findIndex((other) => other.file === file) !== index);
  expect(twice).toEqual([]);
});

test('what is said to decide nothing is reached, and has no version', () => {
  expect(NAMED_AS_DECIDING_NOTHING.filter((path) => !refused.has(path))).toEqual([]);
  expect(named.filter(({ file }) => whyItDecidesNothing(file) !== null)).toEqual([]);
});

test('what a fold says to fold nothing is imported by its files', () => {
  for (const [name, fold] of Object.entries(FOLDS) as [string, { roots: readonly string[]; foldsNothing?: readonly string[] }][])
    expect([name, ...foldFiles(fold).avoided.toSorted()]).toEqual([name, ...(fold.foldsNothing ?? []).toSorted()]);
});

test('no source has changed under a version that was recorded with others', () => {
  expect(complaints(statedNow(), recorded())).toEqual([]);
});

test('what tools declare, how hooks are read, and what the kernel decides by itself are covered', () => {
  const covering = (file: string) => named.find((each) => each.file === file)?.name ?? null;
  expect(
    [
      'src/tools/native/write-file.ts',
      'src/tools/native/patch-unified.ts',
      'src/agents/claude/translate.ts',
      'src/agents/cline/adapter.ts',
    ].map(covering),
  ).toEqual(['tools/declared', 'tools/declared', 'agents/events', 'agents/events']);
  expect(['spine', 'enforcement-bypass', 'only-intent', 'caller', 'turns'].map((name) => covering(`src/kernel/${name}.ts`))).toEqual(
    ['spine', 'enforcement-bypass', 'only-intent', 'caller', 'turns'].map((name) => `kernel/${name}`),
  );
});

test('a name is used once', () => {
  const names = REVISIONS.flat().map(({ name }) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('planted: a changed source, a raised, a lowered, a new and a removed version are each distinguished', () => {
  const known: Records = { same: at(1, 'a'), changed: at(1, 'a'), raised: at(1, 'a'), lowered: at(2, 'a'), removed: at(1, 'a') };
  const stated: Records = { same: at(1, 'a'), changed: at(1, 'b'), raised: at(2, 'b'), lowered: at(1, 'a'), added: at(1, 'a') };
  expect(complaints(stated, known)).toEqual([
    'added is new. Record it: npm run revisions',
    'The sources of changed changed, but its version is still 1. If it can decide or fold otherwise than before, raise the version. If it does exactly what it did before, record the new sources under the same version: npm run revisions',
    'lowered has version 1, but 2 was used before. Raise it.',
    'raised has version 2 now. Record it: npm run revisions',
    'removed is recorded, but no source states it. If that is meant: npm run revisions',
  ]);
  expect(lowered(stated, known)).toEqual(['lowered has version 1, but 2 was used before. Raise it.']);
});

const at = (version: number, sha256: string) => ({ version, sha256 });

test('comments, white space and a folder that moved change no digest; anything else does', () => {
  const digest = (text: string, path = 'src/policy/x.ts') => digestOf([{ path, text }]);
  const text =
    "import { a } from '../../workspace/index.ts';\nexport const f = (x: string) => a(x, `  ${x} // not a comment `, /\\s+/u);\n";
  const same = [
    text.replace('../../', '../'),
    `// A comment.\n${text}`,
    text.replace('(x: string)', '( /* why */ x :\n string, )').replace('/u)', '/u,\n)'),
  ];
  expect(same.map((other) => digest(other))).toEqual(same.map(() => digest(text)));
  expect(digest(text, 'src/shell/x.ts')).toBe(digest(text));
  const others = [
    text.replace('`  $', '` $'),
    text.replace('// not a comment', ''),
    text.replace('\\s+', '\\s*'),
    text.replace('workspace', 'memory'),
    text.replace('../../workspace/index.ts', 'yaml'),
    text.replace('a(x,', 'a(x + 1,'),
    text.replace(': string', ': number'),
  ];
  expect(new Set([digest(text), digest(text, 'src/policy/y.ts'), ...others.map((other) => digest(other))]).size).toBe(others.length + 2);
  const tokens = tokensOf({ path: 'x.ts', text: "import { parse } from 'yaml';\nexport const a = 'b  c'; // d" });
  expect(tokens.slice(-6)).toEqual(['export', 'const', 'a', '=', "'b  c'", ';']);
  expect(tokens.slice(0, 6)).toEqual(['import', '{', 'parse', '}', 'from', expect.stringMatching(/^yaml@\d+\.\d+\.\d+$/)]);
});
