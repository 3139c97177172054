// What the tool loop costs: a step with its nonce, its strict reading, the gate, a receipt and the record, against a bare call of the same model
// server, which answers at once. node bench/tool-loop.ts [--json FILE] [--tiny]

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openModel } from '../src/conference/providers/open-model.ts';
import { ChatRequest, type Endpoint } from '../src/protocol/index.ts';
import { callTool, decideTool, receiptIn, startChatModel } from '../test/lab/chat-model.ts';
import { startTestDaemon } from '../test/lab/daemon.ts';
import { report } from './report/report.ts';
import { median, takeTurns, timed } from './report/rounds.ts';

const ROUNDS = process.argv.includes('--tiny') ? 2 : 30;
/** Of a turn without a tier. */
const STEPS = 6;
const SCENE = 'scene.md';

const daemon = await startTestDaemon();
const server = await startChatModel();
const endpoint: Endpoint = {
  ...{ id: 'bench', provider: 'lmstudio', base_url: `${server.url}/v1`, host: server.host, network: 'loopback', model: 'scripted' },
  json_schema: 'unknown',
};
const bare = await openModel({ ...endpoint, key: null });
try {
  const cwd = daemon.repo.path;
  writeFileSync(join(cwd, SCENE), 'Her grey eyes were tired.\n'.repeat(40));
  const { kernel, locate, commands } = daemon.services();
  const human = { kind: 'human', human: { proof: 'none', via: 'cli' } } as const;
  await kernel.conversations.addEndpoint(human, (await locate(cwd)).id, endpoint, () => false);
  const signal = new AbortController().signal;
  const args = { path: SCENE };
  const turn = async () => {
    server.play(
      callTool('file_reader', args),
      ...Array.from({ length: STEPS - 1 }, () => decideTool('file_reader', args)),
      (call) => `Grey.\nEvidence: "Her grey eyes were tired" (${SCENE}:1); receipt ${receiptIn(call)}`,
    );
    const request = ChatRequest.parse({ cwd, message: 'What colour?', endpointId: 'bench' });
    const answer = await commands.show('chat', request, { signal, report: () => {} });
    if (answer?.status !== 'answered' || answer.steps.length !== STEPS) throw new Error(`the turn ended as ${JSON.stringify(answer)}`);
  };
  const calls = async () => {
    for (let call = 0; call <= STEPS; call++) {
      server.play('Grey.');
      await bare.call({ messages: [{ role: 'user', text: 'What colour?' }], maxOutputTokens: 100, signal });
    }
  };
  await turn();
  const { loop, alone } = await takeTurns(ROUNDS, { loop: () => timed(turn), alone: () => timed(calls) });
  const [perTurn, perCalls] = [median(loop), median(alone)];
  report('tool-loop', [
    { what: `a turn of ${STEPS} tools`, value: perTurn / perCalls, unit: '×', against: `${STEPS + 1} bare calls of the same server` },
    { what: 'what a step adds to a call', value: (perTurn - perCalls) / STEPS, unit: 'ms' },
    { what: 'a bare call', value: perCalls / (STEPS + 1), unit: 'ms' },
  ]);
} finally {
  await bare.close();
  await server.close();
  await daemon.dispose();
}
