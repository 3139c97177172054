// Readers for linters, formatters and compilers. None of the patterns has two neighbouring parts that match the same text.

import type { RawFinding, Reader, Reading } from './read-findings.ts';

const one = (finding: RawFinding, lines = 1): Reading => ({ findings: [finding], lines });
const NOTHING: Reading = { findings: [], lines: 1 };
const severityOf = (word: string | undefined): RawFinding['severity'] => (/^warn/i.test(word ?? '') ? 'warning' : 'error');

/** One line with everything, as named groups: file, line, column, rule, message, severity. */
const line =
  (pattern: RegExp): Reader =>
  (lines, at) => {
    const groups = pattern.exec(lines[at] ?? '')?.groups;
    if (!groups) return null;
    const { file, line: row, column, rule, message, severity } = groups;
    return one({
      file: file ?? null,
      line: row === undefined ? null : Number(row),
      ...(column === undefined ? {} : { column: Number(column) }),
      ...(rule === undefined ? {} : { rule }),
      message: message ?? '',
      severity: severityOf(severity),
    });
  };

/** ESLint with `--format json`. */
const eslintJson: Reader = (lines, at) => {
  const text = lines[at] ?? '';
  if (!text.startsWith('[{"filePath"')) return null;
  try {
    const files = JSON.parse(text) as {
      filePath: string;
      messages: { ruleId?: string | null; severity: number; message: string; line?: number; column?: number }[];
    }[];
    const findings = files.flatMap(({ filePath, messages }) =>
      messages.map(({ ruleId, severity, message, line: row, column }): RawFinding => ({
        file: String(filePath),
        line: row ?? null,
        ...(column === undefined ? {} : { column }),
        ...(typeof ruleId === 'string' ? { rule: ruleId } : {}),
        message: String(message),
        severity: severity === 1 ? 'warning' : 'error',
      })),
    );
    return { findings, lines: 1 };
  } catch {
    return null;
  }
};

const STYLISH_ROW = /^ {2,}(\d+):(\d+) {2,}(error|warning) {2,}(\S.*)$/;

/** ESLint's own form: a file, then a row a problem. */
const eslintStylish: Reader = (lines, at) => {
  const file = lines[at] ?? '';
  if (/^\s/.test(file) || !STYLISH_ROW.test(lines[at + 1] ?? '')) return null;
  const findings: RawFinding[] = [];
  let next = at + 1;
  for (let row; (row = STYLISH_ROW.exec(lines[next] ?? '')); next++) {
    const [, at1, column, severity, rest = ''] = row;
    const gap = rest.lastIndexOf('  ');
    const rule = gap > 0 && !rest.slice(gap + 2).includes(' ') ? rest.slice(gap + 2) : undefined;
    const message = rule === undefined ? rest : rest.slice(0, gap);
    findings.push({
      file,
      line: Number(at1),
      column: Number(column),
      ...(rule === undefined ? {} : { rule }),
      message: message.trim(),
      severity: severityOf(severity),
    });
  }
  return { findings, lines: next - at };
};

/** `::error file=…,line=…::message`, as several tools write for GitHub. */
const annotation: Reader = (lines, at) => {
  const found = /^::(error|warning|notice) ([^:]*(?::[^:]+)*)::(.*)$/.exec(lines[at] ?? '');
  if (!found) return null;
  const [, severity, list = '', message = ''] = found;
  const fields = new Map(list.split(',').map((field) => [field.slice(0, field.indexOf('=')), field.slice(field.indexOf('=') + 1)]));
  const column = fields.get('col');
  const rule = fields.get('title');
  return one({
    file: fields.get('file') ?? null,
    line: Number(fields.get('line')) || null,
    ...(column === undefined ? {} : { column: Number(column) }),
    ...(rule === undefined ? {} : { rule }),
    message,
    severity: severityOf(severity === 'notice' ? 'warning' : severity),
  });
};

const PRETTIER_TROUBLE = /^\[error\] (?<file>[^:]+): (?<message>\w*Error: .+) \((?<line>\d+):(?<column>\d+)\)$/;

const prettier: Reader = (lines, at) => {
  const text = lines[at] ?? '';
  if (!/^\[(?:warn|error)\] /.test(text)) return null;
  const trouble = line(PRETTIER_TROUBLE)(lines, at);
  if (trouble) return trouble;
  const file = /^\[warn\] (\S.*\.\w+)$/.exec(text)?.[1];
  return file === undefined ? NOTHING : one({ file, line: null, rule: 'prettier', message: 'is not formatted', severity: 'error' });
};

