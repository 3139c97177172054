import { expect, test } from 'vitest';
import { type EventClaim, senderOfEvent } from './event-sender.ts';
import { gateForThisTest } from './gate.fixture.ts';
import { sessionId } from './principals.ts';

const OWN = { pid: 7, started: 'own', proven: true, via: 'hook' } as const;
const OTHER = { ...OWN, pid: 8, started: 'other' } as const;

test('only an event that gains something is proven, and only the session’s own process may speak for it', async () => {
  const gate = await gateForThisTest();
  const identity = gate.identity('main');
  await gate.kernel.turns.openSession(identity, null, OWN);
  const proven: number[] = [];
  const ports = {
    reporterOf: async (pid: number) => {
      proven.push(pid);
      return pid === OWN.pid ? OWN : OTHER;
    },
    maySpeakFor: (session: string, reporter: { readonly pid: number } | null) =>
      session !== sessionId(identity) || reporter?.pid === OWN.pid,
  };
  const sent = async (claim: EventClaim, pid: number | null, agentId?: string) => {
    const named = agentId === undefined ? identity : { ...identity, agentId };
    const { reporter, isOwn } = await senderOfEvent(ports, gate.kernel.views, { identity: named, claim, pid, connection: null });
    return [reporter?.pid ?? null, isOwn];
  };
  const question = { kind: 'question' } as const;
  const outcome = { kind: 'outcome', call: { callId: 'a', which: 'newest' } } as const;
  expect([await sent(question, 7), await sent(outcome, 7), await sent(question, 8), await sent(question, null)]).toEqual([
    [7, true],
    [7, true],
    [null, false],
    [null, false],
  ]);
  expect(proven).toEqual([]);
  const authority = { kind: 'authority' } as const;
  expect([await sent(authority, 7), await sent(authority, 8), await sent(authority, null)]).toEqual([
    [7, true],
    [8, false],
    [null, false],
  ]);
  expect(proven).toEqual([7, 8]);
  // A sub-agent's event also needs a sender who may speak for its parent.
  expect([await sent(question, 8, 'sub'), await sent(question, 7, 'sub')]).toEqual([
    [8, false],
    [7, true],
  ]);
});
