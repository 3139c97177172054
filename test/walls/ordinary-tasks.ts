// What people have an agent do in a shell all day. Each task is one or more calls, in one repository and one session, and leaves the
// repository fit for the next. Output must be the same in every run: no times, no process numbers.

import { GIT_TASKS } from './ordinary-git.ts';
import type { OrdinaryTask } from './ordinary-task.ts';

/** What the intent covers. `infra` and the manifest of `vendor` are outside it. */
export const ORDINARY_SCOPE = ['src/**', 'test/**', 'scripts/**', 'package.json', 'Makefile', 'docs/*.md'];

const waitFor = (check: string): string => `for i in $(seq 200); do ${check} && break; sleep 0.05; done`;
const ALIVE = (file: string) => `kill -0 "$(cat ${file})" 2>/dev/null`;

const SHELL: readonly OrdinaryTask[] = [
  { name: 'exit codes', calls: ['exit 3', 'false', '(exit 200)', 'sh -c "kill -TERM \\$\\$"', 'no-such-program', 'true'] },
  { name: 'the working folder is kept', calls: ['cd src/deep', 'pwd; ls', 'cd ../..', 'pwd', 'cd /usr && ls -d bin', 'pwd; cd "$ROOT"'] },
  {
    name: 'a folder that a call makes is the next one’s',
    calls: ['mkdir -p src/made/here && cd src/made/here', 'pwd; touch x; ls', 'cd "$ROOT"'],
  },
  {
    name: 'heredocs and quotes',
    calls: [
      "cat > src/quoted.txt <<'END'\nit's \"quoted\" $HOME `id` \\\\ end\nEND\ncat src/quoted.txt",
      `printf '%s\\n' "ä ö 日本 🦁" '#' "a  b"`,
    ],
  },
  { name: 'big output', calls: ['seq 1 60000', 'head -c 300000 /dev/zero | tr "\\0" x | fold -w 100 | tail -3; seq 1 200000 | wc -l'] },
  { name: 'errors and output in their order', calls: ['for i in 1 2 3; do echo out $i; echo err $i >&2; done; ls src/none'] },
  { name: 'standard input is empty', calls: ['cat; read -r x; echo "$? ${x:-nothing}"', 'test -t 0; echo $?; test -t 1; echo $?'] },
  {
    name: 'pipes, process substitution and pipefail',
    calls: [
      'diff <(printf "a\\nb\\n") <(printf "a\\nc\\n")',
      'set -o pipefail; false | true; echo $?',
      'echo {a,b}{1,2} | tee >(cat > src/teed) | wc -c; sleep 0.2; cat src/teed',
    ],
  },
  {
    name: 'temporary files',
    calls: [
      'T=$(mktemp) && echo kept > "$T" && cat "$T" && rm "$T"',
      'D=$(mktemp -d) && cp -r src "$D/" && ls "$D/src/deep" && rm -r "$D"',
      'echo over > /tmp/ordinary-work.txt',
      'cat /tmp/ordinary-work.txt; rm /tmp/ordinary-work.txt',
    ],
  },
  {
    name: 'a background job of one call, ended in the next',
    calls: [
      'sleep 300 & echo $! > src/pid',
      `${ALIVE('src/pid')}; echo $?`,
      `kill "$(cat src/pid)"; ${waitFor(`! ${ALIVE('src/pid')}`)}; ${ALIVE('src/pid')}; echo $?; rm src/pid`,
    ],
  },
  {
    name: 'nohup, setsid and disown',
    calls: [
      'nohup sleep 300 > src/nohup.log 2>&1 & echo $! > src/pid1; setsid sleep 300 & echo $! > src/pid2; sleep 300 & disown; echo $! > src/pid3',
      `${ALIVE('src/pid1')} && ${ALIVE('src/pid2')} && ${ALIVE('src/pid3')}; echo $?; ps -o comm= -p "$(cat src/pid1),$(cat src/pid2),$(cat src/pid3)"`,
      `any() { ${ALIVE('src/pid1')} || ${ALIVE('src/pid2')} || ${ALIVE('src/pid3')}; }; kill $(cat src/pid1 src/pid2 src/pid3); ${waitFor('! any')}; any; echo $?; rm src/pid* src/nohup.log`,
    ],
  },
  {
    name: 'job control in a shell',
    calls: [
      '(sleep 0.1; exit 4) & wait $!; echo $?',
      'set -m; sleep 100 & jobs | wc -l; kill %1; wait %1; echo $?',
      'trap "echo cleaned" EXIT; echo working',
      '( trap "echo got TERM; exit 9" TERM; kill -TERM $BASHPID; sleep 1 ); echo $?',
    ],
  },
  {
    name: 'a time limit',
    calls: ['timeout 0.2 sleep 5; echo $?', 'timeout -s KILL 0.2 sleep 5 2>/dev/null & wait $! 2>/dev/null; echo $?'],
  },
  {
    name: 'a shell in a shell',
    calls: [
      'bash -c "echo \\$0 \\$1" name arg',
      'sh -c "echo in sh"; env -i PATH="$PATH" sh -c "env | cut -d= -f1 | grep -v ^_ | sort"',
      'echo "$SHELL" | grep -c wall',
      'xargs -P 4 -I{} sh -c "echo {}" < <(seq 5) | sort',
    ],
  },
  {
    name: 'modes, links and times',
    calls: [
      "printf '#!/bin/sh\\necho ran\\n' > src/run.sh && chmod +x src/run.sh && src/run.sh",
      'ln -s run.sh src/link.sh && readlink src/link.sh && src/link.sh; ln src/run.sh src/hard.sh && stat -c %h src/run.sh; touch -d 2020-01-01 src/run.sh; stat -c %y src/run.sh | cut -c1-10; rm src/*.sh',
      'mkfifo src/pipe && (echo through > src/pipe &) && cat src/pipe; rm src/pipe',
      'umask; stat -c "%U %a" src src/a.js',
    ],
  },
  {
    name: 'find, grep, sed and archives',
    calls: [
      'grep -rn value src --include=*.js | sort',
      "sed -i 's/value = 1/value = 2/' src/a.js && cat src/a.js && git diff --stat && git checkout -q src/a.js",
      'tar czf src/deep.tgz -C src deep && tar tzf src/deep.tgz && mkdir src/out && tar xzf src/deep.tgz -C src/out && ls src/out/deep; rm -r src/out src/deep.tgz',
      'find . -name "*.js" -newer nothing 2>&1 | head -1; find src -type f | sort | xargs wc -c | tail -1',
    ],
  },
  {
    name: 'limits of processes and files',
    calls: [
      'ulimit -n | grep -c .; for i in $(seq 50); do sleep 0.1 & done; wait; echo all',
      'nproc | grep -c .; uname -s; hostname | grep -c .; whoami; id -u; id -g; echo ~; date +%Y | grep -c 20',
    ],
  },
];

