import { expect, test } from 'vitest';
import { profile, profileName } from './wall.ts';

const ROOT = '/home/ada/shop "one"';
const WALLS = { writable: [`${ROOT}/src`, `${ROOT}/.git`], closed: [`${ROOT}/.git/hooks`], hidden: ['/home/ada/.ssh'] };

test.each([null, '# mine\nmodel = "gpt-5.5"\n', '[projects."/x"]\ntrust_level = "trusted"'])(
  'walls are written beside %j, follow, and go',
  (before) => {
    const written = profile.write(before, ROOT, WALLS) ?? '';
    expect(profile.isWired(written, ROOT)).toBe(true);
    expect(written).toContain(`[permissions.${profileName(ROOT)}.filesystem]\n":root" = "read"\n"/home/ada/.ssh" = "none"\n`);
    expect(written).toContain('"/home/ada/shop \\"one\\"/src" = "write"\n');
    const other = profile.write(written, '/other', WALLS) ?? '';
    const narrowed = profile.write(other, ROOT, { ...WALLS, writable: [] }) ?? '';
    expect([narrowed.includes('/src" = "write"'), narrowed.split('begin, walls of').length]).toEqual([true, 3]);
    expect(profile.remove(profile.remove(narrowed, ROOT) ?? '', '/other')).toBe(before);
  },
);

const context = (more: object = {}) =>
  JSON.stringify({
    type: 'turn_context',
    payload: {
      active_permission_profile: { id: profileName(ROOT) },
      permission_profile: {
        network: 'restricted',
        file_system: {
          type: 'restricted',
          entries: [
            { path: { type: 'special', value: { kind: 'root' } }, access: 'read' },
            { path: { type: 'path', path: `${ROOT}/src` }, access: 'write' },
            { path: { type: 'path', path: '/home/ada/.ssh' }, access: 'deny' },
          ],
        },
      },
      ...more,
    },
  });
const called = (id: string, args: object) =>
  JSON.stringify({ type: 'response_item', payload: { type: 'function_call', call_id: id, arguments: JSON.stringify(args) } });

test('what is in force is what the record says of the last turn and of this call', () => {
  const record = (...lines: string[]) => ['{"cut', ...lines, ''].join('\n');
  const walls = { kind: 'walls', writable: [`${ROOT}/src`], closed: [], hidden: ['/home/ada/.ssh'] };
  expect(profile.inForce(record(context(), called('c1', { cmd: 'ls' })), ROOT, 'c1')).toEqual(walls);
  expect(profile.inForce(record(context()), ROOT, undefined)).toEqual(walls);
  for (const lines of [
    [],
    [context({ active_permission_profile: null })],
    [context(), context({ active_permission_profile: { id: ':danger' } })],
    [context({ permission_profile: { network: 'enabled', file_system: { type: 'restricted', entries: [] } } })],
    [context({ permission_profile: { network: 'restricted', file_system: { type: 'unrestricted' } } })],
    [context(), called('c1', { cmd: 'ls', sandbox_permissions: 'require_escalated' })],
    [context(), called('c1', { cmd: 'ls', sandbox_permissions: 'with_additional_permissions' })],
  ])
    expect(profile.inForce(record(...lines), ROOT, 'c1').kind).toBe('none');
});
