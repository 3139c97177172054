import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Fault, type Task } from '../protocol/index.ts';
import { addTasks, archiveFinished, completeTask, detailTask, reopenTask } from './edit-tasks.ts';
import { parseTasks } from './tasks-document.ts';

const login = { id: 'INT-001', name: 'fix login' };
const find = (text: string, title: string): Task => {
  const task = parseTasks(text)
    .flatMap(({ tasks }) => tasks)
    .find((each) => each.title === title);
  if (!task) throw new Error(`no task ${title}`);
  return task;
};
const idOf = (text: string, title: string): string => find(text, title).id;
const titles = (tasks: readonly Task[]): string[] => tasks.map(({ title }) => title);

const handwritten = `Kim's list.

# Tasks — fix login (INT-001)

Please in this order!
- [ ] read   # first
  - [x] the code
    - [ ] auth.ts
      and session.ts

    more about it
  - [ ] the tests
- [ ] write
<!-- the end -->

# Notes
- [ ] buy milk
`;

verifies('T6', 'a first list makes the file by the template', () => {
  const { text, added } = addTasks(null, { intent: login, titles: ['First task', ' Second task '] });
  expect(text).toBe('# Tasks — fix login (INT-001)\n\n- [ ] First task\n- [ ] Second task\n');
  expect(parseTasks(text)).toEqual([{ intent: 'INT-001', goal: 'fix login', line: 1, tasks: added, current: added[0]?.id }]);
  expect(addTasks('', { intent: null, titles: ['a'] }).text).toBe('# Tasks — Next steps\n\n- [ ] a\n');
  expect(addTasks(null, { intent: null, titles: ['a'], goal: 'see (ABC-1) #' }).text).toBe('# Tasks — see ABC-1\n\n- [ ] a\n');
  expect(addTasks('\ufeff', { intent: { id: 'INT-2', name: 'a\nb\u202e' }, titles: ['a'] }).text).toBe(
    '\ufeff# Tasks — a b (INT-2)\n\n- [ ] a\n',
  );
});

verifies('T8', 'tasks are added at the end of their list, and nothing else changes', () => {
  const added = addTasks(handwritten, { intent: login, titles: ['ship', 'rest'] });
  expect(added.text).toBe(handwritten.replace('- [ ] write\n', '- [ ] write\n- [ ] ship\n- [ ] rest\n'));
  expect(added.added).toEqual([find(added.text, 'ship'), find(added.text, 'rest')]);

  const under = idOf(handwritten, 'read   # first');
  const below = addTasks(handwritten, { intent: null, titles: ['the docs'], under });
  expect(below.text).toBe(handwritten.replace('the tests\n', 'the tests\n  - [ ] the docs\n'));
  expect(below.added).toEqual([{ ...find(below.text, 'the docs'), parent: under }]);

  const other = addTasks(handwritten, { intent: { id: 'INT-2', name: 'other' }, titles: ['a'] });
  expect(other.text).toBe(`${handwritten}\n# Tasks — other (INT-2)\n\n- [ ] a\n`);
  expect(
    addTasks('# Tasks — g\r\n* [ ] a\r\n\t* [ ] b', { intent: null, titles: ['c'], under: idOf('# Tasks — g\n- [ ] a', 'a') }).text,
  ).toBe('# Tasks — g\r\n* [ ] a\r\n\t* [ ] b\r\n\t* [ ] c');
  expect(addTasks('# Tasks — g\nProse.\n\n# End\n', { intent: null, titles: ['a'] }).text).toBe(
    '# Tasks — g\nProse.\n\n- [ ] a\n\n# End\n',
  );
  expect(addTasks('# Tasks — g\n- [ ] a\nlazy\n\nProse.\n', { intent: null, titles: ['b'] }).text).toBe(
    '# Tasks — g\n- [ ] a\nlazy\n- [ ] b\n\nProse.\n',
  );
});

test('a list without an intent is lent while something in it is open', () => {
  expect(addTasks('# Tasks — g\n- [ ] a\n', { intent: login, titles: ['b'] }).text).toBe('# Tasks — g\n- [ ] a\n- [ ] b\n');
  expect(addTasks('# Tasks — g\n- [x] a\n', { intent: login, titles: ['b'] }).text).toBe(
    '# Tasks — g\n- [x] a\n\n# Tasks — fix login (INT-001)\n\n- [ ] b\n',
  );
  expect(addTasks('# Tasks — Fix login\n- [x] a\n', { intent: login, titles: ['b'] }).text).toBe('# Tasks — Fix login\n- [x] a\n- [ ] b\n');
  expect(addTasks('# Tasks — g\n- [x] a\n', { intent: null, titles: ['b'] }).text).toBe('# Tasks — g\n- [x] a\n- [ ] b\n');
});

