import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { Fault, leavesOf, type Task, TaskList } from '../protocol/index.ts';
import { parseTasks, taskListFor } from './tasks-document.ts';

const id = expect.stringMatching(/^tsk_[0-9A-HJKMNP-TV-Z]{10}$/) as string;
const idOf = (text: string, title: string): string | undefined =>
  parseTasks(text)
    .flatMap(({ tasks }) => tasks)
    .find((task) => task.title === title)?.id;

/** Titles, with two spaces before a subtask. */
const outline = (text: string): string[][] =>
  parseTasks(text).map(({ tasks }) =>
    tasks.map(({ title, checked, parent, details }) => `${parent ? '  ' : ''}[${checked ? 'x' : ' '}] ${[title, ...details].join(' | ')}`),
  );

verifies('T6', 'both templates are read to the letter', () => {
  expect(parseTasks('# Tasks — <Goal>\n\n- [ ] First task\n- [ ] Second task\n')).toEqual([
    {
      intent: null,
      goal: '<Goal>',
      line: 1,
      tasks: [
        { id, title: 'First task', checked: false, parent: null, details: [], line: 3 },
        { id, title: 'Second task', checked: false, parent: null, details: [], line: 4 },
      ],
      current: idOf('# Tasks — <Goal>\n- [ ] First task', 'First task'),
    },
  ]);

  const active = '# Tasks – <Goal>\n\n- [ ] Top-level task\n  - [ ] Atomic subtask\n    - [ ] Task definition and details\n';
  const top = idOf(active, 'Top-level task') ?? null;
  const sub = idOf(active, 'Atomic subtask') ?? null;
  expect(parseTasks(active)).toEqual([
    {
      intent: null,
      goal: '<Goal>',
      line: 1,
      tasks: [
        { id: top, title: 'Top-level task', checked: false, parent: null, details: [], line: 3 },
        { id: sub, title: 'Atomic subtask', checked: false, parent: top, details: ['Task definition and details'], line: 4 },
      ],
      current: sub,
    },
  ]);
});

verifies('T8', 'a heading names goal and intent, with any dash', () => {
  const headings: Record<string, [goal: string, intent: string | null]> = {
    '# Tasks — fix login (INT-001)': ['fix login', 'INT-001'],
    '# Tasks – fix login': ['fix login', null],
    '# Tasks - fix login ##': ['fix login', null],
    '#  tasks -- fix (the) login': ['fix (the) login', null],
    '   # Tasks—fix login (int-1)': ['fix login (int-1)', null],
    '\ufeff# Tasks — a (b) (ABC2-7)\r': ['a (b)', 'ABC2-7'],
  };
  for (const [heading, [goal, intent]] of Object.entries(headings))
    expect(parseTasks(`${heading}\n`)).toEqual([{ goal, intent, line: 1, tasks: [], current: null }]);
  for (const other of ['', '# Tasks', '# Taskforce — x', '#Tasks — x', '# Notes', '## Something', '# Tasks-force'])
    expect(parseTasks(other)).toEqual([]);
});

verifies('T8', 'what a person writes around tasks is left alone', () => {
  const text = `Intro, with a [ ] in it.

# Tasks — fix login (INT-001)

> Kim: keep this short. See [1] and [x](y).
- a note without a box
   - and its own
* [X] first   *task*
  continued here
      and here
  - a plain remark
    - deeper
+ [ ] second
\t
  - [x] part \`[ ]\`
    - [x] detail
    - [link](to) it
    * [UI] plain
  <!-- - [ ] not
    - [ ] yet -->
  - [ ] last part <!-- soon -->
---
## A subheading
- [ ] third
    \`\`\`md
- [ ] code
    \`\`\`
~~~
# Tasks — code
- [y] code
~~~

# Notes
- [ ] mine
- [z] too
## More
1. [ ] as well

# Tasks — other
- [ ] x
`;
  expect(outline(text)).toEqual([
    [
      '[x] first   *task* | a plain remark | deeper',
      '[ ] second',
      '  [x] part `[ ]` | detail | [link](to) it | [UI] plain',
      '  [ ] last part <!-- soon -->',
      '[ ] third',
    ],
    ['[ ] x'],
  ]);
  expect(outline(text.replaceAll('\n', '\r\n'))).toEqual(outline(text));
});

verifies('T8', 'a level is two spaces, four spaces or a tab', () => {
  for (const unit of ['  ', '    ', '\t'])
    expect(outline(`# Tasks — g\n- [ ] a\n${unit}- [ ] b\n${unit}${unit}- [ ] c\n${unit}- [x] d\n`)).toEqual([
      ['[ ] a', '  [ ] b | c', '  [x] d'],
    ]);
});

