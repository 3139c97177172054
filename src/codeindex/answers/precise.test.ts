import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from '@typescript/typescript6';
import { expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import type { TreeIndex } from '../model.ts';
import { TreeEngine } from '../tree/engine.ts';
import { folder, write } from '../tree/tree.fixture.ts';

const FILES = {
  'tsconfig.json':
    '{"compilerOptions": {"strict": true, "target": "esnext", "module": "esnext", "moduleResolution": "bundler", "allowImportingTsExtensions": true, "noEmit": true, "types": []}, "include": ["src"]}',
  'src/shape.ts':
    'export interface Sized { size: number }\nexport class Shape implements Sized {\n  size = 1;\n  area() { return this.size; }\n}\n',
  'src/other.ts': 'export class Other { area() { return 2; } }\n',
  'src/main.ts':
    "import { Shape as S } from './shape.ts';\nimport { Other } from './other.ts';\nconst size = new S().area() + new Other().area();\nexport const all = { size };\n",
};

function open(root: string, engine?: 'typescript6'): TreeIndex {
  const tree = new TreeEngine({ root, folder: null, visibility: {}, watch: false, threads: 1, engine });
  onTestFinished(() => tree.close());
  return tree;
}

const uses = async (tree: TreeIndex, name: string) =>
  (await tree.references({ name, precise: true })).hits.map(
    ({ path, line, column, certainty }) => `${path}:${line}:${column} ${certainty}`,
  );

for (const engine of [undefined, 'typescript6'] as const) {
  test(`the compiler tells members of one name apart (${engine ?? 'typescript 7, where it is available'})`, async () => {
    const root = folder();
    write(root, FILES);
    const tree = open(root, engine);
    await tree.ready();
    expect((await tree.references({ name: 'Shape.area' })).hits.map(({ certainty }) => certainty)).toEqual(['name', 'name']);
    expect(await uses(tree, 'Shape.area')).toEqual(['src/main.ts:3:22 precise']);
    expect(await uses(tree, 'Other.area')).toEqual(['src/main.ts:3:43 precise']);
    expect(await uses(tree, 'Shape.size')).toContain('src/shape.ts:4:24 precise');
  }, 120_000);
}

test('a rename reaches every use, and says what it saw', async () => {
  const root = folder();
  write(root, FILES);
  const tree = open(root);
  await tree.ready();
  const edits = await tree.rename('src/main.ts#size', 'extent');
  expect(edits.map(({ path, line, text }) => `${path}:${line} ${text}`)).toEqual(['src/main.ts:3 extent', 'src/main.ts:4 size: extent']);
  expect(new Set(edits.map(({ file_sha256 }) => file_sha256))).toEqual(new Set([(await tree.text('src/main.ts'))!.sha256]));
  await expect(tree.rename('area', 'b')).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fix: expect.stringContaining('src/shape.ts#Shape.area'),
  });
  await expect(tree.rename('nothing', 'b')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(tree.rename('Shape', 'not a name')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
}, 120_000);

/** The sources of a room of this repository: real code, of every form that is in use here. */
const ROOM = fileURLToPath(new URL('../../workspace', import.meta.url));

function sourcesOf(dir: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of readdirSync(dir)) {
    const path = join(dir, name);
    if (!statSync(path).isDirectory() && name.endsWith('.ts') && !name.includes('.test.'))
      found[`src/${relative(ROOM, path)}`] = readFileSync(path, 'utf8');
  }
  return found;
}

const compareWithCompiler = async (): Promise<void> => {
  const root = folder();
  write(root, { ...sourcesOf(ROOM), 'tsconfig.json': FILES['tsconfig.json'] });
  const tree = open(root, 'typescript6');
  await tree.ready();
  const paths = (await tree.files()).map(({ path }) => path).filter((path) => path.endsWith('.ts'));
  const facts = await tree.facts(paths);

  // What the compiler binds at the top of each file, in its classes, interfaces and enums.
  for (const { file, definitions } of facts) {
    const types = new Set(
      definitions.filter(({ kind, container }) => container === null && /class|interface|enum|type/.test(kind)).map(({ name }) => name),
    );
    const ours = definitions
      .filter(({ container }) => container === null || types.has(container))
      .map(({ name, line }) => `${name}:${line}`);
    expect([file.path, ours.sort()]).toEqual([file.path, compilerNames(file.path, readFileSync(join(root, file.path), 'utf8')).sort()]);
  }

  // Every third exported function: what imports and scopes say is exactly what the compiler says.
  const exported = facts
    .flatMap(({ definitions }) => definitions)
    .filter(({ kind, exported: isOut, container }) => kind === 'function' && isOut && container === null);
  for (const { id } of exported.filter((_, at) => at % 3 === 0)) {
    const place = ({ path, line, column }: { path: string; line: number; column: number }) => `${path}:${line}:${column}`;
    const quick = (await tree.references({ name: id })).hits.map(place);
    const precise = (await tree.references({ name: id, precise: true })).hits.map(place);
    expect([id, quick]).toEqual([id, precise]);
  }
};
verifies('G27', 'definitions and references as the compiler says', compareWithCompiler, 180_000);

/** Names with their lines: of top-level declarations, and of the members of classes, interfaces, types and enums there. */
function compilerNames(path: string, text: string): string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  const add = (name: ts.Node | undefined) => {
    if (name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name) || ts.isStringLiteral(name)))
      names.push(`${name.text}:${source.getLineAndCharacterOfPosition(name.getStart(source)).line + 1}`);
    else if (name && (ts.isObjectBindingPattern(name) || ts.isArrayBindingPattern(name)))
      for (const element of name.elements) if (ts.isBindingElement(element)) add(element.name);
  };
  const members = (nodes: readonly ts.Node[]) => {
    for (const node of nodes) {
      if (ts.isConstructorDeclaration(node)) {
        names.push(`constructor:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`);
        for (const parameter of node.parameters) if (ts.isParameterPropertyDeclaration(parameter, node)) add(parameter.name);
      } else add((node as ts.NamedDeclaration).name);
    }
  };
  for (const node of source.statements) {
    if (ts.isVariableStatement(node)) for (const { name } of node.declarationList.declarations) add(name);
    else if (ts.isFunctionDeclaration(node)) add(node.name);
    else if (ts.isTypeAliasDeclaration(node)) {
      add(node.name);
      node.forEachChild(function visit(child): void {
        if (ts.isTypeLiteralNode(child)) members(child.members);
        else child.forEachChild(visit);
      });
    } else if (ts.isClassDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isEnumDeclaration(node)) {
      add(node.name);
      members(node.members);
    }
  }
  return names;
}
