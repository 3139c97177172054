// A person sets up their agent and works as usual: each change, through the shell too, has a receipt, a line of the trace and an answer of
// blame; and no question is asked.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ApprovalRow, BlameView, Receipt } from '../../src/protocol/index.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import { type ClientWords, limitsOf } from './client-words.ts';

const LOGIN = 'src/auth/login.ts';
const MADE = 'src/auth/made.ts';

export function tellOfOrdinaryWork(words: ClientWords): void {
  const { client, agent, own, read, edit, shell } = words;

  describe.skipIf(process.env[client.variable] === undefined)(`${client.name}, wired, at ordinary work`, () => {
    let world: World;
    beforeAll(async () => {
      world = await makeWorld(client);
    });
    afterAll(() => world?.dispose());

    verifies('N1', 'every change has its receipt, its trace and its blame, those of the shell included', async () => {
      const intent = ['--intent', 'everyday work', '--paths', 'src'];
      expect((await world.human(['init', '--agent', client.name, '--yes', ...intent])).code).toBe(0);
      const path = join(world.repo.path, LOGIN);
      await world.agent('fix the login', [
        own('begin_work'),
        read(path),
        edit(path, 'return null', 'return undefined as never'),
        shell(`echo '// by the shell' >> ${LOGIN}`),
        // What a command changes is not always in its text.
        shell(`node -e "require('fs').writeFileSync(['src', 'auth', 'made.ts'].join('/'), 'export {};\\n')"`),
        ...(limitsOf(words).canBeSentBack ? [own('elefanteAssertCompliance')] : []),
        { text: 'Done.' },
      ]);
      expect(await world.file(LOGIN)).toMatch(/return undefined as never;[^]*\/\/ by the shell\n$/);

      const receipts = (await world.ask<Receipt[]>('receipts')).filter(({ file_refs }) => file_refs.length > 0).toReversed();
      expect(receipts.map((each) => [each.agent_id, each.status, each.intent, ...each.file_refs.map((ref) => ref.path)])).toEqual(
        [LOGIN, LOGIN, MADE].map((file) => [agent, 'done', 'INT-001', file]),
      );
      const traced = (await world.file('.orchestration/agent_trace.jsonl')).trim().split('\n');
      expect(traced.map((line) => (JSON.parse(line) as { files: { path: string }[] }).files.map((file) => file.path))).toEqual([
        [LOGIN],
        [LOGIN],
        [MADE],
      ]);
      const blamed = async (file: string) =>
        (await world.ask<BlameView>('blame', file)).rows
          .filter(({ origin }) => origin !== 'untracked')
          .map((row) => [row.start_line, row.agent, row.intent, row.receipt_id]);
      const [edited, appended, made] = receipts.map(({ receipt_id }) => receipt_id);
      expect(await blamed(LOGIN)).toEqual([
        [8, agent, 'INT-001', edited],
        [11, agent, 'INT-001', appended],
      ]);
      expect(await blamed(MADE)).toEqual([[1, agent, 'INT-001', made]]);
      expect(await world.ask<ApprovalRow[]>('approvals', '--all')).toEqual([]);
      // The client's process was proven, and none of its events was attributed to another.
      const record = await readFile(join(world.home, 'ledger/00000001.jsonl'), 'utf8');
      expect([record.includes('"agent_process_proven"'), record.includes('"authority_refused"')]).toEqual([true, false]);
    });
  });
}
