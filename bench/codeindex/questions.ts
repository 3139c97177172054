// Questions for ranking that were not used for tuning: the first sentence over an exported definition, removed from its file. The ranking
// has to find the file by its other words.

import { DatabaseSync } from 'node:sqlite';

export interface Question {
  readonly sentence: string;
  readonly path: string;
}

interface Documenting {
  readonly files: RegExp;
  /** Its first group is the sentence. */
  readonly sentence: RegExp;
  readonly comments: RegExp;
}

/** Of Go, the name that every such sentence begins with is left out. */
const DOCUMENTING: readonly Documenting[] = [
  {
    files: /\.tsx?$/,
    sentence: /\/\*\*\s*\n?\s*\*?\s*([A-Z][^@*{}<>`]{30,200}?)\.\s[^]*?\*\/\s*(?:@[^]*?\)\s*)?export\s/,
    comments: /\/\*\*[^]*?\*\//g,
  },
  {
    files: /\.go$/,
    sentence: /\n\/\/ [A-Z]\w* ([a-z][^@*{}<>`.]{30,200}?)\.(?:\n| [^\n]*\n)(?:\/\/[^\n]*\n)*(?:func|type) /,
    comments: /^[ \t]*\/\/[^\n]*/gm,
  },
  {
    files: /\.py$/,
    sentence: /\n *(?:def|class) [^\n]*:\n\s*"""\s*([A-Z][^@*{}<>`.]{30,200}?)\./,
    comments: /"""[^]*?"""/g,
  },
];

export const isDocumented = (path: string): boolean => DOCUMENTING.some(({ files }) => files.test(path));

/** The text without its doc comments, and the sentence from one of them. */
export function takeQuestions(path: string, text: string): { readonly text: string; readonly questions: readonly Question[] } {
  const how = DOCUMENTING.find(({ files }) => files.test(path));
  const found = how?.sentence.exec(text)?.[1];
  if (!how || found === undefined) return { text, questions: [] };
  return {
    text: text.replace(how.comments, (comment) => comment.replace(/[^\n]/g, ' ')),
    questions: [{ sentence: found.replace(/\s+(?:\*|\/\/)?\s*/g, ' '), path }],
  };
}

export const reciprocal = (ranked: readonly string[], wanted: string): number => {
  const at = ranked.indexOf(wanted);
  return at < 0 ? 0 : 1 / (at + 1);
};

/** SQLite's own ranking over the same files. */
export function fullText(files: ReadonlyMap<string, string>): (question: string, limit: number) => string[] {
  const db = new DatabaseSync(':memory:');
  db.exec("create virtual table files using fts5(path, body, tokenize = 'porter unicode61')");
  const insert = db.prepare('insert into files values (?, ?)');
  for (const [path, body] of files) insert.run(path, body);
  const find = db.prepare('select path from files where files match ? order by rank limit ?');
  return (question, limit) => {
    const words = [...new Set(question.toLowerCase().match(/[a-z0-9]{2,}/g) ?? [])].map((word) => `"${word}"`).join(' OR ');
    return words === '' ? [] : find.all(words, limit).map((row) => String(row['path']));
  };
}