const NODE: readonly OrdinaryTask[] = [
  {
    name: 'install from a tarball',
    needs: ['npm'],
    calls: [
      'mkdir -p dist && npm pack ./vendor/pad --pack-destination dist --silent',
      'npm install ./dist/pad-1.0.0.tgz --offline --no-audit --no-fund --silent; echo $?',
      `node -e "console.log(require('pad')('x'))"; git diff --stat -- package.json; git checkout -q package.json; npm ls --depth 0 2>&1 | grep -c pad`,
    ],
  },
  {
    name: 'install from a registry that this session serves',
    needs: ['npm'],
    calls: [
      `node scripts/registry.mjs & ${waitFor('[ -s dist/registry-port ]')}; echo up`,
      'npm install pad --registry "http://127.0.0.1:$(cat dist/registry-port)" --no-audit --no-fund --silent; echo $?; ls node_modules/pad',
      `node -e "console.log(require('pad')('y'))"`,
      'kill "$(cat dist/registry-pid)"; rm dist/registry-*; git checkout -q package.json; rm -rf node_modules package-lock.json',
    ],
  },
  {
    name: 'npm scripts, life-cycle scripts and npx',
    needs: ['npm'],
    calls: [
      'npm run --silent hello',
      'npm test --silent 2>&1 | grep -E "^# (pass|fail)"',
      'npm install ./vendor/tool --offline --no-audit --no-fund --silent; npx --no-install tool; ls -l node_modules/.bin | grep -c tool; git checkout -q package.json; rm -rf node_modules package-lock.json',
    ],
  },
  {
    name: 'a cache of npm from one call to the next',
    needs: ['npm'],
    calls: [
      'npm pack ./vendor/pad --pack-destination dist --silent',
      'npm cache add ./dist/pad-1.0.0.tgz 2>&1 | grep -c -i error; ls ~/.npm/_cacache | sort',
      'npm cache verify 2>&1 | grep -c "Content verified"',
    ],
  },
  {
    name: 'a build',
    needs: ['node'],
    calls: [
      'node scripts/build.mjs && cat dist/shop.js',
      'rm -r dist && node scripts/build.mjs && ls dist',
      'node --check src/a.js && echo fine',
    ],
  },
  {
    name: 'a build with a cache of its own',
    needs: ['node'],
    calls: ['node scripts/cached-build.mjs', 'node scripts/cached-build.mjs', 'ls node_modules/.cache/build | wc -l; rm -r node_modules'],
  },
  {
    name: 'a watch mode',
    needs: ['node'],
    calls: [
      `node scripts/watch.mjs > dist/watch.log 2>&1 & echo $! > dist/watch.pid; ${waitFor('grep -qs ready dist/watch.log')}; cat dist/watch.log`,
      `echo "// seen" >> src/a.js; ${waitFor('grep -qs changed dist/watch.log')}; cat dist/watch.log`,
      'kill "$(cat dist/watch.pid)"; git checkout -q src/a.js; rm dist/watch.*',
    ],
  },
  {
    name: 'tests with temporary files',
    needs: ['node'],
    calls: [
      'node --test --test-reporter=tap test/temp.test.js 2>&1 | grep -E "^# (pass|fail)"',
      'node --test --experimental-test-coverage --test-reporter=tap test/a.test.js 2>&1 | grep -E "^# (pass|fail)"',
      'ls test',
    ],
  },
  {
    name: 'tests that start processes and servers',
    needs: ['node'],
    calls: ['node --test --test-reporter=tap test/server.test.js 2>&1 | grep -E "^# (pass|fail)"'],
  },
  {
    name: 'a dev server over several calls',
    needs: ['node'],
    calls: [
      `node scripts/serve.mjs > dist/serve.log 2>&1 & ${waitFor('[ -s dist/serve-port ]')}; cat dist/serve.log`,
      `node scripts/get.mjs "$(cat dist/serve-port)"; node scripts/get.mjs "$(cat dist/serve-port)"`,
      `cat dist/serve.log; kill "$(cat dist/serve-pid)"; ${waitFor(`! ${ALIVE('dist/serve-pid')}`)}; node scripts/get.mjs "$(cat dist/serve-port)"; rm dist/serve*`,
    ],
  },
  {
    name: 'a server on a socket in the temporary folder',
    needs: ['node'],
    calls: [`node scripts/unix.mjs serve & ${waitFor('[ -S "${TMPDIR:-/tmp}/ordinary.sock" ]')}; echo up`, 'node scripts/unix.mjs ask'],
  },
  {
    name: 'a language server over standard input',
    needs: ['node'],
    calls: [
      `printf 'open src/a.js\\nsymbols\\nexit\\n' | node scripts/language-server.mjs`,
      `mkfifo dist/in; node scripts/language-server.mjs < dist/in > dist/out & exec 7> dist/in; echo 'open src/b.js' >&7; ${waitFor('grep -qs opened dist/out')}; echo symbols >&7; echo exit >&7; exec 7>&-; wait; cat dist/out; rm dist/in dist/out`,
    ],
  },
  {
    name: 'worker threads, child processes and signals',
    needs: ['node'],
    calls: [
      'node scripts/workers.mjs',
      `node -e "process.on('SIGINT', () => { console.log('int'); process.exit(7) }); process.kill(process.pid, 'SIGINT'); setTimeout(() => {}, 1000)"; echo $?`,
      `node -e "console.log(require('os').tmpdir() === (process.env.TMPDIR || '/tmp').replace(/\\/$/, ''), require('os').homedir() === process.env.HOME)"`,
    ],
  },
];

