// What walls did to a command, for its agent: inside it only reads "Read-only file system", which does not say why.

import type { WallEnd } from '../protocol/index.ts';

const WRITE_FAILED = /read-only file ?system|EROFS|device or resource busy|EBUSY/i;
const HOST_FAILED =
  /could not resolve host|temporary failure in name resolution|name or service not known|network is unreachable|ENOTFOUND|EAI_AGAIN|ENETUNREACH/i;

/** Null: nothing of it is the walls' doing. */
export function explainWalls({ walled, takenBack, scope, network }: WallEnd, output: unknown): string | null {
  if (!walled) return null;
  const text = typeof output === 'string' ? output : (JSON.stringify(output) ?? '');
  const parts = [
    ...(takenBack.length === 0 ? [] : [`Taken back, because no command may leave it: ${takenBack.join('. ')}.`]),
    ...(WRITE_FAILED.test(text) ? [whereItWrites(scope)] : []),
    ...(HOST_FAILED.test(text) && !network
      ? [
          'Commands run without a network, apart from servers of this session. A command that names the program or the host that needs it is given one; otherwise call request_human.',
        ]
      : []),
  ];
  return parts.length === 0 ? null : `Countersign: ${parts.join(' ')}`;
}

const whereItWrites = (scope: readonly string[] | null): string =>
  scope === null
    ? 'This command was read as one that only looks, so it could write nothing but $TMPDIR.'
    : `Commands can write ${scope.join(', ')}, build output, caches and $TMPDIR; everything else is read-only. To change more, call request_scope.`;
