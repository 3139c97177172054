// Who may import whom, held as data and checked over every import of the sources. Tests may import what they like.

import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, posix } from 'node:path';
import { expect, test } from 'vitest';
import * as kernel from '../src/kernel/index.ts';
import * as settle from '../src/kernel/settle.ts';
import { FIRST_DOORS, SessionLevel } from '../src/protocol/index.ts';
import { importsOf } from './imports-of.ts';
import { isTestPart, ROOT, type SourceFile, sourceFiles } from './source-files.ts';

interface Room {
  /** Other rooms, by name. */
  readonly rooms: readonly string[];
  /** Packages by name; `@scope/*` is every package of a scope. */
  readonly packages: readonly string[];
  /** Built-in modules of Node; `all` but those that `KEPT_BUILTINS` keeps for others. */
  readonly builtins: 'all' | readonly string[];
}

/** A room is the folder of its name below `src`, or is named by its path. In reading order. */
const ROOMS: Readonly<Record<string, Room>> = {
  protocol: { rooms: [], packages: ['zod'], builtins: [] },
  policy: { rooms: ['protocol'], packages: [], builtins: [] },
  ledger: { rooms: ['protocol'], packages: ['canonicalize'], builtins: 'all' },
  // The kernel reaches the world through its ports only.
  kernel: { rooms: ['protocol', 'policy', 'ledger'], packages: [], builtins: [] },
  stores: { rooms: ['protocol', 'ledger'], packages: [], builtins: 'all' },
  workspace: { rooms: ['protocol'], packages: ['yaml', 're2js', 'jsonc-parser', 'zod'], builtins: 'all' },
  shell: { rooms: ['protocol', 'workspace'], packages: ['unbash'], builtins: 'all' },
  agents: { rooms: ['protocol'], packages: ['zod'], builtins: 'all' },
  sandbox: { rooms: ['protocol', 'workspace', 'shell'], packages: ['quickjs-wasi', 'zod'], builtins: 'all' },
  claims: { rooms: ['protocol', 'workspace'], packages: ['re2js'], builtins: 'all' },
  quality: { rooms: ['protocol', 'workspace', 'claims'], packages: [], builtins: 'all' },
  codeindex: {
    rooms: ['protocol', 'workspace'],
    packages: [
      'oxc-parser',
      'magic-string',
      'web-tree-sitter',
      '@vscode/tree-sitter-wasm',
      '@typescript/typescript6',
      'typescript',
      'yaml',
      're2js',
      'neo4j-driver',
    ],
    builtins: 'all',
  },
  memory: { rooms: ['protocol', 'claims'], packages: [], builtins: [] },
  plan: { rooms: ['protocol', 'claims', 'codeindex', 'memory'], packages: ['canonicalize'], builtins: ['node:path', 'node:crypto'] },
  packs: {
    rooms: ['protocol', 'codeindex', 'plan', 'workspace', 'claims'],
    packages: ['@angular/compiler', 'mammoth'],
    builtins: ['node:path'],
  },
  connectors: { rooms: ['protocol'], packages: ['undici', 'yaml'], builtins: 'all' },
  tools: {
    rooms: ['protocol', 'workspace', 'shell', 'claims', 'codeindex', 'memory', 'plan', 'sandbox', 'quality', 'connectors'],
    packages: ['zod'],
    builtins: 'all',
  },
  conference: { rooms: ['protocol', 'kernel', 'claims', 'connectors'], packages: ['undici', '@ai-sdk/*'], builtins: 'all' },
  projections: {
    rooms: ['protocol', 'policy', 'ledger', 'stores', 'kernel', 'workspace', 'memory', 'codeindex', 'plan', 'packs'],
    packages: [],
    builtins: 'all',
  },
  commands: {
    rooms: ['protocol', 'kernel', 'stores', 'workspace', 'memory', 'claims'],
    packages: ['zod', 'csv-parse'],
    builtins: 'all',
  },
  // Its core is for browsers too; what needs Node is behind a second front.
  client: { rooms: ['protocol'], packages: [], builtins: 'all' },
  install: {
    rooms: ['protocol', 'workspace', 'agents', 'client', 'ledger', 'sandbox'],
    packages: ['zod', 'jsonc-parser'],
    builtins: 'all',
  },
  sealed: { rooms: ['protocol', 'kernel', 'workspace', 'agents', 'sandbox', 'install'], packages: [], builtins: 'all' },
  doors: { rooms: ['protocol', 'kernel', 'agents'], packages: ['zod', 'fastify', '@modelcontextprotocol/*'], builtins: 'all' },
  cli: { rooms: ['protocol', 'client', 'install', 'ledger', 'shell', 'workspace'], packages: ['zod', 'commander'], builtins: 'all' },
  app: {
    rooms: [
      ...['protocol', 'policy', 'ledger', 'kernel', 'stores', 'workspace', 'shell', 'agents', 'sandbox', 'quality', 'codeindex'],
      ...['packs', 'plan', 'tools', 'projections', 'commands', 'client', 'install', 'sealed', 'doors', 'cli', 'conference', 'connectors'],
    ],
    packages: ['zod'],
    builtins: 'all',
  },
  'clients/web/src': { rooms: ['protocol', 'client'], packages: ['react', 'react-dom'], builtins: [] },
  // They run before anything is installed.
  scripts: { rooms: [], packages: [], builtins: 'all' },
};