verifies('T8', 'current is the first open leaf', () => {
  const current = (text: string): string | null | undefined => {
    const [list] = parseTasks(`# Tasks — g\n${text}`);
    return list?.tasks.find((task) => task.id === list.current)?.title ?? list?.current;
  };
  expect(current('- [x] a\n- [ ] b\n- [ ] c\n')).toBe('b');
  expect(current('- [ ] a\n  - [x] b\n  - [ ] c\n- [ ] d\n')).toBe('c');
  // A human may leave a parent open; its subtasks stay done.
  expect(current('- [ ] a\n  - [x] b\n- [ ] d\n')).toBe('d');
  expect(current('- [x] a\n')).toBe(null);
});

verifies('T8', 'a malformed file is a fault with line and thing', () => {
  const bad: [text: string, message: string][] = [
    ['- [ ] a\n', ':1: is below no heading `# Tasks — <Goal>`'],
    ['# Tasks: g\n\n- [x] a\n', ':3: is below no heading `# Tasks — <Goal>`'],
    ['# Notes\n## Tasks — g\n- [ ] a\n', ':3: is below no heading `# Tasks — <Goal>`'],
    ['# Tasks —\n', ':1: the heading names no goal'],
    ['# Tasks — (INT-1)\n', ':1: the heading names no goal'],
    ['# Tasks — g\n- [y] a\n', ':2: has a box that is neither `[ ] ` nor `[x] `; write `- [ ] title`'],
    ['# Tasks — g\n- [] a\n', ':2: has a box that is neither `[ ] ` nor `[x] `; write `- [ ] title`'],
    ['# Tasks — g\n- [ ]a\n', ':2: has a box that is neither `[ ] ` nor `[x] `; write `- [ ] title`'],
    ['# Tasks — g\n- [ ]: a\n', ':2: has a box that is neither `[ ] ` nor `[x] `; write `- [ ] title`'],
    ['# Tasks — g\n- [ x ] a\n', ':2: has a box that is neither `[ ] ` nor `[x] `; write `- [ ] title`'],
    ['# Tasks — g\n-[ ] a\n', ':2: looks like a task, but begins with no `- [ ] `; write `- [ ] title`'],
    ['# Tasks — g\n[ ] a\n', ':2: looks like a task, but begins with no `- [ ] `; write `- [ ] title`'],
    ['# Tasks — g\n1. [ ] a\n', ':2: looks like a task, but begins with no `- [ ] `; write `- [ ] title`'],
    ['# Tasks — g\n• [ ] a\n', ':2: looks like a task, but begins with no `- [ ] `; write `- [ ] title`'],
    ['# Tasks — g\n  - [ ] a\n', ':2: is a subtask, but no task is above it'],
    ['# Tasks — g\n- [ ] a\n## h\n  - [ ] b\n', ':4: is a subtask, but no task is above it'],
    ['# Tasks — g\n- group\n  - [ ] b\n', ':3: is a subtask, but no task is above it'],
    ['# Tasks — g\n- [ ] a\n  - [ ] b\n- [ ] c\n    - [ ] d\n', ':5: is a detail, but no subtask is above it'],
    ['# Tasks — g\n- [ ] a\n  - [ ] b\n    - c\n      - d\n', ':5: is deeper than three levels: task, subtask, detail'],
    ['# Tasks — g\n- [ ] a\n   - [ ] b\n', ':3: is indented by 3 spaces; a level is 2 spaces'],
    ['# Tasks — g\n- [ ] a\n    - [ ] b\n  - [ ] c\n', ':4: is indented by 2 spaces; here a level is 4 spaces'],
    ['# Tasks — g\n- [ ] a\n  - [ ] b\n\t- [ ] c\n', ':4: is indented by 1 tab; here a level is 2 spaces'],
    ['# Tasks — g\n- [ ] a\n \t- [ ] b\n', ':3: is indented by spaces and tabs together; a level is 2 spaces'],
    ['# Tasks — g\n- [x] a\n  - [ ] b\n', ':3: is not checked, but the task that it is part of (line 2) is'],
    ['# Tasks — g\n- [ ]  \n', ':2: the task has no title'],
    ['# Tasks — g (A-1)\n# Tasks — h (A-1)\n', ':2: line 1 is already the heading of the tasks for A-1'],
    ['# Tasks — g\n\n# Tasks - G\n', ':3: line 1 is already the heading of the tasks for "G"'],
    ['# Tasks — g\n- [ ] a\r- [ ] b\r', ':2: has a carriage return inside; end lines with LF or CRLF'],
    ['# Tasks — g\n- [ ] a\0\n', ':2: has a NUL character'],
    ['# Tasks — g\n```\n- [ ] a\n', ':2: the code block that starts here never ends'],
    ['# Tasks — g\n<!-- \n- [ ] a\n', ':2: the comment that starts here never ends'],
    ['x'.repeat(1024 * 1024 + 1), ':1: the file is larger than 1048576 bytes; move finished sections out of it'],
  ];
  for (const [text, message] of bad)
    expect(() => parseTasks(text)).toThrow(
      expect.objectContaining({ code: 'DOCUMENT_INVALID', message: `tinyTasks.md${message}` }) as Error,
    );
  expect(() => parseTasks(`# Tasks — g\n${'- [y] a\n'.repeat(7)}`)).toThrow(/:6: .*\nand 2 more$/);
});

