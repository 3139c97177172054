import { expect, onTestFinished, test } from 'vitest';
import { type CodeIndex, openCodeIndex } from './index.ts';

function open(waitTimeoutMs?: number): CodeIndex {
  const index = openCodeIndex(waitTimeoutMs);
  onTestFinished(() => index.close());
  return index;
}

test('many questions at once are each answered with their own answer', async () => {
  const index = open();
  const names = Array.from({ length: 20 }, (_, at) => `f${at}`);
  expect(await Promise.all(names.map((name) => index.symbolsOf('a.ts', `export function ${name}() {}`)))).toEqual(
    names.map((name) => [{ name, kind: 'function', container: null, start_line: 1, end_line: 1, exported: true }]),
  );
  expect(await index.classifyMutation('a.ts', 'export const a=1', 'export const a = 1;')).toEqual({
    class: 'AST_REFACTOR',
    because: 'only the layout changed',
  });
});

test('code that would overflow the stack of the daemon costs only its own answer', async () => {
  const index = open();
  const deep = `x=${'['.repeat(40_000)}${']'.repeat(40_000)}`;
  const classes = `${'class A{x='.repeat(30_000)}1${'}'.repeat(30_000)}`;
  expect(await Promise.all([deep, classes].map((text) => index.classifyMutation('a.ts', text, `${text} `)))).toEqual(
    [1, 2].map(() => ({
      class: 'INTENT_EVOLUTION',
      because: 'the file before the change cannot be parsed: it is nested deeper than 20000 levels',
    })),
  );
  expect(await index.symbolsOf('a.ts', 'let a')).toHaveLength(1);
});

test('what takes too long is given up, one after the other', async () => {
  const index = open(1);
  const long = `x=${'a,'.repeat(100_000)}b`;
  const asked = [1, 2, 3].map(() => index.classifyMutation('a.ts', long, `${long} `));
  const given = { class: 'INTENT_EVOLUTION', because: 'the parser took longer than 1 ms' };
  expect(await Promise.all(asked)).toEqual([given, given, given]);
});

test('a closed index answers that it does not know', async () => {
  const index = open();
  const asked = index.classifyMutation('a.ts', 'a', 'b');
  await index.close();
  const unknown = { class: 'INTENT_EVOLUTION', because: 'the code index is closed' };
  expect([await asked, await index.classifyMutation('a.ts', 'a', 'b'), await index.symbolsOf('a.ts', 'let a')]).toEqual([
    unknown,
    unknown,
    [],
  ]);
});
