// The one table of codes: its numbers are possible and agree with each other, the sources use it, the reference says the same.

import { expect, test } from 'vitest';
import { type Code, type CodeEntry, CODES, codeNames } from '../src/protocol/index.ts';
import { COMMAND_GROUPS } from '../src/cli/command-groups.ts';
import { WHAT_YOU_DO } from '../src/protocol/codes-for-people.ts';
import { codesDocument, EXIT_CODES } from './codes-doc.ts';
import { isTestPart, sourceFiles } from './source-files.ts';

/** Codes that no source uses yet: the breaker will end in NEEDS_HUMAN, and no door distinguishes a wrong verb from a wrong address. */
const entries = Object.entries(CODES) as readonly (readonly [Code, CodeEntry])[];
const namesWhere = (wrong: (entry: CodeEntry) => boolean): readonly Code[] =>
  entries.flatMap(([code, entry]) => (wrong(entry) ? [code] : []));

/** What JSON-RPC itself defines, and the range that it leaves to servers. */
const isRpcNumber = (rpc: number): boolean => [-32700, -32600, -32601, -32602, -32603].includes(rpc) || (rpc >= -32099 && rpc <= -32000);

test('every number is one that HTTP, JSON-RPC and the documented exit codes have', () => {
  expect(namesWhere(({ http }) => !Number.isInteger(http) || http < 400 || http > 599)).toEqual([]);
  expect(namesWhere(({ rpc }) => !isRpcNumber(rpc))).toEqual([]);
  expect(namesWhere(({ exit }) => exit === 0 || !(exit in EXIT_CODES))).toEqual([]);
  expect(Object.keys(EXIT_CODES)).toEqual(['0', '1', '2', '3', '4', '5']);
});

test('kinds differ as a caller sees them: refusals are forbidden, faults have a number each, the only defect is internal', () => {
  expect(namesWhere(({ kind, http, rpc }) => (kind === 'refusal') !== (http === 403 && rpc === -32001))).toEqual([]);
  const faults = entries.filter(([, { kind }]) => kind === 'fault').map(([, { rpc }]) => rpc);
  expect(new Set(faults).size).toBe(faults.length);
  expect(namesWhere(({ kind }) => kind === 'defect')).toEqual(['INTERNAL']);
});

test('exit code and retry advice agree', () => {
  expect(namesWhere(({ exit, retry }) => exit === 3 && retry !== 'later')).toEqual([]);
  expect(namesWhere(({ exit, retry }) => exit === 2 && retry !== 'never')).toEqual([]);
  expect(namesWhere(({ kind, exit }) => exit === 4 && kind !== 'refusal')).toEqual([]);
  expect(namesWhere(({ exit }) => exit === 5)).toEqual(['INTEGRITY_BROKEN']);
});

test('a meaning is one plain sentence of its own', () => {
  expect(namesWhere(({ meaning }) => !/^[A-Z][^|\n]*\.$/.test(meaning))).toEqual([]);
  expect(new Set(entries.map(([, { meaning }]) => meaning)).size).toBe(entries.length);
});

test('for each code a person is shown what to do, in whole sentences and with commands that exist', () => {
  expect(Object.entries(WHAT_YOU_DO).filter(([, text]) => !/^[A-Z][^|\n]*\.$/.test(text))).toEqual([]);
  const groups = new Set(COMMAND_GROUPS.flatMap(({ names }) => names));
  const named = Object.values(WHAT_YOU_DO).flatMap((text) => [...text.matchAll(/`countersign (\w+)/g)].map(([, command]) => command!));
  expect(named.filter((command) => !groups.has(command))).toEqual([]);
});

test('every code is used by some source', () => {
  const sources = sourceFiles().filter(
    ({ path }) => /^(?:src|bin|clients)\//.test(path) && !isTestPart(path) && path !== 'src/protocol/codes.ts',
  );
  const unused = codeNames.filter((code) => !sources.some(({ text }) => text.includes(`'${code}'`)));
  expect(unused).toEqual([]);
});

test('docs/codes.md is what the table gives; `npm run docs` writes it', async () => {
  await expect(codesDocument()).toMatchFileSnapshot('../docs/codes.md');
});
