// How Claude Code calls its shell. `CLAUDE_CODE_SHELL` names the program; a file that is missing, or whose path names neither bash nor zsh,
// is silently replaced by the ordinary shell, so the gate checks on every call that it is in force.

import type { Json, WallSeam } from '../adapter.ts';

/** A tool call's line: … && eval '<command>' < /dev/null && pwd -P >| <file>. In single quotes only a quote itself is written differently. */
const LINE = /(?:^|&& )eval '((?:[^']|'"'"')*)'(?: < \/dev\/null)? && pwd -P >\| (\S+)$/;

export const SHELL_VARIABLE = 'CLAUDE_CODE_SHELL';

export const wall: WallSeam = {
  commandIn: (line) => LINE.exec(line)?.[1]?.replaceAll(`'"'"'`, "'") ?? null,
  // The client keeps the working folder from one call to the next by it.
  readsBack: (line) => LINE.exec(line)?.[2]?.match(/^.*\/claude-[\w-]+-cwd$/)?.[0] ?? null,
  startWrites: ['.claude/shell-snapshots'],
  // Output of background calls, which the client tells the model to look at.
  shownInTemp: [`claude-${process.getuid?.() ?? 0}`],
  programIn: (settings) => {
    const value = ((settings as Json | null)?.['env'] as Json | null | undefined)?.[SHELL_VARIABLE];
    return typeof value === 'string' ? value : null;
  },
};
