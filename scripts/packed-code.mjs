// The JavaScript of the package, in lib/ as the sources are in src/: Node strips no types from what is below node_modules. Only what the
// program reaches is taken, so tests and their parts stay out by themselves.
// INVARIANT: a file differs from its source by blanks where the types were, and by `.js` for `.ts` where it names another file: a line
// number in a report of an installed program is the line in the sources.

import crypto from 'node:crypto';
import fs from 'node:fs';
import module from 'node:module';
import path from 'node:path';

const MAIN = 'src/app/main.ts';
/** The files that `countersign doctor` can check: their hashes go into lib/manifest.json. */
const PACKED = ['bin', 'lib', 'clients/web/dist'];

/**
 * `from './x.ts'`, `import './x.ts'`, `import('./x.ts')` and, for threads, `new URL('./x.ts', import.meta.url)`. The first two only for a
 * statement at the beginning of a line: the sources also hold programs as text.
 */
const NAMES_A_FILE = /(^(?:import|export|\})(?: [^;'"`]*?)?(?: from)? |\bimport\(|\bnew URL\()'(\.{1,2}\/[^']*)\.ts'/gm;

/** The text as JavaScript, and the sources that it names, relative to it. */
export function toJavaScript(source) {
  const names = [];
  const text = module.stripTypeScriptTypes(source).replace(NAMES_A_FILE, (_, before, name) => {
    names.push(`${name}.ts`);
    return `${before}'${name}.js'`;
  });
  return { text, names };
}

/** Writes lib/ afresh; the page has to be built. Returns the sources that went into it, relative to `root`. */
export function writePackedCode(root) {
  fs.rmSync(path.join(root, 'lib'), { recursive: true, force: true });
  const seen = new Set([MAIN]);
  for (const file of seen) {
    const { text, names } = toJavaScript(fs.readFileSync(path.join(root, file), 'utf8'));
    const target = path.join(root, file.replace(/^src\//, 'lib/').replace(/\.ts$/, '.js'));
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
    for (const name of names) seen.add(path.posix.join(path.posix.dirname(file), name));
  }
  const files = Object.fromEntries(
    PACKED.flatMap((folder) => filesBelow(root, folder)).map((file) => [file, sha256(path.join(root, file))]),
  );
  fs.writeFileSync(path.join(root, 'lib/manifest.json'), `${JSON.stringify({ files }, null, 1)}\n`);
  return [...seen];
}

function filesBelow(root, folder) {
  return fs
    .readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => `${folder}/${name}`)
    .filter((file) => fs.statSync(path.join(root, file)).isFile())
    .sort();
}

function sha256(file) {
  return crypto.createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}
