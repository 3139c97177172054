// Whether this machine can put walls around agents' own commands. Tested with a real box: an installed program does not prove that the
// system allows it, and within another sandbox it usually does not.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { isProgram } from '../workspace/index.ts';
import { type BoxPlace, SessionBox, type WallPrograms } from './session-box.ts';

export type FoundWalls = { readonly kind: 'box'; readonly place: BoxPlace } | { readonly kind: 'none'; readonly why: string };

/** Not PATH: an agent may be able to write to what is first on it. */
const PLACES = ['/usr/bin', '/bin', '/usr/local/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];
const PROBE_MS = 10_000;

export async function findWalls(folder: string): Promise<FoundWalls> {
  if (process.platform !== 'linux') return { kind: 'none', why: 'walls around agents’ commands exist only on Linux so far' };
  const programs: Partial<Record<keyof WallPrograms, string>> = {};
  for (const name of ['bwrap', 'nsenter', 'setpriv', 'sh', 'env'] as const) {
    const program = PLACES.map((place) => path.join(place, name)).find(isProgram);
    if (program === undefined) return { kind: 'none', why: `${name} is not installed` };
    programs[name] = program;
  }
  const place: BoxPlace = { programs: programs as WallPrograms, folder };
  try {
    await probe(place);
    return { kind: 'box', place };
  } catch (error) {
    return { kind: 'none', why: `this system does not allow it: ${error instanceof Error ? error.message : String(error)}` };
  }
}

/** Leaves nothing behind: for a preview that must write nothing. */
export async function canBuildWalls(): Promise<boolean> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'countersign-walls-'));
  try {
    return (await findWalls(folder)).kind === 'box';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One folder writable, the one beside it not, and no capability left. */
async function probe(place: BoxPlace): Promise<void> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'countersign-probe-'));
  const box = await SessionBox.open(place);
  try {
    writeFileSync(path.join(base, 'closed'), '');
    const policy = { emptied: [], shown: [], temp: null, writable: [base], closed: [path.join(base, 'closed')], hidden: [] };
    const [program = '', ...args] = await box.enter(policy, 'session');
    const script = `touch "$1/open" && ! { echo > "$1/closed"; } 2>/dev/null && grep -q 'CapEff:.0*$' /proc/self/status`;
    const { status, stderr } = spawnSync(program, [...args, place.programs.sh, '-c', script, 'sh', base], {
      timeout: PROBE_MS,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr?.trim() || 'the walls do not hold');
  } finally {
    box.close();
    rmSync(base, { recursive: true, force: true });
  }
}
