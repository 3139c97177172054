import { createHmac, randomUUID } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlantedSecret, plantedSecrets } from '../../../test/lab/planted-secrets.ts';
import { ROOT } from '../../../test/source-files.ts';
import { STEP } from '../../../test/step.ts';
import { isRedacted, newId } from '../../protocol/index.ts';
import { Redactor } from './redactor.ts';

const redactor = () => new Redactor((text) => createHmac('sha256', 'a key of the test').update(text).digest('hex'));
const MARK = /\[redacted:([a-z-]+)#[0-9a-f]{16}\]/;

describe('what is taken out', () => {
  test.each(plantedSecrets(128, 7))('$kind', ({ kind, secret, text }) => {
    const redact = redactor();
    for (const around of ['', 'x = ', 'cat "', '\\n', '/srv/', '\u2028']) {
      const shown = redact.text(`${around}${text}`);
      expect(shown).not.toContain(secret);
      if (kind !== 'named') expect(MARK.exec(shown)?.[1]).toBe(kind);
    }
    // As it appears in JSON inside a text.
    expect(redact.text(JSON.stringify({ output: `a\n${text}\n` }))).not.toContain(JSON.stringify(secret).slice(1, -1));
  });

  test('what the daemon holds, wherever it is', () => {
    const redact = redactor();
    redact.hold('daemon-token', 'plain words of ours');
    redact.hold('daemon-token', 'short');
    expect(redact.text('it says plain words of ours, twice: plain words of ours. short')).toMatch(
      /^it says \[redacted:daemon-token#(\w+)\], twice: \[redacted:daemon-token#\1\]\. short$/,
    );
  });

  test('what was clean is no longer once the daemon holds it', () => {
    const redact = redactor();
    const text = 'it says plain words of ours';
    expect([redact.text(text), redact.value({ text }), redact.value([text])]).toEqual([text, { text }, [text]]);
    redact.hold('daemon-token', 'plain words of ours');
    expect([redact.text(text), redact.value({ text }).text, ...redact.value([text])].map(isRedacted)).toEqual([true, true, true]);
  });

  test('fields before, between and behind what is taken out stay as they are and where they are', () => {
    const redact = redactor();
    redact.hold('daemon-token', 'plain words of ours');
    const shown = redact.value({ a: 1, b: { c: 'x' }, d: 'plain words of ours', e: [2], 'plain words of ours': null, f: undefined });
    const mark = redact.text('plain words of ours');
    expect(Object.entries(shown)).toEqual([
      ['a', 1],
      ['b', { c: 'x' }],
      ['d', mark],
      ['e', [2]],
      [mark, null],
      ['f', undefined],
    ]);
  });

  test('the pointers say where, and nothing else is changed', () => {
    const { secret } = plantedSecrets(1, 3)[0]!;
    const pointers: string[] = [];
    const value = { 'a/b': [1, null, { text: `key ${secret}` }], [secret]: true, plain: { deep: ['x'] } };
    const shown = redactor().value(value, pointers);
    const mark = MARK.exec(JSON.stringify(shown))![0];
    expect(shown).toEqual({ 'a/b': [1, null, { text: `key ${mark}` }], [mark]: true, plain: { deep: ['x'] } });
    expect(pointers).toEqual(['/a~1b/2/text', `/${mark}`]);
    expect(shown.plain).toBe(value.plain);
  });
});

test('equal secrets have equal marks and others have others; they cannot be made without the key', () => {
  const [one, two] = plantedSecrets(120, 1).filter(({ kind }) => kind === 'aws-key') as [PlantedSecret, PlantedSecret];
  const redact = redactor();
  expect(redact.text(`a ${one.text}`).slice(2)).toBe(redact.text(one.text));
  expect(redact.text(one.text)).not.toBe(redact.text(two.text));
  const other = new Redactor((text) => createHmac('sha256', 'another key').update(text).digest('hex'));
  expect(other.text(one.text)).not.toBe(redact.text(one.text));
});

test('redacting what was redacted changes nothing', () => {
  const redact = redactor();
  for (const { text } of plantedSecrets(200, 5)) {
    const once = redact.text(text);
    expect(isRedacted(once)).toBe(true);
    expect(redact.text(once)).toBe(once);
  }
});

describe('what stays', () => {
  test('digests, UUIDs and ids of ours, also where a token could stand', () => {
    const redact = redactor();
    const plain = [
      '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      'commit 1f7a7a472abf3dd9643fd615f6da379c4acb3e3a',
      randomUUID(),
      `token: ${randomUUID()}`,
      `token=${newId('ses')}`,
      newId('act'),
      'toolu_01A09q90qw90lq917835lq9',
      'sha512-Z9IbkEo2EuRZV4iDkQRzFpWuLqoxkNmJ6LPeKcXrsMm2wvCfVMbQJxqyLnrsMmVtYTGoRy8kJNw5vuO8jkQrWg==',
      'const token = process.env.TOKEN1;',
      'password: z.string().min(8).max(64)',
      'const token = randomBytes(32).toString("base64url");',
      'token: nextToken2(sha256Of(input))',
      'Authorization: Bearer ${token}',
      'https://user:password@example.org and https://ada:$PASSWORD@example.org',
      'git@github.com:org/repo.git and ssh://git@example.org:2222/repo1',
      'the secret: a walk in the park',
      'eyJust a word.',
    ];
    expect(plain.map((text) => redact.text(text))).toEqual(plain);
  });

  test.skipIf(STEP > 1)('every file of this repository', () => {
    const redact = redactor();
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0').filter(Boolean);
    const changed = files.filter((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      return redact.text(text) !== text;
    });
    expect(files.length).toBeGreaterThan(700);
    expect(changed).toEqual([]);
  });
});

test('any text goes through, and twice comes to the same as once', () => {
  const redact = redactor();
  const piece = fc.constantFrom(
    'password',
    'token',
    '=',
    ':',
    ' ',
    '"',
    '\\',
    '//',
    '@',
    '-----BEGIN ',
    'PRIVATE KEY',
    '-----',
    'a1b2c3d4e5',
    'eyJ',
    '.',
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 12 })), { maxLength: 40 }), (pieces) => {
      const once = redact.text(pieces.join(''));
      expect(redact.text(once)).toBe(once);
    }),
    { numRuns: 500 },
  );
});

test.skipIf(STEP > 1)('no text makes it slow', () => {
  const redact = redactor();
  const begin = (type: string) => `-----${'BEGIN'} ${type}PRIVATE KEY-----`;
  const pieces = [
    `${begin('')}A `,
    `${begin('RSA ')}\n`,
    'eyJaaaaaaaaaa1.',
    'eyJ',
    '.eyJ_',
    'token="a1',
    'a1-.',
    '//a:',
    '://a:b',
    'sk-',
    'password=',
    '\\',
  ];
  // A search that is not linear takes minutes here.
  for (const piece of pieces) expect(redact.text(piece.repeat(500_000 / piece.length)).length).toBeGreaterThan(0);
});
