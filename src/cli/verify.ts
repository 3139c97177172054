// `countersign verify`, in words.

import type { Verification } from '../ledger/index.ts';

export function verificationText({
  dir,
  size,
  heads,
  chain,
  torn_tail_bytes,
  problem,
  hmac,
  saved_checkpoint,
  outcomes,
  countersignatures: { checked, bad },
}: Verification): string {
  const unknown = outcomes.filter(({ state }) => state === 'unknown');
  const running = outcomes.length - unknown.length;
  return [
    problem === null
      ? `Intact: ${count(size, 'record')} under ${count(heads, 'signed head')} in ${dir}; nothing is missing. Chain ${chain?.slice(0, 16) ?? 'empty'}.`
      : `BROKEN at ${problem?.segment} line ${problem?.line}${problem?.seq ? ` (record ${problem.seq})` : ''}: ${problem?.how}. ${problem?.message}\n${size} records before it are intact.`,
    ...(torn_tail_bytes > 0
      ? [`The last ${torn_tail_bytes} bytes are a batch that was never finished or acknowledged; the next daemon drops it and says so.`]
      : []),
    unknown.length === 0 ? 'No outcome is unknown.' : `${unknown.length} outcome${unknown.length === 1 ? ' is' : 's are'} unknown:`,
    ...unknown.map(({ action, tool, reason }) => `  ◌ ${action}  ${tool}  ${reason}`),
    ...(running > 0 ? [`${running} admitted, not settled yet.`] : []),
    ...(checked > 0
      ? [`${count(checked - bad.length, 'countersignature')} of humans' keys ${checked - bad.length === 1 ? 'fits' : 'fit'}.`]
      : []),
    ...bad.map(({ seq, why }) => `BAD COUNTERSIGNATURE in record ${seq}: ${why}.`),
    hmac === 'not checked' ? 'Not checked: the HMACs (only the daemon holds their key).' : 'The daemon checked the HMACs.',
    ...(saved_checkpoint === 'not checked'
      ? ['Not checked: whether records were cut off at the end. Keep a head elsewhere and give it with --head FILE.']
      : []),
  ].join('\n');
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
