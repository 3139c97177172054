// Some clients run the hooks of a folder only when a human trusts them, and skip them silently otherwise. Doctor has to know: here a real
// client runs without that trust and with it, and doctor runs both times.

import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { DoctorReport } from '../../src/install/doctor.ts';
import type { ActionRow } from '../../src/protocol/index.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import type { ClientWords } from './client-words.ts';

export interface TrustWords {
  /** The client, without any trust setting, in the home of the human who runs init. */
  readonly words: ClientWords;
  readonly distrust?: (world: World) => Promise<void>;
  readonly trust: (world: World) => Promise<void>;
  /** What a client does without trust: it continues without hooks, or not at all. */
  readonly untrusting: 'works without hooks' | 'does not run';
}

const LOGIN = 'src/auth/login.ts';

export function tellOfTrust({ words: { client, agent, edit }, distrust, trust, untrusting }: TrustWords): void {
  describe.skipIf(process.env[client.variable] === undefined)(`${client.name}, and what it trusts`, () => {
    let world: World;
    beforeAll(async () => {
      world = await makeWorld(client);
    });
    afterAll(() => world?.dispose());

    verifies('N1', 'doctor tells hooks that are skipped from hooks that fire, as the client itself does', async () => {
      await world.human(['init', '--agent', client.name, '--yes']);
      await distrust?.(world);
      const change = [edit(join(world.repo.path, LOGIN), 'return null', 'return undefined as never'), { text: 'Done.' }];
      const before = await world.file(LOGIN);

      await world.agent('fix the login', change);
      expect((await world.file(LOGIN)) !== before).toBe(untrusting === 'works without hooks');
      expect(await world.ask<ActionRow[]>('log')).toEqual([]);
      expect(await health()).toMatchObject({ trust: 'bad', fired: 'note' });

      world.repo.git('checkout', '--', 'src');
      await trust(world);
      await world.agent('fix the login', change);
      expect(await world.file(LOGIN)).toBe(before);
      expect((await world.ask<ActionRow[]>('log')).map((row) => [row.agent, row.subject, row.state])).toContainEqual([
        ...[agent, LOGIN, 'refused'],
      ]);
      expect(await health()).toMatchObject({ trust: 'ok', fired: 'ok' });
    });

    async function health(): Promise<Record<string, string>> {
      const { agents } = await world.ask<DoctorReport>('doctor');
      const checks = agents.find(({ name }) => name === client.name)?.checks ?? [];
      return Object.fromEntries(checks.map(({ name, state }) => [name, state]));
    }
  });
}
