// Word forms brought together: for recall generously (`validation`, `validates` and `validator` meet), for comparing statements only
// by inflection (`limits` and `limited` meet, `limit` and `limitation` do not).

const VOWEL = /[aeiouy]/;
const DOUBLE = /([bdfglmnprtz])\1$/;

/** Endings after which a word is the same word: plural, third person, past, progressive. */
export function inflectionStem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  const base = withoutVerbEnding(withoutPlural(word));
  return base.length > 3 && base.endsWith('e') ? base.slice(0, -1) : base;
}

/** As inflection leaves them, longest first. What is left has to have at least three letters, and a vowel. */
const DERIVED = ['ation', 'ator', 'ment', 'ion', 'abl', 'ibl', 'er', 'or', 'ly', 'at'];

/** Also brings together verbs and the nouns made from them. Wrong now and then (`number` and `numb`), which ranking survives. */
export function stem(word: string): string {
  if (word.length < 4) return word;
  let base = inflectionStem(word);
  const ending = DERIVED.find((each) => base.endsWith(each));
  if (ending !== undefined && isStem(base.slice(0, -ending.length))) base = base.slice(0, -ending.length);
  if (DOUBLE.test(base)) base = base.slice(0, -1);
  if (base.length > 3 && base.endsWith('e')) base = base.slice(0, -1);
  return base.length > 3 && base.endsWith('y') ? `${base.slice(0, -1)}i` : base;
}

const isStem = (base: string): boolean => base.length >= 3 && VOWEL.test(base);

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  return /[^suy]s$/.test(word) || /[aeo]ys$/.test(word) ? word.slice(0, -1) : word;
}

function withoutVerbEnding(word: string): string {
  if (word.endsWith('ied') && word.length > 4) return `${word.slice(0, -3)}y`;
  const ending = word.endsWith('ing') ? 3 : word.endsWith('ed') && !word.endsWith('eed') ? 2 : 0;
  const base = word.slice(0, word.length - ending);
  if (ending === 0 || base.length < 3 || !VOWEL.test(base)) return word;
  return DOUBLE.test(base) ? base.slice(0, -1) : base;
}
