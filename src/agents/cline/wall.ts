// Cline takes no shell of ours, by no setting: each command is replaced by a short call of the wall program, which fetches it by its ticket.

import type { WallSeam } from '../adapter.ts';
import { PLAIN_SEAM } from '../wire.ts';

export const wall: WallSeam = {
  ...PLAIN_SEAM,
  commandIn: () => null,
  rewrites: true,
};
