// How Copilot CLI calls its shell: always the real bash, which reads the file that `BASH_ENV` names if an argument allows it. That file hands
// the text over to the wall program.

import type { WallSeam } from '../adapter.ts';
import { PLAIN_SEAM } from '../wire.ts';

export const wall: WallSeam = {
  ...PLAIN_SEAM,
  launch: { by: 'bash-env', arguments: ['--bash-env=on'], mark: 'COPILOT_CLI', session: 'COPILOT_AGENT_SESSION_ID' },
  reported: true,
};
