// What a check of the workspace is.

import type { CheckName } from '../protocol/index.ts';

/** A command that a human configured, or that the workspace's own files name. */
export interface Check {
  readonly check: CheckName;
  /** The program's usual name. */
  readonly tool: string;
  /** For a shell, in the work tree's root. `{files}` is replaced by the files to check. */
  readonly command: string;
  /** Which files it can be given; absent: the command takes none. */
  readonly takes?: RegExp;
  /** Replaces `{files}` when everything is checked. */
  readonly everything?: string;
  readonly source: 'configured' | 'script' | 'detected';
}
