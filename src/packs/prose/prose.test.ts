// What the analysis finds in the sample story, and in small texts that could mislead it.

import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { analyzeProse } from './analyze-prose.ts';
import { routeTask } from './cast.ts';
import { crossReference } from './find-contradictions.ts';
import { matchScene, outlineProblems, readOutline } from './story/outline.ts';
import { splitManuscript } from './story/split-manuscript.ts';
import { judgeSample, plantedIn, publicTexts, sampleTexts } from './story.fixture.ts';
import { readProse } from './text/prose-text.ts';

const proseOf = (path: string, ...paragraphs: string[]) => readProse(path, paragraphs.join('\n\n').split('\n'));
const messagesOf = (...texts: string[]) =>
  crossReference(texts.map((text, at) => proseOf(`${at}.md`, text))).contradictions.map(({ message }) => message);

describe('contradictions', () => {
  verifies('C3', 'of the sample story are found with both quotes and lines', () => {
    const planted = plantedIn('planted.json');
    const { missed, others } = judgeSample([planted, plantedIn('planted-held-out.json')], planted);
    expect({ missed, others }).toEqual({ missed: [], others: [] });
    const [eyes] = crossReference(sampleTexts(), 'characters').contradictions.filter(
      ({ kind, entity }) => kind === 'eye_colour' && entity === 'Mara Voss',
    );
    expect(eyes).toEqual({
      kind: 'eye_colour',
      entity: 'Mara Voss',
      message: 'Mara Voss has green eyes in one place and brown eyes in another',
      certainty: 'contradiction',
      places: [
        {
          ...{ path: 'Story/Scenes/SCN-01-the-ferry.md', line: 13, value: 'green' },
          quote: 'Her green eyes watered in the wind, and she turned her face to the warehouses so that he would not take it for grief.',
        },
        {
          ...{ path: 'Story/Scenes/SCN-07-the-lamp-room.md', line: 13, value: 'brown' },
          quote:
            'Mara knelt over them, and when she looked up the light turned through the glass and her brown eyes were wet, though her voice was quite steady.',
        },
      ],
    });
  });

  verifies('C3', 'are not seen in printed stories that have none, and are where one is added', () => {
    const printed = publicTexts();
    expect([...printed.map((text) => [text]), printed].map((texts) => crossReference(texts).contradictions)).toEqual([[], [], [], []]);
    const added = ['Jabez Wilson’s hair was red.', 'Jabez Wilson sat down. His black hair was wet.'].map((text, at) =>
      proseOf(`${at}.txt`, text),
    );
    expect(crossReference([added[0]!, ...printed, added[1]!]).contradictions.map(({ message }) => message)).toEqual([
      'Jabez Wilson has red hair in one place and black hair in another',
    ]);
  });

  verifies('C3', 'are seen in the usual forms of English', () => {
    const pairs = [
      ['Anna Bell has blue eyes.', 'Anna Bell had brown eyes.'],
      ['Anna Bell was a tall woman with red hair.', 'She looked at Anna. Anna’s hair was black.'],
      ['Anna Bell smiled. Anna Bell, blue-eyed and tall, came in.', 'Anna Bell, a stranger with brown eyes, sat down.'],
      ['Anna Bell is thirty.', 'Anna Bell had just turned forty.'],
    ] as const;
    expect(pairs.map((pair) => messagesOf(...pair).length)).toEqual([1, 1, 1, 1]);
  });

  verifies('C3', 'can be asked for by focus', () => {
    const kinds = (focus: 'characters' | 'terminology' | 'events') =>
      new Set(crossReference(sampleTexts(), focus).contradictions.map(({ kind }) => kind));
    expect(kinds('terminology')).toEqual(new Set(['term']));
    expect(kinds('events').has('eye_colour')).toBe(false);
    expect(kinds('characters').has('term')).toBe(false);
  });

  verifies('C3', 'are not seen where both can be true', () => {
    const both: readonly (readonly string[])[] = [
      ['Anna Bell smiled. Her eyes were grey.', 'Anna Bell turned. Her grey-blue eyes were calm.'],
      ['Anna Bell had hazel eyes. Anna’s hazel eyes shone.', 'Anna’s brown eyes closed.'],
      ['Anna’s hair was white.', 'Anna’s silver hair shone.'],
      ['Anna’s hair was black.', 'Anna dyed her hair red. Anna’s hair was not brown.'],
      ['Anna was thirty.', 'Anna was thirty-one.'],
      ['Anna’s eyes were blue.', 'Bert’s eyes were brown. Anna looked at Bert.'],
      ['The fire of 12 October 1962 was small.', 'The fire of 3 May 1971 was large.'],
      ['On Tuesday Anna was at the mill.', 'On Wednesday Anna was at the chapel.'],
      ['On Tuesday morning Anna was at the mill.', 'On Tuesday evening Anna was at the chapel.'],
      ['Friday, 13 March 1987 was cold.', 'The North Gate and the South Gate are shut. The North Gate opened. The North Gate closed.'],
      ['Anna was two minutes late. Anna was fifty miles away.', 'Anna was ten pounds lighter.'],
    ];
    expect(both.filter((texts) => messagesOf(...texts).length > 0)).toEqual([]);
  });

  verifies('C3', 'are seen in the same words where both cannot be true', () => {
    const wrong: readonly (readonly string[])[] = [
      ['Anna Bell smiled. Her eyes were grey.', 'Anna Bell turned. Her brown eyes were calm.'],
      ['Anna’s hair was white.', 'Anna’s black hair shone.'],
      ['Anna was thirty.', 'Anna was thirty-four.'],
      ['Anna’s eyes were blue.', 'Anna’s eyes were brown. Bert looked at Anna.'],
      ['The fire of 12 October 1962 was small.', 'The fire of 3 May 1962 was large.'],
      ['On Tuesday Anna was at the mill.', 'On Tuesday Anna was at the chapel.'],
      ['On Tuesday evening Anna was at the mill.', 'Anna spent Tuesday evening at the chapel.'],
      ['Friday, 14 March 1987 was cold.'],
    ];
    expect(wrong.filter((texts) => messagesOf(...texts).length !== 1)).toEqual([]);
  });

  test('a text in another language is read without errors', () => {
    const { entities, contradictions } = crossReference([
      proseOf('de.md', 'Dann sagte Anna: „Ich gehe nach Köln.“ Ihre Augen waren grün.'),
      proseOf('ja.md', '彼女は東京へ行った。「さようなら」と言った。'),
    ]);
    expect(contradictions).toEqual([]);
    expect(entities.map(({ name }) => name)).toContain('Anna');
  });
});

