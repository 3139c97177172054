// The real Claude Code in STRICT: it submits a plan over MCP, a human says yes to it, and its own Edit is held to the nodes.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ActionRow, ApprovalRow } from '../../src/protocol/index.ts';
import { eventually } from '../lab/eventually.ts';
import type { ScriptedTurn } from '../lab/scripted-model.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

const LOGIN = 'src/auth/login.ts';
const PAYMENTS = 'src/payments/index.ts';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
  await writeFile(join(world.repo.path, 'package.json'), '{ "name": "shop", "scripts": { "test": "node --test" } }\n');
  expect((await world.human(['init', '--yes', '--agent', 'claude', '--intent', 'fix the login', '--paths', 'src'])).code).toBe(0);
  expect((await world.human(['mode', 'min', 'STRICT'])).code).toBe(0);
});
afterAll(() => world.dispose());

const at = (path: string) => join(world.repo.path, path);
const own = (tool: string, args: Record<string, unknown> = {}) => ({ tool: `mcp__countersign__${tool}`, args });
const read = (path: string) => ({ tool: 'Read', args: { file_path: at(path) } });
const edit = (path: string, old_string: string, new_string: string) => ({
  tool: 'Edit',
  args: { file_path: at(path), old_string, new_string },
});

const plan = {
  nodes: [
    {
      nodeId: 'copy',
      targetFile: LOGIN,
      whyThisFile: 'login() returns the user itself',
      editIntent: 'Return a copy of the user from login()',
      verificationHooks: ['npm test'],
    },
  ],
};

describe('Claude Code in STRICT', () => {
  verifies(
    'G9',
    'its Edit needs a plan and one human yes to it; then it is held to the node, and one outside of the plan is PLAN_SCOPE_VIOLATION',
    async () => {
      const [login, payments] = [await world.file(LOGIN), await world.file(PAYMENTS)];
      const inside = edit(LOGIN, 'return user;', 'return { ...user };');
      let isApproved = false;
      // It asks for the plan until a human has said yes.
      const later: ScriptedTurn[] = [
        inside,
        read(PAYMENTS),
        edit(PAYMENTS, 'readonly cents', 'readonly euros'),
        own('plan_status'),
        { text: 'Done.' },
      ];
      const working = world.agent(
        'return a copy of the user',
        [own('begin_work'), read(LOGIN), inside, own('submit_execution_plan', { planGraph: plan }), inside],
        { after: () => (isApproved ? (later.shift() ?? { text: 'Done.' }) : own('plan_status')) },
      );
      await eventually('a refused edit', async () =>
        (await world.ask<ActionRow[]>('log')).find(({ code }) => code === 'APPROVAL_REQUIRED'),
      );
      const question = await eventually('a question about the plan', async () => (await world.ask<ApprovalRow[]>('approvals'))[0]);
      expect(await world.file(LOGIN)).toBe(login);
      expect((await world.human(['approve', question.id], [{ after: '[y/N]', type: 'y\n' }])).code).toBe(0);
      isApproved = true;

      const results = (await working).model.toolResults();
      expect(results[2]).toContain('PLAN_SCOPE_VIOLATION');
      expect(results[3]).toMatch(/"accepted":\s*true/);
      expect(results[4]).toContain('APPROVAL_REQUIRED');
      const [edited, , outside, status] = results.slice(-4);
      expect(edited).not.toContain('Countersign');
      expect(outside).toContain('PLAN_SCOPE_VIOLATION');
      expect(status).toMatch(/"nodeId":\s*"copy"[^}]*"status":\s*"done"/);
      expect(await world.file(LOGIN)).toContain('return { ...user };');
      expect(await world.file(PAYMENTS)).toBe(payments);
    },
  );
});
