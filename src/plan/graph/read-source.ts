// What a plan cites, in every form that agents write it in: lines as the code index answers them, `path:10-20`, `path#Symbol`, a path alone, or a
// name such as `prompt` or `intent:INT-001`.

export type GivenSource =
  | { readonly path: string; readonly start_line: number; readonly end_line: number; readonly sha256?: string }
  | { readonly path: string; readonly symbol: string }
  /** Whatever of it this session was shown. */
  | { readonly path: string }
  | { readonly ref: string };

const HASH = /^[0-9a-f]{64}$/;
/** What names something else than a file: the word before the colon says what. */
const NAMED =
  /^(?:prompt|intent|(?:intent|criterion|constraint|policy|artifact|jira|swagger|operation|lesson|memory|chain|trace):.+|(?:clm|act|rcp|ses)_[0-9A-Z]{26})$/i;
const LINES = /^(?<path>.+?):(?<start>\d{1,8})(?:-(?<end>\d{1,8}))?$/;

export function readSource(each: unknown): { readonly value: GivenSource } | { readonly instead: string } {
  if (typeof each === 'string') return readText(each.trim());
  if (typeof each !== 'object' || each === null || Array.isArray(each)) return { instead: shown(each) };
  const given = each as Readonly<Record<string, unknown>>;
  if (typeof given['ref'] === 'string') return readText(given['ref'].trim());
  const { path, start_line: start, end_line: end = start, sha256 } = given;
  if (typeof path !== 'string' || path === '') return { instead: shown(each) };
  if (start === undefined && typeof given['symbol'] === 'string') return { value: { path, symbol: given['symbol'] } };
  if (start === undefined) return { value: { path } };
  if (!isLine(start) || !isLine(end) || end < start) return { instead: `${path} with lines that are not whole numbers from 1 in order` };
  if (sha256 !== undefined && (typeof sha256 !== 'string' || !HASH.test(sha256)))
    return { instead: `${path} with a sha256 that is not a hash` };
  return { value: { path, start_line: start, end_line: end, ...(sha256 === undefined ? {} : { sha256 }) } };
}

function readText(text: string): { readonly value: GivenSource } | { readonly instead: string } {
  if (text === '' || text.length > 1024) return { instead: shown(text) };
  if (NAMED.test(text)) return { value: { ref: text } };
  const lines = LINES.exec(text)?.groups;
  if (lines) {
    const start = Number(lines['start']);
    const end = Number(lines['end'] ?? lines['start']);
    if (start < 1 || end < start) return { instead: `${text}: lines are counted from 1, and the last is not before the first` };
    return { value: { path: lines['path']!, start_line: start, end_line: end } };
  }
  const hash = text.indexOf('#');
  if (hash > 0 && hash < text.length - 1) return { value: { path: text.slice(0, hash), symbol: text.slice(hash + 1) } };
  return { value: { path: text } };
}

const isLine = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= 10_000_000;

const shown = (value: unknown): string => {
  const written = JSON.stringify(value) ?? 'nothing';
  return written.length > 80 ? `${written.slice(0, 79)}…` : written;
};

/** One key for one source, so that facts about it are found again. */
export const sourceKey = (source: GivenSource): string => {
  if ('ref' in source) return `ref ${source.ref}`;
  if ('symbol' in source) return `symbol ${source.path}#${source.symbol}`;
  return 'start_line' in source
    ? `lines ${source.path}:${source.start_line}-${source.end_line} ${source.sha256 ?? ''}`
    : `file ${source.path}`;
};