verifies('T8', 'an id outlives moves, checks and layout', () => {
  const before = '# Tasks — Fix (INT-1)\n- [ ] Read the code\n  - [ ] write tests\n- [ ] twice\n- [ ] twice\n';
  const after = '# Tasks — renamed (INT-1)\n* [ ] twice\n* [x] TWICE\n\n* [ ] new\n    * [x]  write  Tests\n    * [X] Read the Code \n';
  const ids = (text: string): Record<string, string> =>
    Object.fromEntries(
      parseTasks(text)[0]!.tasks.map((task, index) => [
        `${task.title.toLowerCase().replaceAll(/\s+/g, ' ')} ${/twice/i.test(task.title) ? index % 2 : ''}`,
        task.id,
      ]),
    );
  const { 'new ': added, ...same } = ids(after);
  expect(same).toEqual(ids(before));
  expect(Object.values(ids(before))).not.toContain(added);
  expect(new Set(Object.values(ids(before))).size).toBe(4);
  // Another section, another task.
  expect(idOf('# Tasks — Fix (INT-2)\n- [ ] write tests\n', 'write tests')).not.toBe(idOf(before, 'write tests'));
  // Composed and decomposed characters are the same words.
  expect(idOf('# Tasks — g\n- [ ] caf\u00e9\n', 'caf\u00e9')).toBe(idOf('# Tasks — g\n- [ ] cafe\u0301\n', 'cafe\u0301'));
});

test('the list for an intent is its own, else one that has its name, else a free one', () => {
  const lists = parseTasks(
    '# Tasks — done\n- [x] a\n# Tasks — b (INT-2)\n- [ ] a\n# Tasks — open\n- [ ] a\n# Tasks —  Fix  Login\n- [x] a\n# Tasks — c (INT-1)\n',
  );
  const goalFor = (intent: { id: string; name: string } | null): string | undefined => taskListFor(lists, intent)?.goal;
  expect(goalFor({ id: 'INT-1', name: 'fix login' })).toBe('c');
  expect(goalFor({ id: 'INT-2', name: 'fix login' })).toBe('b');
  expect(goalFor({ id: 'INT-3', name: ' fix login' })).toBe('Fix  Login');
  expect(goalFor({ id: 'INT-3', name: 'c' })).toBe('open');
  expect(goalFor(null)).toBe('open');
  expect(taskListFor(lists.slice(0, 2), null)?.goal).toBe('done');
  expect(taskListFor(lists.slice(1, 2), null)).toBe(null);
  expect(taskListFor(lists.slice(1, 2), { id: 'INT-1', name: 'b' })).toBe(null);
});