const LANGUAGES: readonly OrdinaryTask[] = [
  {
    name: 'make, with jobs',
    needs: ['make', 'cc'],
    calls: ['make -s -j2 all && ./dist/hello', 'make -s all; touch src/hello.c; make -n all | wc -l; make -s clean; ls dist'],
  },
  {
    name: 'a virtual environment of python',
    needs: ['python3'],
    calls: [
      'python3 -m venv --without-pip .venv && . .venv/bin/activate && python -c "import sys; print(sys.prefix.endswith(\'.venv\'))"',
      'cp -r vendor/pypad "$(.venv/bin/python -c "import site; print(site.getsitepackages()[0])")/" && .venv/bin/python -c "import pypad; print(pypad.pad(1))"; rm -rf .venv',
    ],
  },
  {
    name: 'python tests with temporary files and byte code',
    needs: ['python3'],
    calls: [
      'cd test && python3 -m unittest -q test_temp 2>&1 | grep -c OK; cd ..',
      'python3 -m compileall -q src/py && ls src/py/__pycache__ | wc -l; python3 -c "import tempfile, multiprocessing as m; print(tempfile.gettempdir() != \'\')"; rm -r src/py/__pycache__ test/__pycache__ 2>/dev/null; true',
      'cd src/py && python3 -c "import multiprocessing as m\nwith m.Pool(2) as p: print(p.map(abs, [-1, -2]))"; cd "$ROOT"; rm -rf src/py/__pycache__',
    ],
  },
  {
    name: 'a server of python, and curl',
    needs: ['python3', 'curl'],
    calls: [
      `python3 -u -c "import http.server as h, socketserver as s\nv = s.TCPServer(('127.0.0.1', 0), h.SimpleHTTPRequestHandler)\nopen('dist/py-port', 'w').write(str(v.server_address[1]))\nv.serve_forever()" > dist/py.log 2>&1 & echo $! > dist/py-pid; ${waitFor('[ -s dist/py-port ]')}; curl -s "http://127.0.0.1:$(cat dist/py-port)/src/a.js"`,
      'curl -s -o /dev/null -w "%{http_code}\\n" "http://localhost:$(cat dist/py-port)/none"; kill "$(cat dist/py-pid)"; rm dist/py*',
    ],
  },
  {
    name: 'go, with its caches',
    needs: ['go'],
    calls: [
      'cd src/go && go build -o ../../dist/gohello . && ../../dist/gohello',
      'cd "$ROOT"/src/go && go vet ./... && go test ./... 2>&1 | cut -c1-20; cd "$ROOT"; rm dist/gohello',
    ],
  },
  {
    name: 'cargo, with its caches',
    needs: ['cargo'],
    calls: [
      'cd src/rust && CARGO_TARGET_DIR="$ROOT/target" cargo build -q --offline && "$ROOT/target/debug/hello"',
      'cd "$ROOT"/src/rust && CARGO_TARGET_DIR="$ROOT/target" cargo test -q --offline 2>&1 | grep -c "1 passed"; cd "$ROOT"; rm -r target',
    ],
  },
  {
    name: 'a database in a file',
    needs: ['python3'],
    calls: [
      `python3 -c "import sqlite3\nc = sqlite3.connect('dist/x.db'); c.execute('pragma journal_mode=wal'); c.execute('create table t(a)'); c.execute('insert into t values (1)'); c.commit(); print(c.execute('select * from t').fetchall())"`,
      `python3 -c "import sqlite3\nprint(sqlite3.connect('dist/x.db').execute('select * from t').fetchall())"; rm dist/x.db*`,
    ],
  },
];

