import { Fault } from '../../protocol/index.ts';

const FIXES: Readonly<Record<string, string>> = {
  ENOSPC: 'Free some space on the disk that holds it; the next action tries again.',
  EDQUOT: 'Free some of your disk quota; the next action tries again.',
  EFBIG: 'Raise the limit on file size that the daemon runs under; the next action tries again.',
  EROFS: 'Make the file system writable again; the next action tries again.',
  EACCES: 'Give the daemon its folder back; the next action tries again.',
  EIO: 'Check the disk and the kernel log; the next action tries again.',
};

/** The ledger, or what belongs to it, cannot be written. */
export function auditUnavailable(place: string, cause: unknown): Fault {
  if (cause instanceof Fault) return cause;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  const message = cause instanceof Error ? cause.message : String(cause);
  return new Fault('AUDIT_UNAVAILABLE', `The ledger in ${place} cannot be written: ${message}.`, {
    fix: FIXES[code] ?? 'See what keeps the daemon from writing there; the next action tries again.',
    cause,
  });
}