const word = fc.stringMatching(/^[a-zé*_.()`"#:-]{1,8}$/).filter((text) => text.trim() === text);
const title = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => `t ${words.join(' ')}`);
const leaf = fc.record({
  title,
  checked: fc.boolean(),
  details: fc.array(fc.tuple(title, fc.constantFrom('', '[ ] ', '[x] ')), { maxLength: 2 }),
});
const tree = fc.array(fc.record({ title, checked: fc.boolean(), parts: fc.array(leaf, { maxLength: 3 }) }), { maxLength: 5 });
const layout = fc.record({
  unit: fc.constantFrom('  ', '    ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  bullet: fc.constantFrom('-', '*', '+'),
  noise: fc.array(
    fc.tuple(fc.nat(), fc.constantFrom('', '   ', 'Prose.', '  more of it', '<!-- - [ ] c -->', '```\n- [y] z\n```', '> q', '1. one')),
    { maxLength: 6 },
  ),
});

verifies('T8', 'any list that is written in the form is read back', () => {
  fc.assert(
    fc.property(tree, layout, (top, { unit, eol, bullet, noise }) => {
      const lines: string[] = [];
      const meant: Omit<Task, 'id' | 'line' | 'parent'>[] = [];
      const write = (depth: number, text: string): void => void lines.push(`${unit.repeat(depth)}${bullet} ${text}`);
      const box = (checked: boolean): string => (checked ? '[x] ' : '[ ] ');
      for (const { title: name, checked, parts } of top) {
        const all = parts.length > 0 ? parts.every((part) => part.checked) : checked;
        write(0, box(all) + name);
        meant.push({ title: name, checked: all, details: [] });
        for (const part of parts) {
          write(1, box(part.checked) + part.title);
          for (const [detail, mark] of part.details) write(2, mark + detail);
          meant.push({ title: part.title, checked: part.checked, details: part.details.map(([detail]) => detail) });
        }
      }
      for (const [at, text] of noise) lines.splice(at % (lines.length + 1), 0, text);
      const [list] = parseTasks(['# Tasks — g (INT-1)', ...lines].join('\n').replaceAll('\n', eol));
      expect(TaskList.parse(list)).toEqual(list);
      expect(list?.tasks.map(({ title: name, checked, details }) => ({ title: name, checked, details }))).toEqual(meant);
      expect(list?.current).toBe(leavesOf(list!.tasks).find(({ checked }) => !checked)?.id ?? null);
      expect(new Set(list?.tasks.map((task) => task.id)).size).toBe(meant.length);
    }),
    { numRuns: 300 },
  );
});

verifies('T8', 'order does not change who is who', () => {
  const shuffled = fc
    .uniqueArray(title, { minLength: 2, maxLength: 8, selector: (text) => text.toLowerCase().normalize('NFC') })
    .chain((titles) =>
      fc.tuple(fc.constant(titles), fc.shuffledSubarray(titles, { minLength: titles.length }), fc.infiniteStream(fc.boolean())),
    );
  fc.assert(
    fc.property(shuffled, ([titles, moved, stream]) => {
      const byTitle = (list: readonly string[]): Record<string, string> => {
        const lines = list.map((name, index) => `${index > 0 && stream.next().value ? '  ' : ''}- [ ] ${name}`);
        return Object.fromEntries(parseTasks(`# Tasks — g\n${lines.join('\n')}`)[0]!.tasks.map((task) => [task.title, task.id]));
      };
      expect(byTitle(moved)).toEqual(byTitle(titles));
    }),
    { numRuns: 200 },
  );
});

const shred = fc.constantFrom(
  '# Tasks — g',
  '# ',
  '\n',
  '\r',
  '\r\n',
  '- [ ] ',
  '- [x] ',
  '  ',
  '\t',
  '-',
  '[',
  ']',
  '```',
  '~~~',
  '<!--',
  '-->',
  'a',
  '\0',
  '\u2028',
  '\ufeff',
  '(INT-1)',
  '\ud800',
);

verifies('T8', 'arbitrary text is lists or a fault', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.array(shred, { maxLength: 60 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (text) => {
      let lists: TaskList[] = [];
      try {
        lists = parseTasks(text);
      } catch (error) {
        if (!(error instanceof Fault) || error.code !== 'DOCUMENT_INVALID') throw error;
      }
      expect(lists.map((list) => TaskList.parse(list))).toEqual(lists);
    }),
    { numRuns: 2000 },
  );
});

test('hostile text is read in one go', () => {
  const size = 128 * 1024;
  const read = (head: string, unit: string, tail = 'z'): void => {
    try {
      parseTasks(head + unit.repeat(Math.floor(size / unit.length)) + tail);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
    }
  };
  // Each of these would take minutes if any expression read the same characters again.
  for (const unit of [
    ' ',
    '\t',
    '#',
    '# ',
    '-',
    '- ',
    '* ',
    '[',
    '- [',
    '[ ',
    '(',
    '(A',
    '`',
    '~',
    '<!--',
    '\n',
    '\r',
    '- [ ] a\n',
    '- [y] a\n',
    '# Tasks — a\n',
    '\u00a0',
    '1',
  ])
    for (const head of ['# Tasks — g\n', '# Tasks — ', '# Tasks — g\n- [ ] ', '# Tasks — g\n- [', '']) read(head, unit);
}, 60_000);
