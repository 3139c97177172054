// What every group of commands is given to add itself to the command line.

import { type Command, InvalidArgumentError } from 'commander';
import type { CommandContext } from '../command-context.ts';
import type { CheckPlan } from '../plan-files.ts';
import type { Workspace } from '../../workspace/index.ts';
import type { DaemonClient, Home } from '../../client/node.ts';

export interface GlobalOptions {
  readonly home?: string;
  readonly json?: boolean;
}

export interface ForegroundOptions {
  readonly home: Home;
  readonly client: DaemonClient;
  /** Null: the sample. */
  readonly workspace: string | null;
  readonly print: (text: string) => void;
}

export interface CommandLine {
  readonly program: Command;
  readonly options: () => GlobalOptions;
  readonly home: () => Home;
  /** A context whose first request starts a daemon if none answers. */
  readonly connected: () => Promise<CommandContext>;
  /** To standard output. */
  readonly print: (text: string) => void;
  /** To standard error; silent with --json. */
  readonly say: (text: string) => void;
  readonly startInForeground: (options: ForegroundOptions) => Promise<void>;
  /** Judges a plan by itself and by the files of the tree, without a daemon. */
  readonly checkPlan: CheckPlan;
}

/**
 * The folder where the command was called. Most commands leave that to the daemon, so the code that finds it is loaded here: it is half of
 * the load time.
 */
export async function locatedHere(): Promise<Workspace> {
  const { locateWorkspace } = await import('../../workspace/index.ts');
  return locateWorkspace(process.cwd());
}

export const ONLY_TEXT = ['--text <digest>', 'only this text, by what countersign status calls it'] as const;

/** Lists are of the workspace that one stands in. */
export const OF_ALL = ['--all', 'of every workspace'] as const;

/** For an option that is given several times. */
export const collect = (value: string, before: string[]): string[] => [...before, value];

export function number(text: string): number {
  if (!/^[1-9][0-9]{0,2}$|^1000$/.test(text)) throw new InvalidArgumentError('a number from 1 to 1000');
  return Number(text);
}