/** A head line that ends in a rule of dashes, then the message with a sign before it. */
const biome: Reader = (lines, at) => {
  const head = /^([^\s:]+)(?::(\d+):(\d+))? ([A-Za-z/]+)(?: +FIXABLE)? +━{4,}/.exec(lines[at] ?? '');
  if (!head) return null;
  for (let next = at + 1; next <= at + 4; next++) {
    const said = /^\s+([×✖!i]) (.+)$/.exec(lines[next] ?? '');
    if (!said) continue;
    const [, file, row, column, rule = ''] = head;
    return one(
      {
        file: file ?? null,
        line: row === undefined ? null : Number(row),
        ...(column === undefined ? {} : { column: Number(column) }),
        rule,
        message: said[2] ?? '',
        severity: said[1] === '!' || said[1] === 'i' ? 'warning' : 'error',
      },
      next - at + 1,
    );
  }
  return null;
};

/** oxlint's own form: a sign and a message, then a frame with the place. */
const oxlint: Reader = (lines, at) => {
  const said = /^\s+([x×!⚠]) (?:([\w-]+\([\w/@-]+\)): )?(.+)$/.exec(lines[at] ?? '');
  if (!said) return null;
  for (let next = at + 1; next <= at + 4; next++) {
    const place = /^\s*(?:,-|╭─)\[(.+):(\d+):(\d+)\]/.exec(lines[next] ?? '');
    if (!place) continue;
    const [, sign, rule, message = ''] = said;
    return one(
      {
        file: place[1] ?? null,
        line: Number(place[2]),
        column: Number(place[3]),
        ...(rule === undefined ? {} : { rule }),
        message,
        severity: sign === '!' || sign === '⚠' ? 'warning' : 'error',
      },
      next - at + 1,
    );
  }
  return null;
};

const ARROW = /^\s*--> (.+):(\d+):(\d+)$/;
const RUST_HEAD = /^(error|warning)(?:\[(\w+)\])?: (.+)$/;
const RUFF_HEAD = /^([A-Z]+\d+|[a-z-]+)(?: \[[*-]\])?:? (\S.*)$/;
const RUST_LINT = /^\s+= note: `#\[(?:warn|deny)\(([\w:]+)\)\]`/;
const LINT_WITHIN = 20;

/** rustc, clippy and ruff: a head line, then an arrow with the place. */
const arrow: Reader = (lines, at) => {
  const place = ARROW.exec(lines[at + 1] ?? '');
  if (!place) return null;
  const text = lines[at] ?? '';
  const [, file, row, column] = place;
  const where = { file: file ?? null, line: Number(row), column: Number(column) };
  const rust = RUST_HEAD.exec(text);
  if (rust) {
    let rule = rust[2];
    for (let next = at + 2; rule === undefined && next < at + LINT_WITHIN && lines[next] !== ''; next++)
      rule = RUST_LINT.exec(lines[next] ?? '')?.[1];
    return one({ ...where, ...(rule === undefined ? {} : { rule }), message: rust[3] ?? '', severity: severityOf(rust[1]) }, 2);
  }
  const ruff = RUFF_HEAD.exec(text);
  return ruff ? one({ ...where, rule: ruff[1] ?? '', message: ruff[2] ?? '', severity: 'error' }, 2) : null;
};

const unformattedRust: Reader = (lines, at) => {
  const found = /^Diff in ([^:]+?)(?: at line |:)(\d+):$/.exec(lines[at] ?? '');
  return found && one({ file: found[1] ?? null, line: Number(found[2]), rule: 'rustfmt', message: 'is not formatted', severity: 'error' });
};

/** What any tool may print: a path with an ending, a line, a message. */
const anywhere = line(
  /^(?:vet: )?(?<file>[^\s:()[\]'"]+\.\w{1,8}):(?<line>\d+)(?::(?<column>\d+))?:? (?:(?<severity>error|warning)(?::|\b) ?)?(?<message>[^\s:].*)$/,
);

export const lintReaders: readonly Reader[] = [
  eslintJson,
  eslintStylish,
  annotation,
  prettier,
  biome,
  oxlint,
  arrow,
  // tsc, plain and pretty
  line(/^(?<file>[^\s()]+)\((?<line>\d+),(?<column>\d+)\): (?<severity>error|warning) (?<rule>TS\d+): (?<message>.+)$/),
  line(/^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+) - (?<severity>error|warning) (?<rule>TS\d+): (?<message>.+)$/),
  line(/^(?<severity>error) (?<rule>TS\d+): (?<message>.+)$/),
  // ruff, concise
  line(/^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): (?<rule>[A-Z]+\d+|invalid-syntax):? (?:\[\*\] )?(?<message>.+)$/),
  // oxlint and eslint, in the form of compilers
  line(/^(?<file>[^\s:]+):(?<line>\d+):(?<column>\d+): (?<message>[^[]+) \[(?<severity>Error|Warning)(?:\/(?<rule>[^\]]+))?\]$/),
  // cargo fmt
  unformattedRust,
  anywhere,
];
