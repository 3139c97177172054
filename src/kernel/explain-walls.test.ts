import { expect, test } from 'vitest';
import { wallsOnReceipt } from '../protocol/index.ts';
import { explainWalls } from './explain-walls.ts';

const end = { walled: true, takenBack: [], scope: ['src/**'], network: false };

test('an agent learns why a write failed and what to do, and nothing where the walls had no part in it', () => {
  const readOnly = { stdout: '', stderr: "touch: cannot touch 'README.md': Read-only file system" };
  expect(explainWalls(end, readOnly)).toBe(
    'Countersign: Commands can write src/**, build output, caches and $TMPDIR; everything else is read-only. To change more, call request_scope.',
  );
  expect(explainWalls({ ...end, scope: null }, readOnly)).toContain('could write nothing but $TMPDIR');
  expect(explainWalls(end, 'Exit code 6\ncurl: (6) Could not resolve host: example.test')).toContain('without a network');
  expect(explainWalls({ ...end, takenBack: ['.mcp.json: it says which servers'] }, '')).toBe(
    'Countersign: Taken back, because no command may leave it: .mcp.json: it says which servers.',
  );
  const silent = [
    explainWalls(end, { stdout: 'ok' }),
    explainWalls({ ...end, walled: false }, readOnly),
    explainWalls({ ...end, network: true }, 'Could not resolve host'),
  ];
  expect(silent).toEqual([null, null, null]);
});

test('the receipt names the level that was in force', () => {
  expect([wallsOnReceipt(end), wallsOnReceipt({ ...end, walled: false }), wallsOnReceipt({ ...end, takenBack: ['x'] })]).toEqual([
    { level: 'walled' },
    { level: 'hooked' },
    { level: 'walled', taken_back: ['x'] },
  ]);
});
