// Kills in number: stores and daemons side by side, at every write point and at random moments. A campaign can be interrupted and resumed
// if a state file is named.
//   COUNTERSIGN_KILLS  how many (300)      COUNTERSIGN_SEED  to have the same again      COUNTERSIGN_CAMPAIGN  the file

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, vi } from 'vitest';
import { verifies } from '../verifies.ts';
import { killDaemons } from './kill-daemons.ts';
import { killStores } from './kill-stores.ts';
import { killOf, ROUND_KILLS } from './kills.ts';

vi.setConfig({ testTimeout: 24 * 3_600_000 });

const WANTED = Number(process.env['COUNTERSIGN_KILLS'] ?? 300);
const ROUNDS = Math.ceil(WANTED / ROUND_KILLS);
const stateFile = process.env['COUNTERSIGN_CAMPAIGN'];

interface Progress {
  readonly seed: number;
  readonly rounds: number;
}

function readProgress(): Progress {
  const seed = Number(process.env['COUNTERSIGN_SEED'] ?? Math.floor(Math.random() * 1_000_000));
  if (stateFile === undefined || !existsSync(stateFile)) return { seed, rounds: 0 };
  return JSON.parse(readFileSync(stateFile, 'utf8')) as Progress;
}

function keepProgress(progress: Progress): void {
  if (stateFile === undefined) return;
  mkdirSync(dirname(stateFile), { recursive: true });
  writeFileSync(stateFile, JSON.stringify(progress));
}

verifies('N2', `${ROUNDS * ROUND_KILLS} kills: nothing acknowledged is lost, nothing done unrecorded`, async () => {
  const { seed, rounds: done } = readProgress();
  console.log(`COUNTERSIGN_SEED=${seed}${done > 0 ? `, going on after ${done * ROUND_KILLS} kills` : ''}`);
  const seen = { kills: 0, inStart: 0, acknowledged: 0, repaired: 0, unknown: 0 };
  for (let round = done; round < ROUNDS; round++) {
    const kills = Array.from({ length: ROUND_KILLS }, (_, at) => killOf(seed, round * ROUND_KILLS + at));
    let last = '';
    const results = await Promise.allSettled([
      killStores(
        kills.filter(({ victim }) => victim === 'store'),
        (_kill, repaired) => {
          seen.kills += 1;
          seen.repaired += repaired ? 1 : 0;
        },
      ),
      killDaemons(
        kills.filter(({ victim }) => victim === 'daemon'),
        ({ kill, cameUp, acknowledged, repaired, unknown }) => {
          seen.kills += 1;
          seen.inStart += cameUp ? 0 : 1;
          seen.acknowledged += acknowledged;
          seen.repaired += repaired ? 1 : 0;
          seen.unknown += unknown;
          last = JSON.stringify(kill.at);
        },
      ),
    ]);
    for (const result of results)
      if (result.status === 'rejected') {
        console.error(`round ${round} with COUNTERSIGN_SEED=${seed}; the last daemon that passed died at ${last}`);
        throw result.reason as Error;
      }
    keepProgress({ seed, rounds: round + 1 });
    console.log(`${(round + 1) * ROUND_KILLS} of ${ROUNDS * ROUND_KILLS} kills: ${JSON.stringify(seen)}`);
  }
  expect(seen.kills).toBe((ROUNDS - done) * ROUND_KILLS);
});
