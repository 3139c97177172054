// How Copilot CLI calls its shell: always the real bash, which reads the file that `BASH_ENV` names if an argument allows it. That file hands
// the text over to the wall program. Only commands are given the session's name: hooks, of the user too, read the same file.

import type { WallSeam } from '../adapter.ts';
import { PLAIN_SEAM } from '../wire.ts';

export const wall: WallSeam = {
  ...PLAIN_SEAM,
  launch: {
    ...{ by: 'bash-env', arguments: ['--bash-env=on'], mark: 'COPILOT_AGENT_SESSION_ID', session: 'COPILOT_AGENT_SESSION_ID' },
    // The last one counts. What it does with another form is not known.
    whyNot: (words) => {
      const last = words.findLast((word) => /^--(?:no-)?bash-env(?:$|=)/.test(word));
      return last === '--bash-env=on' ? null : `it was started with ${last ?? 'no argument --bash-env=on'}`;
    },
  },
  reported: true,
};
