// A text as prose: its paragraphs, sentences and words, each with its lines. Languages other than English are segmented by their own rules
// (`Intl.Segmenter`); what is known of English words is used for English only.

export interface Sentence {
  readonly text: string;
  /** Where it begins and ends, from 1. */
  readonly start_line: number;
  readonly end_line: number;
  /** Of its paragraph, from 0. */
  readonly paragraph: number;
  /** Parts of it that somebody says, as places in `text`. */
  readonly speech: readonly { readonly from: number; readonly to: number }[];
}

export interface ProseText {
  readonly path: string;
  /** From the first `# ` heading; null: none. */
  readonly title: string | null;
  /** `Key: value` lines and front matter above the prose, keys in lower case. */
  readonly metadata: ReadonlyMap<string, { readonly value: string; readonly line: number }>;
  readonly paragraphs: readonly { readonly text: string; readonly start_line: number; readonly end_line: number }[];
  readonly sentences: readonly Sentence[];
}

/** Known keys only: `Then Anna said: “Go.”` is prose. */
const KEYS =
  'pov|point of view|date|time|place|location|setting|age|born|born in|birthplace|place of birth|died|death|eyes|eye colou?r|hair|hair colou?r|role|name|title|status|tags|summary|voice|wants|secret|family|occupation|species|notes';
const METADATA = new RegExp(`^(?:[-*+]\\s+)?(?:\\*\\*)?(${KEYS})(?:\\*\\*)?\\s*:(?:\\*\\*)?\\s+(\\S.*?)\\s*$`, 'i');
const HEADING = /^#{1,6}\s+(.*?)\s*#*\s*$/;

export function readProse(path: string, lines: readonly string[], language = 'en'): ProseText {
  const metadata = new Map<string, { value: string; line: number }>();
  const paragraphs: { text: string; start_line: number; end_line: number; starts: number[] }[] = [];
  let title: string | null = null;
  let open: { text: string; start_line: number; end_line: number; starts: number[] } | null = null;
  let inHead = true;
  for (const [at, line] of lines.entries()) {
    const trimmed = line.trim();
    const heading = HEADING.exec(trimmed);
    const entry = inHead ? METADATA.exec(trimmed) : null;
    if (heading) title ??= heading[1]!;
    if (entry) metadata.set(entry[1]!.toLowerCase(), { value: entry[2]!, line: at + 1 });
    if (trimmed === '' || heading || entry || /^(?:---+|\*\s*\*\s*\*|#)$/.test(trimmed)) {
      open = null;
      continue;
    }
    inHead = false;
    if (open === null) {
      open = { text: '', start_line: at + 1, end_line: at + 1, starts: [] };
      paragraphs.push(open);
    }
    open.starts.push(open.text === '' ? 0 : open.text.length + 1);
    open.text += `${open.text === '' ? '' : ' '}${trimmed}`;
    open.end_line = at + 1;
  }
  const sentences = paragraphs.flatMap(({ text, start_line, starts }, paragraph) => {
    const lineAt = (place: number) =>
      start_line +
      Math.max(
        0,
        starts.findLastIndex((start) => start <= place),
      );
    const spoken = speechIn(text);
    return sentencesIn(text, language).map(({ from, to }) => ({
      text: text.slice(from, to),
      start_line: lineAt(from),
      end_line: lineAt(to - 1),
      paragraph,
      speech: spoken
        .filter((span) => span.from < to && span.to > from)
        .map((span) => ({ from: Math.max(0, span.from - from), to: Math.min(to, span.to) - from })),
    }));
  });
  return {
    path,
    title,
    metadata,
    paragraphs: paragraphs.map(({ text, start_line, end_line }) => ({ text, start_line, end_line })),
    sentences,
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** After these a full stop does not end a sentence; the segmenter does not know them. */
const ABBREVIATION = /(?:^|\s|[(“"])(?:Mr|Mrs|Ms|Dr|St|Prof|Capt|Lt|Col|Gen|Sgt|Rev|Hon|Jr|Sr|vs|etc|No|[A-Z])\.\s*$/;

function sentencesIn(text: string, language: string): readonly Span[] {
  const spans: { from: number; to: number }[] = [];
  for (const { segment, index } of segmenter(language, 'sentence').segment(text)) {
    const end = index + segment.trimEnd().length;
    const last = spans.at(-1);
    // `“Go!” she said.` is one sentence.
    const continues = last !== undefined && (ABBREVIATION.test(text.slice(last.from, index)) || /^\p{Ll}/u.test(segment));
    if (continues) last.to = end;
    else if (end > index) spans.push({ from: index, to: end });
  }
  return spans;
}

const OPENERS: Readonly<Record<string, string>> = { '“': '”', '"': '"', '«': '»', '„': '“”', '「': '」' };

/** What is between quotation marks. One that does not end goes to the end of the paragraph, as speech over several paragraphs does. */
export function speechIn(text: string): readonly Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < text.length; at++) {
    const closers = OPENERS[text.charAt(at)];
    if (closers === undefined) continue;
    let end = at + 1;
    while (end < text.length && !closers.includes(text.charAt(end))) end++;
    spans.push({ from: at, to: Math.min(text.length, end + 1) });
    at = end;
  }
  return spans;
}

export const isSpoken = ({ speech }: Sentence, at: number): boolean => speech.some(({ from, to }) => at >= from && at < to);

export const wordsIn = (text: string, language = 'en'): readonly string[] =>
  Array.from(segmenter(language, 'word').segment(text), ({ segment, isWordLike }) => (isWordLike ? segment : '')).filter(
    (word) => word !== '',
  );

const segmenters = new Map<string, Intl.Segmenter>();

function segmenter(language: string, granularity: 'sentence' | 'word'): Intl.Segmenter {
  const key = `${language} ${granularity}`;
  const known = segmenters.get(key) ?? new Intl.Segmenter(language, { granularity });
  segmenters.set(key, known);
  return known;
}
