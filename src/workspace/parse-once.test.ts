import { expect, test } from 'vitest';
import { parseOnce } from './parse-once.ts';

function counted() {
  const parsed: string[] = [];
  const parse = parseOnce((text) => {
    parsed.push(text);
    if (text === 'bad') throw new Error('cannot be read');
    return { words: text.split(' ') };
  });
  return { parse, parsed };
}

test('the same text is parsed once, and another one is parsed too', () => {
  const { parse, parsed } = counted();
  expect([parse('a b'), parse('a b'), parse('a c'), parse('a b')]).toEqual([
    { words: ['a', 'b'] },
    { words: ['a', 'b'] },
    { words: ['a', 'c'] },
    { words: ['a', 'b'] },
  ]);
  expect(parsed).toEqual(['a b', 'a c']);
});

test('a text that cannot be parsed fails each time', () => {
  const { parse, parsed } = counted();
  expect(() => parse('bad')).toThrow('cannot be read');
  expect(() => parse('bad')).toThrow('cannot be read');
  expect(parsed).toEqual(['bad', 'bad']);
});

test('a caller cannot change what others are given', () => {
  const { parse } = counted();
  expect(() => parse('a b').words.push('c')).toThrow(TypeError);
  expect(parse('a b')).toEqual({ words: ['a', 'b'] });
});

test('what was not asked for lately is forgotten', () => {
  const { parse, parsed } = counted();
  const asked = ['1', '2', '3', '4', '5', '6', '7', '8', '1', '9', '1', '2'];
  for (const text of asked) parse(text);
  expect(parsed).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '2']);
});
