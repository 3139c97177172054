import { expect, test } from 'vitest';
import { readCommand } from './read-command.ts';
import { strictestOf } from './strictest.ts';

const PLACE = { cwd: '/tree', root: '/tree', scope: ['src/**'] };
const write = (path: string) => ({ path, resolved: path, known: true, exact: true as const });

test('no command at all does nothing', () => {
  expect(strictestOf([])).toEqual({ class: 'SAFE', reasons: [] });
});

test('the strictest class decides, in whatever order the commands stand', () => {
  const commands = ['ls', 'touch src/a', 'curl x.test', 'touch a'];
  const expected = ['SAFE', 'MUTATING', 'DESTRUCTIVE', 'WRITES_OUTSIDE'];
  for (let i = 0; i < commands.length; i++) {
    const readings = commands.slice(0, i + 1).map((command) => readCommand(command, PLACE));
    expect([strictestOf(readings).class, strictestOf(readings.toReversed()).class]).toEqual([expected[i], expected[i]]);
  }
});

test('reasons and writes of all are kept', () => {
  expect(strictestOf([readCommand('touch src/a', PLACE), readCommand('echo x > src/b', PLACE)])).toEqual({
    class: 'MUTATING',
    reasons: [
      { code: 'WRITES_FILES', part: 'touch src/a', message: 'touch writes src/a' },
      { code: 'WRITES_FILE', part: '> src/b', message: 'writes to src/b' },
    ],
    writes: [write('src/a'), write('src/b')],
    writes_complete: true,
  });
});

test('the writes are all only where each command tells all of its own', () => {
  const known = readCommand('touch src/a', PLACE);
  expect(strictestOf([known, readCommand('make', PLACE)])).toMatchObject({ writes: [write('src/a')], writes_complete: false });
  expect(strictestOf([known, readCommand('touch src/b')])).toMatchObject({ writes: [write('src/a')], writes_complete: false });
  expect(strictestOf([readCommand('touch src/b')])).not.toHaveProperty('writes');
});