describe('figures about prose', () => {
  const scene = readProse('a.md', [
    '# One',
    '',
    'POV: Anna',
    '',
    '“Go,” said Anna. She ran quickly. She ran slowly. She ran badly.',
    '',
    'The lantern fell. Someone lifted the lantern and carried the lantern home, past the mill and the chapel and the long wall of the yard.',
  ]);

  verifies('C3', 'are counted, with the lines that show them', () => {
    const figures = analyzeProse(scene);
    expect(figures).toMatchObject({ path: 'a.md', sentences: 6, paragraphs: 2, words: 37 });
    expect(figures.pacing).toMatchObject({
      sentence_words: { median: 3, shortest: { words: 3, line: 5 }, longest: { words: 22, line: 7 } },
      dialogue_ratio: 0.03,
    });
    expect(figures.rhythm).toMatchObject({ same_openings: [{ word: 'She', times: 3, line: 5 }] });
    expect(figures.voice).toMatchObject({
      point_of_view: { person: 'third', pronouns: { first: 0, second: 0, third: 3 } },
      adverbs: { count: 3, examples: [{ word: 'quickly', line: 5 }, { word: 'slowly' }, { word: 'badly' }] },
      repeated: [{ word: 'lantern', count: 3, lines: [7] }],
      echoes: [{ word: 'lantern', line: 7, again_line: 7 }],
    });
  });

  verifies('C3', 'are only those of the focus', () => {
    expect(Object.keys(analyzeProse(scene, 'rhythm'))).toEqual(['path', 'words', 'sentences', 'paragraphs', 'rhythm']);
  });

  test('an empty text has figures of zero', () => {
    expect(analyzeProse(readProse('a.md', [])).pacing?.sentence_words).toEqual({
      mean: 0,
      median: 0,
      deviation: 0,
      shortest: null,
      longest: null,
    });
  });

  test('other languages have sentences and words', () => {
    expect(analyzeProse(readProse('ja.md', ['彼女は東京へ行った。雨が降っていた。']), 'pacing', 'ja')).toMatchObject({ sentences: 2 });
  });
});

