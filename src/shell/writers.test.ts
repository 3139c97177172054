// Programs that write a file which their text names, in whatever way: as an operand, as an option's value, in a patch, in code. With a file out of
// scope, or one of the gate's, none of them passes; with a file in scope none of them is refused.

import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Place } from './resolve-writes.ts';
import { readCommand } from './read-command.ts';

const PLACE: Place = { cwd: '/tree', root: '/tree', scope: ['src/**'], home: '/home/me', scratch: ['/tmp'] };
const classOf = (command: string) => readCommand(command, PLACE).class;

/** `@` is the file. */
const BY_OPTION = [
  ...[
    'shuf -o @ a',
    'shuf --output=@ a',
    '/usr/bin/time -o @ ls',
    '\\time --output=@ ls',
    'strace -o @ ls',
    'strace -fo @ ls',
    'ltrace -o @ ls',
  ],
  ...[
    'rsync -a --log-file=@ src/ src/b',
    'rsync --log-file @ src/a src/b',
    'rsync -a --write-batch=@ src/a src/b',
    'ctags -f @ -R src',
    'etags -o @ src/a',
  ],
  ...['ssh-keygen -t ed25519 -f @', 'script -c ls @', 'script -qO @ -c ls', 'valgrind --log-file=@ ls', 'hyperfine --export-json @ ls'],
  ...[
    'parallel --joblog @ ls ::: a',
    'screen -Logfile @ ls',
    'uudecode -o @ a',
    'age -o @ -r x a',
    'age-keygen -o @',
    'nasm -o @ a.s',
    'dot -Tpng -o @ a',
  ],
  ...[
    'msgfmt -o @ a.po',
    'xgettext -o @ a.c',
    'bison -o @ a.y',
    'flex -o @ a.l',
    'xsltproc -o @ a b',
    'terser a.js -o @',
    'uglifyjs a -o @',
  ],
  ...[
    'postcss a.css -o @',
    'asciidoctor -o @ a',
    'cwebp a.png -o @',
    'lcov -c -o @',
    'mmdc -i a -o @',
    'ghc a.hs -o @',
    'ocamlopt -o @ a.ml',
    'swiftc a -o @',
  ],
  ...[
    'babel a.js -o @',
    'rollup a.js -o @',
    'flatc -o @ a',
    'thrift -o @ a',
    'genisoimage -o @ src',
    'mongodump -o @',
    'perf record -o @ ls',
  ],
  ...[
    'xmllint --output @ a.xml',
    'tidy -o @ a.html',
    'optipng -out @ a.png',
    'svgo a.svg -o @',
    'inkscape --export-filename=@ a.svg',
    'tcpdump -w @',
  ],
  ...[
    'tshark -w @',
    'pax -w -f @ src',
    'cpio -o -O @',
    'pip-compile -o @ a.in',
    'mysqldump -r @ db',
    'mysqldump --result-file=@ db',
    'pg_dump -f @ db',
  ],
  ...[
    'psql -o @ db',
    'psql -L @ db',
    'gs -sOutputFile=@ a.ps',
    'nmap -oN @ localhost',
    'keytool -keystore @ -genkey',
    'protoc -o @ a.proto',
  ],
  ...[
    'docker build --iidfile @ .',
    'docker build --metadata-file=@ .',
    'gcc a.c -o @',
    'clang -o @ a.c',
    'rustc -o @ a.rs',
    'pandoc a.md -o @',
    'go build -o @ ./...',
  ],
  ...[
    'go test -coverprofile=@ ./...',
    'openssl rand -out @ 8',
    'openssl req -keyout @ -new',
    'esbuild a.ts --outfile=@',
    'npx esbuild a.ts --outfile=@',
  ],
  ...[
    'sort -o @ a',
    'iconv -o @ a',
    'tree -o @',
    'split -l 1 a @',
    'find . -fprint @',
    'find . -fprintf @ %p',
    'curl -o @ localhost:1',
    'curl -D @ localhost:1',
    'wget -O @ localhost',
  ],
  ...[
    'eslint src --output-file @',
    'npx eslint src -o @',
    'npx jest --outputFile=@',
    'pytest --junitxml=@',
    'npx vitest --outputFile @',
    'mytool --output @',
    'mytool --output=@',
  ],
  ...[
    'mytool --log-file @',
    'mytool --out-file=@',
    'mytool -o @',
    'mytool --export=@',
    'mytool --dump=@',
    'ruff check --output-file @ src',
    'terraform plan -out=@',
  ],
  ...[
    'tar cf @ src',
    'tar --index-file=@ -tvf a.tar',
    'tar -g @ -cf src/a.tar src',
    'tar --listed-incremental=@ -cf src/a.tar src',
    'zip -r @ src',
    '7z a @ src',
    'jar cf @ src',
  ],
  ...[
    'git diff --output=@',
    'git log --output @',
    'git archive -o @ HEAD',
    'git bundle create @ HEAD',
    'git config -f @ a.b c',
    'git config --file=@ a.b c',
    'git fast-export --export-marks=@ HEAD',
  ],
  ...[
    'git interpret-trailers --in-place @',
    'git merge-file @ a b',
    'git mailinfo @ src/p',
    'git show HEAD:a > @',
    'git init --separate-git-dir=@',
  ],
];

