// The code index beside the usual alternatives, in the same run on the same tree. node bench/codeindex.ts [--corpus DIR] [--json FILE];
// without a corpus the sources of this project, which are too few for the goals.

import { copyFileSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openCodeIndex, type TextQuestion, type TreeIndex } from '../src/codeindex/index.ts';
import { CODE_PACKS } from '../src/packs/index.ts';
import { declaredNames } from './codeindex/compiler-symbols.ts';
import { copyTree, ctags, ripgrep, runOnce, type Took, tsMorph } from './codeindex/peers.ts';
import { fullText, isDocumented, type Question, reciprocal, takeQuestions } from './codeindex/questions.ts';
import { type Figure, report } from './report/report.ts';

const given = process.argv.indexOf('--corpus');
const corpus = realpathSync(given < 0 ? fileURLToPath(new URL('../src', import.meta.url)) : (process.argv[given + 1] ?? '.'));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-code-')));
const root = join(scratch, 'tree');
const cacheDir = join(scratch, 'cache');
const ROUNDS = 5;
const QUESTIONS = 150;
const SAMPLE = 300;

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const p95 = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? 0;
const figures: Figure[] = [];
/** Starting threads and compilers costs the same for small and large trees: the goals apply from this size on. */
const LARGE_BYTES = 10e6;
let isLarge = false;
const tell = (what: string, value: number, unit: string, goal: Partial<Figure> = {}): void =>
  void figures.push({ what, value, unit, ...(isLarge ? goal : {}) });

const leaveOut = (what: string, why: string): void => void process.stderr.write(`${what} is left out of this corpus: ${why}\n`);

/** The least work needed to know that nothing changed. */
function bareWalk(folder: string): number {
  let files = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) files += entry.name === '.git' || entry.name === 'node_modules' ? 0 : bareWalk(path);
    else if (entry.isFile() && lstatSync(path).size >= 0) files++;
  }
  return files;
}

/** As after the first index on a machine: what the threads run is compiled, and kept beside the indexes. */
function compileOnce(): void {
  const small = join(scratch, 'small');
  mkdirSync(small);
  writeFileSync(join(small, 'a.ts'), '@Component({ template: `<p>{{ a }}</p>` })\nexport class A {}\n');
  runOnce('./index-once.ts', [small, cacheDir]);
}

async function measureIndex(): Promise<void> {
  compileOnce();
  const ours = runOnce<Took & { readonly files: number; readonly definitions: number; readonly bytes: number }>('./index-once.ts', [
    root,
    cacheDir,
  ]);
  isLarge = ours.bytes >= LARGE_BYTES;
  tell(`files, ${(ours.bytes / 1e6).toFixed(1)} MB`, ours.files, '');
  tell('definitions', ours.definitions, '');
  tell('full index, wall', ours.wallMs, 'ms');
  tell('full index, CPU', ours.cpuMs, 'ms');
  tell('peak memory', ours.rssMb, 'MB');
  const tags = ctags(root);
  if (tags !== null) tell('full index against universal-ctags, by wall', tags / ours.wallMs, '×', { atLeast: 0.8 });
  const programs = listed(root).filter((path) => /\.tsx?$/.test(path));
  if (programs.length < 50) return leaveOut('ts-morph', `it has only ${programs.length} files of TypeScript`);
  // The same files for both: the other reads only TypeScript.
  const only = join(scratch, 'programs');
  for (const path of programs) {
    const copy = join(only, path.slice(root.length + 1));
    mkdirSync(dirname(copy), { recursive: true });
    copyFileSync(path, copy);
  }
  const morph = await tsMorph(scratch, programs);
  const same = runOnce<Took>('./index-once.ts', [only, cacheDir]);
  if (morph === null) return;
  tell(`index of ${programs.length} TypeScript files against ts-morph, by CPU`, morph.cpuMs / same.cpuMs, '×', { atLeast: 8 });
  tell('peak memory of that against ts-morph', same.rssMb / morph.rssMb, '×', { atMost: 0.3 });
}

/** Whether the index and TypeScript's own parser see the same declarations. */
async function measureSymbols(tree: TreeIndex): Promise<void> {
  const programs = (await tree.files()).filter(({ path, error }) => error === null && /\.tsx?$/.test(path)).map(({ path }) => path);
  const step = Math.max(1, Math.floor(programs.length / SAMPLE));
  const sample = programs.filter((_, at) => at % step === 0).slice(0, SAMPLE);
  const count = { declared: 0, found: 0, defined: 0, known: 0 };
  for (const { file, definitions } of await tree.facts(sample)) {
    const { open, all } = declaredNames(file.path, readFileSync(join(root, file.path), 'utf8'));
    const ours = new Set(definitions.map(({ line, name }) => `${line} ${name}`));
    count.declared += open.size;
    count.found += [...open].filter((key) => ours.has(key)).length;
    count.defined += ours.size;
    count.known += [...ours].filter((key) => all.has(key)).length;
  }
  if (sample.length < 20) return leaveOut("TypeScript's parser", `it has only ${sample.length} files of TypeScript`);
  tell(`declarations of TypeScript's parser in ${sample.length} files that the index has`, (100 * count.found) / count.declared, '%', {
    atLeast: 99,
  });
  tell("definitions of the index that TypeScript's parser has", (100 * count.known) / count.defined, '%', { atLeast: 99 });
}

const listed = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === '.git' || entry.name === 'node_modules' ? [] : listed(path);
    return entry.isFile() ? [path] : [];
  });

