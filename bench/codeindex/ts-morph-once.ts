// The same with ts-morph: every declaration, and for every name the symbol that it means. node ts-morph-once.ts MODULE FILE…

import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

interface Node {
  getSymbol(): object | undefined;
}
interface SourceFile {
  getDescendantsOfKind(kind: number): readonly Node[];
}
interface Morph {
  readonly Project: new (options: object) => { addSourceFileAtPath(path: string): SourceFile; getSourceFiles(): readonly SourceFile[] };
  readonly SyntaxKind: { readonly Identifier: number };
}

const [module = '', list = ''] = process.argv.slice(2);
const begun = performance.now();
const { Project, SyntaxKind } = (await import(pathToFileURL(module).href)) as Morph;
const project = new Project({ skipAddingFilesFromTsConfig: true, compilerOptions: { allowJs: false, skipLibCheck: true } });
for (const file of readFileSync(list, 'utf8').split('\n')) if (file !== '') project.addSourceFileAtPath(file);
let names = 0;
for (const file of project.getSourceFiles())
  for (const name of file.getDescendantsOfKind(SyntaxKind.Identifier)) if (name.getSymbol()) names++;
const wallMs = performance.now() - begun;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
process.stdout.write(JSON.stringify({ wallMs, cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: maxRSS / 1024, names }));
