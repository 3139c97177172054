// Programs that write files which their arguments name, one line each. `files` and `folders` are options, a single letter or a whole word;
// `operands` says which of the other arguments are written.

import { hasAny, readLeniently, valuesOf } from './lenient-options.ts';
import type { WriteRule } from './rule.ts';
import { scanAfter, scanPack } from './scan-arguments.ts';
import { literal } from './words.ts';
import type { WriteKind, WriteOptions, WriteScan, WriteTarget } from './write-target.ts';

type Operands = WriteOptions['operands'];

interface Writer {
  readonly names: string;
  readonly files?: string;
  readonly folders?: string;
  readonly operands?: Operands;
  readonly kind?: WriteKind;
  /** Letters of options that take a value. */
  readonly values?: string;
  /** Long options that take a value. */
  readonly longValues?: string;
  /** Only with one of these options. */
  readonly only?: string;
  /** Options with which it only looks. */
  readonly silent?: string;
  /** Options with which the operands are not written. */
  readonly unless?: string;
  readonly example: readonly [command: string, ...paths: string[]];
}

const WRITERS: readonly Writer[] = [
  { names: 'shuf', files: '-o --output', values: 'inr', longValues: '--input-range --head-count', example: ['shuf -o f a', 'f'] },
  { names: 'history', operands: 'all', only: '-w -a', example: ['history -w f', 'f'] },
  { names: 'fc', operands: 'all', only: '-W -A', example: ['fc -W f', 'f'] },
  { names: 'ctags etags universal-ctags', files: '-f -o', example: ['ctags -f f -R src', 'f'] },
  { names: 'cscope gtags', files: '-f', folders: '--gtagslabel', example: ['cscope -f f', 'f'] },
  {
    names: 'ed red ex vi vim nvim nano pico emacs joe micro mcedit hexedit kak helix hx',
    operands: 'all',
    values: 'cSTuUwWl',
    files: '-w -W',
    longValues: '--cmd',
    example: ['ed -s f', 'f'],
  },
  { names: 'fallocate', operands: 'all', values: 'lo', longValues: '--length --offset', example: ['fallocate -l 1 f', 'f'] },
  { names: 'ssh-keygen', files: '-f', values: 'bCNtPImnOrVwYZEs', silent: '-l -F -y -e', example: ['ssh-keygen -t ed25519 -f f', 'f'] },
  { names: 'link symlink', operands: 'last', example: ['link a b', 'b'] },
  { names: 'mmv vidir', operands: 'all', kind: 'below', example: ['mmv a b', 'a', 'b'] },
  {
    names: 'strip patchelf ranlib upx chrpath install_name_tool',
    operands: 'all',
    files: '-o --output',
    values: 'ORNKp',
    longValues: '--set-rpath --set-interpreter',
    example: ['strip f', 'f'],
  },
  { names: 'objcopy', operands: 'last', values: 'IOBFjRNKLGWSx', example: ['objcopy a f', 'f'] },
  { names: 'ar', operands: 'second', example: ['ar rcs f a.o', 'f'] },
  {
    names: 'sqlite3 sqlite duckdb litecli',
    operands: 'first',
    values: '',
    longValues: '-cmd -init -separator',
    example: ['sqlite3 f .tables', 'f'],
  },
  {
    names:
      'uudecode uuencode age age-keygen rage nasm yasm dot neato msgfmt xgettext bison yacc flex xsltproc terser uglifyjs postcss asciidoctor cwebp lcov genhtml lessc mmdc pod2html tic ghc ocamlc ocamlopt swiftc antlr4 swig cython flatc thrift genisoimage mkisofs xorriso minisign mongodump mongoexport bsdcat perf heaptrack',
    files: '-o --output --out',
    example: ['age -o f a', 'f'],
  },
  {
    names: 'babel swc rollup webpack openapi-generator openapi-generator-cli swagger-codegen pug stylus',
    files: '-o --out-file --output',
    folders: '-d --out-dir',
    example: ['babel a.js -o f', 'f'],
  },
  {
    names: 'javac kotlinc scalac javadoc jsdoc hugo jekyll typedoc',
    folders: '-d --out --destination',
    example: ['javac -d f a.java', 'f'],
  },
  { names: 'jar', operands: 'second', example: ['jar cf f a', 'f'] },
  {
    names:
      'mksquashfs cpio2rpm sphinx-build pdftotext ps2pdf pdf2ps wkhtmltopdf wkhtmltoimage qpdf sass scss node-sass sox convert magick ffmpeg gm pdftoppm djvups img2pdf',
    operands: 'last',
    values: 'ifmacrbtvsqSIp',
    example: ['qpdf a f', 'f'],
  },
  {
    names: 'dos2unix unix2dos mac2unix indent astyle setfattr hexer fromdos todos detox',
    operands: 'all',
    values: 'nv',
    example: ['dos2unix f', 'f'],
  },
  { names: 'sd rpl replace rename prename perl-rename recode', operands: 'last', kind: 'below', example: ['sd a b f', 'f'] },
  { names: 'gofmt goimports shfmt', operands: 'all', kind: 'below', only: '-w', values: 'i', example: ['gofmt -w f', 'f'] },
  {
    names: 'clang-format autopep8 yapf',
    operands: 'all',
    kind: 'below',
    only: '-i --in-place --inplace',
    example: ['clang-format -i f', 'f'],
  },
  {
    names: 'black isort rustfmt',
    operands: 'all',
    kind: 'below',
    silent: '--check --diff --check-only -c',
    values: 'lt',
    longValues: '--line-length --edition --config --config-path',
    example: ['black f', 'f'],
  },
  {
    names: 'prettier',
    operands: 'all',
    kind: 'below',
    only: '-w --write',
    longValues: '--config --ignore-path --parser --plugin --log-level',
    example: ['prettier --write f', 'f'],
  },
  {
    names: 'eslint stylelint',
    operands: 'all',
    kind: 'below',
    only: '--fix',
    files: '-o --output-file',
    values: 'cf',
    longValues:
      '--config --ext --format --rule --rulesdir --parser --plugin --ignore-pattern --ignore-path --max-warnings --cache-location --cache-file --cache-strategy --resolve-plugins-relative-to --env --global',
    example: ['eslint --fix f', 'f'],
  },
  {
    names: 'ruff',
    operands: 'after-first',
    kind: 'below',
    only: '--fix --fix-only',
    values: 'o',
    longValues: '--config --select --ignore --extend-select --exclude --output-format --line-length --target-version',
    example: ['ruff check --fix f', 'f'],
  },
  { names: 'tidy', files: '-o', operands: 'all', unless: '-o -q -e', example: ['tidy -m f', 'f'] },
  { names: 'xmllint', files: '--output', example: ['xmllint --output f a', 'f'] },
  { names: 'optipng', files: '-out', operands: 'all', unless: '-out', example: ['optipng f', 'f'] },
  { names: 'svgo inkscape', files: '-o --output --export-filename', example: ['svgo a -o f', 'f'] },
  { names: 'tcpdump tshark dumpcap', files: '-w', example: ['tcpdump -w f', 'f'] },
  { names: '7z 7za 7zz rar', operands: 'second', example: ['7z a f src', 'f'] },
  { names: 'unrar', operands: 'last', kind: 'below', example: ['unrar x a f', 'f'] },
  { names: 'cpio', files: '-O -F', folders: '-D', only: '-o -p -O -F -D', example: ['cpio -o -O f', 'f'] },
  { names: 'pax', files: '-f', only: '-w -a', example: ['pax -w -f f a', 'f'] },
  { names: 'qemu-img', operands: 'second', only: '', values: 'fo', example: ['qemu-img create f', 'f'] },
  {
    names: 'virtualenv uv-venv',
    operands: 'all',
    kind: 'tree',
    values: 'p',
    longValues: '--python --prompt',
    example: ['virtualenv f', 'f'],
  },
  { names: 'pip-compile pip-audit cyclonedx-py', files: '-o --output-file --output', example: ['pip-compile -o f a', 'f'] },
  { names: 'mysqldump', files: '-r --result-file', example: ['mysqldump -r f db', 'f'] },
  { names: 'pg_dump pg_dumpall', files: '-f --file', example: ['pg_dump -f f db', 'f'] },
  { names: 'psql', files: '-o --output -L --log-file', values: 'cdfhpUv', example: ['psql -o f', 'f'] },
  {
    names: 'pdflatex xelatex lualatex latexmk latex',
    folders: '-output-directory -outdir -auxdir',
    example: ['latexmk -outdir=f a.tex', 'f'],
  },
  { names: 'gs', files: '-sOutputFile', example: ['gs -sOutputFile=f a', 'f'] },
  { names: 'nmap', files: '-oN -oX -oG -oA', example: ['nmap -oN f localhost', 'f'] },
  { names: 'asciinema ttyrec termtosvg', operands: 'last', example: ['ttyrec f', 'f'] },
  { names: 'terraform tofu', files: '-out', example: ['terraform plan -out=f', 'f'] },
  { names: 'keytool jarsigner', files: '-keystore -file -signedjar', example: ['keytool -keystore f', 'f'] },
  {
    names: 'protoc',
    files: '-o --descriptor_set_out --dependency_out',
    folders: '--cpp_out --java_out --python_out --go_out --ts_out --js_out --grpc_out',
    example: ['protoc --python_out=f a.proto', 'f'],
  },
  { names: 'ddrescue', operands: 'after-first', example: ['ddrescue a f', 'f'] },
  { names: 'crudini augtool', operands: 'after-first', example: ['crudini --set f a b', 'a', 'b'] },
  { names: 'docker podman nerdctl', files: '--iidfile --cidfile --metadata-file', example: ['docker build --iidfile f .', 'f'] },
  { names: 'gource scrot import maim grim screencapture', operands: 'last', example: ['maim f', 'f'] },
];