const KEPT_BUILTINS: Readonly<Record<string, readonly string[]>> = {
  'node:sqlite': ['stores'],
  'node:child_process': ['sandbox', 'install', 'client', 'scripts'],
};

const OUTSIDE_SRC = new Set(['clients/web/src', 'scripts']);
/** Rooms without one front: importers name a file. */
const WITHOUT_INDEX = new Set(['doors', 'app', 'cli', 'install', ...OUTSIDE_SRC]);
/** What a room shows to threads, whose start others wait for: without schemas and readers of documents. */
const PLAIN_FRONTS = new Set(['src/protocol/plain.ts', 'src/workspace/plain.ts', 'src/codeindex/plain.ts']);
/** What a room shows to Node alone; the second by itself, because the stdio process of each agent session must stay small. */
const NODE_FRONTS = new Set(['src/client/node.ts', 'src/client/home-paths.ts']);
/** The one file that imports modules by addresses that it is given: those of packs. */
const PACK_LOADER = 'src/codeindex/load-packs.ts';
/** Set-up of tools; no part of the product. */
const TOOL_CONFIG = /\.config\.ts$/;
const LONGEST_FILE = 450;
/** Wiring only: whatever grows here belongs into a room. */
const APP_LINES = 2_000;
const EMPTY_NAMES = /(?:^|[-./])(?:utils?|helpers?|managers?|misc|v2)(?=[-./]|$)/i;

const isIn = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);
const folderOf = (room: string): string => (OUTSIDE_SRC.has(room) ? room : `src/${room}`);
const roomOf = (path: string): string | null => Object.keys(ROOMS).find((room) => isIn(path, folderOf(room))) ?? null;

function packageOf(specifier: string): string {
  const [first = '', second = ''] = specifier.split('/');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

const allows = (packages: readonly string[], name: string): boolean =>
  packages.some((allowed) => (allowed.endsWith('/*') ? name.startsWith(allowed.slice(0, -1)) : allowed === name));

const listed = (names: readonly string[]): string => names.join(', ') || 'nothing';

/** Other rooms ask `kernel.views`, which offers named queries. With the state itself they could read, or change, everything. */
const READS_STATE = /\bkernel(?:\(\))?\??\.state\b|\bstate\b[^;{}]*\}\s*(?::\s*Kernel\b|=\s*(?:\w+\??\.)*kernel\b)/;
/** Other rooms have types of the same name. */
const IMPORTS_STATE = /\bimport\b[^;]*\bState\b[^;]*\bfrom\s+'[^']*\/kernel\//;
/** `app` opens it like every other fold and hands it on, without reading it. */
const HAVE_STATE = ['src/kernel', 'src/projections'];
const READS_FOLD = /\bstate\.\w/;
const readsState = ({ path, text }: SourceFile): boolean =>
  isIn(path, 'src') &&
  !isIn(path, 'src/kernel') &&
  (READS_STATE.test(text) ||
    (path === 'src/app/daemon.ts' && READS_FOLD.test(text)) ||
    (!HAVE_STATE.some((room) => isIn(path, room)) && IMPORTS_STATE.test(text)));

