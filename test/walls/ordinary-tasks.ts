// What people have an agent do in a shell all day. Each task is one or more calls, in one repository and one session, and leaves the
// repository fit for the next. Output must be the same in every run: no times, no process numbers.

export interface OrdinaryTask {
  readonly name: string;
  readonly calls: readonly string[];
  /** Programs without which it is left out. */
  readonly needs?: readonly string[];
  /** These calls were judged to need other machines. */
  readonly network?: true;
}

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

const GIT: readonly OrdinaryTask[] = [
  {
    name: 'commit on a branch',
    calls: [
      'git checkout -q -b topic && echo "export const t = 1;" > src/t.js && git add src/t.js && git commit -q -m "Add t" && git log --oneline | head -2',
      'git checkout -q main && git merge -q --no-edit topic && git branch -d topic && git status --short',
    ],
  },
  {
    name: 'stash',
    calls: [
      'echo "// wip" >> src/a.js && echo new > src/wip.txt && git stash -u -q && git status --short && git stash list',
      'git stash pop -q && git status --short; git checkout -q src/a.js; rm src/wip.txt',
    ],
  },
  {
    name: 'rebase, with a conflict',
    calls: [
      'git checkout -q -b side && echo "export const b = 3;" > src/b.js && git commit -qam side && git checkout -q main && echo "export const b = 4;" > src/b.js && git commit -qam main',
      'git checkout -q side; git rebase main 2>&1 | grep -c CONFLICT; git status --short',
      'git checkout -q --theirs src/b.js; git add src/b.js; GIT_EDITOR=true git rebase --continue 2>&1 | tail -1; git log --format=%s | head -2; cat src/b.js',
      'git checkout -q main && git reset -q --hard HEAD~1 && git branch -q -D side; git log --format=%s | head -1',
    ],
  },
  {
    name: 'an interactive rebase with a script as editor',
    calls: [
      'for n in 1 2 3; do echo "export const r = $n;" > src/r.js; git add src/r.js; git commit -q -m "r$n"; done; GIT_SEQUENCE_EDITOR="sed -i 2,3s/^pick/fixup/" git rebase -q -i HEAD~3; git log --format=%s | head -2; cat src/r.js',
    ],
  },
  {
    name: 'cherry-pick, revert, reset, restore, clean',
    calls: [
      'git checkout -q -b pick && echo 1 > src/picked && git add src/picked && git commit -q -m picked && git checkout -q main && git cherry-pick pick >/dev/null && git revert --no-edit HEAD >/dev/null && git log --format=%s | head -2',
      'git branch -q -D pick; echo x >> src/a.js; git restore src/a.js; touch src/junk; git clean -fdq src; git status --short; git reset -q --soft HEAD~2; git status --short; git gc -q --auto; git tag v1 && git describe --tags && git tag -d v1 | cut -c1-15',
    ],
  },
  {
    name: 'a worktree',
    calls: [
      'git worktree add -q -b wt dist/wt && git worktree list | wc -l && cd dist/wt && ls src | head -2',
      'echo "export const w = 1;" > src/w.js && git add src/w.js && git commit -q -m w && git log --format=%s | head -1; cd "$ROOT"',
      'git worktree remove --force dist/wt && git branch -q -D wt && git worktree list | wc -l',
    ],
  },
  {
    name: 'a bisect',
    needs: ['node'],
    calls: [
      'for n in 1 2 3 4; do echo "export const s = $n;" > src/s.js; git add src/s.js; git commit -q -m "s$n"; done; git bisect start HEAD HEAD~3 >/dev/null; git bisect run sh -c "! grep -q 3 src/s.js && ! grep -q 4 src/s.js" 2>&1 | grep -c "first bad commit"; git bisect reset >/dev/null 2>&1; git log --format=%s | head -1',
    ],
  },
  {
    name: 'hooks that the project has, such as those of husky',
    calls: [
      'echo "export const h = 1;" > src/h.js && git add src/h.js && git -c core.hooksPath=scripts/hooks commit -q -m hooked; echo $?; git log --format=%s | head -1',
      'echo FORBIDDEN > src/h.js; git -c core.hooksPath=scripts/hooks commit -qam no; echo $?; git checkout -q src/h.js',
    ],
  },
  {
    name: 'an identity and other settings of the repository',
    calls: [
      'git config user.name "Ada B" && git config user.name && git config --unset user.name; git config user.name "Ada Example"',
      'git remote add other /nowhere/else.git && git remote -v | grep -c other && git remote remove other',
      'git config pull.rebase true && git config --get pull.rebase && git config --unset pull.rebase',
    ],
  },
  {
    name: 'fetch, pull, push with an upstream branch',
    network: true,
    calls: [
      'git fetch -q origin && git branch -r | wc -l',
      'git checkout -q -b feature origin/main && git branch -vv | grep -c "\\[origin/main" ; echo "export const f = 1;" > src/f.js && git add src/f.js && git commit -q -m feature',
      'git push -q -u origin feature 2>&1; git rev-parse --abbrev-ref feature@{upstream}; git status -sb | head -1',
      'git pull -q --rebase origin main 2>&1; git log --format=%s | head -1; git checkout -q main; git branch -q -D feature; git push -q origin --delete feature 2>&1; git branch -r | wc -l',
    ],
  },
  {
    name: 'a clone and a submodule’s status',
    network: true,
    calls: [
      'git clone -q "$(git remote get-url origin)" dist/clone && ls dist/clone/src | head -1 && rm -rf dist/clone; git submodule status; git ls-remote --heads origin | wc -l',
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

export const ORDINARY_TASKS: readonly OrdinaryTask[] = [...SHELL, ...NODE, ...GIT, ...LANGUAGES];