function scanWriter({
  files = '',
  folders = '',
  operands = 'none',
  kind = 'file',
  values = '',
  longValues = '',
  only,
  silent = '',
  unless = '',
}: Writer): WriteScan {
  const list = (text: string): string[] => text.split(' ').filter((each) => each !== '');
  const [into, below] = [list(files), list(folders)];
  const isLetter = (name: string): boolean => name.length === 2;
  const letters = [...into, ...below].filter(isLetter);
  const whole = scanAfter({ files: into.filter((name) => !isLetter(name)), folders: below.filter((name) => !isLetter(name)) });
  const longs = [...into, ...below, ...list(longValues)].filter((name) => name.startsWith('--'));
  return (args, command) => {
    const read = readLeniently(args, {
      values: values + letters.map((name) => name[1]!).join(''),
      longValues: longs,
      long: [...list(silent), ...list(only ?? '')].filter((name) => name.startsWith('--')),
    });
    const nothing = { targets: [], complete: false };
    if (silent !== '' && hasAny(read, list(silent))) return nothing;
    if (only !== undefined && only !== '' && !hasAny(read, list(only)) && !args.some(({ value }) => list(only).includes(value ?? '')))
      return nothing;
    const named: WriteTarget[] = [
      ...whole(args, command).targets,
      ...valuesOf(read, into.filter(isLetter)).map((path): WriteTarget => ({ path, kind: 'file' })),
      ...valuesOf(read, below.filter(isLetter)).map((path): WriteTarget => ({ path, kind: 'below' })),
    ];
    const isKept = unless !== '' && args.some(({ value }) => list(unless).includes(value ?? ''));
    const written = (isKept ? [] : pick(read.operands, operands)).filter((each) => !each.start.startsWith('+'));
    return {
      targets: [...named, ...written.map((path): WriteTarget => ({ path, kind }))].filter(({ path }) => path.value !== '-'),
      complete: false,
    };
  };
}

