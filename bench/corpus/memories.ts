// Memories about an invented code base, and questions about them. Everything follows from a seed.
//
// What the questions do, so that it can be judged whether they are fair. A question is about one memory and was made from it:
//   - the memory's main identifier is in a third of the questions as it is, in a third as its parts, written as separate words, and
//     in a third as its parts without one of them;
//   - its verb is in any form of that verb, by lists written out below (`validate`, `validated`, `validation`…); forms that no stemmer
//     would bring together (`choose`, `choice`) are among them;
//   - its nouns are singular or plural by the toss of a coin, and each is left out one time in four;
//   - words of asking are put around it, and in half of the questions one noun that has nothing to do with it;
//   - numbers are never in it: they are what is asked for.
// It knows nothing of either index: identifiers come in five styles, of which FTS5's own tokenizer takes three apart by itself.

export interface Memo {
  readonly statement: string;
  readonly rationale: string | null;
  readonly path: string | null;
}

export interface Question {
  readonly text: string;
  /** The number of the memory that it is about. */
  readonly about: number;
}

/** Whole numbers below `limit`, the same on every machine (mulberry32). */
export function randomFrom(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

const list = (text: string): readonly string[] => text.trim().split(/\s+/);

const VERBS: readonly (readonly string[])[] = [
  'validate validates validating validated validation',
  'retry retries retrying retried',
  'cache caches caching cached',
  'parse parses parsing parsed parser',
  'encrypt encrypts encrypting encrypted encryption',
  'batch batches batching batched',
  'limit limits limiting limited limitation',
  'schedule schedules scheduling scheduled scheduler',
  'render renders rendering rendered renderer',
  'merge merges merging merged',
  'choose chooses choosing chose choice',
  'delete deletes deleting deleted deletion',
  'create creates creating created creation',
  'send sends sending sent sender',
  'compress compresses compressing compressed compression',
  'log logs logging logged logger',
  'resolve resolves resolving resolved resolution',
  'sort sorts sorting sorted',
  'index indexes indexing indexed',
  'migrate migrates migrating migrated migration',
  'normalize normalizes normalizing normalized normalization',
  'escape escapes escaping escaped',
  'lock locks locking locked',
  'load loads loading loaded loader',
  'store stores storing stored storage',
  'notify notifies notifying notified notification',
  'authorize authorizes authorizing authorized authorization',
  'publish publishes publishing published publisher',
  'subscribe subscribes subscribing subscribed subscription',
  'truncate truncates truncating truncated truncation',
  'replay replays replaying replayed',
  'archive archives archiving archived',
  'import imports importing imported importer',
  'export exports exporting exported exporter',
  'round rounds rounding rounded',
  'poll polls polling polled',
  'hash hashes hashing hashed',
  'sign signs signing signed signature',
  'filter filters filtering filtered',
  'group groups grouping grouped',
].map(list);

const NOUNS = list(`account address agent alert answer asset audit backup badge balance banner bill block board branch budget buffer bucket
  calendar campaign card cart catalog category channel chart chunk client cluster column comment company contact contract cookie country
  coupon course credit currency customer dashboard delivery device digest discount document domain draft driver editor email employee
  endpoint entry error event exchange expense factor feature feed field file folder font form gateway graph grid group header history
  holiday icon image inbox invoice item job journal key label ledger letter license line link locale location login manifest margin
  market member menu message meter migration mirror module month node note notice number offer office option order owner package page
  panel partner password patch payment peer permission phone picture pipeline plan player plugin pointer policy pool portal position post
  preview price printer product profile project promotion proposal quota queue quote range rate record refund region release reminder
  report request reserve result review reward role room route row rule salary sample scanner schema screen script secret section segment
  sensor server service session setting shard share shelf shipment shop signal site slot snapshot source stage stock stream style subject
  summary supplier survey switch table tag target task tax team template tenant theme thread ticket timer title token topic trace track
  transfer trigger unit upload user vendor version video vote voucher wallet warehouse webhook widget window worker workflow zone`);

const AREAS = list(
  'api auth billing catalog checkout cli config core editor feeds gateway inbox jobs ledger mail media notify orders portal queue reports search shop storage sync tenants ui users web worker',
);
const EXTENSIONS = list('ts ts ts py go rs sql');

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
const plural = (noun: string): string =>
  /(?:s|x|ch|sh)$/.test(noun) ? `${noun}es` : /[^aeou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;

type Style = (parts: readonly string[]) => string;
const STYLES: readonly Style[] = [
  ([first = '', ...rest]) => first + rest.map(capital).join(''),
  (parts) => parts.map(capital).join(''),
  (parts) => parts.join('_'),
  (parts) => parts.join('_').toUpperCase(),
  (parts) => parts.join('-'),
];

/** `V`: the verb in the third person, `P`: in its past, `I`: the identifier, `A`, `B`: nouns, `#`: a number. */
const STATEMENTS = [
  'I V every A before the B is written',
  'The A is P by I when the B arrives',
  'I must be called before any B, since the A is P there',
  'Never call I from a B handler: it V the A twice',
  'I V at most # A per B',
  'Each A is P at most # times; I holds the count',
  'The B of an A is P in I and nowhere else',
  'I returns null when the A has no B, and V nothing',
  'I reads its A from the B and V it once a minute',
  'Old B are P after # days by I',
  'We chose I over a separate A for everything that V the B',
  'I is slow with more than # A because the B is P for each',
] as const;

const RATIONALES = [
  'the B was lost in an outage',
  'a customer saw the wrong A',
  'the A would otherwise be P twice',
  'measured with # B, it was the slowest part',
  'agreed with the team that owns the B',
] as const;

const QUESTIONS = [
  'why is the A V by I',
  'what do we know about I and the B',
  'how does I V A',
  'where is A V before the B',
  'is there a rule for I when A V',
  'remind me how many A I V per B',
  'I A B V',
  'who is responsible for V the A of a B, is it I',
  'is it safe to change I while the B is V',
] as const;

interface Made extends Memo {
  readonly parts: readonly string[];
  readonly identifier: string;
  readonly verb: readonly string[];
  readonly nouns: readonly [string, string];
}

export class Corpus {
  readonly memories: readonly Memo[];
  readonly #made: readonly Made[];

  constructor(count: number, seed: number) {
    const below = randomFrom(seed);
    this.#made = Array.from({ length: count }, () => makeMemory(below));
    this.memories = this.#made;
  }

  questions(count: number, seed: number): Question[] {
    const below = randomFrom(seed);
    return Array.from({ length: count }, () => {
      const about = below(this.#made.length);
      return { text: ask(itemAt(this.#made, about), below), about };
    });
  }
}

type Below = ReturnType<typeof randomFrom>;
const pick = <T>(from: readonly T[], below: Below): T => itemAt(from, below(from.length));

function itemAt<T>(from: readonly T[], at: number): T {
  const item = from[at];
  if (item === undefined) throw new RangeError(`nothing at ${at}`);
  return item;
}

function makeMemory(below: Below): Made {
  const verb = pick(VERBS, below);
  const parts = [pick(VERBS, below)[0] ?? '', pick(NOUNS, below), ...(below(2) === 0 ? [pick(NOUNS, below)] : [])];
  const nouns = [pick(NOUNS, below), pick(NOUNS, below)] as const;
  const identifier = pick(STYLES, below)(parts);
  const words = { V: verb[1], P: verb[3], I: identifier, A: nouns[0], B: nouns[1] };
  const path = below(2) === 0 ? `src/${pick(AREAS, below)}/${(below(2) === 0 ? parts : nouns).join('-')}.${pick(EXTENSIONS, below)}` : null;
  return {
    statement: fill(pick(STATEMENTS, below), words, below),
    rationale: below(5) < 2 ? fill(pick(RATIONALES, below), words, below) : null,
    path,
    parts,
    identifier,
    verb,
    nouns,
  };
}

function ask(made: Made, below: Below): string {
  const noun = (word: string): string => (below(4) === 0 ? '' : below(2) === 0 ? word : plural(word));
  const words = { V: pick(made.verb, below), P: '', I: identifierIn(made, below), A: noun(made.nouns[0]), B: noun(made.nouns[1]) };
  const text = fill(pick(QUESTIONS, below), words, below);
  return (below(2) === 0 ? text : `${text} ${pick(NOUNS, below)}`).replace(/ {2,}/g, ' ').trim();
}

function identifierIn(made: Made, below: Below): string {
  const how = below(3);
  if (how === 0) return made.identifier;
  const left = how === 1 ? -1 : below(made.parts.length);
  return made.parts.filter((_, at) => at !== left).join(' ');
}

const fill = (template: string, words: Readonly<Record<string, string | undefined>>, below: Below): string =>
  template.replace(/\b[VPIAB]\b/g, (slot) => words[slot] ?? '').replace('#', () => String(2 + below(500)));
