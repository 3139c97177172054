// Cline takes no shell of ours, by no setting: each command is replaced by a short call of the wall program, which fetches it by its ticket.

import type { WallSeam } from '../adapter.ts';

export const wall: WallSeam = {
  commandIn: () => null,
  readsBack: () => null,
  startWrites: [],
  shownInTemp: [],
  programIn: () => null,
  rewrites: true,
};
