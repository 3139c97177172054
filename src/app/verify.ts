// `countersign verify`: needs only the ledger's files and the public key; no daemon, no secret. Says what is intact, what is
// broken and where, which outcomes are unknown, and what could not be checked.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type BadCountersignature, CountersignatureCheck, type KeptHead, verifyLedger, type VerifyReport } from '../ledger/index.ts';
import { Fault, type LedgerRecord } from '../protocol/index.ts';
import { z } from 'zod';
import type { DaemonClient } from '../doors/cli/daemon-client.ts';
import type { Home } from '../client/node.ts';
import { readKeptHead } from './kept-head.ts';

export interface OpenOutcome {
  readonly action: string;
  readonly tool: string;
  readonly session: string;
  /** `unknown`: said so on the record. `open`: admitted, and not settled yet. */
  readonly state: 'unknown' | 'open';
  readonly reason: string | null;
}

export interface Verification extends VerifyReport {
  readonly dir: string;
  readonly kept_head: 'checked' | 'not checked';
  readonly outcomes: readonly OpenOutcome[];
  /** Signatures of humans' own keys under what they decided. */
  readonly countersignatures: { readonly checked: number; readonly bad: readonly BadCountersignature[] };
}

export async function verify(dir: string, headFile: string | undefined): Promise<Verification> {
  const publicKeyPem = await readFile(path.join(dir, 'public.pem'), 'utf8').catch((cause: unknown) => {
    throw new Fault('NOT_FOUND', `There is no ledger in ${dir}.`, {
      fix: 'Name the folder that holds 00000001.jsonl and public.pem',
      cause,
    });
  });
  const keptHead = headFile === undefined ? undefined : await readHead(headFile);
  const open = new Map<string, OpenOutcome>();
  const humans = new CountersignatureCheck();
  const onRecord = (record: LedgerRecord) => {
    follow(open, record);
    humans.apply(record);
  };
  const report = await verifyLedger({ dir, publicKeyPem, ...(keptHead ? { keptHead } : {}), onRecord });
  const countersignatures = humans.result();
  const ok = report.ok && countersignatures.bad.length === 0;
  return { ...report, ok, dir, kept_head: keptHead ? 'checked' : 'not checked', outcomes: [...open.values()], countersignatures };
}

/** The user's own ledger: also against the head that the daemon keeps, and with the daemon's word on the HMACs if one answers. */
export async function verifyOwn(home: Home, headFile: string | undefined, client: DaemonClient): Promise<Verification> {
  const kept = headFile ?? ((await readKeptHead(home.keptHead)) ? home.keptHead : undefined);
  const result = await verify(path.join(home.dir, 'ledger'), kept);
  if (!result.ok || !(await client.isAlive())) return result;
  const { ok, hmac, problem } = await client.ask('verification', {});
  return { ...result, ok, hmac, problem };
}

function follow(open: Map<string, OpenOutcome>, { event }: LedgerRecord): void {
  if (event.type === 'action_admitted') {
    const { id, tool, native, session } = event.data.action;
    open.set(id, { action: id, tool: native?.tool ?? tool, session, state: 'open', reason: null });
  } else if (event.type === 'action_settled') open.delete(event.data.action);
  else if (event.type === 'action_unknown') {
    const known = open.get(event.data.action);
    if (known) open.set(event.data.action, { ...known, state: 'unknown', reason: event.data.reason });
  }
}

const Head = z.object({ size: z.int().min(0), chain: z.string() });

async function readHead(file: string): Promise<KeptHead> {
  try {
    return Head.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new Fault('BAD_REQUEST', `${file} does not hold a kept head.`, {
      fix: 'It is JSON such as {"size": 182, "chain": "…"}, as countersign status --json prints it under ledger',
      cause,
    });
  }
}

export function verificationText({
  dir,
  size,
  heads,
  chain,
  torn_tail_bytes,
  problem,
  hmac,
  kept_head,
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
    ...(kept_head === 'not checked'
      ? ['Not checked: whether records were cut off at the end. Keep a head elsewhere and give it with --head FILE.']
      : []),
  ].join('\n');
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`;
