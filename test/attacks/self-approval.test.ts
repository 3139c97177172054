// An agent that wants to answer its own question: it runs as the same user, reads the same files and reaches the same sockets.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApprovalRow } from '../../src/protocol/index.ts';
import { codeOf, type Reply, startTestDaemon, type TestDaemon } from '../lab/daemon.ts';
import { hook } from '../lab/hook-client.ts';
import { verifies } from '../verifies.ts';

const daemon: TestDaemon = await startTestDaemon();
afterAll(() => daemon.dispose());
await daemon.beginWork('src/**');

let question: ApprovalRow;
let asked = 0;
beforeEach(async () => {
  await daemon.hook('PreToolUse', {
    tool_name: 'Bash',
    tool_input: { command: `rm -rf src/build-${asked++}` },
    tool_use_id: `toolu_${asked}`,
  });
  const [pending] = await daemon.services().ask('approvals', { state: 'pending' });
  if (!pending) throw new Error('no question was asked');
  question = pending;
});

const answer = { answer: 'approved' };
const address = () => `/api/approvals/${question.id}/answer`;
const stateNow = async () => (await daemon.services().ask('approvals', { id: question.id }))[0]?.state;
const challenge = async () => JSON.parse((await daemon.owner('GET', '/api/challenge')).text) as { proof: string; open: string };
const proven = (pid: number | string, proof: string) => ({ 'x-countersign-pid': String(pid), 'x-countersign-proof': proof });