const DOOR_NAMES = Object.keys(FIRST_DOORS);
/** Doors state their traits: a new door is no condition here. */
const NAMES_DOOR = new RegExp(`\\bFIRST_DOORS\\b|(['"])(?:${[...DOOR_NAMES, ...SessionLevel.options].join('|')})\\1`);
/** In other rooms the same words also name other things: a session's level, a file's content. */
const COMPARES_DOOR = new RegExp(`\\bFIRST_DOORS\\.|\\bdoor\\b\\s*(?::|[!=]==?)\\s*(['"])(?:${DOOR_NAMES.join('|')})\\1`);
const ABOVE_THE_DOORS = ['src/doors', 'src/app'];
const namesDoor = ({ path, text }: SourceFile): boolean =>
  isIn(path, 'src/kernel') || isIn(path, 'src/policy')
    ? NAMES_DOOR.test(text)
    : isIn(path, 'src') && !ABOVE_THE_DOORS.some((room) => isIn(path, room)) && COMPARES_DOOR.test(text);

/** The rooms that put the kernel to use: its own tests run without them, or they would show what the wiring does. */
const ABOVE_THE_KERNEL = new Set(['app', 'doors', 'cli']);

/** Imports from rooms above, of the kernel's test parts and of whatever other test parts these import. */
function importsFromAbove(all: readonly SourceFile[]): readonly string[] {
  const byPath = new Map(all.map((file) => [file.path, file]));
  const open = all.filter(({ path }) => isIn(path, 'src/kernel') && isTestPart(path));
  const seen = new Set(open.map(({ path }) => path));
  const found: string[] = [];
  for (const { path, text } of open) {
    for (const { specifier, line } of importsOf(path, text)) {
      if (!specifier?.startsWith('.')) continue;
      const target = posix.join(posix.dirname(path), specifier);
      if (ABOVE_THE_KERNEL.has(roomOf(target) ?? '')) found.push(`${path}:${line} imports ${target}`);
      const next = byPath.get(target);
      if (!next || seen.has(target) || !isTestPart(target)) continue;
      seen.add(target);
      open.push(next);
    }
  }
  return found;
}

/** Every import of `file` that the table does not allow, in words. */
function violationsIn(file: SourceFile): readonly string[] {
  const room = roomOf(file.path);
  if (room === null) return [`${file.path} is in no room of the table`];
  return importsOf(file.path, file.text).flatMap(({ specifier, line }) => {
    const why = specifier === null ? objectionToComputed(file.path) : objectionTo(file.path, room, specifier);
    return why === null ? [] : [`${file.path}:${line} imports ${why}`];
  });
}

const objectionToComputed = (path: string): string | null => (path === PACK_LOADER ? null : 'something that the text does not name');

function objectionTo(path: string, room: string, specifier: string): string | null {
  const rule = ROOMS[room]!;
  if (specifier.startsWith('node:')) {
    const keepers = KEPT_BUILTINS[specifier];
    if (keepers) return keepers.includes(room) ? null : `${specifier}: only ${listed(keepers)} may`;
    return rule.builtins === 'all' || rule.builtins.includes(specifier) ? null : `${specifier}: ${room} may import no built-in modules`;
  }
  if (!specifier.startsWith('.')) {
    const name = packageOf(specifier);
    if (builtinModules.includes(name)) return `${specifier}: built-in modules are named with node:`;
    return allows(rule.packages, name) ? null : `${specifier}: ${room} may import the packages ${listed(rule.packages)}`;
  }

  const target = posix.join(posix.dirname(path), specifier);
  const targetRoom = roomOf(target);
  if (targetRoom === room) return isTestPart(target) ? `${target}: a part of the tests` : null;
  if (targetRoom === null || !rule.rooms.includes(targetRoom)) return `${target}: ${room} may import ${listed(rule.rooms)}`;
  if (target === 'src/kernel/settle.ts') return `${target}: only the kernel may make a Recorded`;
  if (NODE_FRONTS.has(target) && OUTSIDE_SRC.has(room)) return `${target}: a browser has no Node`;
  const isFront = target === `${folderOf(targetRoom)}/index.ts` || PLAIN_FRONTS.has(target) || NODE_FRONTS.has(target);
  if (!WITHOUT_INDEX.has(targetRoom) && !isFront) return `${target}: other rooms use src/${targetRoom}/index.ts`;
  return null;
}

const files = sourceFiles();
const product = files.filter(({ path }) => !isTestPart(path) && !TOOL_CONFIG.test(path));

test('every import is one that the table of rooms allows', () => {
  expect(product.flatMap(violationsIn)).toEqual([]);
});

