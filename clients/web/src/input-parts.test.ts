import { expect, test } from 'vitest';
import { inputParts } from './input-parts.ts';

test('the command leads, every other field follows in its own order', () => {
  expect(inputParts({ description: 'tidy up', timeout: 5, command: 'rm -rf build' })).toEqual([
    { name: 'command', text: 'rm -rf build' },
    { name: 'description', text: 'tidy up' },
    { name: 'timeout', text: '5' },
  ]);
});

test('structured values are shown as JSON, line feeds in strings are kept', () => {
  expect(inputParts({ path: 'a.ts', edits: [{ old: 'x' }], content: 'a\nb', none: null })).toEqual([
    { name: 'path', text: 'a.ts' },
    { name: 'edits', text: '[\n  {\n    "old": "x"\n  }\n]' },
    { name: 'content', text: 'a\nb' },
    { name: 'none', text: 'null' },
  ]);
});

test('the name of an unknown tool comes before what it is given', () => {
  expect(inputParts({ arguments: {}, name: 'mcp__deploy__run' }).map(({ name }) => name)).toEqual(['name', 'arguments']);
});

test('an empty input has no parts', () => {
  expect(inputParts({})).toEqual([]);
});
