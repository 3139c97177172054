// What a check of the workspace is.

import type { CheckName } from '../protocol/index.ts';

/** A command that a human configured, or that the workspace's own files name. */
export interface Check {
  readonly check: CheckName;
  /** The program, as people call it. */
  readonly tool: string;
  /** For a shell, in the work tree's root. `{files}` stands for the files to look at. */
  readonly command: string;
  /** Which files it can be given; absent: the command takes none. */
  readonly takes?: RegExp;
  /** What stands for `{files}` when everything is looked at. */
  readonly everything?: string;
  readonly source: 'configured' | 'script' | 'detected';
}
