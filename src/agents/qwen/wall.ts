// How Qwen Code calls its shell: `bash` from PATH, for commands of tools and for hooks. Only the former have a mark.

import type { WallSeam } from '../adapter.ts';
import { PLAIN_SEAM } from '../wire.ts';

export const wall: WallSeam = {
  ...PLAIN_SEAM,
  launch: { by: 'path', arguments: [], mark: 'QWEN_CODE', session: 'QWEN_CODE_SESSION_ID' },
  reported: true,
};
