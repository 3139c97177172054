// A file of Cypher, statement by statement. A semicolon ends one, but not inside of a text, a quoted name or a comment.

export interface CypherStatement {
  readonly text: string;
  readonly line: number;
}

const TOKEN = /'(?:\\.|[^'\\])*'?|"(?:\\.|[^"\\])*"?|`[^`]*`?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|;|[^'"`/;]+|\//gs;
const COMMENT = /^\/[/*]/;

export function cypherStatements(text: string): readonly CypherStatement[] {
  const statements: CypherStatement[] = [];
  let current = '';
  let line = 1;
  let start = 1;
  const end = (): void => {
    if (current.trim() !== '') statements.push({ text: current.trim(), line: start });
    current = '';
  };
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === ';') end();
    else if (COMMENT.test(token)) current += ' ';
    else {
      if (current.trim() === '' && token.trim() !== '') start = line + (/^\s*/.exec(token)![0].match(/\n/g)?.length ?? 0);
      current += token;
    }
    line += token.match(/\n/g)?.length ?? 0;
  }
  end();
  return statements;
}
