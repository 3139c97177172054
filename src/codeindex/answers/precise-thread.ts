// The far side of `precise.ts`: the TypeScript compiler in a thread of its own. TypeScript 7 finds references; where it is not installed,
// and for renames, the language service of TypeScript 6 is used.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import type tsModule from '@typescript/typescript6';
import type { PreciseAnswer, PreciseQuestion, Spot } from './precise.ts';

type Ts = typeof tsModule;

/** The nearest configuration, not above the root. */
function configOf(root: string, path: string): string | null {
  for (let folder = dirname(join(root, path)); folder.startsWith(root); folder = dirname(folder)) {
    if (existsSync(join(folder, 'tsconfig.json'))) return join(folder, 'tsconfig.json');
    if (folder === root) break;
  }
  return null;
}

interface Compiler7 {
  readonly api: { updateSnapshot(params: object): Snapshot7; close(): void };
  readonly configs: Set<string>;
}
interface Snapshot7 {
  getProject(config: string): Project7 | undefined;
}
interface Node7 {
  readonly pos: number;
  readonly end: number;
  forEachChild(visit: (child: Node7) => unknown): unknown;
}
interface Project7 {
  readonly program: { getSourceFile(file: string): Node7 | undefined };
  readonly checker: { getReferencedSymbolsForNode(node: Node7, position: number): readonly { readonly references: readonly Handle7[] }[] };
}
interface Handle7 {
  readonly path: string;
  resolve(): Node7 | undefined;
}

let compiler7: Compiler7 | null | undefined;

async function openCompiler7(root: string): Promise<Compiler7 | null> {
  if (compiler7 !== undefined) return compiler7;
  try {
    const { API } = (await import('typescript/unstable/sync')) as unknown as { API: new (options: object) => Compiler7['api'] };
    compiler7 = { api: new API({ cwd: root }), configs: new Set() };
  } catch {
    compiler7 = null;
  }
  return compiler7;
}

async function references7({ root, path, offset }: PreciseQuestion, config: string): Promise<readonly Spot[] | null> {
  const compiler = await openCompiler7(root);
  if (!compiler) return null;
  try {
    const isKnown = compiler.configs.has(config);
    const snapshot = compiler.api.updateSnapshot(isKnown ? { fileChanges: { invalidateAll: true } } : { openProjects: [config] });
    compiler.configs.add(config);
    const project = snapshot.getProject(config);
    const file = join(root, path);
    const source = project?.program.getSourceFile(file);
    if (!project || !source) return null;
    const found = project.checker.getReferencedSymbolsForNode(innermost(source, offset), offset);
    return found
      .flatMap(({ references }) => references)
      .flatMap((handle) => {
        const node = handle.resolve();
        const spot = node ? spotOf(root, handle.path, node.pos, node.end) : null;
        return spot ? [spot] : [];
      });
  } catch {
    compiler7 = null;
    return null;
  }
}

function innermost(node: Node7, offset: number): Node7 {
  for (let current = node; ;) {
    let inner: Node7 | null = null;
    current.forEachChild((child) => {
      if (child.pos <= offset && offset < child.end) inner = child;
      return inner !== null || undefined;
    });
    if (inner === null) return current;
    current = inner;
  }
}

const texts = new Map<string, { readonly mtime: number; readonly text: string }>();

function textOf(file: string): string {
  const mtime = statSync(file).mtimeMs;
  const known = texts.get(file);
  if (known?.mtime === mtime) return known.text;
  const text = readFileSync(file, 'utf8');
  texts.set(file, { mtime, text });
  return text;
}

/** A node begins with the space before it. Null outside of the tree. */
function spotOf(root: string, absolute: string, pos: number, end: number): Spot | null {
  if (!absolute.startsWith(`${root}/`)) return null;
  const leading = /^(?:\s|\/\*[^]*?\*\/|\/\/[^\n]*\n)*/.exec(textOf(absolute).slice(pos, end))![0].length;
  return { path: absolute.slice(root.length + 1), start: pos + leading, end };
}

