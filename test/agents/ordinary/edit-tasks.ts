// Ordinary work on files, by the agent's own tools.

import { change, type Task } from './steps.ts';

export const EDIT_TASKS: readonly Task[] = [
  {
    name: 'edit one file',
    prompts: [change('src/price.js', 'export const price = (cents) => cents;', 'export const price = (cents) => Number(cents);')],
    leaves: { 'src/price.js': 'Number(cents)' },
  },
  {
    name: 'two edits of one file',
    prompts: [
      [
        ...change('src/cart.js', 'export const cart = () => [];', 'export const cart = (...items) => items;'),
        {
          edit: 'src/cart.js',
          from: 'export const empty = (cart) => cart.length === 0;',
          to: 'export const empty = (cart) => size(cart) === 0;',
        },
      ],
    ],
    leaves: { 'src/cart.js': 'size(cart) === 0' },
  },
  {
    name: 'one change over three files',
    prompts: [
      [
        { all: [{ read: 'src/tax.js' }, { read: 'src/invoice.js' }, { read: 'src/receipt.js' }] },
        { edit: 'src/tax.js', from: 'export const RATE = 19;', to: 'export const TAX_RATE = 19;' },
        { edit: 'src/invoice.js', from: "import { RATE } from './tax.js';", to: "import { TAX_RATE as RATE } from './tax.js';" },
        { edit: 'src/receipt.js', from: "import { RATE } from './tax.js';", to: "import { TAX_RATE as RATE } from './tax.js';" },
      ],
    ],
    leaves: { 'src/tax.js': 'TAX_RATE', 'src/receipt.js': 'TAX_RATE' },
  },
  {
    name: 'two files at once',
    prompts: [
      [
        { all: [{ read: 'src/left.js' }, { read: 'src/right.js' }] },
        {
          all: [
            { edit: 'src/left.js', from: 'export const left = 1;', to: 'export const left = 2;' },
            { edit: 'src/right.js', from: 'export const right = 1;', to: 'export const right = 2;' },
          ],
        },
      ],
    ],
    leaves: { 'src/left.js': 'left = 2', 'src/right.js': 'right = 2' },
  },
  {
    name: 'one line of a large file',
    prompts: [change('src/large.js', 'export const value777 = 777;', 'export const value777 = 778;')],
    leaves: { 'src/large.js': 'value777 = 778;\nexport const value778' },
  },
  {
    name: 'a setting in JSON',
    prompts: [change('tsconfig.json', '    "strict": false', '    "strict": true')],
    leaves: { 'tsconfig.json': '"strict": true' },
  },
  {
    name: 'a setting in YAML',
    prompts: [change('config/deploy.yaml', 'replicas: 2', 'replicas: 3')],
    leaves: { 'config/deploy.yaml': 'replicas: 3' },
  },
  {
    name: 'a cell of a notebook',
    prompts: [[{ read: 'src/analysis.ipynb' }, { cell: 'src/analysis.ipynb', source: '2 + 2' }]],
    leaves: { 'src/analysis.ipynb': '2 + 2' },
  },
  {
    name: 'create a file',
    prompts: [[{ write: 'src/discount.js', text: 'export const discount = 0;\n' }]],
    leaves: { 'src/discount.js': 'discount' },
  },
  {
    name: 'create a file in a new folder',
    prompts: [[{ write: 'src/shipping/zones/north.js', text: 'export const north = 1;\n' }]],
    leaves: { 'src/shipping/zones/north.js': 'north' },
  },
  {
    name: 'write a page of documentation',
    prompts: [
      [
        { read: 'src/cart.js' },
        { write: 'docs/cart.md', text: '# Cart\n\nA cart holds items.\n' },
        ...change('docs/guide.md', 'How to sell.', 'How to sell, with [a cart](cart.md).'),
      ],
    ],
    leaves: { 'docs/cart.md': '# Cart', 'docs/guide.md': 'cart.md' },
  },
  { name: 'delete a file by tool', prompts: [[{ read: 'src/unused.js' }, { remove: 'src/unused.js' }]], leaves: { 'src/unused.js': null } },
];
