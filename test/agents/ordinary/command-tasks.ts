// Ordinary work in the shell: tests, builds, packages, git, moving files.

import { homedir, tmpdir } from 'node:os';
import { change, type Task } from './steps.ts';

/** If the home itself is temporary, no other temporary folder is writable. */
const SCRATCH = homedir().startsWith(`${tmpdir()}/`) ? 'build' : tmpdir();

export const COMMAND_TASKS: readonly Task[] = [
  { name: 'delete a file by shell', prompts: [[{ shell: 'rm src/obsolete.js' }]], leaves: { 'src/obsolete.js': null } },
  {
    name: 'rename a file',
    prompts: [
      [
        // Some agents keep git's own folder from their commands.
        { shell: 'git mv src/old-name.js src/new-name.js || mv src/old-name.js src/new-name.js' },
        ...change('src/new-name.js', "export const name = 'old';", "export const name = 'new';"),
      ],
    ],
    leaves: { 'src/old-name.js': null, 'src/new-name.js': "'new'" },
  },
  {
    name: 'move a file into a new folder',
    prompts: [[{ shell: 'mkdir -p src/deep && mv src/flat.js src/deep/flat.js' }]],
    leaves: { 'src/flat.js': null, 'src/deep/flat.js': 'flat' },
  },
  {
    name: 'write a file by shell',
    prompts: [[{ shell: "cat > src/colours.js <<'END'\nexport const colours = ['red'];\nEND" }]],
    leaves: { 'src/colours.js': 'red' },
  },
  {
    name: 'replace a word in several files',
    prompts: [[{ search: 'grey' }, { shell: "sed -i 's/grey/gray/' src/many/a.js src/many/b.js" }]],
    leaves: { 'src/many/a.js': 'gray', 'src/many/b.js': 'gray' },
  },
  { name: 'run the tests', prompts: [[{ shell: 'npm test' }]], leaves: { 'src/price.js': 'price' } },
  { name: 'run one test', prompts: [[{ shell: 'node --test test/cart.test.js 2>&1 | tail -20' }]], leaves: { 'src/cart.js': 'cart' } },
  { name: 'build', prompts: [[{ shell: 'npm run build' }, { shell: 'ls -la dist' }]], leaves: { 'dist/shop.js': 'built' } },
  {
    name: 'format, then edit what was formatted',
    prompts: [
      [
        ...change('src/ugly.js', 'export const uglier = 2;', 'export const uglier = 3;'),
        { shell: 'npm run format' },
        { edit: 'src/ugly.js', from: 'export const uglier = 3;', to: 'export const uglier = 4;' },
      ],
    ],
    leaves: { 'src/ugly.js': 'ugly = 1;\nexport const uglier = 4;' },
  },
  { name: 'lint and fix', prompts: [[{ shell: 'node scripts/lint.mjs --fix' }]], leaves: { 'src/lint/vars.js': 'const one' } },
  {
    name: 'install a package',
    prompts: [[{ shell: 'npm install ./vendor/pad --offline --no-audit --no-fund' }, { shell: 'git status --short' }]],
    leaves: { 'package.json': '"pad"' },
  },
  { name: 'run a script with node', prompts: [[{ shell: 'node scripts/count.mjs' }]], leaves: { 'scripts/count.mjs': 'readdir' } },
  { name: 'run a script with python', prompts: [[{ shell: 'python3 scripts/count.py' }]], leaves: { 'scripts/count.py': 'listdir' } },
  {
    name: 'look at the end of a long output',
    prompts: [[{ shell: `npm test 2>&1 | tail -5 > ${SCRATCH}/shop-tests.txt; cat ${SCRATCH}/shop-tests.txt` }]],
    leaves: { 'src/price.js': 'price' },
  },
  {
    name: 'a command in the background',
    prompts: [[{ background: 'node scripts/serve.mjs' }, { shell: 'ls src' }]],
    leaves: { 'scripts/serve.mjs': 'setTimeout' },
  },
  {
    name: 'commit on a branch',
    prompts: [
      [
        { shell: 'git checkout -b feature/notes' },
        { write: 'docs/notes.md', text: '# Notes\n' },
        { shell: 'git add docs/notes.md' },
        { shell: "git commit -m 'Add notes'" },
        { shell: 'git log --oneline -3' },
      ],
    ],
    leaves: { 'docs/notes.md': '# Notes' },
  },
  {
    name: 'undo an edit of its own with git',
    prompts: [
      [
        ...change('src/tried.js', "export const tried = 'as it was';", "export const tried = 'badly';"),
        { shell: 'git checkout -- src/tried.js' },
        { read: 'src/tried.js' },
      ],
    ],
    leaves: { 'src/tried.js': 'as it was' },
  },
];