verifies('T8', 'completing checks a box, and the parent with the last', () => {
  const first = completeTask(handwritten, idOf(handwritten, 'the tests'));
  expect(first.text).toBe(handwritten.replace('[ ] read', '[x] read').replace('[ ] the tests', '[x] the tests'));
  expect(first.completed).toEqual([find(first.text, 'read   # first'), find(first.text, 'the tests')]);
  expect(completeTask(first.text, idOf(first.text, 'the tests'))).toEqual({ text: first.text, completed: [] });

  const again = reopenTask(first.text, idOf(first.text, 'the code'));
  expect(again.text).toBe(first.text.replace('[x] read', '[ ] read').replace('[x] the code', '[ ] the code'));
  expect(again.reopened).toEqual([find(again.text, 'read   # first'), find(again.text, 'the code')]);
  expect(reopenTask(again.text, idOf(again.text, 'the code'))).toEqual({ text: again.text, reopened: [] });

  const one = '# Tasks — g\n- [ ] a\n  - [ ] b\n  - [ ] c\n- [X] d';
  expect(titles(completeTask(one, idOf(one, 'b')).completed)).toEqual(['b']);
  expect(reopenTask(one, idOf(one, 'd')).text).toBe('# Tasks — g\n- [ ] a\n  - [ ] b\n  - [ ] c\n- [ ] d');
  const parts = '# Tasks — g\n- [ ] a\n  - [x] b\n';
  expect(completeTask(parts, idOf(parts, 'a')).text).toBe('# Tasks — g\n- [x] a\n  - [x] b\n');
});

verifies('T8', 'details go below their task and make no task', () => {
  const under = detailTask(handwritten, idOf(handwritten, 'the code'), '[x] and login.ts ');
  expect(under.text).toBe(handwritten.replace('    more about it\n', '    more about it\n    - [ ] [x] and login.ts\n'));
  expect(under.task).toEqual({ ...find(handwritten, 'the code'), details: ['auth.ts', '[x] and login.ts'] });

  const top = detailTask(handwritten, idOf(handwritten, 'write'), 'in small steps');
  expect(top.text).toBe(handwritten.replace('- [ ] write\n', '- [ ] write\n  - in small steps\n'));
  expect(top.task).toEqual({ ...find(handwritten, 'write'), details: ['in small steps'] });
  const more = detailTask(top.text, top.task.id, '`b.ts` too');
  expect(more.text).toBe(top.text.replace('small steps\n', 'small steps\n  - `b.ts` too\n'));
  expect(addTasks(more.text, { intent: login, titles: ['part'], under: top.task.id }).text).toBe(
    more.text.replace('too\n', 'too\n  - [ ] part\n'),
  );

  const tabs = '# Tasks — g\n- [ ] a\n\t+ [ ] b';
  expect(detailTask(tabs, idOf(tabs, 'b'), 'c').text).toBe(`${tabs}\n\t\t+ [ ] c`);
  for (const detail of ['[ ] x', '[x](y)', '```', '- x', '1. x'])
    expect(() => detailTask(handwritten, idOf(handwritten, 'write'), detail)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST' }) as Error,
    );
});

test('a finished section is cut out, and only it', () => {
  const finished = '# Tasks — a (INT-1)\r\n\r\nProse.\r\n- [x] one\r\n## sub\r\n- [x] two\r\n\r\n';
  const text = `\ufeff${finished}# Notes\r\nmine`;
  const [list] = parseTasks(text);
  expect(archiveFinished(text, list!)).toEqual({ text: '\ufeff# Notes\r\nmine', section: finished });
  const last = 'x\n\n# Tasks — b\n- [ ] a\n  - [x] c';
  expect(archiveFinished(last, parseTasks(last)[0]!)).toEqual({ text: 'x\n\n', section: '# Tasks — b\n- [ ] a\n  - [x] c' });
  expect(() => archiveFinished(handwritten, parseTasks(handwritten)[0]!)).toThrow(expect.objectContaining({ code: 'CONFLICT' }) as Error);
  expect(() => archiveFinished('', list!)).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }) as Error);
});

