// Questions for ranking that nobody tuned on: the first sentence over an exported definition, taken out of the file that it stands in.
// Whoever ranks by words then has to find the file by what else it says.

import { DatabaseSync } from 'node:sqlite';

export interface Question {
  readonly sentence: string;
  readonly path: string;
}

const DOCUMENTED = /\/\*\*\s*\n?\s*\*?\s*([A-Z][^@*{}<>`]{30,200}?)\.\s[^]*?\*\/\s*(?:@[^]*?\)\s*)?export\s/g;

/** The text without its documenting comments, and the sentences that stood in them. */
export function takeQuestions(path: string, text: string): { readonly text: string; readonly questions: readonly Question[] } {
  const questions = [...text.matchAll(DOCUMENTED)]
    .slice(0, 1)
    .map(([, sentence = '']) => ({ sentence: sentence.replace(/\s+\*?\s*/g, ' '), path }));
  return { text: questions.length > 0 ? text.replace(/\/\*\*[^]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ' ')) : text, questions };
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
