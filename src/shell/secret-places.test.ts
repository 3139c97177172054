import { expect, test } from 'vitest';
import { readCommand } from './read-command.ts';
import { SECRETS_AT_HOME, SECRETS_OF_SYSTEM, SETTINGS_WITH_SECRETS } from './secret-places.ts';

test('what walls hide is what a command that names it asks for', () => {
  const files = [...SECRETS_AT_HOME, ...SETTINGS_WITH_SECRETS].map((place) => `~/${place}`);
  const asks = (file: string) => readCommand(`cat ${file}`).reasons.some(({ code }) => code === 'READS_SECRET');
  const named = [...files, ...SECRETS_OF_SYSTEM].filter(
    (file) => asks(file) || asks(`${file}/credentials`) || asks(`${file}/config`) || asks(`${file}/hosts.yml`),
  );
  expect(named).toEqual([...files, ...SECRETS_OF_SYSTEM]);
});