describe('an outline', () => {
  const LINES = [
    '# Outline',
    '',
    '## Act one',
    '',
    '### Scene 1: The Ferry',
    'POV: Mara Voss',
    '- Mara arrives.',
    '',
    '### Scene 3: The Fog',
    'POV: Ilse Brandt',
    '',
    '### Scene 3: The Ferry',
    '- Again.',
  ];
  const outline = readOutline('o.md', LINES);

  verifies('C3', 'has entries with numbers, POV and beats, and its mistakes are named by line', () => {
    expect(outline.entries.map(({ number, title, pov, beats, line, part }) => [number, title, pov, beats.length, line, part])).toEqual([
      [1, 'The Ferry', 'Mara Voss', 1, 5, 'Act one'],
      [3, 'The Fog', 'Ilse Brandt', 0, 9, 'Act one'],
      [3, 'The Ferry', null, 1, 12, 'Act one'],
    ]);
    expect(outlineProblems(outline, LINES).map(({ problem, line }) => [problem, line])).toEqual([
      ['no_beats', 9],
      ['number_missing', 9],
      ['no_pov', 12],
      ['title_twice', 12],
      ['number_twice', 12],
    ]);
  });

  verifies('C3', 'is matched to a scene by title, then by POV, then by number', () => {
    const match = (path: string, pov: string | null = null, title: string | null = null) => {
      const found = matchScene(outline, { path, pov, title });
      return found && [found.by, found.entry.line];
    };
    expect(match('Story/Scenes/SCN-09-the-fog.md')).toEqual(['title_slug', 9]);
    expect(match('x.md', null, 'The Fog')).toEqual(['title_slug', 9]);
    expect(match('x.md', 'Ilse Brandt')).toEqual(['pov_name', 9]);
    expect(match('SCN-01-elsewhere.md')).toEqual(['scene_number', 5]);
    // Two entries have the number, and two the title.
    expect([match('SCN-03.md'), match('the-ferry.md'), match('nothing.md')]).toEqual([null, null, null]);
  });

  test('of plain lists has its items as entries', () => {
    expect(
      readOutline('o.md', ['# Outline', '- Scene 1: Arrival', '  - the ferry', '- 2. Letter']).entries.map(({ number, title, beats }) => [
        number,
        title,
        beats,
      ]),
    ).toEqual([
      [1, 'Arrival', ['the ferry']],
      [2, 'Letter', []],
    ]);
  });
});

describe('a manuscript', () => {
  test('is taken apart at headings, chapter lines and scene breaks, with a map to its lines', () => {
    const lines = [
      '# The Book',
      '',
      '## Chapter One',
      '',
      'First.',
      '',
      '***',
      '',
      'Second,',
      'still.',
      '',
      'CHAPTER II. The Sea',
      '',
      'Third.',
    ];
    expect(splitManuscript(lines)).toEqual([
      {
        path: 'Story/Scenes/SCN-01-chapter-one.md',
        title: 'Chapter One',
        lines: ['# Chapter One', '', 'First.'],
        source_line: 5,
        first_line: 3,
      },
      {
        path: 'Story/Scenes/SCN-02-chapter-one-2.md',
        title: 'Chapter One (2)',
        lines: ['# Chapter One (2)', '', 'Second,', 'still.'],
        source_line: 9,
        first_line: 3,
      },
      {
        path: 'Story/Scenes/SCN-03-chapter-ii-the-sea.md',
        title: 'CHAPTER II. The Sea',
        lines: ['# CHAPTER II. The Sea', '', 'Third.'],
        source_line: 14,
        first_line: 3,
      },
    ]);
    expect(splitManuscript([])).toEqual([]);
  });
});

test('a request is routed to the agents whose topics it has, and says what the answer must show', () => {
  expect(routeTask('Is there any mention of a dog? Are Mara’s eyes consistent?')).toMatchObject({
    evidence: 'absence',
    tools: ['file_locator', 'consistency_checker'],
  });
  expect(routeTask('Is the rhythm of the prose too even?').agents.map(({ agent }) => agent)).toEqual(['line-editor', 'chief']);
});
