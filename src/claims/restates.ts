// Whether a statement says only what a check tested: the words that it quotes were found, the file that it names is there, the command or
// the test that it names passed; and beside these it has only words that say so. Anything else in it was not tested.

/** What citations and checks have shown to hold now. */
export interface Tested {
  /** Texts that are in the tree, or that were run: lines, commands. */
  readonly texts: readonly string[];
  /** Files that are there. */
  readonly paths: readonly string[];
}

export interface RestatementExample {
  readonly statement: string;
  readonly tested: Partial<Tested>;
  readonly restates: boolean;
}

const QUOTED = /`([^`]+)`|"([^"]+)"|“([^”]+)”|(?<![\p{L}\p{N}])'([^']+)'(?![\p{L}\p{N}])/gu;

/** Words that say that something is there, or passed. None of them adds a meaning of its own. */
const SAYING = new Set(
  `a an and are at be both by called code contain contains declare declares define defines end ends exist exists exit exits export exports file files
  has have hold holds in include includes is it its line lines mention mentions named of on pass passed passes passing read reads run runs say says
  set sets succeed succeeds successfully test tests text that the there this to with word words zero 0`.split(/\s+/),
);

/** A shorter quotation is found anywhere. */
const TELLING_CHARACTERS = 3;

export function restates(statement: string, { texts, paths }: Tested): boolean {
  const known = paths.map(plain);
  let quotes = 0;
  let isTested = true;
  const rest = statement.replaceAll(QUOTED, (_whole, ...groups: (string | undefined)[]) => {
    const quote = (groups.slice(0, 4).find((group) => group !== undefined) ?? '').trim();
    quotes++;
    const isNamed = isPath(quote, known);
    if (!isNamed && (quote.length < TELLING_CHARACTERS || !texts.some((text) => text.includes(quote)))) isTested = false;
    return ' ';
  });
  const words = rest.split(/\s+/).map((word) => word.replace(/^[^\p{L}\p{N}./_-]+|[^\p{L}\p{N}/_-]+$/gu, ''));
  const others = words.filter((word) => word !== '' && !SAYING.has(word.toLowerCase()));
  const named = others.filter((word) => isPath(word, known)).length;
  return isTested && others.length === named && quotes + named > 0;
}

/** With or without a line number behind it. */
const isPath = (word: string, known: readonly string[]): boolean => known.includes(plain(word.replace(/:\d+(?:-\d+)?$/, '')));
const plain = (path: string): string => path.replace(/^\.\//, '');

export const RESTATEMENT_EXAMPLES: readonly RestatementExample[] = [
  { statement: '`src/limit.ts` says `LIMIT = 5`', tested: { texts: ['export const LIMIT = 5;'], paths: ['src/limit.ts'] }, restates: true },
  { statement: 'src/limit.ts:1 contains "LIMIT = 5".', tested: { texts: ['const LIMIT = 5;'], paths: ['src/limit.ts'] }, restates: true },
  { statement: 'src/limit.ts exists', tested: { paths: ['src/limit.ts'] }, restates: true },
  { statement: '`npm run build` exits with code 0', tested: { texts: ['npm run build'] }, restates: true },
  { statement: 'The test “locks after five” passes', tested: { texts: ["npx vitest run -t 'locks after five'"] }, restates: true },
  { statement: 'The moon is made of cheese', tested: { texts: ['# Shop'], paths: ['README.md'] }, restates: false },
  { statement: 'The moon is made of `Shop`', tested: { texts: ['# Shop'], paths: ['README.md'] }, restates: false },
  { statement: 'README.md says that the moon is cheese', tested: { texts: ['# Shop'], paths: ['README.md'] }, restates: false },
  { statement: '`src/limit.ts` does not say `LIMIT = 5`', tested: { texts: ['LIMIT = 5'], paths: ['src/limit.ts'] }, restates: false },
  { statement: '`src/limit.ts` says `LIMIT = 6`', tested: { texts: ['LIMIT = 5'], paths: ['src/limit.ts'] }, restates: false },
  { statement: '`true` proves that the login is safe', tested: { texts: ['true'] }, restates: false },
  { statement: 'there is `x` in it', tested: { texts: ['x'] }, restates: false },
  { statement: 'It is', tested: {}, restates: false },
];
