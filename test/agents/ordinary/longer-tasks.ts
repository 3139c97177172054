// Questions, which change nothing, and work that takes longer than one step.

import { change, type Task } from './steps.ts';

export const LOOKING_TASKS: readonly Task[] = [
  { name: 'a question about the code', prompts: [[{ read: 'src/cart.js' }, { shell: 'ls src' }]] },
  { name: 'search', prompts: [[{ search: 'export' }, { shell: "find src -name '*.js' | head" }]] },
  { name: 'several files at once', prompts: [[{ all: [{ read: 'src/cart.js' }, { read: 'src/price.js' }, { read: 'docs/guide.md' }] }]] },
  {
    name: 'what git knows',
    prompts: [
      [{ shell: 'git status' }, { shell: 'git diff --stat' }, { shell: 'git log --oneline -5' }, { shell: 'git show --stat HEAD' }],
    ],
  },
  { name: 'a question that needs no tool', prompts: [[]] },
];

export const LONGER_TASKS: readonly Task[] = [
  {
    name: 'a failing test, then the fix',
    prompts: [
      [
        {
          write: 'test/broken.test.js',
          text: [
            "import test from 'node:test';",
            "import assert from 'node:assert/strict';",
            "import { half } from '../src/broken.js';",
            "test('half of six', () => assert.equal(half(6), 3));",
            '',
          ].join('\n'),
        },
        { shell: 'node --test test/broken.test.js' },
        ...change('src/broken.js', 'export const half = (n) => n / 3;', 'export const half = (n) => n / 2;'),
        { shell: 'node --test test/broken.test.js' },
      ],
    ],
    leaves: { 'src/broken.js': 'n / 2' },
  },
  {
    name: 'a list of things to do',
    prompts: [
      [
        { todo: ['change the number', 'run the tests'] },
        ...change('src/planned.js', 'export const planned = 0;', 'export const planned = 1;'),
        { shell: 'npm test' },
      ],
    ],
    leaves: { 'src/planned.js': 'planned = 1' },
  },
  {
    name: 'a part given to a sub-agent',
    prompts: [[{ agent: change('src/noted.js', 'export const noted = 0;', 'export const noted = 1;') }]],
    leaves: { 'src/noted.js': 'noted = 1' },
  },
  {
    name: 'a long conversation',
    prompts: [
      change('src/talk.js', 'export const talk = 0;', 'export const talk = 1;'),
      [{ read: 'src/talk.js' }],
      [{ edit: 'src/talk.js', from: 'export const talk = 1;', to: 'export const talk = 2;' }, { shell: 'npm test' }],
      [{ shell: 'git diff --stat' }],
      [
        { edit: 'src/talk.js', from: 'export const talk = 2;', to: 'export const talk = 3;' },
        { write: 'src/talk-more.js', text: 'export const more = 1;\n' },
      ],
    ],
    leaves: { 'src/talk.js': 'talk = 3', 'src/talk-more.js': 'more' },
  },
];