/** While a process that its parents have left to the system holds the file open. */
async function withHolder(file: string, work: (pid: number) => Promise<void>): Promise<void> {
  const parent = spawn('sh', ['-c', 'setsid sh -c \'exec 3<"$0"; echo $$; exec sleep 60\' "$0" &', file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [printed] = (await once(parent.stdout, 'data')) as [Buffer];
  const pid = Number(printed.toString('utf8'));
  if (parent.exitCode === null) await once(parent, 'exit');
  try {
    await work(pid);
  } finally {
    process.kill(pid, 'SIGKILL');
  }
}

/** Refused as not a human's, the attempt on the record, and the question as open as before. */
async function expectRefused(attempt: () => Promise<Reply>, reason: string): Promise<void> {
  const before = await daemon.ledgerSize();
  const reply = await attempt();
  expect([reply.status, codeOf(reply)]).toEqual([403, 'HUMAN_CHANNEL_REQUIRED']);
  const recorded = await daemon.recordedSince(before);
  expect(recorded).toEqual([
    {
      type: 'authority_refused',
      data: {
        session: expect.toBeOneOf([null, question.session]),
        command: `approve ${question.id}`,
        reason: expect.stringContaining(reason),
      },
    },
  ]);
  expect(await stateNow()).toBe('pending');
}

describe("over the owner's socket", () => {
  const notProven = 'the calling process did not prove which one it is';

  verifies('I13', 'an answer without a proof of who is calling is refused', async () => {
    await expectRefused(() => daemon.owner('POST', address(), { body: answer }), notProven);
    await expectRefused(() => daemon.owner('POST', address(), { body: answer, headers: proven(process.pid, '') }), notProven);
    await expectRefused(() => daemon.owner('POST', address(), { body: answer, headers: proven(process.pid, 'made-up') }), notProven);
  });

  test('a proof that another process holds open is refused', async () => {
    const { proof, open } = await challenge();
    const held = openSync(open, 'r');
    try {
      await expectRefused(() => daemon.owner('POST', address(), { body: answer, headers: proven(process.ppid, proof) }), notProven);
    } finally {
      closeSync(held);
    }
  });

  test('a proof that is held open, but by another process than the one that is named, is refused', async () => {
    const { proof, open } = await challenge();
    await withHolder(open, () =>
      expectRefused(() => daemon.owner('POST', address(), { body: answer, headers: proven(process.pid, proof) }), notProven),
    );
  });

  test.each(['0', '-1', '1.5', 'self', '99999999999', '4194305'])('a proof with the process id %s is refused', async (pid) => {
    const { proof, open } = await challenge();
    const held = openSync(open, 'r');
    try {
      await expectRefused(() => daemon.owner('POST', address(), { body: answer, headers: proven(pid, proof) }), notProven);
    } finally {
      closeSync(held);
    }
  });

  test('a proof that no process holds open is refused, and so is one that was used before', async () => {
    const unopened = await challenge();
    await expectRefused(() => daemon.owner('POST', address(), { body: answer, headers: proven(process.pid, unopened.proof) }), notProven);
    const { proof, open } = await challenge();
    const held = openSync(open, 'r');
    try {
      const missing = '/api/approvals/apr_00000000000000000000000000/answer';
      expect((await daemon.owner('POST', missing, { body: answer, headers: proven(process.pid, proof) })).status).toBe(404);
      await expectRefused(() => daemon.owner('POST', address(), { body: answer, headers: proven(process.pid, proof) }), notProven);
    } finally {
      closeSync(held);
    }
  });
});

describe("below the agent's process", () => {
  /** This very process: the hook client is its child, as it is an agent's. */
  const reportThis = async () => {
    const body = { session_id: 'session-of-test', cwd: daemon.repo.path, hook_event_name: 'UserPromptSubmit', prompt: 'go on' };
    expect((await hook(daemon.home.dir, 'UserPromptSubmit', body)).code).toBe(0);
  };

  verifies('I13', 'a command that runs below the agent is the agent’s, whatever program it is', async () => {
    await reportThis();
    const { proof, open } = await challenge();
    const held = openSync(open, 'r');
    try {
      const attempt = () => daemon.owner('POST', address(), { body: answer, headers: proven(process.pid, proof) });
      await expectRefused(attempt, `the command runs below process ${process.pid}, which is an agent's`);
    } finally {
      closeSync(held);
    }
  });

  test('a command that left its parents behind has no certain author while an agent lives', async () => {
    await reportThis();
    const { proof, open } = await challenge();
    await withHolder(open, (pid) =>
      expectRefused(
        () => daemon.owner('POST', address(), { body: answer, headers: proven(pid, proof) }),
        'it has no terminal, and an agent is running',
      ),
    );
  });

  test('neither does the agent get a login link or the daemon stopped', async () => {
    await reportThis();
    for (const [url, body] of [
      ['/api/login-codes', {}],
      ['/api/stop', {}],
      ['/api/permissions', { command: 'init --undo' }],
    ] as const) {
      const reply = await daemon.owner('POST', url, { body });
      expect([reply.status, codeOf(reply)]).toEqual([403, 'HUMAN_CHANNEL_REQUIRED']);
      expect(JSON.parse(reply.text)).toMatchObject({ output: null });
    }
    expect((await daemon.owner('GET', '/health')).status).toBe(200);
  });

  test('an intent of its own is only a proposal', async () => {
    const reply = await daemon.owner('POST', '/api/intents', { body: { cwd: daemon.repo.path, name: 'everything', paths: ['.'] } });
    expect([reply.status, JSON.parse(reply.text)]).toEqual([
      403,
      { error: expect.objectContaining({ code: 'HUMAN_CHANNEL_REQUIRED' }), output: expect.objectContaining({ status: 'proposed' }) },
    ]);
  });
});

verifies('I13', 'a logged-in human answers once; the answer cannot be given again or turned round', async () => {
  const headers = await daemon.login();
  const first = await daemon.web('POST', address(), { headers, body: { answer: 'rejected', reason: 'keep it' } });
  // Whether a call waits for the answer is said only of an open question.
  const { held: _, ...asked } = question;
  expect([first.status, JSON.parse(first.text)]).toEqual([
    200,
    {
      ...asked,
      state: 'rejected',
      reason: 'keep it',
      proof: 'login',
      by: { proof: 'login', via: 'web', key: null, name: null, verified: false },
    },
  ]);
  const before = await daemon.ledgerSize();
  const second = await daemon.web('POST', address(), { headers, body: answer });
  expect([second.status, codeOf(second)]).toEqual([403, 'APPROVAL_NOT_OPEN']);
  expect(await daemon.recordedSince(before)).toEqual([]);
  expect(await stateNow()).toBe('rejected');
});