const services = new Map<string, tsModule.LanguageService>();
let ts: Ts | null = null;

async function service6(root: string, config: string | null, files: readonly string[]): Promise<tsModule.LanguageService> {
  const key = config ?? '';
  const known = services.get(key);
  if (known) return known;
  ts ??= (await import('@typescript/typescript6')).default;
  const api = ts;
  const parsed =
    config === null
      ? null
      : api.parseJsonConfigFileContent(api.readConfigFile(config, (file) => api.sys.readFile(file)).config, api.sys, dirname(config));
  const options: tsModule.CompilerOptions = parsed?.options ?? {
    allowJs: true,
    target: api.ScriptTarget.Latest,
    moduleResolution: api.ModuleResolutionKind.Bundler,
    module: api.ModuleKind.ESNext,
  };
  const names = parsed?.fileNames ?? files.map((path) => join(root, path));
  const service = api.createLanguageService({
    getCompilationSettings: () => ({ ...options, noEmit: true }),
    getScriptFileNames: () => [...names],
    getScriptVersion: (file) => String(api.sys.getModifiedTime?.(file)?.getTime() ?? 0),
    getScriptSnapshot: (file) => (existsSync(file) ? api.ScriptSnapshot.fromString(textOf(file)) : undefined),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: (given) => api.getDefaultLibFilePath(given),
    fileExists: (file) => api.sys.fileExists(file),
    readFile: (file, encoding) => api.sys.readFile(file, encoding),
    readDirectory: (...given) => api.sys.readDirectory(...given),
    directoryExists: (file) => api.sys.directoryExists(file),
    getDirectories: (file) => api.sys.getDirectories(file),
  });
  services.set(key, service);
  return service;
}

const inside = (root: string, spots: readonly (Spot & { readonly file: string })[]): readonly Spot[] =>
  spots.flatMap(({ file, ...spot }) => (file.startsWith(`${root}/`) ? [{ ...spot, path: file.slice(root.length + 1) }] : []));

async function answer(question: PreciseQuestion): Promise<PreciseAnswer> {
  const { root, path, offset, files, to } = question;
  const config = configOf(root, path);
  if (to === null && config !== null && question.engine !== 'typescript6') {
    const found = await references7(question, config);
    if (found) return { engine: 'typescript7', spots: found };
  }
  const service = await service6(root, config, files);
  const file = join(root, path);
  if (to === null) {
    const found = service.getReferencesAtPosition(file, offset) ?? [];
    return {
      engine: 'typescript6',
      spots: inside(
        root,
        found.map(({ fileName, textSpan }) => ({ file: fileName, path: '', start: textSpan.start, end: textSpan.start + textSpan.length })),
      ),
    };
  }
  const can = service.getRenameInfo(file, offset, {});
  if (!can.canRename) return { engine: 'typescript6', spots: [], refusal: can.localizedErrorMessage };
  const found = service.findRenameLocations(file, offset, false, false, { providePrefixAndSuffixTextForRename: true }) ?? [];
  return {
    engine: 'typescript6',
    spots: inside(
      root,
      found.map(({ fileName, textSpan, prefixText = '', suffixText = '' }) => ({
        file: fileName,
        path: '',
        start: textSpan.start,
        end: textSpan.start + textSpan.length,
        text: `${prefixText}${to}${suffixText}`,
      })),
    ),
  };
}

const port = parentPort;
port?.on('message', ({ id, question }: { readonly id: number; readonly question: PreciseQuestion }) => {
  answer(question)
    .then((given) => port.postMessage({ id, answer: given }))
    .catch((error: unknown) =>
      port.postMessage({
        id,
        answer: { engine: 'typescript6', spots: [], refusal: error instanceof Error ? error.message : String(error) },
      }),
    );
});
