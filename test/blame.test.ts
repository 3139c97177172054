// Blame as a person runs it: real processes, a real daemon, changes through an agent's hooks and by hand.

import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BlameView, SignedReceipt } from '../src/protocol/index.ts';
import { type HookedAgent, hookedAgent } from './lab/hooked-agent.ts';
import { type Installation, makeInstallation } from './lab/installation.ts';
import { verifies } from './verifies.ts';

const LOGIN = `export interface User {
  readonly name: string;
  readonly password: string;
}

export function login(users: readonly User[], name: string, password: string): User | null {
  const user = users.find((candidate) => candidate.name === name);
  if (user === undefined || user.password !== password) return null;
  return user;
}
`;
const LOGOUT = `
export function logout(sessions: Map<string, User>, name: string): boolean {
  const wasThere = sessions.delete(name);
  return wasThere;
}
`;

describe('blame', () => {
  let place: Installation;
  let agent: HookedAgent;
  let receipts: SignedReceipt[];
  const file = (name: string) => join(place.repo.path, name);
  const view = async (name: string) => JSON.parse((await place.run(['blame', name, '--json'])).stdout) as BlameView;
  const origins = async (name: string) =>
    (await view(name)).rows.map(({ start_line, end_line, origin, receipt_id }) => [start_line, end_line, receipt_id ?? origin]);

  beforeAll(async () => {
    place = await makeInstallation();
    await place.human(['intent', 'let users out', 'src/auth']);
    agent = await hookedAgent(place, await place.mcpClient({ surface: 'hooked' }), 'first conversation');
    await agent.prompt('let users log out');
    await agent.call('begin_work', {});
    expect(await agent.write('src/auth/login.ts', LOGIN + LOGOUT)).toBeNull();
    receipts = (await place.client.ask('receipts', {})).filter(({ file_refs }) => file_refs.length > 0);
  });
  afterAll(() => place.dispose());

  verifies('N3', 'a line leads to intent, receipt, agent and conversation', async () => {
    const { rows, path, lines } = await view('src/auth/login.ts');
    expect({ path, lines }).toEqual({ path: 'src/auth/login.ts', lines: 15 });
    const [first, second] = rows;
    expect([first?.start_line, first?.end_line, first?.origin, first?.receipt_id]).toEqual([1, 10, 'untracked', null]);
    expect(second).toEqual({
      start_line: 11,
      end_line: 15,
      origin: 'receipt',
      intent: 'INT-001',
      intent_name: 'let users out',
      receipt_id: receipts[0]?.receipt_id,
      action: receipts[0]?.action_id,
      agent: 'claude-code',
      model: null,
      session: receipts[0]?.task_id,
      conversation: 'first conversation',
      at: receipts[0]?.timestamp,
      tool: 'write_file',
      candidates: [],
      note: null,
      path: 'src/auth/login.ts',
    });
  });

  test('a table for people, and one line in words', async () => {
    const day = receipts[0]?.timestamp.slice(0, 10);
    const table = (await place.run(['blame', 'src/auth/login.ts'])).stdout.split('\n');
    expect(table[0]).toBe('-        untracked    -            1  export interface User {');
    expect(table[11]).toBe(
      `INT-001  claude-code  ${day}  12  export function logout(sessions: Map<string, User>, name: string): boolean {`,
    );
    const { stdout } = await place.run(['blame', 'src/auth/login.ts:13']);
    expect(stdout).toBe(
      `src/auth/login.ts:13    const wasThere = sessions.delete(name);
  intent   INT-001  let users out
  receipt  ${receipts[0]?.receipt_id}  of ${receipts[0]?.action_id}, write_file
  agent    claude-code, model unknown
  session  ${receipts[0]?.task_id}  conversation first conversation
  at       ${receipts[0]?.timestamp}
`,
    );
  });

  verifies('N3', 'origins survive a formatter, a move and a rename by hand', async () => {
    const formatted = LOGOUT.replaceAll(';', '').replace(
      '(sessions: Map<string, User>, name: string)',
      '(\n  sessions: Map<string, User>,\n  name: string,\n)',
    );
    await writeFile(file('src/auth/login.ts'), `${formatted}// by hand\n${LOGIN}`);
    const receipt = receipts[0]!.receipt_id;
    expect(await origins('src/auth/login.ts')).toEqual([
      [1, 8, receipt],
      [9, 9, 'untracked'],
      [10, 19, 'untracked'],
    ]);
    await rename(file('src/auth/login.ts'), file('src/auth/session.ts'));
    expect(await origins('src/auth/session.ts')).toEqual([
      [1, 8, receipt],
      [9, 9, 'untracked'],
      [10, 19, 'untracked'],
    ]);
    const { stdout } = await place.run(['blame', 'src/auth/session.ts:2']);
    expect(stdout).toContain('  written  when the file was called src/auth/login.ts\n');
    await rename(file('src/auth/session.ts'), file('src/auth/login.ts'));
  });

  test('what has no history says why', async () => {
    await writeFile(file('src/auth/picture.bin'), Buffer.from([0, 1, 2]));
    const said = async (name: string) => {
      const { code, stderr } = await place.run(['blame', name]);
      return [code, stderr.split('\n')[0]];
    };
    expect([
      await said('src/auth/nothing.ts'),
      await said('src/auth/login.ts:9999'),
      await said('../elsewhere.ts'),
      await said('.orchestration/agent_trace.jsonl'),
      await said('src/auth'),
      await said('src/auth/picture.bin'),
    ]).toEqual([
      [1, expect.stringContaining('There is no file src/auth/nothing.ts')],
      [1, expect.stringContaining('has 19 lines, and no line 9999')],
      [2, expect.stringContaining('it leads outside the work tree')],
      [1, expect.stringContaining("is not an agent's to change")],
      [2, expect.stringContaining('is a folder')],
      [2, expect.stringContaining('is binary')],
    ]);
    await rm(file('src/auth/picture.bin'));
  });
});