function pick<T>(operands: readonly T[], which: Operands): readonly T[] {
  const from = { all: 0, first: 0, second: 1, 'after-first': 1, last: -1, none: operands.length }[which];
  return operands.slice(from, which === 'first' || which === 'second' ? from + 1 : undefined);
}

/** Wrappers write too: only the words before the command that they run are theirs. */
const scanLeading =
  (files: readonly string[], values: string, operand = false): WriteScan =>
  (args) => {
    const targets: WriteTarget[] = [];
    for (let i = 0; i < args.length; i++) {
      const { start, value, text } = args[i]!;
      if (!start.startsWith('-')) {
        if (operand) targets.push({ path: args[i]!, kind: 'file' });
        break;
      }
      const option = files.find((each) => value === each || start.startsWith(`${each}=`) || (each.length === 2 && start.startsWith(each)));
      if (option !== undefined) {
        const path = value === option ? args[++i] : literal(text.slice(option.length).replace(/^=/, ''));
        if (path !== undefined) targets.push({ path, kind: 'file' });
      } else if (/^-[a-zA-Z]+$/.test(start) && files.includes(`-${start.at(-1)}`))
        targets.push(...(args[++i] === undefined ? [] : [{ path: args[i]!, kind: 'file' as const }]));
      else if (/^-[a-zA-Z]+$/.test(start) && values.includes(start.at(-1)!)) i++;
    }
    return { targets, complete: false };
  };

