import { expect, test } from 'vitest';
import { patternFor } from './grant-words.ts';

const command = (...parts: string[]) => ({
  tool: 'Bash',
  command: { class: 'MUTATING' as const, reasons: parts.map((part) => ({ code: 'WRITES_FILES', part, message: '' })) },
});

test.each([
  ['the tool, where there is no command', { tool: 'mcp__jira__close', command: null }, 'mcp__jira__close'],
  ['the only part of a command', command('npm run build ', 'npm run build'), 'npm run build'],
  ['nothing for several parts, which one pattern would not fit', command('npm ci', 'npm test'), ''],
  ['nothing for a name that a field would not show as it is', { tool: 'mcp__a\u202eb', command: null }, ''],
  ['nothing for padding that pushes the rest out of sight', command(`touch a${' '.repeat(200)}b`), ''],
])('a human begins with %s', (_, row, pattern) => {
  expect(patternFor(row)).toBe(pattern);
});
