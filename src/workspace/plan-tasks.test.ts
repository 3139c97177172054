import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { showPlan, withoutPlan } from './plan-tasks.ts';
import { parseTasks } from './tasks-document.ts';

const begins = 'Plan work-1, version ';
const plan = (version: number, nodes: readonly (readonly [string, boolean])[]) => ({
  intent: { id: 'INT-001', name: 'fix login' },
  begins,
  title: `${begins}${version}`,
  nodes: nodes.map(([title, checked]) => ({ title, checked })),
});
const handwritten = '# Tasks — fix login (INT-001)\n\nKim: in this order!\n- [ ] read\n  - [x] the code\n\n# Notes\n- [ ] buy milk\n';

verifies('T6', 'a plan is listed below the tasks of its intent, its boxes follow, and a new version takes its place', () => {
  const first = showPlan(
    handwritten,
    plan(1, [
      ['a: one', false],
      ['b: two', false],
    ]),
  ).text;
  expect(first).toBe(handwritten.replace('the code\n', `the code\n- [ ] ${begins}1\n  - [ ] a: one\n  - [ ] b: two\n`));
  const half = showPlan(
    first,
    plan(1, [
      ['a: one', true],
      ['b: two', false],
    ]),
  ).text;
  expect(half).toBe(first.replace('[ ] a: one', '[x] a: one'));
  const done = showPlan(
    half,
    plan(1, [
      ['a: one', true],
      ['b: two', true],
    ]),
  ).text;
  expect(
    parseTasks(done)[0]
      ?.tasks.filter(({ checked }) => checked)
      .map(({ title }) => title),
  ).toEqual([...['the code', `${begins}1`, 'a: one', 'b: two']]);
  const second = showPlan(done, plan(2, [['c: three', false]])).text;
  expect(second).toBe(handwritten.replace('the code\n', `the code\n- [ ] ${begins}2\n  - [ ] c: three\n`));
  expect(withoutPlan(second, begins).text).toBe(handwritten);
});

verifies('T6', 'a plan makes the file, and takes its heading with it where nothing else is below it', () => {
  const { text } = showPlan(null, plan(1, [['a: one', false]]));
  expect(text).toBe(`# Tasks — fix login (INT-001)\n\n- [ ] ${begins}1\n  - [ ] a: one\n`);
  expect(withoutPlan(text, begins).text).toBe('');
  expect(withoutPlan(`${text}\n# Notes\nmilk\n`, begins).text).toBe('# Notes\nmilk\n');
  expect(withoutPlan(`${text}\nKim: not yet\n`, begins).text).toBe('# Tasks — fix login (INT-001)\n\n\nKim: not yet\n');
});
