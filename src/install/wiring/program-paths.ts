// Where the programs are that agents start: of this installation, or by name for files that travel with a repository.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WirePaths } from '../../agents/index.ts';

/** The clone, or the package as npm installed it. */
export const PROGRAM_ROOT = path.join(import.meta.dirname, '../../..');
export const CLI = path.join(PROGRAM_ROOT, 'bin/countersign');
/** Also of the wall programs, which agents are given as their shell. */
export const CLI_FOLDER = path.dirname(CLI);

/** Holds a `bash`, for agents that take theirs from PATH. */
export const WALL_FOLDER = path.join(CLI_FOLDER, 'walls');

/** Runs the command of a ticket, for agents whose commands are replaced. */
export const WALL_CALL = path.join(CLI_FOLDER, 'countersign-wall');

/** Where systems keep it, the newer one of macOS first. Not PATH: an agent's may begin with a folder that the agent may write to. */
const BASH_PLACES = ['/opt/homebrew/bin', '/usr/local/bin', '/bin', '/usr/bin', '/run/current-system/sw/bin'].map((dir) => `${dir}/bash`);

const BWRAP_PLACES = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'].map((dir) => `${dir}/bwrap`);

export function wirePaths(shared: boolean, home: string, observing = false): WirePaths {
  const observe = observing ? { observe: true as const } : {};
  if (shared) return { hookClient: 'countersign-hook', cli: 'countersign', home: null, optional: true, ...observe };
  const bash = BASH_PLACES.find((place) => existsSync(place));
  const wall = observing ? null : wallProgram();
  return {
    hookClient: path.join(PROGRAM_ROOT, 'bin/countersign-hook'),
    cli: CLI,
    home,
    ...(bash && { bash }),
    ...(wall && { wall }),
    ...observe,
  };
}

/** For the shell that the user works with. Null: what builds the walls is not installed. */
function wallProgram(): string | null {
  if (process.platform !== 'linux' || !BWRAP_PLACES.some((place) => existsSync(place))) return null;
  return path.join(CLI_FOLDER, `countersign-wall-${process.env['SHELL']?.endsWith('/zsh') ? 'zsh' : 'bash'}`);
}

/** A file that is wired for everybody names no path of this machine. */
export const isShared = (text: string, home: string): boolean => !text.includes(wirePaths(false, home).hookClient);

/** What runs as the daemon. */
export const PROGRAM = fileURLToPath(new URL('../../app/main.ts', import.meta.url));