const BY_OPERAND = [
  ...[
    'touch @',
    'cp a @',
    'mv src/a @',
    'ln -s a @',
    'install a @',
    'dd if=a of=@',
    'tee @',
    'sponge @',
    'truncate -s 0 @',
    'rm @',
    'mkfifo @',
    'link a @',
  ],
  ...[
    'lz4 -f a @',
    'history -w @',
    'history -a @',
    'logsave @ ls',
    'flock @ ls',
    'fallocate -l 1 @',
    'ed -s @',
    'ex -s @',
    'vim -es @',
    'nano @',
    'emacs --batch @',
  ],
  ...[
    'sqlite3 @ .tables',
    'strip @',
    'patchelf --set-rpath x @',
    'objcopy a @',
    'ar rcs @ a.o',
    'qpdf a @',
    'pdftotext a @',
    'ps2pdf a @',
    'convert a @',
    'ffmpeg -i a @',
  ],
  ...[
    'sox a @',
    'sass a @',
    'wkhtmltopdf a @',
    'dos2unix @',
    'unix2dos @',
    'recode utf8 @',
    'indent @',
    'sd a b @',
    'gofmt -w @',
    'shfmt -w @',
    'clang-format -i @',
  ],
  ...[
    'autopep8 --in-place @',
    'black @',
    'isort @',
    'npx prettier --write @',
    'gzip -f @',
    'xz @',
    'bzip2 @',
    'pigz @',
    'uniq a @',
    'xxd a @',
    'csplit -f @ a 3',
  ],
  ...[
    'chmod +x @',
    'sed -i s/a/b/ @',
    "sed 'w @' a",
    'awk \'{print > "@"}\' a',
    'perl -pi -e s/a/b/ @',
    'yq -i .a=1 @',
    'mknod @ p',
    'ttyrec @',
    'maim @',
    'mksquashfs src @',
  ],
  ...[
    'find src -exec cp {} @ \\;',
    'ls | xargs -I{} cp {} @',
    'env -C . touch @',
    "bash -c 'touch @'",
    'patch @ < src/x.patch',
    'rename s/a/b/ @',
    'ddrescue a @',
    'setfattr -n a @',
  ],
];

const BY_TEXT = [
  'git apply <<E\n--- a/@\n+++ b/@\n@@ -0,0 +1 @@\n+x\nE\n',
  'patch -p1 <<E\n--- a/@\n+++ b/@\n@@ -0,0 +1 @@\n+x\nE\n',
  'cat <<E | git apply\n--- /dev/null\n+++ b/@\n@@ -0,0 +1 @@\n+x\nE\n',
  "git -c alias.x='!printf x > @' x",
  "git -c core.pager='tee @' log",
  "git rebase -x 'touch @' main",
  "git submodule foreach 'touch ../@'".replace('../', ''),
  "git bisect run sh -c 'touch @'",
  "GIT_EDITOR='touch @' git commit",
  `python3 -c "open('@','w')"`,
  `python3 -c "open('@', mode='a').write('x')"`,
  `python3 -c "from pathlib import Path; Path('@').write_text('x')"`,
  `python3 -c "import os; os.remove('@')"`,
  `python3 -c "import shutil; shutil.copy('a', '@')"`,
  `python3 -c "import os; os.system('touch @')"`,
  `python3 -c "import subprocess; subprocess.run(['touch','@'])"`,
  "python3 - <<'E'\nopen('@', 'w').write('x')\nE\n",
  'python3 <<\'E\'\nwith open("@", "wb") as f: f.write(b\'\')\nE\n',
  `node -e "require('fs').writeFileSync('@','x')"`,
  `node -e "fs.appendFileSync('@','x')"`,
  `node -e "fs.copyFileSync('a','@')"`,
  `node -e "require('child_process').execSync('touch @')"`,
  "node <<'E'\nrequire('fs').rmSync('@')\nE\n",
  `perl -e "open(F, '>@')"`,
  `perl -e "open(my \\$f, '>', '@')"`,
  `ruby -e "File.write('@', 'x')"`,
  `ruby -e "File.open('@', 'w')"`,
  `php -r "file_put_contents('@', 'x');"`,
  `lua -e "io.open('@', 'w')"`,
  "ed -s src/a <<'E'\nw @\nq\nE\n",
  "vim -es -c 'w @' src/a",
  "tar --to-command='tee @' -xf src/a.tar",
  "tar --checkpoint-action=exec='touch @' -cf src/a.tar src",
  "echo 'touch @' | sh",
  "cat <<'E' | bash\ntouch @\nE\n",
];

