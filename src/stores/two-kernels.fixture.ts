// Two kernels on one store, each behind a link that is slow in both directions, as if the store were on another machine: an append takes
// a while to get there, and what was written takes a while to arrive. Everything still comes in order, and a kernel gets its own
// records before its append resolves.

import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Gate, human, outcomeOf, summaryOf, TTL_SECONDS } from '../kernel/gate.fixture.ts';
import type { EventLog, RecordedOutcome } from '../kernel/index.ts';
import { DEFAULT_CONFIG, type Fault, type LedgerRecord, newId } from '../protocol/index.ts';
import type { EventStore } from './event-store.ts';

const aWhile = async (): Promise<void> => {
  for (let turns = Math.floor(Math.random() * 4); turns > 0; turns--) await new Promise(setImmediate);
};

function slowLink(log: EventLog): EventLog {
  const listeners = new Set<(records: readonly LedgerRecord[]) => void>();
  let delivered = Promise.resolve();
  log.subscribe((records) => {
    delivered = delivered.then(aWhile).then(() => {
      for (const listener of listeners) listener(records);
    });
  });
  return {
    ...log,
    isShared: true,
    append: async (parts, options) => {
      await aWhile();
      const records = await log.append(parts, options);
      await delivered;
      return records;
    },
    positions: async (streams) => {
      await aWhile();
      return log.positions(streams);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

async function twoGates(store: EventStore): Promise<readonly [Gate, Gate]> {
  const first = await Gate.open({ store, link: slowLink });
  onTestFinished(() => rmSync(dirname(first.dir), { recursive: true, force: true }));
  return [first, await Gate.open({ beside: first, link: slowLink })];
}

/** What was recorded since the last call. */
function follow(store: EventStore): () => readonly LedgerRecord['event'][] {
  let heard: LedgerRecord['event'][] = [];
  store.subscribe((records) => heard.push(...records.map(({ event }) => event)));
  return () => {
    const now = heard;
    heard = [];
    return now;
  };
}

const both = async (...calls: readonly (() => Promise<RecordedOutcome>)[]): Promise<readonly RecordedOutcome[]> =>
  Promise.all(calls.map((call) => aWhile().then(call)));

const asked = (outcome: RecordedOutcome): string => outcomeOf(outcome, 'refused').refusal.approval_id as string;

const ENDS_QUESTION: ReadonlySet<string> = new Set(['approval_spent', 'approval_withdrawn']);

/** `rounds`: of all races together. */
export function kernelRaces(opened: () => Promise<{ readonly store: EventStore }>, rounds: number): void {
  const each = Math.ceil(rounds / 18);
  const race = (name: string, work: () => Promise<void>) => test(`${name}, ${each} times`, { timeout: 120_000 + each * 200 }, work);

  race('two kernels ask about the same call: one question', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await first.working();
    await second.session();
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const command = `rm -rf src/build/${round}`;
      const outcomes = await both(
        () => first.command(session, command),
        () => second.command(session, command),
      );
      expect(new Set(outcomes.map(asked)).size).toBe(1);
      expect(recorded().filter(({ type }) => type === 'approval_requested').length).toBe(1);
    }
  });

  race('two kernels spend the same approval: one does', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await first.working();
    await second.session();
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const command = `rm -rf src/build/${round}`;
      const id = await first.ask(session, command);
      await first.answer(id, 'approved');
      recorded();
      const outcomes = await both(
        () => first.command(session, command),
        () => second.command(session, command),
      );
      expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['admitted', 'refused']);
      const types = recorded().map(({ type }) => type);
      const count = (type: string) => types.filter((each) => each === type).length;
      expect([count('action_admitted'), count('approval_spent'), count('approval_requested')]).toEqual([1, 1, 1]);
    }
  });

  race('two kernels admit a change of the same file: one does', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const sessions = [await first.working('one'), await second.working('two')] as const;
    for (let round = 0; round < each; round++) {
      const outcomes = await both(
        () => first.write(sessions[0], 'src/a.ts'),
        () => second.write(sessions[1], 'src/a.ts'),
      );
      expect(outcomes.map(summaryOf).toSorted()).toEqual(['admitted', 'refused FILE_LEASED']);
      const [holder, gate] = outcomes[0]?.kind === 'admitted' ? [outcomes[0], first] : [outcomes[1], second];
      await gate.kernel.spine.after(outcomeOf(holder as RecordedOutcome, 'admitted').action.id, { output: '', failed: false });
    }
  });

  race('an answer and the end of its time: one counts', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await first.working();
    // For the second kernel every question is overdue.
    second.clock.ms += TTL_SECONDS * 1000 + 1;
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const id = await first.ask(session, `rm -rf src/build/${round}`);
      recorded();
      const [answered] = await Promise.all([
        aWhile().then(() => first.answer(id, 'approved')),
        aWhile().then(() => second.kernel.approvals.expire()),
      ]);
      // The second kernel may also end the question of an earlier round, which it had not heard of then.
      const own = recorded().filter(({ data }) => 'approval' in data && data.approval === id);
      const [ended, ...more] = own.filter(({ type }) => type === 'approval_answered' || type === 'approval_expired');
      const isAnswered = ended?.type === 'approval_answered';
      expect(summaryOf(answered)).toBe(isAnswered ? 'noted' : 'noted APPROVAL_NOT_OPEN');
      // An answer that is not used by then expires too.
      expect(more.map(({ type }) => type)).toEqual(isAnswered && more.length > 0 ? ['approval_expired'] : []);
    }
  });

  race('a yes and a no through two kernels: the first is final', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await first.working();
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const id = await first.ask(session, `rm -rf src/build/${round}`);
      await expect.poll(() => second.kernel.state.approvals.has(id), { interval: 1 }).toBe(true);
      recorded();
      const outcomes = await both(
        () => first.answer(id, 'approved'),
        () => second.answer(id, 'rejected'),
      );
      expect(outcomes.map(summaryOf).toSorted()).toEqual(['noted', 'noted APPROVAL_NOT_OPEN']);
      expect(recorded().filter(({ type }) => type === 'approval_answered').length).toBe(1);
    }
  });

  race('a yes is spent through one kernel or withdrawn through another, never both', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await first.working();
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const command = `rm -rf src/build/${round}`;
      const id = await first.ask(session, command);
      await first.answer(id, 'approved');
      await expect.poll(() => second.kernel.state.approvals.get(id)?.state, { interval: 1 }).toBe('approved');
      recorded();
      // For the second kernel every question was asked under other rules. Every other time it looks before the spending of the yes arrives.
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const leave = store.subscribe((records) => {
        if (records.some(({ event }) => event.type === 'approval_spent')) begin();
      });
      if (round % 2 === 0) begin();
      const [outcome] = await Promise.all([
        first.command(session, command),
        begun.then(() => second.kernel.approvals.withdrawOutdated('other rules')),
      ]);
      leave();
      const ends = recorded().filter(({ type, data }) => 'approval' in data && data.approval === id && ENDS_QUESTION.has(type));
      expect(ends.map(({ type }) => type)).toEqual([outcome.kind === 'admitted' ? 'approval_spent' : 'approval_withdrawn']);
    }
  });

  race('two kernels number intents: each gets its own', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await second.session('other', 'GUARDED');
    const ids: string[] = [];
    // Another one each time: what waits already is not proposed again.
    const propose = async (round: number) => {
      const outcome = await second.pass(session, 'propose_intent', { name: 'more', owned_scope: [`src/${round}/**`] });
      return (outcomeOf(outcome, 'settled').output as { intent: string }).intent;
    };
    for (let round = 0; round < each; round++) ids.push(...(await Promise.all([first.intent(), second.intent(), propose(round)])));
    expect(new Set(ids).size).toBe(each * 3);
  });

  race('the same call with the same id through two kernels: admitted once', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await first.working();
    await second.session();
    for (let round = 0; round < each; round++) {
      const id = newId('act');
      const call = (gate: Gate) => gate.before(session, 'write_file', { path: 'src/a.ts', content: `${round}\n` }, { id });
      const ended = await Promise.allSettled([first, second].map((gate) => aWhile().then(() => call(gate))));
      const kinds = ended.map((end) => (end.status === 'fulfilled' ? end.value.kind : (end.reason as Fault).code));
      expect(kinds.toSorted()).toEqual(['CONFLICT', 'admitted']);
      const states = () => [first, second].map((gate) => gate.kernel.state.actions.get(id)?.state);
      await expect.poll(states, { interval: 1 }).toEqual(['admitted', 'admitted']);
      await first.kernel.spine.after(id, { output: '', failed: false });
      await expect.poll(states, { interval: 1 }).toEqual(['settled', 'settled']);
      expect(outcomeOf(await call(second), 'settled').receipt).toEqual(outcomeOf(await call(first), 'settled').receipt);
    }
  });

  race('a change is admitted before its intent is paused through another kernel, or not at all', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await first.working();
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const [outcome] = await both(
        () => first.write(session, 'src/a.ts'),
        () => second.setIntent('INT-001', 'paused'),
      );
      const types = recorded().map(({ type }) => type);
      const admitted = types.indexOf('action_admitted');
      if (outcome?.kind === 'admitted') {
        expect(admitted).toBeLessThan(types.indexOf('intent_confirmed'));
        await first.kernel.spine.after(outcome.action.id, { output: '', failed: false });
      } else expect(admitted).toBe(-1);
      await first.setIntent('INT-001', 'active');
      recorded();
    }
  });

  race('an agent declares its mode through one kernel: what a door says at another does not replace it', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const name = `mode-${round}`;
      const session = await first.session(name);
      await first.recall(session);
      await expect.poll(() => second.kernel.state.sessions.get(session)?.recall, { interval: 1 }).toBeTruthy();
      recorded();
      // Every other time the door speaks before the agent's declaration arrives at its kernel.
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      const leave = store.subscribe((records) => {
        if (records.some(({ event }) => event.type === 'mode_declared')) begin();
      });
      if (round % 2 === 0) begin();
      await Promise.all([first.pass(session, 'memory_set_mode', { mode: 'STRICT' }), begun.then(() => second.session(name, 'GUARDED'))]);
      leave();
      const by = recorded().flatMap(({ type, data }) => (type === 'mode_declared' ? [data.by] : []));
      expect(by).toEqual(by.length === 2 ? ['door', 'agent'] : ['agent']);
    }
  });

  race('a pause that begins while another kernel ends the one before: it goes on', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const { workspace, root: cwd } = first;
    // For the second kernel the short one is over and the long one is not.
    second.clock.ms += 61_000;
    const pause = async (seconds: number) =>
      first.kernel.gaps.pause(human('passphrase'), { workspace, cwd, seconds, reason: 'lunch' }, null);
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      await pause(60);
      await expect.poll(() => second.kernel.state.gaps.overdue(second.kernel.now()), { interval: 1 }).toEqual([workspace]);
      recorded();
      await Promise.all([aWhile().then(() => pause(3_600)), aWhile().then(() => second.kernel.gaps.expire())]);
      expect(recorded().at(-1)?.type).toBe('gate_paused');
    }
  });

  race('two kernels take what the settings say: the stricter stays', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    for (let round = 0; round < each; round++) {
      const root = `/tree-${round}`;
      const take = (gate: Gate, minimum: 'GUARDED' | 'STRICT') =>
        gate.kernel.settings.observe(
          gate.workspace,
          root,
          { ...DEFAULT_CONFIG, mode: { ...DEFAULT_CONFIG.mode, minimum } },
          { agentPresent: true, byGit: false },
        );
      await Promise.all([aWhile().then(() => take(first, 'STRICT')), aWhile().then(() => take(second, 'GUARDED'))]);
      await expect.poll(() => first.kernel.state.documents.dialOf(root)?.minimum, { interval: 1 }).toBe('STRICT');
    }
  });

  race('two kernels end the same grant: recorded once', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const session = await first.working();
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const question = asked(await first.before(session, 'jira_create', { round }));
      const granted = await first.kernel.approvals.grant(human(), question, { pattern: 'jira_*', seconds: 600 });
      const { id } = outcomeOf(granted.outcome, 'noted').output as { id: string };
      await expect.poll(() => second.kernel.state.grants.get(id), { interval: 1 }).toBeTruthy();
      recorded();
      const end = async (gate: Gate) => (await gate.kernel.approvals.endGrant(human(), id)).outcome;
      const outcomes = await both(
        () => end(first),
        () => end(second),
      );
      expect(outcomes.map((outcome) => outcomeOf(outcome, 'noted').output)).toEqual(Array(2).fill({ id, state: 'ended' }));
      expect(recorded().map(({ type }) => type)).toEqual(['grant_ended']);
    }
  });

  race('two kernels import the same rule: recorded once', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const { workspace } = first;
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const pattern = `lint ${round}`;
      const take = async (gate: Gate) => {
        const isKnown = () => gate.kernel.views.isCommandRule(workspace, pattern);
        const rule = () => ({ id: newId('rul'), workspace, pattern, source: 'rules:1' });
        const find = async () => ({ found: { intents: [], commandRules: isKnown() ? [] : [rule()], claims: [] }, output: () => null });
        return (await gate.kernel.authority.takeOver(human(), workspace, find)).outcome;
      };
      await both(
        () => take(first),
        () => take(second),
      );
      expect(recorded().map(({ type }) => type)).toEqual(['command_rules_proposed']);
    }
  });

  race('a command rule that is ended through one kernel is not put back in force by a yes that had not seen it', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const { workspace } = first;
    for (let round = 0; round < each; round++) {
      const rule = { id: newId('rul'), workspace, pattern: `make ${round}`, source: 'rules:1' };
      await first.kernel.authority.takeOver(human(), workspace, async () => ({
        found: { intents: [], commandRules: [rule], claims: [] },
        output: () => null,
      }));
      await expect.poll(() => second.kernel.state.commandRules.get(rule.id), { interval: 1 }).toBeTruthy();
      await Promise.allSettled([
        aWhile().then(() => first.kernel.authority.decideCommandRule(human(), rule.id, 'ended')),
        second.kernel.authority.decideCommandRule(human(), rule.id, 'active'),
      ]);
      const states = () => [first, second].map((gate) => gate.kernel.state.commandRules.get(rule.id)?.state);
      await expect.poll(states, { interval: 1 }).toEqual(['ended', 'ended']);
    }
  });

  race('a key that is enrolled through one kernel is needed for a pause through another', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const { workspace, root: cwd } = first;
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const public_key = generateKeyPairSync('ed25519').publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
      const [paused, enrolled] = await both(
        async () => (await first.kernel.gaps.pause(human(), { workspace, cwd, seconds: 60, reason: 'lunch' }, null)).outcome,
        async () => (await second.kernel.approvers.enroll(human(), { public_key, name: 'ada' }, null)).outcome,
      );
      const types = recorded().map(({ type }) => type);
      const isRefused = summaryOf(paused!) === 'noted HUMAN_CHANNEL_REQUIRED';
      expect(types.filter((type) => type !== 'pause_ended')).toEqual(
        isRefused ? ['approver_enrolled', 'authority_refused'] : ['gate_paused', 'approver_enrolled'],
      );
      const { key } = outcomeOf(enrolled!, 'noted').output as { key: string };
      await second.kernel.approvers.remove(human('passphrase'), key, null);
      await expect.poll(() => first.kernel.state.approvers.enrolled(), { interval: 1 }).toEqual([]);
      recorded();
    }
  });

  race('a task that an agent puts back through one kernel stays open when a human confirms through another', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const { workspace, root } = first;
    const session = await first.working();
    const file = join(root, 'tinyTasks.md');
    for (let round = 0; round < each; round++) {
      const titles = [`task ${round}`];
      const isOpen = (gate: Gate) => gate.kernel.state.taskBooks.edits(root, undefined, []).some(({ title }) => title === titles[0]);
      await first.pass(session, 'task_add', { titles });
      await expect.poll(() => isOpen(second), { interval: 1 }).toBe(true);
      writeFileSync(file, readFileSync(file, 'utf8').replace(`- [ ] ${titles[0]}\n`, ''));
      const read = async () => {
        const isThere = readFileSync(file, 'utf8').includes(`${titles[0]}\n`);
        const edited = second.kernel.state.taskBooks.edits(root, undefined, []).filter(({ title }) => title === titles[0]);
        return { root, tasks: [], edited: isThere ? [] : edited };
      };
      let reads = 0;
      await second.kernel.authority.confirmTasks(human(), workspace, async () => {
        const found = await read();
        if (reads++ === 0) await first.pass(session, 'task_add', { titles });
        return found;
      });
      await expect.poll(() => [isOpen(first), isOpen(second)], { interval: 1 }).toEqual([true, true]);
    }
  });

  race('two kernels acknowledge the same change: one does, and the other checks again', async () => {
    const { store } = await opened();
    const [first, second] = await twoGates(store);
    const { workspace, root } = first;
    const recorded = follow(store);
    for (let round = 0; round < each; round++) {
      const files = [{ path: `src/${round}.ts`, after_sha256: null }];
      let isOpen = true;
      const leave = store.subscribe((records) => {
        if (records.some(({ event }) => event.type === 'changes_acknowledged')) isOpen = false;
      });
      const acknowledge = (gate: Gate) =>
        gate.kernel.gaps.acknowledge(human('passphrase'), { workspace, root, files }, null, async () => {
          if (!isOpen) throw new Error('no longer open');
          await aWhile();
        });
      const ended = await Promise.allSettled([first, second].map((gate) => aWhile().then(() => acknowledge(gate))));
      leave();
      expect(ended.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(recorded().filter(({ type }) => type === 'changes_acknowledged').length).toBe(1);
    }
  });
}