const MORE: readonly OrdinaryTask[] = [
  {
    name: 'the watch mode of node',
    needs: ['node'],
    calls: [
      `node --watch src/a.js > dist/node.log 2>&1 & echo $! > dist/node.pid; ${waitFor('grep -qs Completed dist/node.log')}; grep -c Completed dist/node.log`,
      `echo "// again" >> src/a.js; ${waitFor('grep -qs Restarting dist/node.log')}; grep -c Restarting dist/node.log`,
      'kill "$(cat dist/node.pid)"; git checkout -q src/a.js; rm dist/node.*',
    ],
  },
  {
    name: 'a port that is taken',
    needs: ['node'],
    calls: [
      `node scripts/serve.mjs > dist/serve.log 2>&1 & ${waitFor('[ -s dist/serve-port ]')}; cat dist/serve.log`,
      `node -e "require('http').createServer().on('error', (error) => console.log(error.code)).listen(Number(require('fs').readFileSync('dist/serve-port')))"`,
      'kill "$(cat dist/serve-pid)"; rm dist/serve*',
    ],
  },
  {
    name: 'a folder of a tool below ~/.cache',
    calls: [
      'mkdir -p ~/.cache/linter/v1 && echo fine > ~/.cache/linter/v1/src_a.js && cat ~/.cache/linter/v1/*',
      'cat ~/.cache/linter/v1/src_a.js; mv ~/.cache/linter/v1 ~/.cache/linter/v2 && ls ~/.cache/linter; rm -r ~/.cache/linter; ls ~/.cache | grep -c linter',
    ],
  },
  {
    name: 'processes found by their command line',
    needs: ['pgrep'],
    calls: [
      'sleep 4321 & sleep 0.1; pgrep -fc "^sleep 4321"',
      `pkill -f "^sleep 4321"; ${waitFor('! pgrep -f "^sleep 4321" >/dev/null')}; pgrep -fc "^sleep 4321"`,
    ],
  },
  {
    name: 'objects, an archive and a shared library of C',
    needs: ['cc', 'ar'],
    calls: [
      'echo "int two(void) { return 2; }" > src/two.c && cc -MMD -c -o dist/two.o src/two.c && ar rc dist/libtwo.a dist/two.o && cut -d: -f1 dist/two.d && ar t dist/libtwo.a',
      'cc -shared -fPIC -o dist/libtwo.so src/two.c && python3 -c "import ctypes; print(ctypes.CDLL(\'dist/libtwo.so\').two())"; rm src/two.c dist/two.* dist/libtwo.*',
    ],
  },
  {
    name: 'tests of go, the second time from the cache',
    needs: ['go'],
    calls: [
      'printf "package main\\n\\nimport \\"testing\\"\\n\\nfunc TestTemp(t *testing.T) { t.TempDir() }\\n" > src/go/main_test.go; cd src/go && go test ./... | cut -f1,2',
      'cd "$ROOT"/src/go && go test ./... | grep -c cached; cd "$ROOT"; rm src/go/main_test.go',
    ],
  },
  {
    name: 'a wheel, installed by pip',
    needs: ['pip'],
    calls: [
      `python3 -c "import zipfile\nz = zipfile.ZipFile('dist/pypad-1.0-py3-none-any.whl', 'w')\nz.write('vendor/pypad/__init__.py', 'pypad/__init__.py')\nz.writestr('pypad-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: pypad\\nVersion: 1.0\\n')\nz.writestr('pypad-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: x\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\nz.writestr('pypad-1.0.dist-info/RECORD', '')\nz.close()"; ls dist/*.whl`,
      // The program itself: the one of pyenv also writes a list of programs at home.
      '"$(python3 -c "import sys; print(sys.executable)")" -m pip install -q --no-index --no-compile --disable-pip-version-check --root-user-action=ignore --target dist/pip dist/pypad-1.0-py3-none-any.whl 2>&1; PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=dist/pip python3 -c "import pypad; print(pypad.pad(2))"; rm -r dist/pip dist/*.whl',
    ],
  },
  {
    name: 'maven, with its repository below the home',
    needs: ['mvn'],
    calls: [
      'mkdir -p src/java && echo "<project><modelVersion>4.0.0</modelVersion><groupId>a</groupId><artifactId>b</artifactId><version>1</version><packaging>pom</packaging></project>" > src/java/pom.xml && mvn -o -q -f src/java/pom.xml validate; echo $?',
      'mkdir -p ~/.m2/repository/a/b && echo jar > ~/.m2/repository/a/b/b.jar',
      'cat ~/.m2/repository/a/b/b.jar; rm -r ~/.m2/repository/a src/java',
    ],
  },
];

export const ORDINARY_TASKS: readonly OrdinaryTask[] = [...SHELL, ...NODE, ...GIT_TASKS, ...LANGUAGES, ...MORE];
