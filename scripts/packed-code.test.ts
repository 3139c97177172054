import { readdirSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importsOf } from '../test/imports-of.ts';
import { ROOT } from './scratch-clone.ts';
interface Module {
  toJavaScript(source: string): { text: string; names: string[] };
}

const { toJavaScript } = (await import(new URL('./packed-code.mjs', import.meta.url).href)) as Module;

const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(name))
  .map((name) => ({ name, text: readFileSync(join(ROOT, 'src', name), 'utf8') }));

test('of every source, what it imports and the files whose address it takes are renamed, and nothing else is', () => {
  for (const { name, text: source } of sources) {
    const stripped = stripTypeScriptTypes(source);
    const { text, names } = toJavaScript(source);
    const renamed = text.split('').filter((unit, at) => unit !== stripped[at]);
    expect(text.length).toBe(stripped.length);
    // A parser says what is an import; the file of a thread or a pack is named in one way.
    const imported = importsOf(name, stripped).flatMap(({ specifier }) => (specifier?.startsWith('.') ? [specifier] : []));
    const addresses = [...stripped.matchAll(/new URL\('(\.{1,2}\/[\w./-]+\.ts)', import\.meta\.url\)/g)].map(([, file]) => String(file));
    expect([name, names.toSorted()]).toEqual([name, [...imported, ...addresses].toSorted()]);
    expect(renamed).toEqual(names.map(() => 'j'));
    expect(importsOf(name, text).filter(({ specifier }) => specifier?.endsWith('.ts'))).toEqual([]);
  }
});

test('a program that is kept as text stays as it is', () => {
  const source = "const text = `\n  import a from './a.ts';\n`;\nexport { b } from './b.ts';\nexport const more = text as string;\n";
  expect(toJavaScript(source)).toEqual({
    text: "const text = `\n  import a from './a.ts';\n`;\nexport { b } from './b.js';\nexport const more = text          ;\n",
    names: ['./b.ts'],
  });
});
