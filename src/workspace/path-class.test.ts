import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { COMPANION_RULES, companionOf, DERIVED_RULES, inScope, isDerivedFolder, NO_PATH_CONFIG, pathClass } from './path-class.ts';

test('every rule about derived files takes its own examples and leaves the others', () => {
  for (const { examples } of DERIVED_RULES) {
    const wrong = (paths: readonly string[], expected: string) => paths.filter((path) => pathClass(path, NO_PATH_CONFIG) !== expected);
    expect([wrong(examples.derived, 'derived'), wrong(examples.governed, 'governed')]).toEqual([[], []]);
  }
});

test('every rule about companions takes its own examples and leaves the others', () => {
  for (const { examples } of COMPANION_RULES) {
    for (const [path, followed] of examples.follows) expect([path, companionOf(path, NO_PATH_CONFIG)]).toEqual([path, followed]);
    for (const path of examples.alone) expect([path, companionOf(path, NO_PATH_CONFIG)]).toEqual([path, null]);
  }
});

test('what is ignored by git is not derived for that reason', () => {
  for (const path of ['.env', '.env.local', 'notes.txt', '.ai/tmp/x', 'secrets/key.pem', 'logs/a.log', 'tmp/x'])
    expect([path, pathClass(path, NO_PATH_CONFIG)]).toEqual([path, 'governed']);
});

test('a project names more derived files and what is generated from what', () => {
  const config = {
    derived: ['public/build/**'],
    companions: { 'api/schema.yaml': ['src/generated/**', 'docs/api.md'], 'proto/a.proto': ['**/*_pb.ts'] },
  };
  expect(pathClass('public/build/a.js', config)).toBe('derived');
  expect(pathClass('dist/a.js', config)).toBe('derived');
  expect(companionOf('src/generated/deep/client.ts', config)).toBe('api/schema.yaml');
  expect(companionOf('src/a_pb.ts', config)).toBe('proto/a.proto');
  expect(companionOf('api/schema.yaml', { ...config, companions: { 'api/schema.yaml': ['api/**'] } })).toBe(null);
});

verifies('I9', 'a companion is in scope where the file is that it follows, and only there', () => {
  const scope = ['src/**', 'package.json'];
  const config = { derived: [], companions: { 'src/schema.yaml': ['docs/api.md'] } };
  expect(inScope(scope, 'src/a.ts', config)).toEqual({ glob: 'src/**', by: 'scope' });
  expect(inScope(scope, 'package-lock.json', config)).toEqual({ glob: 'package.json', by: 'companion' });
  expect(inScope(scope, 'docs/api.md', config)).toEqual({ glob: 'src/**', by: 'companion' });
  expect(inScope(scope, 'node_modules/a/index.js', config)).toEqual({ glob: '**/node_modules/**', by: 'derived' });
  expect(inScope(['src/a.test.ts'], 'src/__snapshots__/a.test.ts.snap', config)).toEqual({ glob: 'src/a.test.ts', by: 'companion' });
  for (const path of ['other/package-lock.json', 'docs/other.md', 'lib/__snapshots__/a.snap', 'lib/a.ts'])
    expect([path, inScope(scope, path, config)]).toEqual([path, null]);
  expect(inScope([], 'package-lock.json', config)).toBe(null);
});

verifies('N5', 'what git tracks is never derived: a committed build is governed, and its folder is looked into', () => {
  const config = {
    ...NO_PATH_CONFIG,
    isTracked: (path: string) => path === 'dist/app.js',
    hasTrackedBelow: (folder: string) => folder === 'dist',
  };
  expect([pathClass('dist/app.js', config), pathClass('dist/other.js', config)]).toEqual(['governed', 'derived']);
  expect([inScope(['src/**'], 'dist/app.js', config), inScope(['src/**'], 'dist/other.js', config)?.by]).toEqual([null, 'derived']);
  expect([isDerivedFolder('dist', config), isDerivedFolder('node_modules', config), isDerivedFolder('src', config)]).toEqual([
    false,
    true,
    false,
  ]);
});
