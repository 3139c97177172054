// One daemon for a whole test file and a repository for each test: workspaces do not see each other, so a test that neither ends the
// daemon nor counts over all workspaces needs none of its own.

import { afterAll, beforeAll } from 'vitest';
import { type Installation, makeInstallation, type Place } from './installation.ts';

export function oneDaemon(): () => Promise<Place> {
  let installation: Installation;
  beforeAll(async () => {
    installation = await makeInstallation();
  });
  afterAll(() => installation.dispose());
  return () => installation.beside();
}
