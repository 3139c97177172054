// The repository in which ordinary work is done behind walls and without them. All of it works offline.

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

export const ORDINARY_FILES: Readonly<Record<string, string>> = {
  'package.json': json({
    name: 'shop',
    version: '1.0.0',
    private: true,
    scripts: { hello: 'echo hello from npm', test: 'node --test --test-reporter=tap test/a.test.js' },
  }),
  '.gitignore': 'node_modules\ndist\ntarget\n.venv\n__pycache__\n',
  'README.md': '# Shop\n',
  'docs/guide.md': '# Guide\n',
  'infra/production.yaml': 'replicas: 9\n',
  'dist/.keep': '',
  Makefile: 'all: dist/hello\ndist/hello: src/hello.c\n\tcc -o dist/hello src/hello.c\nclean:\n\trm -f dist/hello\n',
  'src/hello.c': '#include <stdio.h>\nint main(void) { puts("hello from C"); return 0; }\n',
  'src/a.js': 'export const value = 1;\n',
  'src/b.js': 'export const b = 2;\n',
  'src/deep/c.js': 'export const value = 3;\n',
  'src/py/mod.py': 'def f():\n    return 1\n',
  'src/go/go.mod': 'module example.test/hello\n\ngo 1.20\n',
  'src/go/main.go': 'package main\n\nimport "fmt"\n\nfunc main() { fmt.Println("hello from Go") }\n',
  'src/rust/Cargo.toml': '[package]\nname = "hello"\nversion = "0.1.0"\nedition = "2021"\n',
  'src/rust/Cargo.lock': 'version = 3\n\n[[package]]\nname = "hello"\nversion = "0.1.0"\n',
  'src/rust/src/main.rs':
    'fn main() {\n    println!("hello from Rust");\n}\n\n#[test]\nfn holds() {\n    assert!(std::env::temp_dir().exists());\n}\n',
  'vendor/pad/package.json': json({ name: 'pad', version: '1.0.0', main: 'index.js' }),
  'vendor/pad/index.js': "module.exports = (text) => ' ' + text;\n",
  'vendor/tool/package.json': json({ name: 'tool', version: '1.0.0', bin: { tool: 'tool.js' }, scripts: { postinstall: 'node -e "1"' } }),
  'vendor/tool/tool.js': "#!/usr/bin/env node\nconsole.log('tool ran');\n",
  'vendor/pypad/__init__.py': 'def pad(n):\n    return " " + str(n)\n',
  'test/a.test.js': "const test = require('node:test');\ntest('adds', () => {});\n",
  'test/temp.test.js': `const test = require('node:test');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
test('writes a temporary file', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shop-'));
  fs.writeFileSync(path.join(folder, 'x'), 'x');
  fs.renameSync(path.join(folder, 'x'), path.join(folder, 'y'));
  fs.rmSync(folder, { recursive: true });
});
`,
  'test/server.test.js': `const test = require('node:test');
const http = require('node:http');
const { execFileSync } = require('node:child_process');
test('serves', async () => {
  const server = http.createServer((_, answer) => answer.end('ok'));
  await new Promise((done) => server.listen(0, done));
  const text = await fetch('http://localhost:' + server.address().port).then((answer) => answer.text());
  server.close();
  if (text !== 'ok' || execFileSync('echo', ['ok'], { encoding: 'utf8' }) !== 'ok\\n') throw new Error(text);
});
`,
  'test/test_temp.py': `import tempfile, unittest, os, subprocess
class Temp(unittest.TestCase):
    def test_file(self):
        with tempfile.TemporaryDirectory() as d:
            open(os.path.join(d, 'x'), 'w').write('x')
            self.assertEqual(subprocess.check_output(['ls', d]), b'x\\n')
`,
  'scripts/hooks/pre-commit': '#!/bin/sh\n! git diff --cached -U0 | grep -q FORBIDDEN\n',
  'scripts/build.mjs':
    "import fs from 'node:fs';\nfs.mkdirSync('dist', { recursive: true });\nfs.writeFileSync('dist/shop.js', '// built\\n');\n",
  'scripts/cached-build.mjs': `import fs from 'node:fs';
const folder = 'node_modules/.cache/build';
fs.mkdirSync(folder, { recursive: true });
let hits = 0;
for (const name of ['a.js', 'b.js']) {
  if (fs.existsSync(folder + '/' + name)) hits++;
  else fs.copyFileSync('src/' + name, folder + '/' + name);
}
console.log(hits, 'from the cache');
`,
  'scripts/watch.mjs': `import fs from 'node:fs';
let before = fs.readFileSync('src/a.js', 'utf8');
fs.watch('src', () => {
  const now = fs.readFileSync('src/a.js', 'utf8');
  if (now !== before) console.log('changed');
  before = now;
});
console.log('ready');
`,
  'scripts/serve.mjs': `import fs from 'node:fs';
import http from 'node:http';
let asked = 0;
const server = http.createServer((_, answer) => { console.log('asked', ++asked); answer.end('answer ' + asked); });
server.listen(0, () => { console.log('listening'); fs.writeFileSync('dist/serve-pid', String(process.pid)); fs.writeFileSync('dist/serve-port', String(server.address().port)); });
`,
  'scripts/get.mjs':
    "console.log(await fetch('http://127.0.0.1:' + process.argv[2]).then((answer) => answer.text(), () => 'no server'));\n",
  'scripts/unix.mjs': `import net from 'node:net';
import os from 'node:os';
const path = os.tmpdir() + '/ordinary.sock';
if (process.argv[2] === 'serve') {
  const server = net.createServer((socket) => { socket.end('from the socket\\n'); server.close(); }).listen(path);
} else net.connect(path).pipe(process.stdout);
`,
  'scripts/registry.mjs': `import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
execFileSync('npm', ['pack', './vendor/pad', '--pack-destination', 'dist', '--silent']);
const tarball = fs.readFileSync('dist/pad-1.0.0.tgz');
const server = http.createServer((request, answer) => {
  if (request.url.endsWith('.tgz')) return answer.end(tarball);
  if (!request.url.startsWith('/pad')) return answer.writeHead(404).end('{}');
  const dist = { tarball: 'http://127.0.0.1:' + server.address().port + '/pad.tgz', shasum: createHash('sha1').update(tarball).digest('hex') };
  answer.setHeader('content-type', 'application/json');
  answer.end(JSON.stringify({ name: 'pad', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { name: 'pad', version: '1.0.0', main: 'index.js', dist } } }));
});
server.listen(0, '127.0.0.1', () => { fs.writeFileSync('dist/registry-pid', String(process.pid)); fs.writeFileSync('dist/registry-port', String(server.address().port)); });
`,
  'scripts/language-server.mjs': `import fs from 'node:fs';
import readline from 'node:readline';
let text = '';
for await (const line of readline.createInterface({ input: process.stdin })) {
  const [verb, file] = line.split(' ');
  if (verb === 'open') { text = fs.readFileSync(file, 'utf8'); console.log('opened', file); }
  if (verb === 'symbols') console.log([...text.matchAll(/const (\\w+)/g)].map((each) => each[1]).join());
  if (verb === 'exit') process.exit(0);
}
`,
  'scripts/workers.mjs': `import { Worker, isMainThread, parentPort } from 'node:worker_threads';
import { execSync, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
if (!isMainThread) parentPort.postMessage('from a worker');
else if (process.argv[2] === 'child') process.send('from a child');
else {
  await new Promise((done) => new Worker(new URL(import.meta.url)).on('message', (text) => done(console.log(text))));
  await new Promise((done) => fork(fileURLToPath(import.meta.url), ['child']).on('message', (text) => done(console.log(text))));
  console.log(execSync('echo from a shell', { encoding: 'utf8' }).trim());
}
`,
};
