// What every hooked agent must show, written once, with the tool names of each client: a real client against a scripted model, a real
// daemon, a human at a terminal. Each chapter is a prompt of its own and continues where the last one ended.

import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionRow, ApprovalRow, Receipt, SessionRow, ViolationRow } from '../../src/protocol/index.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import { type ClientWords, limitsOf } from './client-words.ts';
import { eventually } from '../lab/eventually.ts';

const LOGIN = 'src/auth/login.ts';
const PAYMENTS = 'src/payments/index.ts';

export function tellClientStory(words: ClientWords): void {
  const { client, agent, own, edit, read, shell, subAgent, subAgentHears = 'LOOK-AFTER-PAYMENTS' } = words;
  const destroy = words.destroy ?? ((path: string) => `rm -rf ${path}`);
  const limits = limitsOf(words);
  const beginWork = own('begin_work');
  let world: World;
  const at = (path: string) => join(world.repo.path, path);
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
      expect((await world.human(['init', '--agent', client.name, '--yes'])).code).toBe(0);
      expect(world.repo.git('status', '--porcelain')).toBe('');
      expect((await world.human(['init', '--agent', client.name])).output).toContain('is wired already; nothing to change');
    });

    verifies('N1', 'a change without an intent is refused before it happens, and the agent gets its status', async () => {
      const before = await world.file(LOGIN);
      const { model } = await world.agent('fix the login', [
        read(at(LOGIN)),
        edit(at(LOGIN), 'return null', 'return undefined'),
        { text: 'No.' },
      ]);
      expect(await world.file(LOGIN)).toBe(before);
      expect(await newest(({ effects }) => effects.includes('write'))).toMatchObject({
        ...{ agent, subject: LOGIN, state: 'refused' },
        code: expect.stringMatching(/^(?:INTENT|RECALL)_REQUIRED$/) as string,
      });
      if (limits.hearsRefusals) expect(model.toolResults()[1]).toMatch(/Countersign (?:INTENT|RECALL)_REQUIRED/);
      for (const said of ['Countersign gates changes in this workspace', 'Countersign: no intent is active.'])
        expect(model.seen().includes(said)).toBe(limits.hearsGrounding);
    });

    verifies('N1', 'one call begins the work, and the change passes and leaves a receipt of the same session', async () => {
      expect((await world.human(['intent', 'fix login', 'src/auth'])).output).toContain('INT-001 is active');
      await world.agent('fix the login', [beginWork, read(at(LOGIN)), edit(at(LOGIN), 'return null', 'return undefined as never')]);
      expect(await world.file(LOGIN)).toContain('return undefined as never');
      const change = await newest(({ effects }) => effects.includes('write'));
      const begun = await newest(({ tool }) => tool === 'begin_work');
      expect([change, begun]).toMatchObject([
        { agent, state: 'settled', intent: 'INT-001', session: begun?.session },
        { agent, state: 'settled' },
      ]);
      const receipts = await world.ask<Receipt[]>('receipts');
      expect(receipts.find(({ receipt_id }) => receipt_id === change?.receipt_id)).toMatchObject({
        ...{ status: 'done', intent: 'INT-001', agent_id: agent },
        file_refs: [{ path: LOGIN, ranges: [{ start_line: 8, end_line: 8 }] }],
      });
      const session = (await world.ask<SessionRow[]>('sessions')).find(({ id }) => id === begun?.session);
      expect(session).toMatchObject({ agent, level: 'hooked', mode: 'GUARDED', intent: 'INT-001' });
    });

    verifies('N1', 'a change outside of the intent is refused, and stays so when the shell is tried instead', async () => {
      const before = await world.file(PAYMENTS);
      const detours = [shell(`echo broken > ${at(PAYMENTS)}`), shell(`sed -i 's/sum + /sum - /' ${PAYMENTS}`)];
      const { model } = await world.agent('change the payments', [
        ...[beginWork, read(at(PAYMENTS)), edit(at(PAYMENTS), 'sum + payment.cents', 'sum - payment.cents')],
        ...(limits.hearsRefusals ? detours : []),
        { text: 'No way.' },
      ]);
      expect(await newest(({ subject }) => subject === PAYMENTS)).toMatchObject({ state: 'refused', code: 'SCOPE_VIOLATION' });
      if (limits.hearsRefusals)
        expect(
          model
            .toolResults()
            .slice(2)
            .map((text) => text.includes('SCOPE_VIOLATION')),
        ).toEqual([true, true, true]);
      else await world.agent('then by the shell', [beginWork, detours[0]!]);
      expect(await world.file(PAYMENTS)).toBe(before);
    });

    verifies('I13', 'a destructive command waits for a human, and passes once it is approved', async () => {
      await mkdir(at('src/auth/cache'));
      await writeFile(at('src/auth/cache/file'), 'x');
      const working = world.agent('tidy up', [beginWork, shell(destroy('src/auth/cache')), { text: 'Tidy.' }]);
      const { id } = await eventually('a question', async () => (await world.ask<ApprovalRow[]>('approvals'))[0]);
      await stat(at('src/auth/cache/file'));
      expect((await world.human(['approve', id])).code).toBe(0);
      await working;
      await expect(stat(at('src/auth/cache'))).rejects.toThrow('ENOENT');
      expect(await world.ask<ApprovalRow[]>('approvals', '--all')).toMatchObject([{ id, state: 'spent' }]);
    });

    if (limits.canBeSentBack) {
      verifies('E8', 'a turn that changed something is sent back for its stamp with instructions, and ends', async () => {
        const { model } = await world.agent('once more', [
          ...[beginWork, read(at(LOGIN)), edit(at(LOGIN), 'return undefined as never', 'return null')],
          ...[{ text: 'Done.' }, own('elefanteAssertCompliance'), { text: 'Stamped.' }],
        ]);
        expect(model.seen()).toContain('Countersign: this turn changed something and carries no compliance stamp yet.');
        expect(model.toolResults().at(-1)).toContain('PASS');
      });

      verifies('E8', 'an agent that stays silent about it is not held in a loop', async () => {
        const { model } = await world.agent('and back', [
          ...[beginWork, read(at(LOGIN)), edit(at(LOGIN), 'return null', 'return undefined as never')],
          ...[{ text: 'Done.' }, { text: 'Done, I said.' }],
        ]);
        const demands = model.requests
          .at(-1)
          ?.messages.filter(({ content }) => JSON.stringify(content).includes('no compliance stamp yet'));
        expect(demands).toHaveLength(1);
      });
    }

    verifies('N1', 'what the shell changed past the gate is found at the end of the turn', async () => {
      const script = `require('fs').appendFileSync('src/' + 'payments/index.ts', '// by the back door\\n')`;
      await world.agent('by a script', [beginWork, shell(`node -e "${script}"`), { text: 'Done.' }]);
      expect(await world.file(PAYMENTS)).toContain('by the back door');
      // Only the hook at the end of the turn scans the tree.
      await eventually('a finding', async () =>
        (await world.ask<ViolationRow[]>('violations', '--rule', 'reconciliation')).find((row) => JSON.stringify(row).includes(PAYMENTS)),
      );
      world.repo.git('checkout', '--', PAYMENTS);
    });

    test('calls that are made at once are judged one by one', async () => {
      await writeFile(at('src/auth/one.ts'), 'export const one = 1;\n');
      await world.agent('two at once', [
        beginWork,
        { calls: [read(at('src/auth/one.ts')), read(at(PAYMENTS))] },
        { calls: [edit(at('src/auth/one.ts'), 'one = 1', 'one = 2'), edit(at(PAYMENTS), 'sum + payment', 'sum * payment')] },
        { text: 'Seen.' },
      ]);
      // A refusal that ends the run may come before the other call.
      expect(await world.file('src/auth/one.ts')).toMatch(
        limits.hearsRefusals ? /^export const one = 2;$/m : /^export const one = [12];$/m,
      );
      expect(await world.file(PAYMENTS)).toContain('sum + payment');
    });

    test('what a sub-agent changes is judged as well, within what its parent may do', async () => {
      const command = `echo broken > ${PAYMENTS}`;
      await world.agent('let another do it', [beginWork, ...subAgent('LOOK-AFTER-PAYMENTS please'), { text: 'Done.' }], {
        others: { [subAgentHears]: [shell(command), { text: 'It was refused.' }] },
      });
      expect(await world.file(PAYMENTS)).toContain('sum + payment');
      const refused = await newest(({ subject, state }) => state === 'refused' && subject === command);
      const parent = (await world.ask<SessionRow[]>('sessions')).find(({ id }) => id === refused?.session)?.parent;
      expect(parent).toEqual(limits.subAgents === 'as one' ? null : expect.stringMatching(/^ses_/));
    });

    test('undone, the work tree is as it was', async () => {
      expect((await world.human(['init', '--undo', '--yes'])).code).toBe(0);
      const left = await filesIn(world.repo.path);
      for (const [file, content] of Object.entries(left))
        if (file.startsWith('src/') || file.startsWith('.orchestration/')) untouched[file] = content;
      expect(left).toEqual(untouched);
    });
  });
}

/** The content of the work tree, without git's own folder and what a client installs for itself. */
async function filesIn(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
  const kept = files
    .filter((file) => !/^\.git\/|(?:^|\/)node_modules\/|^\.opencode\/(?:package(?:-lock)?\.json|\.gitignore|bun\.lock)$/.test(file))
    .toSorted();
  return Object.fromEntries(await Promise.all(kept.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)));
}
