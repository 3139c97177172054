// How Gemini CLI calls its shell: `bash` from PATH, for commands of tools and for hooks. Only the former have a mark. It gives no session.

import type { WallSeam } from '../adapter.ts';
import { PLAIN_SEAM } from '../wire.ts';

/** A tool call's line; the file lists processes in the background, which the client shows to the model. */
const LINE =
  /^shopt [^\n]*; _bgpids_file=([^\n]+)\n\(\n {2}trap 'jobs -p > "\$_bgpids_file"' EXIT\n([^]*)\n\)\n__code=\$\?\nexit \$__code$/;

export const wall: WallSeam = {
  ...PLAIN_SEAM,
  commandIn: (line) => LINE.exec(line)?.[2] ?? null,
  readsBack: (line) => LINE.exec(line)?.[1]?.match(/^.*\/gemini-shell-\w+\/bgpids\.tmp$/)?.[0] ?? null,
  launch: { by: 'path', arguments: [], mark: 'GEMINI_CLI', session: null },
  reported: true,
};
