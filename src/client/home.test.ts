import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { homeOf } from './home.ts';

afterEach(() => void vi.unstubAllEnvs());

test('a folder that is named wins over the variable, the variable over the custom of the platform', () => {
  vi.stubEnv('COUNTERSIGN_HOME', '/c');
  vi.stubEnv('XDG_DATA_HOME', '/x');
  expect(homeOf('/named').dir).toBe('/named');
  expect(homeOf().dir).toBe('/c');
  vi.stubEnv('COUNTERSIGN_HOME', '');
  expect(homeOf().dir).toBe('/x/countersign');
  vi.stubEnv('XDG_DATA_HOME', undefined);
  expect(homeOf().dir).toBe(join(homedir(), '.local/share/countersign'));
});

test('a socket whose path is too long for the system is refused before anything is made', () => {
  const fits = `/${'h'.repeat(103 - '//run/daemon.sock'.length)}`;
  expect(Buffer.byteLength(homeOf(fits).socket)).toBe(103);
  expect(() => homeOf(`${fits}h`)).toThrow(
    expect.objectContaining({ code: 'BAD_REQUEST', fix: 'Set COUNTERSIGN_HOME to a shorter folder' }),
  );
  // The limit counts bytes, not characters.
  expect(() => homeOf(`${fits.slice(0, -1)}ü`)).toThrow('too long for this system');
});
