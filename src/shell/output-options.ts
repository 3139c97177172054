// Options that name a file to write by convention, for programs that no rule knows better: `--output a`, `--log-file=a`, `-o a/b`.

import type { Argument } from './words.ts';
import type { WriteTarget } from './write-target.ts';

/** Always a file, whatever it looks like. */
const FILE =
  /^--(?:out(?:put)?[-_]?file(?:name)?|outputFile|output-document|output-path|log[-_]?file|log-output|dump-?file|save-(?:to|as)|export-(?:file|json|csv|markdown|filename)|report-file|results?-file|trace-file|junit-?xml|profile-out(?:put)?|index-file|separate-git-dir|pid-?file|joblog|iidfile|cidfile|metadata-file|error-file|xml-file|(?:massif|callgrind|cachegrind|dhat)-out-file|keyout|tee|result-file|rdb|stats-file|to-file|gen-config-file)$/i;
/** A file where the value looks like one: `--output json` is a format. */
const MAYBE_FILE =
  /^--?(?:output|out|o|O|of|export|save|write|log|dump|dest(?:ination)?|report|record|capture|emit|trace|target-file|outform-file)$/;
/** Only with an equals sign, because otherwise the next word often means something else. */
const ATTACHED_ONLY = /^--(?:export|save|write|log|dump|dest(?:ination)?|report|record|capture|emit|trace)$/;
const FOLDER =
  /^--(?:out(?:put)?[-_]?dir(?:ectory)?|outDir|dest-?dir|artifact-?dir|report-?dir|coverage-dir(?:ectory)?|coverageDirectory|dist-dir|log-dir|pack-destination|results|reports-dir)$/;
/** Where `-o` means something else. */
const OTHER_O: ReadonlySet<string> = new Set(
  'grep egrep fgrep rg ag ack ssh scp sftp sshfs ps mount umount set git docker podman kubectl oc helm find fd ls column paste cut journalctl systemctl ip lsblk findmnt df lsof pgrep pidof nmap make gmake jest vitest pytest pip pip3 stdbuf nice ionice useradd install chown shopt bash sh zsh dash ksh sort tr od nohup xargs tree stat top htop ansible ansible-playbook terraform tofu gh aws az gcloud cargo mvn gradle gradlew ninja rsync cp mv tar unzip zip chmod setsid login sudo env timeout awk gawk mawk sed perl ruby'.split(
    ' ',
  ),
);

const looksLikeFile = (value: string): boolean =>
  /^(?:[^=]*\/[^=]*|[^=/]*\.[A-Za-z]\w{0,9}|\.[\w.-]+)$/.test(value) && !/^[a-z]+:\/\//i.test(value);

export function conventionalOutputs(command: string, args: readonly Argument[]): WriteTarget[] {
  const targets: WriteTarget[] = [];
  for (const [i, arg] of args.entries()) {
    if (arg.value === '--') break;
    const [name, ...rest] = arg.start.split('=');
    if (!name!.startsWith('-')) continue;
    const attached = rest.length > 0;
    const path = attached ? behind(arg, name!.length + 1) : args[i + 1];
    if (path !== undefined && path.value !== '-' && !path.start.startsWith('-') && path.text !== '') {
      const kind = kindOf(command, name!, path.value ?? path.text, attached);
      if (kind !== null) targets.push({ path, kind });
    }
    if (/^-o[^=]*\//.test(arg.text) && !OTHER_O.has(command)) targets.push({ path: behind(arg, 2), kind: 'file' });
  }
  return targets;
}

function kindOf(command: string, option: string, value: string, attached: boolean): 'file' | 'below' | null {
  if (FOLDER.test(option)) return 'below';
  if (FILE.test(option)) return 'file';
  if (!MAYBE_FILE.test(option) || !looksLikeFile(value) || (ATTACHED_ONLY.test(option) && !attached)) return null;
  return (option === '-o' || option === '-O') && (OTHER_O.has(command) || attached) ? null : 'file';
}

/** The rest of a word behind its first characters. */
function behind(arg: Argument, from: number): Argument {
  const cut = (text: string): string => text.slice(from);
  return {
    ...arg,
    value: arg.value === null ? null : cut(arg.value),
    start: cut(arg.start),
    text: cut(arg.text),
    ...(arg.may === undefined ? {} : { may: arg.may.map(cut) }),
  };
}

/** Programs that only look at what they are given. */
const READERS: ReadonlySet<string> = new Set(
  'less more most bat batcat view hexdump hd strings column od md5 shasum b2sum diffstat delta colordiff tokei cloc scc ncdu exa eza lsd ugrep shellcheck yamllint jsonlint actionlint hadolint open xdg-open code cursor subl git source . cd pushd popd'.split(
    ' ',
  ),
);
/** Options whose value is read, left out or searched for. */
const READ_OPTION =
  /exclude|ignore|include|glob|filter|skip|prune|config|settings|git-dir|work-tree|input|in-file|from|source|schema|env-file|rcfile|not|pattern|cwd|root|project|files?$|against|reference|template/i;

/** The arguments of a program that no rule knows, which may be files that it writes. */
export function mayBeWritten(command: string, args: readonly Argument[], runsFirst: boolean): Argument[] {
  if (READERS.has(command)) return [];
  const mentioned: Argument[] = [];
  let operands = 0;
  for (const [i, arg] of args.entries()) {
    const [option, ...rest] = arg.start.split('=');
    if (!option!.startsWith('-')) {
      const before = args[i - 1]?.value ?? '';
      const isRead = before.startsWith('-') && READ_OPTION.test(before);
      if (!isRead && !(runsFirst && operands === 0))
        mentioned.push(rest.length > 0 && /^[\w-]+$/.test(option!) ? behind(arg, option!.length + 1) : arg);
      operands++;
    } else if (rest.length > 0) {
      if (!READ_OPTION.test(option!)) mentioned.push(behind(arg, option!.length + 1));
    } else if (/^-[A-Za-z]./.test(arg.start) && !arg.start.startsWith('--')) mentioned.push(behind(arg, 2));
  }
  return mentioned;
}
