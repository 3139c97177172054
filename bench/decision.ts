// What a decision costs: all policies over given facts, and the full path of an action to a chained and signed record, on a file system in
// memory, so that no disk is waited for. node bench/decision.ts [--json FILE]

import { generateKeyPairSync, sign } from 'node:crypto';
import { admit, policies } from '../src/policy/index.ts';
import { report, sized } from './report/report.ts';
import { percentile } from './report/rounds.ts';
import { MEMORY, scratchFolder } from './stack/scratch.ts';
import { workingSession } from './stack/working-session.ts';

const DECISIONS = sized(20_000, 50);
const ACTIONS = sized(1_000, 20);

const scratch = scratchFolder(MEMORY ?? undefined);
const { daemon, request, end } = await workingSession(scratch.path);
try {
  const { spine, state } = daemon.services.kernel;
  const write = (at: number) => spine.before(request('write_file', { path: `src/new-${at}.ts`, content: `export const a = ${at};\n` }));
  const { outcome } = await write(-1);
  if (outcome.kind !== 'admitted') throw new Error(`the write was not admitted: ${JSON.stringify(outcome)}`);
  const { action, decision } = state.actions.get(outcome.action.id)!;

  const decide = () => admit(policies, 'bench', action, decision.facts);
  const decisions: number[] = [];
  for (let at = 0; at < DECISIONS * 1.2; at++) {
    const begun = performance.now();
    decide();
    if (at >= DECISIONS * 0.2) decisions.push(performance.now() - begun);
  }

  // The one part that cannot be made cheaper: the head of a batch carries a signature.
  const { privateKey } = generateKeyPairSync('ed25519');
  const head = Buffer.alloc(300, 'h');
  const actions: number[] = [];
  const signatures: number[] = [];
  for (let at = 0; at < ACTIONS * 1.2; at++) {
    const begun = performance.now();
    const { outcome } = await write(at);
    const written = performance.now();
    sign(null, head, privateKey);
    const signed = performance.now();
    // As in real use: an admitted action has an outcome before the next one is decided.
    if (outcome.kind === 'admitted') await spine.after(outcome.action.id, { output: 'done', failed: false });
    if (at < ACTIONS * 0.2) continue;
    actions.push(written - begun);
    signatures.push(signed - written);
  }

  report(
    'decision',
    [
      { what: 'all policies, facts at hand, p50', value: percentile(decisions, 0.5) * 1000, unit: 'µs', atMost: 10 },
      { what: 'all policies, facts at hand, p99', value: percentile(decisions, 0.99) * 1000, unit: 'µs' },
      { what: 'an action to its signed record, p50', value: percentile(actions, 0.5), unit: 'ms', atMost: 0.5 },
      { what: 'an action to its signed record, p99', value: percentile(actions, 0.99), unit: 'ms', atMost: 2 },
      { what: 'one Ed25519 signature, p50', value: percentile(signatures, 0.5), unit: 'ms' },
      {
        what: 'an action to its signed record, p50',
        value: percentile(actions, 0.5) / percentile(signatures, 0.5),
        ...{ unit: '×', against: 'one Ed25519 signature' },
      },
    ],
    MEMORY === null ? ['there is no /dev/shm: the record was synced to a disk'] : [],
  );
} finally {
  await end();
  scratch.remove();
}
