// Commands whose arguments say what they write. Known for the GNU versions; where another version differs, the gate still checks the real
// files after the run.

import type { WriteRule } from './rule.ts';
import { scanAfter, scanAwk, scanDd, scanFind, scanPack, scanPerl } from './scan-arguments.ts';
import { scanCopy } from './scan-copy.ts';
import { scanFetch } from './scan-fetch.ts';
import { scanGit } from './scan-git.ts';
import { scanCsplit, scanMktemp, scanSplit } from './scan-pieces.ts';
import { scanSed } from './scan-sed.ts';
import { scanTar, scanZip } from './scan-archives.ts';
import { WRITER_RULES } from './writer-table.ts';

const words = (text: string): string[] => text.split(' ');

export const WRITE_RULES: readonly WriteRule[] = [
  ...WRITER_RULES,
  {
    commands: ['touch'],
    writes: { operands: 'all', values: 'drt', longValues: ['--date', '--reference', '--time'] },
    examples: [
      ['touch a b', 'a', 'b'],
      ['touch -d yesterday a', 'a'],
      ['touch -- -a', '-a'],
      ['touch -r b a', 'a'],
    ],
    rejects: ['ls touch'],
  },
  {
    commands: ['mkdir'],
    writes: { operands: 'all', kind: 'folder', values: 'm', longValues: ['--mode'] },
    examples: [
      ['mkdir -p a/b c', 'a/b', 'c'],
      ['mkdir -m 755 a', 'a'],
    ],
    rejects: ['ls mkdir'],
  },
  {
    commands: ['rmdir'],
    writes: { operands: 'all', kind: 'folder', more: ['-p', '--parents'] },
    examples: [['rmdir a', 'a']],
    rejects: ['ls rmdir'],
  },
  {
    commands: words('rm unlink shred srm rimraf del-cli trash tee sponge mkfifo'),
    when: { without: ['-r', '-R', '--recursive'] },
    writes: { operands: 'all', values: '', longValues: ['--iterations', '--size'] },
    examples: [
      ['rm a b', 'a', 'b'],
      ['rm -f -- -a', '-a'],
      ['ls | tee -a out.txt', 'out.txt'],
      ['tee', ...[]],
    ],
    rejects: ['ls rm'],
  },
  {
    commands: words('rm rimraf srm'),
    writes: { operands: 'all', kind: 'tree' },
    examples: [
      ['rm -rf build', 'build'],
      ['rm -R a b', 'a', 'b'],
    ],
    rejects: ['ls rm'],
  },
  {
    commands: ['truncate'],
    writes: { operands: 'all', values: 'sr', longValues: ['--size', '--reference'] },
    examples: [
      ['truncate -s 0 a.txt', 'a.txt'],
      ['truncate --size=0 a', 'a'],
    ],
    rejects: ['ls truncate'],
  },
  {
    commands: words('chmod chown chgrp'),
    when: { options: ['--reference'] },
    writes: { operands: 'all', kind: 'tree', longValues: ['--reference'] },
    examples: [['chmod --reference=a b', 'b']],
    rejects: ['ls chmod'],
  },
  {
    commands: words('chmod chown chgrp chattr setfacl'),
    writes: { operands: 'after-first', kind: 'tree' },
    examples: [
      ['chmod +x a b', 'a', 'b'],
      ['chmod -R 755 src', 'src'],
      ['chown me a', 'a'],
    ],
    rejects: ['chmod', 'ls chmod'],
  },
  {
    commands: words('cp mv ln install rsync'),
    writes: scanCopy,
    examples: [
      ['cp a b', 'b'],
      ['cp a b c', 'c/a', 'c/b'],
      ['cp a d/', 'd/a'],
      ['cp -t d a/x b', 'd/x', 'd/b'],
      ['cp -r src dst', 'dst'],
      ['mv a b', 'b', 'a'],
      ['ln -s ../a', 'a'],
      ['ln -s a b', 'b'],
      ['install -d x y', 'x', 'y'],
      ['install -m 644 a b', 'b'],
      ['rsync -a a/ b/', 'b/'],
    ],
    rejects: ['cp', 'cp a', 'ls cp'],
  },
  {
    commands: ['dd'],
    writes: scanDd,
    examples: [['dd if=a of=b bs=1', 'b']],
    rejects: ['dd if=a', 'ls of=b'],
  },
  {
    commands: ['sort'],
    writes: {
      operands: 'none',
      into: ['-o', '--output'],
      values: 'kStT',
      longValues: words(
        '--key --buffer-size --field-separator --temporary-directory --compress-program --batch-size --parallel --files0-from',
      ),
      more: words('-T --temporary-directory --compress-program'),
    },
    examples: [
      ['sort -o f a', 'f'],
      ['sort a -uof', 'f'],
      ['sort --outp=f a', 'f'],
      ['sort --output f a', 'f'],
    ],
    rejects: ['sort a', 'sort -k 1 a'],
  },
  {
    commands: ['uniq'],
    writes: { operands: 'second', values: 'fsw', longValues: words('--skip-fields --skip-chars --check-chars') },
    examples: [
      ['uniq in out', 'out'],
      ['uniq -c -f 1 in out', 'out'],
    ],
    rejects: ['uniq in', 'uniq -f 1 in'],
  },
  {
    commands: ['xxd'],
    writes: { operands: 'second', values: 'cgloRs' },
    examples: [
      ['xxd a b', 'b'],
      ['xxd -r -c 8 a b', 'b'],
    ],
    rejects: ['xxd a'],
  },
  {
    commands: ['iconv', 'tree', 'jq', 'base64'],
    writes: { operands: 'none', into: ['-o', '--output'], values: 'ftPIL' },
    examples: [
      ['iconv -f utf8 -t latin1 -o f a', 'f'],
      ['tree -o f', 'f'],
    ],
    rejects: ['iconv -f utf8 a', 'base64 -d a'],
  },
  {
    commands: ['yq'],
    when: { options: ['-i', '--inplace', '--in-place'] },
    writes: { operands: 'after-first', opaque: true },
    examples: [['yq -i .a=1 a.yml', 'a.yml']],
    rejects: ['yq .a a.yml'],
  },
  {
    commands: ['split'],
    writes: scanSplit,
    examples: [
      ['split a', 'xaa'],
      ['split -l 10 a ../part-', '../part-aa'],
      ['split -b 1M -d -a 3 --additional-suffix=.txt - d/x', 'd/x000.txt'],
    ],
    rejects: ["split --filter='gzip' a d/x", 'ls split'],
  },
  {
    commands: ['csplit'],
    writes: scanCsplit,
    examples: [
      ['csplit a /x/', 'xx00'],
      ['csplit -f ../p a 3', '../p00'],
    ],
    rejects: ['ls csplit'],
  },
  {
    commands: ['mktemp'],
    writes: scanMktemp,
    examples: [
      ['mktemp -p d', 'd/tmp.*'],
      ['mktemp -d --tmpdir=../d a.XXX', '../d/a.*'],
      ['mktemp d/a.XXXX.txt', 'd/a.*.txt'],
    ],
    rejects: ['mktemp', 'mktemp -d', 'mktemp -t a.XXX', 'mktemp --tmpdir a.XXX', 'mktemp -u d/a.XXX'],
  },
  {
    commands: ['mknod'],
    writes: { operands: 'first', values: 'm' },
    examples: [['mknod a p', 'a']],
    rejects: ['ls mknod'],
  },
  {
    commands: ['patch'],
    writes: {
      operands: 'first',
      into: ['-o', '--output', '-r', '--reject-file'],
      folder: ['-d', '--directory'],
      values: 'piFDBVYzg',
      longValues: words('--strip --input --fuzz --ifdef --prefix --suffix'),
      silent: ['--dry-run'],
      opaque: true,
    },
    examples: [
      ['patch a.txt < x.patch', 'a.txt'],
      ['patch -p1 -d sub -i x.patch', 'sub'],
    ],
    rejects: ['patch --dry-run -p1 a', 'patch -p1'],
  },
  {
    commands: ['sed', 'gsed'],
    writes: scanSed,
    examples: [
      ['sed -i s/a/b/ f g', 'f', 'g'],
      ['sed -i.bak s/a/b/ f', 'f', 'f.bak'],
      ['sed -n -e p --in-place f', 'f'],
      ["sed 's/a/b/w f' a", 'f'],
      ["sed -n '/x/w f' a", 'f'],
      ["sed -e '1p;$w f' a", 'f'],
      ["sed 's|w x|y|;s/a/b/gw f' a", 'f'],
      ["sed '1!{p;w f\n}' a", 'f'],
    ],
    rejects: ["sed 's/a/w f/' a", "sed '/w f/p' a", "sed 'a w f' a", 'sed -n 1p a'],
  },
  {
    commands: words('awk gawk mawk nawk'),
    writes: scanAwk,
    examples: [
      ['awk \'{print > "f"}\' a', 'f'],
      ['awk -F: \'{print $1 >> "f"; print > "g"}\' a', 'f', 'g'],
    ],
    rejects: ["awk '{print $1}' a", 'awk \'BEGIN{system("id")}\''],
  },
  {
    commands: ['perl', 'ruby'],
    writes: scanPerl,
    examples: [
      ["perl -pi -e 's/a/b/' f g", 'f', 'g'],
      ["perl -i.bak -pe 's/a/b/' f", 'f'],
    ],
    rejects: ["perl -ne 'print' f", 'perl a.pl'],
  },
  {
    commands: words('find fd fdfind bfs'),
    writes: scanFind,
    examples: [
      ['find . -fprint f', 'f'],
      ['find . -fprintf f %p -fls g', 'f', 'g'],
      ['find a b -name x -delete', 'a', 'b'],
      ['find -delete', '.'],
    ],
    rejects: ['find . -name -fprint', 'find . -name x'],
  },
  {
    commands: ['curl', 'wget'],
    writes: scanFetch,
    examples: [
      ['curl -o f https://x.test/a', 'f'],
      ['curl -sSLO https://x.test/d/a.tgz?x=1', 'a.tgz'],
      ['curl --output-dir d -O https://x.test/a', 'd/a'],
      ['curl -D h -c j https://x.test', 'h', 'j'],
      ['wget -O f https://x.test/a', 'f'],
      ['wget -qO- https://x.test/a'],
      ['wget https://x.test/d/a.tgz', 'a.tgz'],
      ['wget -P d https://x.test/a.tgz', 'd/a.tgz'],
    ],
    rejects: ['curl https://x.test/a', 'ls -o f'],
  },
  {
    commands: words('tar bsdtar gtar'),
    writes: scanTar,
    examples: [
      ['tar xf a.tar', '.'],
      ['tar -xzf a.tgz -C d', 'd'],
      ['tar czf a.tgz src', 'a.tgz'],
      ['tar --create --file=a.tar src', 'a.tar'],
      ['tar -C src -cf a.tar .', 'a.tar'],
    ],
    rejects: ['tar tf a.tar', 'tar -xOf a.tar b', 'tar cf - src'],
  },
  {
    commands: ['unzip', 'zip'],
    writes: scanZip,
    examples: [
      ['unzip a.zip', '.'],
      ['unzip -q a.zip -d d', 'd'],
      ['zip -r a.zip src', 'a.zip'],
      ['zip a src', 'a.zip'],
    ],
    rejects: ['unzip -l a.zip', 'unzip -p a.zip b'],
  },
  {
    commands: words('gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd'),
    writes: scanPack,
    examples: [
      ['gzip a', 'a', 'a.gz'],
      ['gunzip a.gz', 'a.gz', 'a'],
      ['gzip -d a.gz', 'a.gz', 'a'],
      ['xz -9 a', 'a', 'a.xz'],
    ],
    rejects: ['gzip -c a', 'gzip -t a.gz', 'gzip'],
  },
  {
    commands: ['git'],
    writes: scanGit,
    examples: [
      ['git rm a b', 'a', 'b'],
      ['git mv a b', 'b', 'a'],
      ['git checkout HEAD -- a', 'a'],
      ['git restore a', 'a'],
      ['git -C sub checkout -- a', 'sub/a'],
      ['git clean -fd', '.'],
      ['git apply x.patch', '.'],
      ['git stash pop', '.'],
      ['git diff --output=f', 'f'],
      ['git archive -o f HEAD', 'f'],
      ['git config --global a.b c', '~/.gitconfig'],
      ['git clone https://x.test/a.git d', 'd'],
      ['git worktree add ../w', '../w'],
      ['git -C .. -C sub rm a', '../sub/a'],
      ['git -C ../w init', '../w/.'],
    ],
    rejects: ['git rm --cached a', 'git add a', 'git commit -m x', 'git status', 'git restore --staged a', 'git checkout -b x'],
  },
  {
    commands: words('make gmake ninja npm pnpm yarn'),
    writes: { operands: 'none', folder: ['-C', '--directory', '--prefix', '--cwd'], opaque: true },
    examples: [
      ['make -C sub all', 'sub'],
      ['npm --prefix ../x install', '../x'],
    ],
    rejects: ['make all', 'npm test'],
  },
  {
    commands: ['gcc', 'cc', 'clang', 'g++', 'ld', 'as', 'rustc', 'pandoc', 'gpg'],
    writes: { operands: 'none', into: ['-o', '--output'], opaque: true },
    examples: [['gcc a.c -o a.out', 'a.out']],
    rejects: ['ls -o a'],
  },
  {
    commands: ['openssl', 'go'],
    writes: scanAfter({ files: ['-out', '-keyout', '-o', '-coverprofile'] }),
    examples: [
      ['openssl req -out a', 'a'],
      ['go build -o bin/x ./...', 'bin/x'],
      ['go test -coverprofile=c.out ./...', 'c.out'],
    ],
    rejects: ['go build ./...', "go list -f '{{.Dir}}'", 'openssl rand -hex 8'],
  },
  {
    commands: ['tsc', 'esbuild', 'cargo', 'pytest', 'cmake'],
    writes: scanAfter({
      files: ['--outFile', '--outfile'],
      folders: ['--outDir', '--outdir', '--declarationDir', '--target-dir', '--basetemp', '-B'],
    }),
    examples: [
      ['tsc --outDir lib', 'lib'],
      ['npx esbuild a.ts --outfile=b.js', 'b.js'],
      ['cargo build --target-dir=out', 'out'],
      ['cmake -B build', 'build'],
    ],
    rejects: ['tsc --noEmit', 'tsc --build', 'cargo build --target wasm32-unknown-unknown', 'cargo test -p a', 'pytest -q'],
  },
  {
    commands: ['pip', 'pip3'],
    writes: scanAfter({ folders: ['--target', '-t', '--prefix', '--root', '-d', '--dest', '-w', '--wheel-dir'] }),
    examples: [
      ['pip install --target lib x', 'lib'],
      ['pip download -d lib x', 'lib'],
    ],
    rejects: ['pip install x', 'pip install -r requirements.txt'],
  },
];
