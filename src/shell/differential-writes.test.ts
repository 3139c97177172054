// Compares what bash really writes with what the reader predicts: every change is predicted, or the reader says that its list is
// incomplete.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { readCommand } from './read-command.ts';
import { type RealRun, runForReal } from './real-shell.fixture.ts';

function plant(work: string, beside: string): void {
  for (const folder of ['src', 'sub/deep', 'docs']) mkdirSync(join(work, folder), { recursive: true });
  for (const folder of [work, join(work, 'sub'), beside]) {
    writeFileSync(join(folder, 'a.txt'), 'one\ntwo\n');
    writeFileSync(join(folder, 'b.txt'), 'two\none\n');
    mkdirSync(join(folder, 'into'));
  }
  writeFileSync(join(work, 'src/c.ts'), 'export {};\n');
  writeFileSync(join(work, 'docs/x.md'), '# x\n');
  writeFileSync(join(work, 'x.patch'), '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n-one\n+uno\n two\n');
  spawnSync('tar', ['-cf', join(work, 'p.tar'), '-C', join(work, 'docs'), 'x.md']);
}

/** Simple commands that write; without quotes, so that each can be placed inside quotes. */
const WRITERS = [
  'touch new',
  'touch new other',
  'mkdir new',
  'mkdir -p new/deep/er',
  'rmdir into',
  'rm a.txt',
  'rm -rf into a.txt',
  'cp a.txt new',
  'cp a.txt into',
  'cp a.txt b.txt into',
  'cp -t into a.txt',
  'cp -r into new',
  'cp a.txt into/',
  'mv a.txt new',
  'mv a.txt into',
  'ln -s a.txt new',
  'ln a.txt new',
  'ln -s ../a.txt into/',
  'install -m 600 a.txt new',
  'install -d new',
  'tee new',
  'tee -a a.txt new',
  'dd if=a.txt of=new',
  'truncate -s 0 a.txt',
  'chmod 600 a.txt',
  'chmod -R 700 into',
  'sort -o new a.txt',
  'sort a.txt -onew',
  'sort --output=new a.txt',
  'uniq a.txt new',
  'sed -i s/one/1/ a.txt',
  'sed -i.bak s/one/1/ a.txt b.txt',
  'sed -n -e wnew a.txt',
  'sed s/one/1/wnew a.txt',
  'sed -n /one/wnew a.txt',
  'find . -name a.txt -fprint new',
  'find into -delete',
  'find . -name b.txt -delete',
  'find . -name b.txt -exec rm {} +',
  'find . -name a.txt -exec cp {} new ;',
  'tar -cf new.tar a.txt',
  'tar cf new.tar a.txt',
  'gzip a.txt',
  'gzip -k a.txt',
  'split -l 1 a.txt',
  'xargs -a a.txt touch',
  'xargs -a a.txt -I% cp b.txt %.new',
  'perl -pi -e s/one/1/ a.txt',
  'nohup touch new',
  'nice touch new',
  'timeout 5 touch new',
  'env touch new',
  'env A=1 touch new',
  'env -C into touch new',
  'command touch new',
  'setsid -w touch new',
  'time touch new',
  'mkfifo new',
  'patch -s a.txt x.patch',
  'unlink a.txt',
  'shred -u a.txt',
];

