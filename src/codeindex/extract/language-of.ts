// Which language a file is in, and which files are left out, with the reason in words.

import { extname } from 'node:path';
import type { Language } from '../model.ts';
import type { GrammarName } from './grammar-queries.ts';

const BY_ENDING: Readonly<Record<string, Language>> = {
  '.ts': 'typescript',
  '.tsx': 'typescript',
  '.mts': 'typescript',
  '.cts': 'typescript',
  '.js': 'javascript',
  '.jsx': 'javascript',
  '.mjs': 'javascript',
  '.cjs': 'javascript',
  '.py': 'python',
  '.pyi': 'python',
  '.go': 'go',
  '.rs': 'rust',
  '.java': 'java',
  '.cs': 'csharp',
  '.c': 'cpp',
  '.h': 'cpp',
  '.cc': 'cpp',
  '.cpp': 'cpp',
  '.cxx': 'cpp',
  '.hh': 'cpp',
  '.hpp': 'cpp',
  '.hxx': 'cpp',
  '.rb': 'ruby',
  '.rake': 'ruby',
  '.php': 'php',
  '.html': 'html',
  '.htm': 'html',
  '.json': 'json',
  '.jsonc': 'json',
  '.webmanifest': 'json',
  '.yaml': 'yaml',
  '.yml': 'yaml',
  '.md': 'markdown',
  '.markdown': 'markdown',
};

const BY_NAME: Readonly<Record<string, Language>> = {
  Rakefile: 'ruby',
  Gemfile: 'ruby',
  '.babelrc': 'json',
  '.eslintrc': 'json',
  '.prettierrc': 'json',
};

export const languageOf = (path: string): Language =>
  BY_ENDING[extname(path).toLowerCase()] ?? BY_NAME[path.slice(path.lastIndexOf('/') + 1)] ?? 'text';

/** Globs of the files of a language. */
export const globsOfLanguage = (language: string): readonly string[] =>
  [
    ...Object.entries(BY_ENDING).map(([ending, is]) => [`**/*${ending}`, is]),
    ...Object.entries(BY_NAME).map(([name, is]) => [`**/${name}`, is]),
  ].flatMap(([glob, is]) => (is === language ? [glob!] : []));

const GRAMMAR_LANGUAGES = new Set<string>(['python', 'go', 'rust', 'java', 'csharp', 'cpp', 'ruby', 'php'] satisfies GrammarName[]);
export const isGrammar = (language: Language): language is GrammarName => GRAMMAR_LANGUAGES.has(language);

export const FILE_MAX_BYTES = 4 * 1024 * 1024;
const MINIFIED = { bytes: 16 * 1024, meanLine: 400, longestLine: 20_000 } as const;
/** Endings that hold no text; the rest is found out by looking. */
const NO_TEXT =
  /\.(?:png|jpe?g|gif|webp|avif|ico|bmp|tiff?|psd|pdf|zip|gz|tgz|bz2|xz|7z|rar|jar|war|class|o|a|so|dylib|dll|exe|wasm|node|pyc|woff2?|ttf|otf|eot|mp[34]|m4a|mov|avi|webm|ogg|wav|flac|sqlite3?|db|bin|dat|parquet|pack|idx|mo|snap\.bin)$/i;

/** By its name and size alone; null: it has to be read. */
export function skippedUnread(path: string, bytes: number): string | null {
  if (NO_TEXT.test(path)) return 'is binary by its name';
  if (bytes > FILE_MAX_BYTES) return `is larger than ${FILE_MAX_BYTES} bytes`;
  return null;
}

/** The text, or why it is not worth reading. */
export function textOrSkip(path: string, bytes: Buffer): { readonly text: string } | { readonly why: string } {
  if (bytes.includes(0)) return { why: 'is binary: it has a zero byte' };
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { why: 'is not text in UTF-8' };
  }
  const why = minified(path, text);
  return why === null ? { text } : { why };
}

/** Prose may have long lines, and data files too; both are still read by people. */
function minified(path: string, text: string): string | null {
  const language = languageOf(path);
  if (language === 'markdown' || language === 'text' || text.length < MINIFIED.bytes)
    return /\.min\.(?:js|css)$/.test(path) ? 'is minified by its name' : null;
  let lines = 1;
  let longest = 0;
  let start = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines++;
    if (at - start > longest) longest = at - start;
    start = at + 1;
  }
  longest = Math.max(longest, text.length - start);
  if (text.length / lines > MINIFIED.meanLine)
    return `is minified: its lines have ${Math.round(text.length / lines)} characters on average`;
  if (longest > MINIFIED.longestLine && language !== 'json') return `is minified: a line has ${longest} characters`;
  return null;
}