test('what cannot be done is a fault', () => {
  const fails = (code: string, act: () => unknown): void => expect(act).toThrow(expect.objectContaining({ code }) as Error);
  const unknown = 'tsk_0000000000';
  fails('NOT_FOUND', () => completeTask(handwritten, unknown));
  fails('NOT_FOUND', () => completeTask(null, unknown));
  fails('NOT_FOUND', () => reopenTask(handwritten, unknown));
  fails('NOT_FOUND', () => detailTask(handwritten, unknown, 'x'));
  fails('NOT_FOUND', () => addTasks(handwritten, { intent: login, titles: ['x'], under: unknown }));
  for (const title of ['', '  ', 'a\nb', 'a\tb', 'a\u0000', 'a\u0085b', 'a\u2028b', 'a\u202eb', 'a\ud800', 'a\u{e0041}', 'a\u200b'])
    fails('BAD_REQUEST', () => addTasks(handwritten, { intent: login, titles: ['ok', title] }));
  fails('BAD_REQUEST', () => addTasks(handwritten, { intent: login, titles: [] }));
  fails('BAD_REQUEST', () => addTasks(null, { intent: { id: 'nothing', name: 'n' }, titles: ['a'] }));
  fails('BAD_REQUEST', () => addTasks(handwritten, { intent: login, titles: ['x'], under: idOf(handwritten, 'the code') }));
  fails('BAD_REQUEST', () => completeTask(handwritten, idOf(handwritten, 'read   # first')));
  const done = '# Tasks — g\n- [x] a\n';
  fails('BAD_REQUEST', () => addTasks(done, { intent: null, titles: ['x'], under: idOf(done, 'a') }));
  // The new task would come before its namesake and take its id.
  fails('BAD_REQUEST', () => addTasks(handwritten, { intent: login, titles: ['Write'], under: idOf(handwritten, 'read   # first') }));
  fails('DOCUMENT_INVALID', () => addTasks('# Tasks — g\n- [y] a\n', { intent: null, titles: ['x'] }));
  fails('TOO_LARGE', () => addTasks(`${'x'.repeat(1024 * 1024 - 20)}\n`, { intent: null, titles: ['too much'] }));
});

const line = fc.constantFrom(
  '- [ ] a',
  '- [x] b',
  '* [ ] a',
  '  - [ ] c',
  '  - [x] d',
  '    - [ ] e',
  '    - f',
  '  - g',
  '',
  'Prose.',
  '  more',
  '<!-- x -->',
  '  <!-- - [ ] y -->',
  '```\n- [ ] z\n```',
  '## h',
  '# Notes',
  '# Tasks — two',
  '# Tasks – three (INT-001)',
  '---',
  '- note',
);
const edit = fc.record({
  what: fc.constantFrom('add', 'under', 'complete', 'reopen', 'detail'),
  at: fc.nat(),
  title: fc.stringMatching(/^[a-d][a-d [\]x`#*-]{0,5}$/),
});

verifies('T8', 'edits of any file keep all other bytes and ids', () => {
  let edited = 0;
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 14 }),
      fc.constantFrom('\n', '\r\n'),
      fc.boolean(),
      fc.array(edit, { minLength: 1, maxLength: 5 }),
      (lines, eol, ended, edits) => {
        let text = ['# Tasks — one', ...lines, ...(ended ? [''] : [])].join('\n').replaceAll('\n', eol);
        for (const { what, at, title } of edits) {
          try {
            const tasks = parseTasks(text).flatMap((list) => list.tasks);
            const { id = 'tsk_0000000000' } = tasks[at % Math.max(tasks.length, 1)] ?? {};
            const next =
              what === 'add'
                ? addTasks(text, { intent: at % 2 ? login : null, titles: [title, 'n'] }).text
                : what === 'under'
                  ? addTasks(text, { intent: null, titles: [title], under: id }).text
                  : what === 'complete'
                    ? completeTask(text, id).text
                    : what === 'reopen'
                      ? reopenTask(text, id).text
                      : detailTask(text, id, title).text;
            if (what === 'complete' || what === 'reopen')
              expect(next.replaceAll(/\[[ xX]\]/g, '[]')).toBe(text.replaceAll(/\[[ xX]\]/g, '[]'));
            else expect(isWithOneBlock(next, text)).toBe(true);
            const after = new Map(parseTasks(next).flatMap((list) => list.tasks.map((task) => [task.id, task.title])));
            expect(tasks.map((task) => [task.id, after.get(task.id)])).toEqual(tasks.map((task) => [task.id, task.title]));
            text = next;
            edited++;
          } catch (error) {
            if (!(error instanceof Fault)) throw error;
            // A file that could be read before is never the cause.
            expect(['BAD_REQUEST', 'NOT_FOUND', 'DOCUMENT_INVALID']).toContain(error.code);
            if (error.code === 'DOCUMENT_INVALID') expect(() => parseTasks(text)).toThrow(error.message);
          }
        }
      },
    ),
    { numRuns: 1500 },
  );
  expect(edited).toBeGreaterThan(500);
});

/** Whether `long` is `short` with one block of text put in. */
function isWithOneBlock(long: string, short: string): boolean {
  let head = 0;
  while (head < short.length && long[head] === short[head]) head++;
  return long.endsWith(short.slice(head));
}