const RAW = [
  'echo x > new',
  'echo x >> a.txt',
  '> new',
  'echo x >| a.txt',
  'ls nothing 2> new',
  'ls &> new',
  'ls >& new',
  'cat <<E > new\nhello\nE',
  'cat > new <<E\nhello\nE',
  'exec 3> new; echo x >&3',
  'echo x 3<> new',
  'awk \'{print > "new"}\' a.txt',
  'awk \'BEGIN {system("touch new")}\'',
  "sed -n 'w new' a.txt",
  "sed 's/one/1/w new' a.txt",
  "sed -e '1p' -e '$w new' a.txt",
  "sed '1!{p;w new\n}' a.txt",
  "sed '1e touch new' a.txt",
  'touch {new,other}.txt',
  'touch n{1..3}',
  'touch src/*.ts.new',
  'rm *.txt',
  'rm sub/*',
  'echo one | tee new | cat',
  'echo new | xargs touch',
  'echo new | xargs -I{} touch {}.x',
  'f() { touch new; }; f',
  'f() { cd sub; }; f; touch new',
  'x=new; touch $x',
  'x=sub; cd $x && touch new',
  'touch $(echo new)',
  'touch "$(echo new)"',
  'echo $(touch new)',
  'cat <(touch new)',
  'echo x > >(cat > new); wait',
  'cd sub && cd deep && touch new',
  'cd sub/../src && touch new',
  'cd sub; cd ..; touch new',
  'cd nowhere; touch new',
  'cd nowhere && touch new',
  'cd nowhere || touch new',
  'cd sub || exit 1; touch new',
  'cd nowhere || exit 1; touch new',
  'cd nowhere || cd sub; touch new',
  'cd sub || true; touch new',
  'cd sub | touch new; touch other',
  '(cd sub; touch new); touch other',
  '{ cd sub; touch new; }; touch other',
  'if cd sub; then touch new; fi; touch other',
  'if cd nowhere; then touch new; else touch other; fi',
  'while cd sub; do touch new; done; touch other',
  'for d in sub src; do cd $d; touch new; cd ..; done',
  'for d in 1 2; do cd sub; touch new; done',
  'case a in a) cd sub;; esac; touch new',
  'cd sub & wait; touch new',
  'pushd sub && touch new && popd && touch other',
  'cd - && touch new',
  'cd && touch new',
  'cd ~ && touch new',
  'CDPATH=sub; cd deep && touch new',
  'CDPATH=sub cd deep && touch new',
  'eval cd sub; touch new',
  'eval "cd sub && touch new"',
  "bash -c 'cd sub && touch new'; touch other",
  "bash -c 'cd sub'; touch new",
  'builtin cd sub && touch new',
  'command cd sub && touch new',
  'env cd sub && touch new',
  'alias t=touch; touch new',
  "trap 'touch new' EXIT",
  'touch ../beside/new',
  'echo x > ../beside/a.txt',
  'cp a.txt ../beside',
  'cp a.txt ../beside/into/',
  'mv ../beside/a.txt .',
  'rm -r ../beside/into',
  'tar xf p.tar -C ../beside',
  'tar xf p.tar',
  'tar -xf p.tar -C into',
  'tar xfC p.tar into',
  'patch -s < x.patch',
  'source x.sh; touch new',
  'ln -s ../beside/a.txt',
  'git init -q new',
  'git init -q . && git config user.name x',
  'printf "touch new" | sh',
  'sh <<E\ntouch new\nE',
  'sh -c \'touch "$0"\' new',
  'find . -name into -execdir touch new +',
  'find . -maxdepth 1 -name a.txt -exec sh -c "echo x > new" ";"',
  'ls | while read -r line; do echo x > "new-$line"; done',
  'for f in *.txt; do cp "$f" "$f.bak"; done',
  'sort a.txt -o a.txt; uniq a.txt b.txt',
  'touch -- -new',
  'touch "a b" c\\ d',
  "touch $'n\\x65w'",
  'ln -sf a.txt b.txt',
  'mv -t into a.txt b.txt',
  'cp --target-directory=into a.txt',
  'cp -b a.txt b.txt',
  'install -D a.txt n/e/w',
  'dd of=new < a.txt',
  'set -- new; touch "$1"',
  'read -r x <<< new; touch $x',
  'test -f a.txt && touch new || touch other',
  'true || touch new; touch other',
  '! touch new',
  'touch new &\nwait',
  'coproc touch new; wait',
  'exec touch new',
  'printf -v x new; touch $x',
  '[[ -f a.txt ]] && touch new',
  '((1)) && touch new',
  'touch new # > other',
  'echo "> new" > other',
];