const at = (templates: readonly string[], file: string) => templates.map((template) => template.replaceAll(/(?<!@)@(?!@)/g, file));
const ALL = [...BY_OPTION, ...BY_OPERAND, ...BY_TEXT];

verifies('I12', 'more than 145 ways to write a file out of scope, or one of the gate’s, are refused', () => {
  expect(ALL.length).toBeGreaterThan(145);
  for (const file of ['infra/f.x', '.claude/settings.local.json', '.git/hooks/pre-commit'])
    expect(at(ALL, file).filter((command) => classOf(command) !== 'WRITES_OUTSIDE')).toEqual([]);
});

verifies('I12', 'the same ways to write a file in scope are not refused', () => {
  expect(at(ALL, 'src/f.x').filter((command) => classOf(command) === 'WRITES_OUTSIDE')).toEqual([]);
});

verifies('N11', 'a program without a rule is not given one of the gate’s files', () => {
  const refused = [
    'mytool .claude/settings.json',
    'mytool --fix=.vscode/settings.json',
    'python3 tools/gen.py .mcp.json',
    'mytool -f.git/config',
    'npx tool .git/hooks',
  ];
  expect(refused.filter((command) => classOf(command) !== 'WRITES_OUTSIDE')).toEqual([]);
});

verifies('I11', 'reading, leaving out and naming the same files is ordinary', () => {
  const ordinary = [
    ...[
      'cat .vscode/settings.json',
      'jq . .vscode/settings.json',
      'git add .vscode/settings.json',
      'git diff .claude',
      'git commit -m .mcp.json',
      'less .mcp.json',
    ],
    ...[
      'grep -rn x --exclude-dir=.git .',
      'rsync -a --exclude .git src/ src/b',
      'tar --exclude=.git -czf src/a.tgz src',
      'cloc --exclude-dir .git .',
      'npx eslint . --ignore-pattern .vscode',
    ],
    ...[
      'node .claude/hooks/check.js',
      'bash .git/hooks/pre-commit',
      'cp .vscode/settings.json src/x',
      'echo .git >> src/ignore',
      'code .vscode/settings.json',
    ],
    ...[
      'jest tests/x.test.ts',
      'python3 tools/gen.py',
      'npx tsc -p tsconfig.json',
      'pytest tests -o log_cli=true',
      'kubectl get pods -o yaml',
      'npm install --save lodash',
    ],
    ...[
      'cargo build --message-format=json',
      'ps -o pid,cmd',
      'docker ps --format json',
      'npx vitest run src/a.test.ts',
      'npm test -- --reporter=junit',
      'mytool --output json',
      'black .',
    ],
    ...[
      'npx prettier --write .',
      'ruff check --fix .',
      'gofmt -w .',
      'npx jest --coverage --coverageDirectory=coverage',
      'python3 -m pytest -q',
      'git log --format=%H -- infra',
    ],
    ...[
      'make -C src all',
      'go vet ./...',
      'node --test',
      'npx playwright test',
      'pip install -e .',
      'node -e "console.log(require(\'./package.json\').version)"',
    ],
  ];
  expect(ordinary.filter((command) => classOf(command) === 'WRITES_OUTSIDE')).toEqual([]);
});
