import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { CODE_PACKS } from '../code-packs.ts';

const moduleAt = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** Reads one file after the other, and says after each how many times Angular's packages were asked for. */
const READS = `
import { registerHooks } from 'node:module';
let asked = 0;
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@angular/')) asked++;
    return next(specifier, context);
  },
});
const { loadPacks } = await import(${moduleAt('../../codeindex/load-packs.ts')});
const { readIntoSegment } = await import(${moduleAt('../../codeindex/extract/read-file.ts')});
const { SegmentBuilder } = await import(${moduleAt('../../codeindex/segment/builder.ts')});
const packs = await loadPacks(${JSON.stringify(CODE_PACKS)});
await Promise.all(packs.map((pack) => pack.graph()));
for (const [path, text] of [
  ['plain.ts', 'export class A { b() { return 1; } }'],
  ['service.ts', '@Injectable() export class A {}'],
  ['notes.md', '# Notes'],
  ['component.ts', '@Component({ template: "<p>{{ a }}</p>" }) export class A {}'],
]) {
  await readIntoSegment(new SegmentBuilder(), path, Buffer.from(text), packs);
  console.log(path, asked);
}
`;

test('the compiler of Angular is loaded with the first template, and not before', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', READS], { encoding: 'utf8' });
  expect(said.trim().split('\n')).toEqual(['plain.ts 0', 'service.ts 0', 'notes.md 0', 'component.ts 1']);
});
