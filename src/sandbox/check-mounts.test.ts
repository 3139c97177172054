import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { misplacedMount, readMounts } from './check-mounts.ts';

const OUTSIDE = readMounts(
  '1 0 8:1 / / rw - ext4 a rw\n2 1 8:2 /@home /home rw - btrfs b rw\n3 2 8:3 / /home/ada/repo/data rw - ext4 c rw\n',
);
const ORDERED = [
  { point: '/home/ada/repo/src', of: '/home/ada/repo/src' },
  { point: '/home/ada/repo', of: '/home/ada/repo' },
  { point: '/tmp', of: '/tmp/countersign-x' },
];
const FREE = { own: ['/proc', '/dev'], empty: ['/run'] };
const misplaced = (...lines: string[]) =>
  misplacedMount(readMounts(lines.map((line) => `9 8 0:1 ${line} - x y z`).join('\n')), OUTSIDE, ORDERED, FREE);

verifies('N20', 'walls are used only if every writable place in them is one that was ordered', () => {
  const right = ['/ / ro', '/@home/ada/repo /home/ada/repo rw', '/@home/ada/repo/src /home/ada/repo/src rw', '/tmp/countersign-x /tmp rw'];
  expect(misplaced(...right, '/ /run rw', '/ /proc rw', '/ /dev/pts rw', '/ /home/ada/repo/data rw')).toBeNull();
  const wrong: [string, string][] = [
    // A link led the mount to another place.
    ['/@home/ada /home/ada rw', '/home/ada'],
    // The place is right, but a link led to what it shows.
    ['/@home/ada/.ssh /home/ada/repo/src rw', '/home/ada/repo/src'],
    ['/ / rw', '/'],
    ['/ /run/user rw', '/run/user'],
    ['/tmp /tmp rw', '/tmp'],
    ['/with\\040space /with\\040space rw', '/with space'],
  ];
  for (const [line, point] of wrong) expect(misplaced(...right, line)).toBe(point);
});
