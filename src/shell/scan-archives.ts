// tar, zip and unzip: the archive that is made, or the folder that an archive is unpacked in.

import { hasAny, readLeniently, valuesOf } from './lenient-options.ts';
import { type Argument, literal, UNKNOWN, within } from './words.ts';
import type { WriteScan, WriteTarget } from './write-target.ts';

const words = (text: string): string[] => text.split(' ');
const TAR_VALUES = 'bfCXTVLNKgHIF';

export const scanTar: WriteScan = (args) => {
  const read = readLeniently(dashed(args), {
    values: TAR_VALUES,
    longValues: words(
      '--file --directory --exclude --exclude-from --files-from --to-command --use-compress-program --transform --strip-components --index-file --listed-incremental --volno-file',
    ),
    long: words('--create --append --update --concatenate --extract --get --list --to-stdout --delete --remove-files --absolute-names'),
  });
  const unsafe = words(
    '--to-command --use-compress-program -I -F --info-script --new-volume-script --checkpoint-action --rsh-command --remove-files -P --absolute-names -g --one-top-level --transform --xform',
  );
  const complete = !read.unsure && !hasAny(read, unsafe);
  const side = valuesOf(read, ['--index-file', '--listed-incremental', '-g', '--volno-file']).map((path): WriteTarget => ({
    path,
    kind: 'file',
  }));
  const scripts = [
    ...valuesOf(read, ['--to-command', '--use-compress-program', '-I', '--info-script', '-F', '--rsh-command']).map(({ text }) => text),
    ...args.flatMap(({ text }) => /^--checkpoint-action=exec=(.*)$/s.exec(text)?.[1] ?? []),
  ];
  const folders = valuesOf(read, ['-C', '--directory']);
  if (hasAny(read, ['-x', '--extract', '--get'])) {
    if (hasAny(read, ['-O', '--to-stdout'])) return { targets: side, complete, scripts };
    const folder = folders.length === 0 ? literal('.') : folders.length === 1 ? folders[0]! : { ...folders[0]!, ...UNKNOWN };
    // Those that are named, beside whatever else the archive holds.
    const members = read.operands.flatMap(({ value }): WriteTarget[] =>
      value === null || folder.value === null ? [] : [{ path: within(folder, value), kind: 'below' }],
    );
    return { targets: [{ path: folder, kind: 'below' }, ...members, ...side], complete, scripts };
  }
  const changes = hasAny(read, ['-c', '-r', '-u', '-A', '--create', '--append', '--update', '--concatenate', '--delete']);
  const archives = changes ? valuesOf(read, ['-f', '--file']).filter(({ value }) => value !== '-') : [];
  return { targets: [...archives.map((path): WriteTarget => ({ path, kind: 'file' })), ...side], complete, scripts };
};

/** `tar xfC a d`: the letters without a dash take their values one after the other. */
function dashed(args: readonly Argument[]): readonly Argument[] {
  const [first, ...rest] = args;
  if (first === undefined || first.value === null || !/^[A-Za-z]+$/.test(first.value)) return args;
  const given: Argument[] = [];
  for (const letter of first.value) {
    given.push(literal(`-${letter}`));
    if (TAR_VALUES.includes(letter) && rest.length > 0) given.push(rest.shift()!);
  }
  return [...given, ...rest];
}

export const scanZip: WriteScan = (args, command) => {
  if (command === 'unzip') {
    const read = readLeniently(args, { values: 'dPx' });
    if (hasAny(read, ['-l', '-p', '-c', '-t', '-v', '-z', '-Z'])) return { targets: [], complete: !read.unsure };
    return { targets: [{ path: valuesOf(read, ['-d'])[0] ?? literal('.'), kind: 'below' }], complete: !read.unsure };
  }
  const read = readLeniently(args, { values: 'bntxi', longValues: ['--exclude', '--include'] });
  const [archive] = read.operands;
  if (archive === undefined || archive.value === '-') return { targets: [], complete: !read.unsure };
  const named = archive.value === null || /\.[^/]*$/.test(archive.value) ? archive : literal(`${archive.value}.zip`);
  return { targets: [{ path: named, kind: 'file' }], complete: !read.unsure && !hasAny(read, ['-m', '-T', '-TT', '-O', '-b']) };
};