type Around = (writer: string) => string;
const CONTEXTS: readonly Around[] = [
  (writer) => writer,
  (writer) => `true; ${writer}`,
  (writer) => `( ${writer} )`,
  (writer) => `cd sub && ${writer}`,
  (writer) => `cd sub; ${writer}`,
  (writer) => `cd nowhere; ${writer}`,
  (writer) => `cd sub || exit 1\n${writer}`,
  (writer) => `cd ../beside && ${writer}`,
  (writer) => `bash -c "${writer}"`,
  (writer) => `eval "${writer}"`,
  (writer) => `if true; then ${writer}; fi`,
  (writer) => `for f in 1 2; do ${writer}; done`,
  (writer) => `echo text | ${writer}`,
  (writer) => `f() { ${writer}; }; f`,
  (writer) => `timeout 5 ${writer}`,
  (writer) => `${writer} > out.log 2>&1`,
  (writer) => `{ cd sub; ${writer}; } && touch last`,
];
/** A final `;` of find ends the command when it is not quoted. */
const quoted = (writer: string): string => writer.replace(/ ;$/, " ';'");

/** A campaign runs every writer everywhere; each run of the suite tries every writer and every place, but not all combinations. */
const campaign = Number(process.env['COUNTERSIGN_RUNS'] ?? 0);
const STEP = campaign > 0 ? 1 : 5;
const TABLE = [
  ...RAW,
  ...WRITERS.flatMap((writer, i) => CONTEXTS.filter((_, at) => (at + i) % STEP === 0).map((around) => around(quoted(writer)))),
];
const nested = fc
  .tuple(
    fc.constantFrom(...WRITERS),
    fc.array(fc.constantFrom(...CONTEXTS.filter((around) => !around('x').includes('"'))), { minLength: 2, maxLength: 3 }),
  )
  .map(([writer, around]) => around.reduce((inner, each) => each(inner), quoted(writer)));

/** Changes that were neither predicted nor declared unknown. */
function surprises({ command, root, changed }: RealRun): string[] {
  const { class: commandClass, writes, writes_complete } = readCommand(command, { cwd: root, root, scope: null, home: '/nowhere/home' });
  if (commandClass === 'SAFE') return changed.map((path) => `${command}: is SAFE and changed ${path}`);
  if (!writes_complete) return [];
  const known = writes.map(({ resolved }) =>
    resolved!.startsWith('/') ? join('..', resolved!.slice(join(root, '..').length)) : resolved!,
  );
  const predicted = (path: string): boolean =>
    known.some((write) => path === write || path.startsWith(`${write}/`) || write.startsWith(`${path}/`) || write === '.');
  const missed = changed.filter((path) => !predicted(path)).map((path) => `${command}: changed ${path}, not only ${known.join(' ')}`);
  const outside = changed.filter((path) => path.startsWith('../')).length > 0 && commandClass !== 'WRITES_OUTSIDE';
  return outside ? [...missed, `${command}: changed ${changed.join(' ')} and is ${commandClass}`] : missed;
}

const random = fc.sample(nested, campaign > 0 ? { numRuns: campaign } : { numRuns: 60, seed: 6 });
const runs = runForReal(
  [...TABLE, ...random].map((command) => ({ command })),
  plant,
);

describe.skipIf(runs === null)('against what bash really writes', () => {
  verifies('I12', 'whatever is written is predicted, or left open', () => {
    expect(runs!.flatMap(surprises)).toEqual([]);
  });

  test('the commands do write, and most are read to the end', () => {
    const shares = {
      commands: runs!.length,
      writing: runs!.filter(({ changed }) => changed.length > 0).length / runs!.length,
      complete:
        runs!.filter(({ command, root }) => readCommand(command, { cwd: root, root, scope: null }).writes_complete).length / runs!.length,
    };
    expect(shares.commands).toBeGreaterThan(300);
    expect(shares.writing).toBeGreaterThan(0.75);
    expect(shares.complete).toBeGreaterThan(0.4);
  });
});
