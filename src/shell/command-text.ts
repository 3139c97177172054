// Texts in a command that are not shell: code for an interpreter, a patch, an editor's commands. What they write and run, as far as it is
// written out, and what should be asked about.

import { filesOfEditor, filesOfPatch, readCode, takesCode } from './code-writes.ts';
import { CONSTRUCT_RULES } from './construct-rules.ts';
import type { Level } from './rule.ts';
import { type Argument, literal } from './words.ts';
import type { WriteTarget } from './write-target.ts';

export interface CommandText {
  readonly writes: readonly WriteTarget[];
  /** Shell text that it runs. */
  readonly scripts: readonly string[];
  readonly findings: readonly { readonly level: Level; readonly code: string; readonly message: string }[];
}

/** Programs whose output is not what their input says. */
export const DECODER =
  /(?:^|[\s;&|(`])(?:base(?:64|32|nc)\s(?:[^;&|]*\s)?-{1,2}(?:\w*[dD]\b|decode)|xxd\s(?:-\w+\s+)*-\w*r|uudecode\b|openssl\s+(?:enc|base64|aes)|rev\b|zcat\b|gunzip\b|bunzip2\b|unxz\b|xzcat\b|zstdcat\b|gzip\s+-\w*d|tr\s)/;

const EDITORS = /^(?:ed|red|ex|vi|vim|nvim)$/;

/** Null: the command takes no such text. */
export function readText(name: string, args: readonly Argument[], stdin: readonly string[], decoded: boolean): CommandText | null {
  const option = takesCode(name);
  if (option !== null) return codeOf(name, option, args, stdin, decoded);
  const files = patchOf(name, args, stdin) ?? (EDITORS.test(name) ? editedBy(args, stdin) : null);
  if (files === null) return null;
  return { writes: files.map(fileOf), scripts: [], findings: [] };
}

const fileOf = (path: string): WriteTarget => ({
  path: path.startsWith('~') ? { ...literal(path), value: null } : literal(path),
  kind: 'file',
});

function codeOf(name: string, option: RegExp, args: readonly Argument[], stdin: readonly string[], decoded: boolean): CommandText {
  const given = args.flatMap((arg, i) => {
    if (option.test(arg.start)) return args[i + 1] ?? [];
    const [, attached] = /^(?:--eval|--print)=(.*)$/s.exec(arg.text) ?? [];
    return attached === undefined ? [] : [literal(attached)];
  });
  const script = args.find(({ start }) => !start.startsWith('-'));
  const readsStdin = given.length === 0 && (script === undefined || args.some(({ value }) => value === '-' || value === '/dev/stdin'));
  const readings = [...given.map(({ text }) => text), ...(readsStdin ? stdin : [])].map(readCode);
  const findings = readings.flatMap(({ asks }) => (asks === null ? [] : [askedFor(name, asks)]));
  if ((readsStdin && decoded) || args.some(({ value, text }) => value === null && DECODER.test(text)))
    findings.push({ level: 'DESTRUCTIVE', code: 'RUNS_DECODED', message: CONSTRUCT_RULES.RUNS_DECODED.message(name) });
  return { writes: readings.flatMap(({ writes }) => writes.map(fileOf)), scripts: readings.flatMap(({ scripts }) => scripts), findings };
}

function askedFor(name: string, { code, detail }: NonNullable<ReturnType<typeof readCode>['asks']>): CommandText['findings'][number] {
  const message = code === 'READS_SECRET' ? `${name} reads ${detail}` : `${name} runs code that ${detail}`;
  return { level: 'DESTRUCTIVE', code, message };
}

/** The files of a patch that is given as text; null: it is no patch. */
function patchOf(name: string, args: readonly Argument[], stdin: readonly string[]): string[] | null {
  const words = args.map(({ value }) => value);
  const isGit = name === 'git' && (words.includes('apply') || words.includes('am'));
  if (!isGit && name !== 'patch') return null;
  if (words.some((word) => word === '--check' || word === '--stat' || word === '--cached' || word === '--dry-run')) return [];
  const strip = args.flatMap(
    ({ text }, i) => /^(?:-p|--strip=?)(\d*)$/.exec(text)?.[1] || (/^(?:-p|--strip)$/.test(text) ? (args[i + 1]?.text ?? '') : []),
  );
  const given = strip.length > 0 ? Number(strip[0]) : Number.NaN;
  const folder = args.flatMap(
    ({ text }, i) => /^--directory=(.+)$/.exec(text)?.[1] ?? (/^(?:-d|--directory)$/.test(text) ? (args[i + 1]?.text ?? []) : []),
  )[0];
  const files = stdin.flatMap((text) => filesOfPatch(text, Number.isInteger(given) ? given : isGit ? 1 : null));
  return folder === undefined ? files : files.map((file) => `${folder}/${file}`);
}

function editedBy(args: readonly Argument[], stdin: readonly string[]): string[] {
  const commands = args.flatMap(({ start, text }, i) =>
    start.startsWith('+') ? [text.slice(1)] : start === '-c' || start === '--cmd' ? (args[i + 1]?.text ?? []) : [],
  );
  return [...commands, ...stdin].flatMap(filesOfEditor);
}