test('the table has no circle, names only rooms that exist, and app is in no list', () => {
  const done = new Set<string>();
  const visit = (room: string, above: readonly string[]): void => {
    if (above.includes(room)) throw new Error(`a circle: ${[...above, room].join(' → ')}`);
    if (!done.has(room)) for (const below of ROOMS[room]!.rooms) visit(below, [...above, room]);
    done.add(room);
  };
  for (const room of Object.keys(ROOMS)) visit(room, []);
  expect(Object.values(ROOMS).flatMap(({ rooms }) => rooms)).not.toContain('app');
  expect(Object.keys(ROOMS).filter((room) => !product.some(({ path }) => isIn(path, folderOf(room))))).toEqual([]);
});

test('the table lets a room use no other that it does not use', () => {
  const unused = Object.entries(ROOMS).flatMap(([room, { rooms }]) => {
    const own = product.filter(({ path }) => isIn(path, folderOf(room)));
    const used = new Set(
      own.flatMap(({ path, text }) =>
        importsOf(path, text).map(({ specifier }) => roomOf(posix.join(posix.dirname(path), specifier ?? ''))),
      ),
    );
    return rooms.filter((name) => !used.has(name)).map((name) => `${room} does not use ${name}`);
  });
  expect(unused).toEqual([]);
});

