// How opencode calls its shell: `shell` in its settings names the program, which gets the bare text of the command. A file that is missing is
// silently replaced by the ordinary shell, and settings count from the start of the client: so our plugin reports what it uses.

import type { Json, WallSeam } from '../adapter.ts';
import { PLAIN_SEAM } from '../wire.ts';

export const SHELL_KEY = 'shell';

export const wall: WallSeam = {
  ...PLAIN_SEAM,
  programIn: (settings) => {
    const value = (settings as Json | null)?.[SHELL_KEY];
    return typeof value === 'string' ? value : null;
  },
  reported: true,
};