async function measureRestart(): Promise<void> {
  const bare: number[] = [];
  const restarts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    let begun = performance.now();
    bareWalk(root);
    bare.push(performance.now() - begun);
    const index = openCodeIndex(undefined, { cacheDir, packs: CODE_PACKS });
    begun = performance.now();
    await index.tree(root).ready();
    restarts.push(performance.now() - begun);
    await index.close();
  }
  tell('restart without changes', median(restarts), 'ms');
  tell('more than a bare walk and stat', median(restarts) - median(bare), 'ms', { atMost: 100 });
}

async function measureSearch(tree: TreeIndex): Promise<void> {
  const files = await tree.files();
  const names = (await tree.facts(files.slice(0, 400).map(({ path }) => path))).flatMap(({ definitions }) =>
    definitions.map(({ name }) => name),
  );
  const rare = [...new Set(names.filter((name) => /^[A-Za-z]{12,}$/.test(name)))].filter((_, at) => at % 97 === 0).slice(0, 5);
  const asked: readonly (readonly [string, TextQuestion, readonly string[]])[] = [
    ...rare.map((pattern) => ['rare', { pattern }, ['-F', pattern]] as const),
    ['common', { pattern: 'return' }, ['-F', 'return']],
    ['common', { pattern: 'import' }, ['-F', 'import']],
    ['ignoring case', { pattern: 'todo', ignore_case: true }, ['-F', '-i', 'todo']],
    ['word', { pattern: 'name', whole_word: true }, ['-F', '-w', 'name']],
    ['pattern', { pattern: 'function \\w+\\(', regex: true }, ['function \\w+\\(']],
    ['pattern', { pattern: 'class [A-Z]\\w+', regex: true }, ['class [A-Z]\\w+']],
    ['absent', { pattern: 'zqxjkvzq' }, ['-F', 'zqxjkvzq']],
  ];
  const ratios: { readonly kind: string; readonly ratio: number }[] = [];
  for (const [kind, question, args] of asked) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round <= ROUNDS; round++) {
      const begun = performance.now();
      await tree.search({ ...question, limit: 1_000 });
      if (round > 0) ours.push(performance.now() - begun);
      theirs.push(ripgrep(root, args).ms);
    }
    ratios.push({ kind, ratio: median(theirs) / median(ours) });
  }
  for (const kind of new Set(ratios.map((each) => each.kind))) {
    const worst = Math.min(...ratios.filter((each) => each.kind === kind).map(({ ratio }) => ratio));
    tell(`search against ripgrep, ${kind}`, worst, '×', { atLeast: kind === 'rare' || kind === 'absent' ? 20 : 3 });
  }
}

async function measureChange(): Promise<void> {
  const index = openCodeIndex(undefined, { cacheDir, watch: true, packs: CODE_PACKS });
  const tree = index.tree(root);
  await tree.ready();
  const took: number[] = [];
  for (let round = 0; round < 30; round++) {
    const name = `changedAt${round}`;
    const begun = performance.now();
    writeFileSync(join(root, 'bench-changed.ts'), `export function ${name}() { return ${round}; }\n`);
    while ((await tree.definitions({ name })).hits.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    took.push(performance.now() - begun);
  }
  tell('one changed file, save to answer, p95', p95(took), 'ms', { atMost: 50 });
  await index.close();
}

/** On a copy whose documenting comments are gone. */
async function measureRanking(): Promise<void> {
  const bare = join(scratch, 'bare');
  const questions: Question[] = [];
  const texts = new Map<string, string>();
  for (const file of listed(root).filter(isDocumented)) {
    const path = file.slice(root.length + 1);
    const isBeside = /test|spec|demo|example|fixture/.test(path);
    const taken = takeQuestions(path, readFileSync(file, 'utf8'));
    if (!isBeside) questions.push(...taken.questions);
    texts.set(path, taken.text);
    mkdirSync(dirname(join(bare, path)), { recursive: true });
    writeFileSync(join(bare, path), taken.text);
  }
  const step = Math.max(1, Math.floor(questions.length / QUESTIONS));
  const chosen = questions.filter((_, at) => at % step === 0).slice(0, QUESTIONS);
  if (chosen.length < 20) return leaveOut('ranking', `it has only ${chosen.length} documented definitions`);
  const index = openCodeIndex(undefined, { cacheDir, packs: CODE_PACKS });
  const tree = index.tree(bare);
  await tree.ready();
  const fts = fullText(texts);
  let ours = 0;
  let theirs = 0;
  for (const { sentence, path } of chosen) {
    ours += reciprocal(
      (await tree.rank(sentence, 20)).hits.map((hit) => hit.path),
      path,
    );
    theirs += reciprocal(fts(sentence, 20), path);
  }
  tell(`MRR of ${chosen.length} sentences of documentation`, ours / chosen.length, '');
  tell('MRR of FTS5, bm25, porter', theirs / chosen.length, '');
  tell('MRR against FTS5', ours / theirs, '×', { atLeast: 1.05 });
  await index.close();
}

try {
  copyTree(corpus, root);
  await measureIndex();
  await measureRestart();
  const index = openCodeIndex(undefined, { cacheDir, packs: CODE_PACKS });
  await index.tree(root).ready();
  await measureSymbols(index.tree(root));
  await measureSearch(index.tree(root));
  await index.close();
  await measureChange();
  await measureRanking();
  report('codeindex', figures);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
