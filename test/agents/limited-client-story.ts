// What the gate holds with clients that can do less than others: some end their run with the first refusal, some cannot be sent back at
// the end of a turn, some hear nothing from a hook. Each chapter is a prompt of its own.

import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionRow, ApprovalRow, Receipt, SessionRow } from '../../src/protocol/index.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import type { Vocabulary } from './client-story.ts';

export interface Limits {
  /** The agent hears why a call was refused and may go on. */
  readonly hearsRefusals: boolean;
  /** The end of a turn can be sent back. */
  readonly canBeSentBack: boolean;
  /** What the gate says at the start reaches the model. */
  readonly hearsGrounding: boolean;
  /** Its sub-agents are known apart from it, or not at all, or it has none that runs headless. */
  readonly subAgents: 'told apart' | 'as one' | 'none';
}

type Words = Pick<Vocabulary, 'client' | 'agent' | 'own' | 'edit' | 'read' | 'shell' | 'subAgent'>;

export function tellLimitedStory(words: Words, limits: Limits): void {
  const { client } = words;
  let world: World;
  const at = (path: string) => join(world.repo.path, path);
  const LOGIN = 'src/auth/login.ts';
  const PAYMENTS = 'src/payments/index.ts';
  const beginWork = words.own('begin_work');
  const log = () => world.ask<ActionRow[]>('log');
  const newest = async (isIt: (row: ActionRow) => boolean) => (await log()).findLast(isIt);

  describe.skipIf(process.env[client.variable] === undefined)(`${client.name}, hooked`, () => {
    let untouched: Record<string, string>;
    beforeAll(async () => {
      world = await makeWorld(client);
      untouched = await filesIn(world.repo.path);
    });
    afterAll(() => world?.dispose());

    test('init wires the client, out of git’s sight, and a second one has nothing to do', async () => {
      const { code } = await world.human(['init', '--agent', client.name, '--yes']);
      expect(code).toBe(0);
      expect(world.repo.git('status', '--porcelain')).toBe('');
      expect((await world.human(['init', '--agent', client.name])).output).toContain('is wired already; nothing to change');
    });

    verifies('N1', 'a change without an intent is refused before it happens', async () => {
      const before = await world.file(LOGIN);
      const { model } = await world.agent('fix the login', [
        words.read(at(LOGIN)),
        words.edit(at(LOGIN), 'return null', 'return undefined'),
      ]);
      expect(await world.file(LOGIN)).toBe(before);
      expect(await newest(({ effects }) => effects.includes('write'))).toMatchObject({
        agent: words.agent,
        subject: LOGIN,
        state: 'refused',
        code: expect.stringMatching(/^(?:INTENT|RECALL)_REQUIRED$/) as string,
      });
      if (limits.hearsRefusals) expect(model.toolResults()[1]).toContain('Countersign ');
      expect(model.seen().includes('Countersign gates changes in this workspace')).toBe(limits.hearsGrounding);
    });

    verifies('N1', 'after begin_work the change passes, and leaves a receipt of the same session', async () => {
      expect((await world.human(['intent', 'fix login', 'src/auth'])).output).toContain('INT-001 is active');
      await world.agent('fix the login', [
        beginWork,
        words.read(at(LOGIN)),
        words.edit(at(LOGIN), 'return null', 'return undefined as never'),
      ]);
      expect(await world.file(LOGIN)).toContain('return undefined as never');
      const change = await newest(({ effects }) => effects.includes('write'));
      const begun = await newest(({ tool }) => tool === 'begin_work');
      expect([change, begun]).toMatchObject([
        { agent: words.agent, state: 'settled', intent: 'INT-001', session: begun?.session },
        { agent: words.agent, state: 'settled' },
      ]);
      const receipts = await world.ask<Receipt[]>('receipts');
      expect(receipts.find(({ receipt_id }) => receipt_id === change?.receipt_id)).toMatchObject({
        status: 'done',
        intent: 'INT-001',
        agent_id: words.agent,
        file_refs: [{ path: LOGIN, ranges: [{ start_line: 8, end_line: 8 }] }],
      });
    });

    verifies('N1', 'a change outside of the intent is refused', async () => {
      const before = await world.file(PAYMENTS);
      await world.agent('change the payments', [
        beginWork,
        words.read(at(PAYMENTS)),
        words.edit(at(PAYMENTS), 'sum + payment.cents', 'sum - payment.cents'),
      ]);
      expect(await world.file(PAYMENTS)).toBe(before);
      expect(await newest(({ subject }) => subject === PAYMENTS)).toMatchObject({ state: 'refused', code: 'SCOPE_VIOLATION' });
    });

    verifies('N1', 'a destructive command waits for a human, and passes once approved', async () => {
      await mkdir(at('src/auth/build'));
      await writeFile(at('src/auth/build/file'), 'x');
      const working = world.agent('tidy up', [beginWork, words.shell('rm -rf src/auth/build')]);
      const { id } = await eventually('a question for the human', async () => (await world.ask<ApprovalRow[]>('approvals'))[0]);
      await stat(at('src/auth/build/file'));
      expect((await world.human(['approve', id])).code).toBe(0);
      await working;
      await expect(stat(at('src/auth/build'))).rejects.toThrow('ENOENT');
      expect(await world.ask<ApprovalRow[]>('approvals', '--all')).toMatchObject([{ id, state: 'spent' }]);
    });

    test.runIf(limits.canBeSentBack)('a turn that changed something is sent back once for its stamp', async () => {
      const { model } = await world.agent('fix the login again', [
        beginWork,
        words.edit(at(LOGIN), 'return undefined as never', 'return null'),
        { text: 'Done.' },
        words.own('elefanteAssertCompliance'),
        { text: 'Stamped and done.' },
      ]);
      expect(model.seen()).toContain('carries no compliance stamp yet');
      expect(await newest(({ tool }) => tool === 'elefanteAssertCompliance')).toMatchObject({ agent: words.agent, state: 'settled' });
    });

    test('calls that are made at once are judged one by one', async () => {
      await writeFile(at('src/auth/one.ts'), 'export const one = 1;\n');
      await world.agent('two at once', [
        beginWork,
        { calls: [words.read(at('src/auth/one.ts')), words.read(at(PAYMENTS))] },
        { calls: [words.edit(at('src/auth/one.ts'), 'one = 1', 'one = 2'), words.edit(at(PAYMENTS), 'sum + payment', 'sum * payment')] },
      ]);
      // A refusal that ends the run may come before the other call.
      expect(await world.file('src/auth/one.ts')).toMatch(
        limits.hearsRefusals ? /^export const one = 2;$/m : /^export const one = [12];$/m,
      );
      expect(await world.file(PAYMENTS)).toContain('sum + payment');
    });

    verifies('N1', 'what a command changes past the gate is found afterwards', async () => {
      await writeFile(
        at('src/auth/tool.mjs'),
        "import fs from 'node:fs';\nfs.writeFileSync('src/payments/past.ts', 'past the gate\\n');\n",
      );
      const asked = new AbortController();
      const working = world
        .agent('run the tool', [beginWork, words.shell('node src/auth/tool.mjs'), { text: 'Done.' }])
        .finally(() => asked.abort());
      await approveAll(asked.signal);
      await working;
      expect(existsSync(at('src/payments/past.ts'))).toBe(true);
      // Where the client tells the end of a turn after the fact, a human's look does it.
      await world.human(['reconcile']);
      const found = await world.ask<unknown[]>('violations', '--rule', 'reconciliation');
      expect(JSON.stringify(found)).toContain('src/payments/past.ts');
    });

    test.runIf(limits.subAgents !== 'none')('what a sub-agent changes is judged as well', async () => {
      const refusals = async () => (await log()).filter(({ subject, state }) => subject === PAYMENTS && state === 'refused');
      const before = await refusals();
      const change = [words.read(at(PAYMENTS)), words.edit(at(PAYMENTS), 'sum + payment', 'sum / payment'), { text: 'No.' }];
      await world.agent('let another do it', [beginWork, ...words.subAgent('LOOK-AFTER-PAYMENTS please'), { text: 'Done.' }], {
        others: { 'LOOK-AFTER-PAYMENTS': change },
      });
      expect(await world.file(PAYMENTS)).toContain('sum + payment');
      const after = await refusals();
      expect(after).toHaveLength(before.length + 1);
      const sessions = await world.ask<SessionRow[]>('sessions');
      const parent = sessions.find(({ id }) => id === after.find((row) => !before.some(({ id }) => id === row.id))?.session)?.parent;
      expect(parent === null).toBe(limits.subAgents === 'as one');
    });

    verifies('N1', 'with no daemon to be had, changes are denied', async () => {
      const pid = await world.daemonPid();
      const before = await world.file(LOGIN);
      const { model } = await world.agent('go on', [
        beginWork,
        words.read(at(LOGIN)),
        () => {
          world.breakLedger();
          process.kill(pid, 'SIGKILL');
          return words.edit(at(LOGIN), 'return user', 'return 0 as never');
        },
        { text: 'No.' },
      ]);
      world.mendLedger();
      if (limits.hearsRefusals) expect(model.toolResults()[2]).toContain('Countersign DAEMON_UNAVAILABLE');
      expect(await world.file(LOGIN)).toBe(before);
    });

    test('undone, the work tree is as it was', async () => {
      expect((await world.human(['init', '--undo', '--yes'])).code).toBe(0);
      const left = await filesIn(world.repo.path);
      for (const [file, content] of Object.entries(left))
        if (file.startsWith('src/') || file.startsWith('.orchestration/')) untouched[file] = content;
      expect(left).toEqual(untouched);
    });
  });

  /** Answers yes to whatever is asked until the agent has ended. */
  async function approveAll(until: AbortSignal): Promise<void> {
    while (!until.aborted) {
      for (const { id } of await world.ask<ApprovalRow[]>('approvals')) await world.human(['approve', id]);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`never happened: ${what}`);
}

/** What stands in the work tree, git's own folder and what a client installs for itself left out. */
async function filesIn(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const kept = files
    .filter((file) => !/^\.git\/|(?:^|\/)node_modules\/|^\.opencode\/(?:package(?:-lock)?\.json|\.gitignore|bun\.lock)$/.test(file))
    .toSorted();
  return Object.fromEntries(await Promise.all(kept.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)));
}
