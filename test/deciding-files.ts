// Which source files can change a decision: found by following imports, by the names that they import, from where decisions are made.

import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { parseSync } from 'vite';
import { ROOT } from './source-files.ts';

interface Import {
  readonly target: string;
  /** `*`: all of it. */
  readonly name: string;
  readonly isType: boolean;
}

interface Module {
  readonly imports: readonly Import[];
  /** Names that are defined elsewhere; `*` stands for all of that module's. */
  readonly reexports: readonly (Import & { readonly as: string })[];
  /** Names that are defined here. */
  readonly defines: ReadonlySet<string>;
  readonly classes: ReadonlySet<string>;
  /** It has code of its own, not only types and exports of others. */
  readonly runs: boolean;
}

const ERASED = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'TSInterfaceDeclaration', 'TSTypeAliasDeclaration']);

interface Statement {
  readonly type: string;
  readonly declaration?: Statement | null;
  readonly id?: { readonly name?: string } | null;
}

const modules = new Map<string, Module>();

function moduleAt(path: string): Module {
  const known = modules.get(path);
  if (known) return known;
  const { module, program, errors } = parseSync(path, readFileSync(join(ROOT, path), 'utf8'));
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const targetOf = (specifier: string) => (specifier.startsWith('.') ? [posix.join(posix.dirname(path), specifier)] : []);
  const exported = module.staticExports.flatMap(({ entries }) => entries);
  const statements = (program.body as unknown as readonly Statement[]).map((node) =>
    node.type === 'ExportNamedDeclaration' ? (node.declaration ?? { type: 'ExportAllDeclaration' }) : node,
  );
  const read: Module = {
    imports: module.staticImports.flatMap(({ moduleRequest, entries }) =>
      targetOf(moduleRequest.value).flatMap((target) =>
        entries.length === 0
          ? [{ target, name: '*', isType: false }]
          : entries.map(({ importName, isType }) => ({ target, name: importName.name ?? '*', isType })),
      ),
    ),
    reexports: exported.flatMap(({ moduleRequest, importName, exportName, isType }) =>
      moduleRequest === null
        ? []
        : targetOf(moduleRequest.value).map((target) => ({ target, name: importName.name ?? '*', as: exportName.name ?? '*', isType })),
    ),
    defines: new Set(
      exported.flatMap(({ moduleRequest, exportName }) => (moduleRequest === null && exportName.name ? [exportName.name] : [])),
    ),
    classes: new Set(statements.flatMap(({ type, id }) => (type === 'ClassDeclaration' && id?.name ? [id.name] : []))),
    runs: statements.some(({ type }) => !ERASED.has(type)),
  };
  modules.set(path, read);
  return read;
}

/** Whether the file has code that runs. A file with only types or re-exports decides nothing. */
export const runs = (path: string): boolean => moduleAt(path).runs;

/** The files that define what `path` gives out under this name. */
function definedIn(path: string, name: string): readonly string[] {
  const { defines, reexports } = moduleAt(path);
  if (name === '*') return [path, ...reexports.flatMap((one) => definedIn(one.target, one.name))];
  if (defines.has(name)) return [path];
  const named = reexports.filter(({ as }) => as === name);
  const through = named.length > 0 ? named : reexports.filter(({ as }) => as === '*').map((one) => ({ ...one, name }));
  return through.flatMap((one) => definedIn(one.target, one.name));
}

/** An import of a type leads on only where the type is a class: its methods are called on a value that is handed in. */
const leadsOn = (file: string, { name, isType }: Import): boolean => !isType || moduleAt(file).classes.has(name);

/** Every file that the roots reach, themselves included, each with the file that imports it. What `enters` refuses is not followed. */
export function reachedFrom(roots: readonly string[], enters: (path: string) => boolean): ReadonlyMap<string, string> {
  const reached = new Map<string, string>();
  const visit = (path: string, by: string): void => {
    if (reached.has(path)) return;
    reached.set(path, by);
    const { imports, reexports } = moduleAt(path);
    for (const one of [...imports, ...reexports])
      for (const file of definedIn(one.target, one.name)) if (leadsOn(file, one) && enters(file)) visit(file, path);
  };
  for (const root of roots) visit(root, 'the test');
  return reached;
}
