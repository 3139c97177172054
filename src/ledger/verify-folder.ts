// A ledger's folder, verified with nothing but its files and the public key: what is intact, what is broken and where, which outcomes are
// unknown, and what could not be checked.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { CheckpointFile, Fault, type LedgerRecord } from '../protocol/index.ts';
import { type BadCountersignature, CountersignatureCheck } from './check-countersignatures.ts';
import { type Checkpoint, verifyLedger, type VerifyReport } from './verify.ts';

export interface OpenOutcome {
  readonly action: string;
  readonly tool: string;
  readonly session: string;
  /** `unknown`: recorded as unknown. `open`: admitted, and not settled yet. */
  readonly state: 'unknown' | 'open';
  readonly reason: string | null;
}

export interface Verification extends VerifyReport {
  readonly dir: string;
  readonly saved_checkpoint: 'checked' | 'not checked';
  readonly outcomes: readonly OpenOutcome[];
  /** Signatures of humans' own keys under what they decided. */
  readonly countersignatures: { readonly checked: number; readonly bad: readonly BadCountersignature[] };
}

export async function verifyFolder(dir: string, headFile: string | undefined): Promise<Verification> {
  const publicKeyPem = await readFile(path.join(dir, 'public.pem'), 'utf8').catch((cause: unknown) => {
    throw new Fault('NOT_FOUND', `There is no ledger in ${dir}.`, {
      fix: 'Name the folder that holds 00000001.jsonl and public.pem',
      cause,
    });
  });
  const savedCheckpoint = headFile === undefined ? undefined : await readHead(headFile);
  const open = new Map<string, OpenOutcome>();
  const humans = new CountersignatureCheck();
  const onRecord = (record: LedgerRecord) => {
    follow(open, record);
    humans.apply(record);
  };
  const report = await verifyLedger({ dir, publicKeyPem, ...(savedCheckpoint ? { savedCheckpoint } : {}), onRecord });
  const countersignatures = humans.result();
  const ok = report.ok && countersignatures.bad.length === 0;
  return {
    ...report,
    ok,
    dir,
    saved_checkpoint: savedCheckpoint ? 'checked' : 'not checked',
    outcomes: [...open.values()],
    countersignatures,
  };
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

async function readHead(file: string): Promise<Checkpoint> {
  try {
    return CheckpointFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new Fault('BAD_REQUEST', `${file} does not hold a saved checkpoint.`, {
      fix: 'It is JSON such as {"size": 182, "chain": "…"}, as countersign status --json prints it under ledger',
      cause,
    });
  }
}
