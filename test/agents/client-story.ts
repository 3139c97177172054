// What every hooked agent must show, told once, in the words of each client: a real client against a scripted model, a real daemon, a
// human at a terminal. Each chapter goes on where the last one ended.

import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActionRow, ApprovalRow, Receipt, SessionRow } from '../../src/protocol/index.ts';
import type { Client } from '../lab/clients/client.ts';
import type { ScriptedTurn, ToolCall } from '../lab/scripted-model.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

/** A client's own words. Paths are absolute. */
export interface Vocabulary {
  readonly client: Client;
  /** As records name it. */
  readonly agent: string;
  readonly own: (tool: string, args?: Record<string, unknown>) => ToolCall;
  readonly edit: (path: string, before: string, after: string) => ToolCall;
  readonly read: (path: string) => ToolCall;
  readonly shell: (command: string) => ToolCall;
  /** Hands the task to a sub-agent and waits for it. */
  readonly subAgent: (task: string) => readonly ScriptedTurn[];
  /** What the sub-agent's own conversation begins with, where that is not its task. */
  readonly subAgentHears?: string;
  /** A command that a human is asked about. */
  readonly destroy: (path: string) => string;
  /** Its own name of the tool that edits. */
  readonly editTool: string;
  /** How it says that a hook said no. */
  readonly denied: string;
}

async function eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 300; tries++) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`never happened: ${what}`);
}

