// A turn of the controller beside a bare echo tool of the official SDK, both over stdio; and the daemon's memory as turns go on.
// node bench/controller.ts [--json FILE]

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { daemonClient } from '../src/client/node.ts';
import { report, sized } from './report/report.ts';
import { median, takeTurns, timed } from './report/rounds.ts';
import { scratchFolder } from './stack/scratch.ts';
import { bin, wiredRepository } from './stack/wired-repository.ts';

const ROUNDS = sized(9, 1);
const CALLS = sized(100, 3);
const [FEW, MANY] = [sized(1_000, 10), sized(10_000, 30)];
const PEER = 'an echo tool of the official SDK';
const TURN = { verb: 'list_available_verbs' };

const scratch = scratchFolder();
const place = await wiredRepository(scratch.path);
try {
  const connect = async (command: string, args: readonly string[]) => {
    const client = new Client({ name: 'bench', version: '1' });
    await client.connect(new StdioClientTransport({ command, args: [...args], cwd: place.repo, env: { ...place.env }, stderr: 'ignore' }));
    return client;
  };
  const ours = await connect(bin('countersign'), ['mcp', '--surface', 'controller']);
  const peer = await connect(process.execPath, [fileURLToPath(new URL('./stack/echo-server.ts', import.meta.url))]);
  const calls = (client: Client, name: string, times: number) =>
    timed(async () => {
      for (let at = 0; at < times; at++) await client.callTool({ name, arguments: TURN });
    });
  await calls(ours, 'controller_turn', 5);
  await calls(peer, 'echo', 5);
  const took = await takeTurns(ROUNDS, {
    ours: async () => (await calls(ours, 'controller_turn', CALLS)) / CALLS,
    peer: async () => (await calls(peer, 'echo', CALLS)) / CALLS,
  });
  const [turn, echo] = [median(took.ours), median(took.peer)];
  const { pid } = await daemonClient(`${place.home}/run/daemon.sock`).ask('status', {});
  const memory = () => Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  const done = 5 + ROUNDS * CALLS;
  await calls(ours, 'controller_turn', Math.max(0, FEW - done));
  const early = memory();
  await calls(ours, 'controller_turn', MANY - Math.max(FEW, done));
  const late = memory();
  await ours.close();
  await peer.close();
  report('controller', [
    { what: 'a turn', value: turn, unit: 'ms' },
    { what: PEER, value: echo, unit: 'ms' },
    { what: 'a turn', value: turn / echo, unit: '×', against: PEER, atMost: 2 },
    { what: `daemon after ${FEW} turns`, value: early, unit: 'MB' },
    { what: `daemon after ${MANY} turns`, value: late / early, unit: '×', against: `after ${FEW} turns`, atMost: 1.2 },
  ]);
} finally {
  place.end();
  scratch.remove();
}
