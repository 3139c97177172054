// Grounded answers: the envelope reader against JSON.parse with the same schema, the consistency checker on ten long files, a quote in a file of
// 1 MB; and how many planted contradictions of the sample story are found. node bench/grounding.ts [--json FILE]

import { crossReference } from '../src/packs/prose/find-contradictions.ts';
import { judgeSample, plantedIn, publicTexts, sampleTexts } from '../src/packs/prose/story.fixture.ts';
import { readProse } from '../src/packs/prose/text/prose-text.ts';
import { checkReply } from '../src/claims/index.ts';
import { GROUNDING_ARGS, readToolCall } from '../src/protocol/index.ts';
import { report, sized } from './report/report.ts';

const median = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

async function timeOf(rounds: number, work: () => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    await work();
    times.push(performance.now() - started);
  }
  return median(times);
}

const CALLS = 500;
const raw = Buffer.from(
  JSON.stringify({
    tool: 'consistency_checker',
    args: { file_paths: Array.from({ length: 8 }, (_, at) => `Story/Scenes/SCN-0${at}-the-ferry.md`), focus: 'characters' },
    nonce: 'n1',
  }),
);
const decoder = new TextDecoder('utf-8', { fatal: true });
const rounds = sized(200, 3);
const strict = await timeOf(rounds, () => {
  for (let call = 0; call < CALLS; call++) readToolCall(raw, { nonce: 'n1' });
});
const plain = await timeOf(rounds, () => {
  for (let call = 0; call < CALLS; call++)
    GROUNDING_ARGS.consistency_checker.parse((JSON.parse(decoder.decode(raw)) as { args: unknown }).args);
});

const sentences = sampleTexts().flatMap((text) => text.sentences.map((sentence) => sentence.text));
const longText = (seed: number, words: number): string[] => {
  const lines: string[] = ['# Chapter', ''];
  for (let at = seed, count = 0; count < words; at += 7) {
    const sentence = sentences[at % sentences.length]!;
    lines.push(sentence, '');
    count += sentence.split(' ').length;
  }
  return lines;
};
const files = Array.from({ length: 10 }, (_, at) => longText(at, sized(5_000, 200)));
const checked = await timeOf(sized(5, 1), () => crossReference(files.map((lines, at) => readProse(`${at}.md`, lines))));

const large = longText(1, sized(180_000, 1_000));
const quote = 'The letter under the stone was never opened by anyone.';
large.push(quote);
const size = large.join('\n').length;
const sources = {
  read: async (path: string) => ({ kind: 'file' as const, path, lines: large }),
  ...{ paths: async () => ['book.md'], receipt: async () => null, receipts: async () => [] },
};
const found = await timeOf(sized(10, 1), () => checkReply(`It was not.\nEvidence: "${quote}" (book.md)`, sources));
const missed = await timeOf(sized(5, 1), () =>
  checkReply('It was.\nEvidence: "The letter under the stone was opened by everyone." (book.md)', sources),
);

const lists = [plantedIn('planted.json'), plantedIn('planted-held-out.json')];
const judged = lists.map((list) => judgeSample(lists, list));
const all = judged.reduce((sum, each) => sum + each.found.length, 0);
const recallOf = (at: number) => judged[at]!.found.length / lists[at]!.length;
process.stderr.write(
  `held out, not found: ${judged[1]!.missed.join(', ') || 'none'}; false alarms: ${judged[0]!.others.join('; ') || 'none'}\n`,
);

const printed = publicTexts();
const printedWords = printed.reduce(
  (sum, { sentences: all_ }) => sum + all_.reduce((count, { text }) => count + text.split(' ').length, 0),
  0,
);
// One story at a time, as their author meant them, and all at once.
const alarms = [...printed.map((text) => [text]), printed].map((texts) => crossReference(texts).contradictions.length);
const falseAlarms = Math.max(...alarms);

report('grounding', [
  { what: 'a tool call read strictly', value: strict / plain, unit: '×', against: 'JSON.parse and the same schema' },
  { what: 'a tool call read strictly', value: (strict / CALLS) * 1000, unit: 'µs' },
  { what: 'consistency_checker, 10 files of 5,000 words', value: checked, unit: 'ms' },
  { what: `a quote in a file of ${(size / 1e6).toFixed(1)} MB`, value: found, unit: 'ms' },
  { what: 'a quote that is not in it, with candidates', value: missed, unit: 'ms' },
  { what: 'planted contradictions found, used while building', value: recallOf(0), unit: 'recall' },
  { what: 'planted contradictions found, held out', value: recallOf(1), unit: 'recall' },
  { what: 'findings in the sample story that are planted', value: all / (all + judged[0]!.others.length), unit: 'precision' },
  { what: `false alarms in ${printedWords} words of public-domain prose`, value: falseAlarms, unit: 'findings' },
]);