export function tellClientStory({
  client,
  agent,
  own,
  edit,
  read,
  shell,
  subAgent,
  subAgentHears = 'LOOK-AFTER-PAYMENTS',
  destroy,
  editTool,
  denied,
}: Vocabulary): void {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(client);
    expect((await world.human(['init', '--agent', client.name, '--yes'])).code).toBe(0);
  });
  afterAll(() => world.dispose());

  const inRepo = (path: string) => join(world.repo.path, path);
  const login = () => inRepo('src/auth/login.ts');
  const payments = () => inRepo('src/payments/index.ts');
  const actions = () => world.ask<ActionRow[]>('log');

  describe(`${client.name}, hooked`, () => {
    verifies('N1', 'an edit without an intent is refused before it happens, and the agent is told how things stand', async () => {
      const before = await world.file('src/auth/login.ts');
      const { model } = await world.agent('fix the login', [
        read(login()),
        edit(login(), 'return null', 'return undefined'),
        { text: 'No.' },
      ]);
      const [, refused] = model.toolResults();
      expect(refused).toContain(denied);
      expect(refused).toContain('You must cite a valid active Intent ID before mutating tools.');
      expect(await world.file('src/auth/login.ts')).toBe(before);
      expect(model.seen()).toContain('Countersign gates changes in this workspace');
      expect(model.seen()).toContain('Countersign: no intent is active.');
      expect((await actions()).filter(({ state }) => state === 'refused').map((row) => [row.agent, row.subject])).toEqual([
        [agent, 'src/auth/login.ts'],
      ]);
    });

    verifies('N1', 'one call begins the work; what is in scope passes and what is not is refused', async () => {
      await world.human(['intent', 'fix login', 'src/auth']);
      const { model } = await world.agent('fix the login', [
        own('begin_work'),
        { calls: [read(login()), read(payments())] },
        edit(login(), 'return null', 'return undefined as never'),
        edit(payments(), 'sum + payment.cents', 'sum - payment.cents'),
        own('elefanteAssertCompliance'),
        { text: 'Done.' },
      ]);
      const results = model.toolResults();
      expect(results[0]).toContain('intent_context');
      expect(results[4]).toContain('SCOPE_VIOLATION');
      expect(results[5]).toContain('PASS');
      expect(await world.file('src/auth/login.ts')).toContain('return undefined as never');
      expect(await world.file('src/payments/index.ts')).toContain('sum + payment.cents');
      const receipts = await world.ask<Receipt[]>('receipts');
      expect(receipts.flatMap(({ agent_id, status, file_refs }) => file_refs.map(({ path }) => [agent_id, status, path]))).toEqual([
        [agent, 'done', 'src/auth/login.ts'],
      ]);
    });

    test('calls over MCP and calls seen by hooks belong to one session', async () => {
      const [session] = (await world.ask<SessionRow[]>('sessions')).filter(({ intent }) => intent !== null);
      expect(session).toMatchObject({ agent, level: 'hooked', mode: 'GUARDED', intent: 'INT-001' });
      const tools = (await actions()).filter((row) => row.session === session?.id).map(({ tool }) => tool);
      expect(tools).toEqual(expect.arrayContaining(['begin_work', 'elefanteAssertCompliance', editTool]));
    });

    test('a refused path stays refused when the shell is tried instead', async () => {
      const { model } = await world.agent('go on', [
        own('begin_work'),
        shell(`echo broken > ${payments()}`),
        shell("sed -i 's/sum + /sum - /' src/payments/index.ts"),
        { text: 'No way.' },
      ]);
      const [, redirected, inPlace] = model.toolResults();
      expect([redirected, inPlace].map((text) => text?.includes('SCOPE_VIOLATION'))).toEqual([true, true]);
      expect(await world.file('src/payments/index.ts')).toContain('sum + payment.cents');
    });

    verifies('I13', 'a destructive command waits for a human and passes once it is approved', async () => {
      await mkdir(inRepo('src/auth/cache'));
      await writeFile(inRepo('src/auth/cache/file'), 'x');
      const working = world.agent('tidy up', [
        own('begin_work'),
        shell(destroy('src/auth/cache')),
        own('elefanteAssertCompliance'),
        { text: 'Tidy.' },
      ]);
      const { id } = await eventually('a question', async () => (await world.ask<ApprovalRow[]>('approvals'))[0]);
      expect((await world.human(['approve', id])).code).toBe(0);
      const { model } = await working;
      expect(model.toolResults()[1]).not.toContain('Countersign');
      await expect(stat(inRepo('src/auth/cache'))).rejects.toThrow('ENOENT');
      expect((await world.ask<ApprovalRow[]>('approvals', '--all')).map(({ state }) => state)).toEqual(['spent']);
    });

    verifies('E8', 'a turn that changed something does not end without its stamp, is told the way out, and ends', async () => {
      const { model, code } = await world.agent('once more', [
        own('begin_work'),
        read(login()),
        edit(login(), 'return undefined as never', 'return null'),
        { text: 'Done.' },
        own('elefanteAssertCompliance'),
        { text: 'Stamped.' },
      ]);
      expect(code).toBe(0);
      expect(model.seen()).toContain('Countersign: this turn changed something and carries no compliance stamp yet.');
      expect(model.toolResults().at(-1)).toContain('PASS');
    });

    verifies('E8', 'an agent that stays silent about it is not held in a loop', async () => {
      const { model, code } = await world.agent('and back', [
        own('begin_work'),
        read(login()),
        edit(login(), 'return null', 'return undefined as never'),
        { text: 'Done.' },
        { text: 'Done, I said.' },
      ]);
      expect(code).toBe(0);
      const demands = model.requests.at(-1)?.messages.filter(({ content }) => JSON.stringify(content).includes('no compliance stamp yet'));
      expect(demands).toHaveLength(1);
    });

    test('what the shell changed past the gate is found, and the agent hears of it', async () => {
      const { model } = await world.agent('by a script', [
        own('begin_work'),
        shell("node -e \"require('fs').appendFileSync('src/' + 'payments/index.ts', '// by the back door\\n')\""),
        own('elefanteAssertCompliance'),
        { text: 'Done.' },
      ]);
      expect(await world.file('src/payments/index.ts')).toContain('by the back door');
      const { output } = await world.human(['reconcile']);
      expect(output).toContain('src/payments/index.ts');
      world.repo.git('checkout', '--', 'src/payments/index.ts');
      expect(model.requests.length).toBeGreaterThan(3);
    });

    test('calls made at once are each decided', async () => {
      const { model } = await world.agent('all at once', [
        own('begin_work'),
        { calls: [read(login()), shell('ls src'), shell('cat README.md')] },
        { text: 'Seen.' },
      ]);
      expect(
        model
          .toolResults()
          .slice(1)
          .map((text) => text.includes('Countersign')),
      ).toEqual([false, false, false]);
      const seen = (await actions()).filter(({ state }) => state === 'observed').map(({ subject }) => subject);
      expect(seen).toEqual(expect.arrayContaining(['ls src', 'cat README.md']));
    });

    test('a sub-agent works within what its parent may do', async () => {
      const { model } = await world.agent(
        'let another do it',
        [own('begin_work'), ...subAgent('LOOK-AFTER-PAYMENTS please'), { text: 'Done.' }],
        { others: { [subAgentHears]: [shell('echo broken > src/payments/index.ts'), { text: 'It was refused.' }] } },
      );
      expect(model.toolResults().some((text) => text.includes('SCOPE_VIOLATION'))).toBe(true);
      expect(await world.file('src/payments/index.ts')).toContain('sum + payment.cents');
      const refused = (await actions()).filter(
        ({ subject, state }) => state === 'refused' && subject === 'echo broken > src/payments/index.ts',
      );
      const sessions = await world.ask<SessionRow[]>('sessions');
      expect(refused.map(({ session }) => sessions.find(({ id }) => id === session)?.parent)).toEqual([expect.stringMatching(/^ses_/)]);
    });

    verifies('T10', 'with no daemon to be had, changes are denied', async () => {
      const before = await world.file('src/auth/login.ts');
      const pid = await world.daemonPid();
      const { model } = await world.agent('go on', [
        own('begin_work'),
        () => {
          world.breakLedger();
          process.kill(pid, 'SIGKILL');
          return edit(login(), 'return undefined as never', 'return 0 as never');
        },
        { text: 'No.' },
      ]);
      world.mendLedger();
      expect(model.toolResults()[1]).toContain(denied);
      expect(await world.file('src/auth/login.ts')).toBe(before);
    });
  });
}