/** The rooms of the picture in CONTRIBUTING, from top to bottom: the line that each is on, and the rooms beside it. */
function drawnRooms(): Map<string, { readonly line: number; readonly rooms: readonly string[] }> {
  const [, picture = ''] = /```text\n(app .+?)```/s.exec(readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8')) ?? [];
  const drawn = new Map<string, { line: number; rooms: string[] }>();
  for (const [line, text] of picture.split('\n').entries()) {
    const columns = text.split(/ {2,}/);
    const isLast = columns.at(-1) === '(protocol only)';
    for (let at = 0; at < columns.length - 1; at += isLast ? 1 : 2) {
      const name = columns[at] === 'clients/web' ? 'clients/web/src' : columns[at]!;
      drawn.set(name, { line, rooms: isLast ? [] : columns[at + 1]!.split(' ').filter((room) => room in ROOMS) });
    }
  }
  return drawn;
}

test('the picture of the rooms in CONTRIBUTING is the table, and every room uses only rooms further down', () => {
  const drawn = drawnRooms();
  const besides = (rooms: readonly string[]) => rooms.filter((room) => room !== 'protocol').toSorted();
  const asDrawn = Object.fromEntries([...drawn].map(([name, { rooms }]) => [name, besides(rooms)]));
  const asHeld = Object.fromEntries(Object.entries(ROOMS).map(([name, { rooms }]) => [name, besides(rooms)]));
  // App uses what it likes, and scripts nothing.
  expect({ ...asDrawn, scripts: [], app: [] }).toEqual({ ...asHeld, scripts: [], app: [] });
  const upwards = [...drawn].flatMap(([name, { line, rooms }]) =>
    rooms.filter((room) => drawn.get(room)!.line <= line).map((room) => `${name} → ${room}`),
  );
  expect(upwards).toEqual([]);
});

test('nothing that writes to the ledger or makes a Recorded leaves the kernel', () => {
  const secrets = new Set<unknown>(Object.values(settle));
  expect(Object.entries(kernel).flatMap(([name, value]) => (secrets.has(value) ? [name] : []))).toEqual([]);
  const forging = /\bas\s+Recorded\b|\btakeSeal\b/;
  expect(product.filter(({ path, text }) => path !== 'src/kernel/settle.ts' && forging.test(text)).map(({ path }) => path)).toEqual([]);
  expect(() => settle.Recorded.takeSeal()).toThrow('only kernel/settle.ts makes these');
});

test('the queries read views, never the state of the kernel', () => {
  const readers = product.filter(({ path }) => /^src\/projections\/(?:\w+-)?queries\.ts$/.test(path));
  expect(readers.length).toBeGreaterThan(2);
  expect(readers.filter(({ text }) => /\bkernel\.state\b|\bState\b/.test(text)).map(({ path }) => path)).toEqual([]);
});

test('the tests of the kernel need nothing of the rooms above it', () => {
  expect(importsFromAbove(files)).toEqual([]);
});

test('planted: an import from above is found in a test of the kernel and in what that test imports', () => {
  const planted = [
    { path: 'src/kernel/x.test.ts', text: "import { a } from './x.fixture.ts';\nimport { b } from '../../test/y.ts';" },
    { path: 'src/kernel/x.fixture.ts', text: "import { a } from '../app/callers.ts';" },
    { path: 'test/y.ts', text: "import type { D } from '../src/doors/services.ts';\nimport { s } from '../src/stores/index.ts';" },
    { path: 'test/z.ts', text: "import { a } from '../src/app/main.ts';" },
  ];
  expect(importsFromAbove(planted)).toEqual([
    'src/kernel/x.fixture.ts:1 imports src/app/callers.ts',
    'test/y.ts:1 imports src/doors/services.ts',
  ]);
});

test('no room reads the state of the kernel, and only those that fold it have it', () => {
  expect(product.filter(readsState).map(({ path }) => path)).toEqual([]);
});

test('planted: a room that reads the state is found, and one that asks a view is not', () => {
  const reads = (text: string, path = 'src/doors/x.ts') => readsState({ path, text });
  const found = [
    'const entry = services.kernel.state.sessions.get(session);',
    'const entry = kernel.state\n  .activeIntents(workspace);',
    'const { state, now } = services.kernel;',
    'const f = ({ state }: Kernel, session: string) => state.observing.has(session);',
    "import type { State } from '../kernel/index.ts';",
  ];
  expect(found.filter((text) => !reads(text))).toEqual([]);
  const fine = ['const entry = kernel.views.session(id);', "if (event.row.state === 'waiting') resolve();", 'const { state } = row;'];
  expect(fine.filter((text) => reads(text))).toEqual([]);
  const rooms = ['commands', 'sealed', 'app', 'projections', 'cli'];
  expect(rooms.filter((room) => !reads(found[0]!, `src/${room}/x.ts`))).toEqual([]);
  expect(rooms.filter((room) => reads(found[4]!, `src/${room}/x.ts`))).toEqual(['commands', 'sealed', 'app', 'cli']);
  expect(reads('const places = state.sessions;', 'src/app/daemon.ts')).toBe(true);
  expect(reads(found[0]!, 'src/kernel/x.ts')).toBe(false);
});

test('no room below the doors names a door', () => {
  expect(product.filter(namesDoor).map(({ path }) => path)).toEqual([]);
});

test('planted: the name of a door is found in the kernel and in a policy, and a trait is not', () => {
  const names = (text: string, path = 'src/kernel/x.ts') => namesDoor({ path, text });
  expect(names("if (action.door !== 'hook') return;")).toBe(true);
  expect(names("examples: [{ action: { door: 'mcp' } }]", 'src/policy/x.ts')).toBe(true);
  expect(names('const isOver = level === "advisory";')).toBe(true);
  expect(names("if (traitsOf(action).executes === 'gate') return; // 'hooks'")).toBe(false);
  expect(names("if (action.door === 'hook') return;", 'src/quality/x.ts')).toBe(true);
  expect(names("pass({ door: 'mcp', tool });", 'src/projections/x.ts')).toBe(true);
  expect(names('pass({ door: FIRST_DOORS.mcp, tool });', 'src/projections/x.ts')).toBe(true);
  expect(names("const sees = level === 'hooked' && holds.includes('mcp');", 'src/projections/x.ts')).toBe(false);
  expect(names("const heard = { door: 'hook' };", 'src/doors/x.ts')).toBe(false);
});

test('a room says in its first lines what it owns, its invariant and what it refuses', () => {
  const lacking = Object.keys(ROOMS).flatMap((room) => {
    if (WITHOUT_INDEX.has(room)) return [];
    const path = `${folderOf(room)}/index.ts`;
    const [head = ''] = readFileSync(join(ROOT, path), 'utf8').split(/^(?!\/\/)/m);
    return [`// ${room}: `, '// Invariant', '// Refuses']
      .filter((start) => !head.split('\n').some((line) => line.startsWith(start)))
      .map((start) => `${path} has no line "${start}…"`);
  });
  expect(lacking).toEqual([]);
});

test(`no file is over ${LONGEST_FILE} lines`, () => {
  const long = files
    .map(({ path, text }) => ({ path, lines: text.trimEnd().split('\n').length }))
    .filter(({ lines }) => lines > LONGEST_FILE);
  expect(long).toEqual([]);
});

test(`app has fewer than ${APP_LINES} lines`, () => {
  const lines = product.filter(({ path }) => isIn(path, 'src/app')).map(({ text }) => text.trimEnd().split('\n').length);
  expect(lines.reduce((sum, each) => sum + each, 0)).toBeLessThan(APP_LINES);
});

test('file names say what is inside', () => {
  expect(files.map(({ path }) => path).filter((path) => EMPTY_NAMES.test(path))).toEqual([]);
});

test('planted: each kind of violation is found, however it is written', () => {
  const found = (path: string, text: string) => violationsIn({ path, text });
  expect(found('src/kernel/x.ts', "// '../stores/index.ts'\nimport { a } from '../stores/index.ts';")).toEqual([
    'src/kernel/x.ts:2 imports src/stores/index.ts: kernel may import protocol, policy, ledger',
  ]);
  const forms = [
    "import '../app/main.ts';",
    "import type { A } from '../app/main.ts';",
    "export * from '../app/main.ts';",
    "export type { A } from '../app/main.ts';",
    "const a = () => import('../app/main.ts');",
    'const a = () => import(`../app/main.ts`);',
    "type A = import('../app/main.ts').A;",
    "type A = typeof import('../app/main.ts');",
    "const a = require('../app/main.ts');",
  ];
  expect(forms.map((text) => found('src/policy/x.ts', text))).toEqual(
    forms.map(() => ['src/policy/x.ts:1 imports src/app/main.ts: policy may import protocol']),
  );
  const others: readonly (readonly [string, string, string])[] = [
    ['src/doors/x.ts', "import { a } from '../kernel/spine.ts';", 'src/kernel/spine.ts: other rooms use src/kernel/index.ts'],
    ['src/app/x.ts', "import { a } from '../kernel/settle.ts';", 'src/kernel/settle.ts: only the kernel may make a Recorded'],
    ['src/doors/x.ts', "import { a } from '../../test/verifies.ts';", 'test/verifies.ts: doors may import protocol, kernel, agents'],
    ['src/stores/x.ts', "import { a } from './contract.ts';", 'src/stores/contract.ts: a part of the tests'],
    ['src/workspace/x.ts', "import { a } from 'node:sqlite';", 'node:sqlite: only stores may'],
    [
      'src/workspace/x.ts',
      "process.getBuiltinModule('node:child_process');",
      'node:child_process: only sandbox, install, client, scripts may',
    ],
    ['src/doors/x.ts', "import { a } from '../commands/index.ts';", 'src/commands/index.ts: doors may import protocol, kernel, agents'],
    ['src/policy/x.ts', "import { a } from 'node:fs';", 'node:fs: policy may import no built-in modules'],
    ['src/ledger/x.ts', "import { a } from 'fs';", 'fs: built-in modules are named with node:'],
    ['src/policy/x.ts', "import { z } from 'zod';", 'zod: policy may import the packages nothing'],
    ['src/tools/x.ts', "import { a } from 'unbash-twin/x';", 'unbash-twin/x: tools may import the packages zod'],
    [
      'clients/web/src/x.tsx',
      "import { a } from '../../../src/kernel/index.ts';",
      'src/kernel/index.ts: clients/web/src may import protocol, client',
    ],
    ['clients/web/src/x.ts', "import { a } from '../../../src/client/node.ts';", 'src/client/node.ts: a browser has no Node'],
    ['src/app/x.ts', 'const a = (name: string) => import(name);', 'something that the text does not name'],
    ['src/codeindex/x.ts', 'const a = (name: string) => import(name);', 'something that the text does not name'],
    [
      PACK_LOADER,
      "import { pack } from '../packs/angular/pack.ts';",
      'src/packs/angular/pack.ts: codeindex may import protocol, workspace',
    ],
    ['src/plan/x.ts', "import { a } from '../packs/index.ts';", 'src/packs/index.ts: plan may import protocol, claims, codeindex, memory'],
    ['src/packs/x.ts', "import { a } from '../codeindex/pack.ts';", 'src/codeindex/pack.ts: other rooms use src/codeindex/index.ts'],
  ];
  expect(others.map(([path, text]) => found(path, text))).toEqual(others.map(([path, , why]) => [`${path}:1 imports ${why}`]));
  expect(found(PACK_LOADER, 'const a = (name: string) => import(name);')).toEqual([]);
  expect(found('src/attic/x.ts', '')).toEqual(['src/attic/x.ts is in no room of the table']);
  const fine =
    "import { a } from '../doors/http/server.ts';\nimport { b } from '../kernel/index.ts';\nimport { z } from 'zod';\nimport { c } from 'node:fs';";
  expect(found('src/app/x.ts', fine)).toEqual([]);
  expect(
    ['src/app/file-utils.ts', 'src/misc/x.ts', 'src/app/manager.ts', 'src/app/store-v2.ts'].filter((path) => !EMPTY_NAMES.test(path)),
  ).toEqual([]);
});