const words = (text: string): string[] => text.split(' ');

/** Settings of a person's tools: what they name may run in every project. */
const settingsOf = (commands: string, subcommands: readonly string[], file: string, example: string, looks: string): WriteRule => ({
  commands: words(commands),
  when: { subcommands },
  writes: (args) => {
    const ofProject = args.some(
      ({ text }, at) =>
        /^(?:--location|-L)=?project$/.test(text) || (/^(?:--location|-L)$/.test(args[at - 1]?.text ?? '') && text === 'project'),
    );
    return { targets: [{ path: literal(ofProject ? file.replace('~/', '') : file), kind: 'file' }], complete: false };
  },
  examples: [[example, file]],
  rejects: [looks],
});

/** Its own commands that name a file to write. */
const SQLITE_OUTPUT = /^\s*\.(?:output|once|backup|save|clone|log|excel)\s+(?:main\s+)?['"]?([^\s'"|-][^\s'"]*)/m;

export const WRITER_RULES: readonly WriteRule[] = [
  settingsOf('npm pnpm', ['config set', 'config delete', 'config edit', 'set'], '~/.npmrc', 'npm config set a b', 'npm config get a'),
  settingsOf('yarn', ['config set', 'config unset', 'config delete'], '~/.yarnrc', 'yarn config set a b', 'yarn config list'),
  settingsOf('pip pip3', ['config set', 'config unset', 'config edit'], '~/.config/pip/pip.conf', 'pip config set a b', 'pip config list'),
  settingsOf('gh', ['config set', 'alias set', 'alias import'], '~/.config/gh/config.yml', "gh alias set a '!b'", 'gh config get editor'),
  {
    commands: ['go'],
    when: { subcommands: ['env'], options: ['-w', '-u'] },
    writes: () => ({ targets: [{ path: literal('~/.config/go/env'), kind: 'file' }], complete: false }),
    examples: [['go env -w A=b', '~/.config/go/env']],
    rejects: ['go env GOPATH'],
  },
  {
    commands: words('docker podman nerdctl kubectl oc'),
    when: { subcommands: ['cp', 'container cp', 'compose cp'] },
    // With a colon it names a place in a container.
    writes: (args) => ({
      targets: args.slice(-1).flatMap((path) => (/^-$|:/.test(path.text) ? [] : [{ path, kind: 'below' as const }])),
      complete: false,
    }),
    examples: [['docker cp c:/x f', 'f']],
    rejects: ['docker cp f c:/x'],
  },
  {
    commands: ['cargo'],
    when: { subcommands: ['install'] },
    writes: scanAfter({ folders: ['--root', '--target-dir'] }),
    examples: [['cargo install --root f x', 'f']],
    rejects: ['cargo install x'],
  },
  {
    commands: words('sqlite3 sqlite'),
    when: { form: SQLITE_OUTPUT },
    writes: (args) => ({
      targets: [
        ...args.filter(({ start }) => !start.startsWith('-')).slice(0, 1),
        ...args.flatMap(({ text }) => SQLITE_OUTPUT.exec(text)?.[1] ?? []).map(literal),
      ].map((path) => ({ path, kind: 'file' as const })),
      complete: false,
    }),
    examples: [["sqlite3 f '.once g'", 'f', 'g']],
    rejects: ['ls sqlite3'],
  },
  ...WRITERS.map((writer): WriteRule => {
    const commands = words(writer.names);
    return { commands, writes: scanWriter(writer), examples: [writer.example], rejects: [`ls ${commands[0]}`] };
  }),
  {
    commands: words('lz4 lzma unlzma lzop brotli unbrotli compress uncompress pigz unpigz pbzip2 pixz zopfli lzip plzip'),
    writes: (args, command) => {
      const { targets } = scanPack(args, command);
      // `lz4 a b` leaves the first as it is.
      const names = readLeniently(args, { values: 'SbTMoD' }).operands;
      return { targets: command === 'lz4' && names.length > 1 ? [{ path: names.at(-1)!, kind: 'file' }] : targets, complete: false };
    },
    examples: [['pigz a', 'a']],
    rejects: ['ls lz4'],
  },
  {
    commands: ['time', 'gtime'],
    writes: scanLeading(['-o', '--output'], 'f'),
    examples: [['\\time -o f ls', 'f']],
    rejects: ['time ls'],
  },
  {
    commands: words('strace ltrace'),
    writes: scanLeading(['-o', '--output'], 'abeEIOpPsSuUX'),
    examples: [['strace -f -o f ls', 'f']],
    rejects: ['strace sort -k 1'],
  },
  { commands: words('logsave flock'), writes: scanLeading([], 'EswcC', true), examples: [['logsave f ls', 'f']], rejects: ['ls logsave'] },
  {
    commands: ['script'],
    writes: scanLeading(['-O', '--log-out', '-B', '--log-io', '-I', '--log-in', '-T', '--log-timing'], 'cEmo', true),
    examples: [['script -qec ls f', 'f']],
    rejects: ['ls script'],
  },
  {
    commands: ['valgrind'],
    writes: scanLeading(words('--log-file --xml-file --massif-out-file --callgrind-out-file --cachegrind-out-file'), ''),
    examples: [['valgrind --log-file=f ls', 'f']],
    rejects: ['valgrind ls'],
  },
  {
    commands: ['hyperfine'],
    writes: scanLeading(words('--export-json --export-csv --export-markdown --export-asciidoc --output'), 'wmrnsp'),
    examples: [['hyperfine --export-json f ls', 'f']],
    rejects: ['hyperfine ls'],
  },
  {
    commands: ['parallel'],
    writes: scanLeading(['--joblog', '--results'], 'jnNaX'),
    examples: [['parallel --joblog f ls ::: a', 'f']],
    rejects: ['parallel ls ::: a'],
  },
  {
    commands: ['screen'],
    writes: scanLeading(['-Logfile'], 'cSrsTtp'),
    examples: [['screen -Logfile f ls', 'f']],
    rejects: ['screen -dm ls'],
  },
  {
    commands: words('npm pnpm yarn'),
    when: { subcommands: ['pkg set', 'pkg delete', 'pkg fix', 'init', 'version'] },
    writes: (args) => ({
      targets: args.some(({ start }) => /^(?:-C|--prefix|--cwd|--dir)/.test(start))
        ? []
        : [{ path: literal('package.json'), kind: 'file' }],
      complete: false,
    }),
    examples: [['npm pkg set a=b', 'package.json']],
    rejects: ['npm pkg get name', 'npm test'],
  },
];
