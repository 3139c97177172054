// An MCP server on stdio as an agent meets it, beside the reference server for files: from its start to `initialize`, calls of a tool that reads
// the same file, and the memory of the process that each agent session keeps. Our daemon is up, as it is from the first session on.
// node bench/mcp.ts [--json FILE]

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { report, sized } from './report/report.ts';
import { median, takeTurns, timed } from './report/rounds.ts';
import { peerPackage } from './stack/peer-package.ts';
import { scratchFolder } from './stack/scratch.ts';
import { bin, wiredRepository } from './stack/wired-repository.ts';

const ROUNDS = sized(9, 1);
const CALLS = sized(200, 3);
const VERSION = '2026.8.31';
const PEER = `server-filesystem ${VERSION}`;

interface Side {
  readonly command: string;
  readonly args: readonly string[];
  readonly tool: string;
  readonly input: Record<string, unknown>;
}
interface Sight {
  readonly start: number;
  readonly callsPerSecond: number;
  readonly rssMb: number;
}

const scratch = scratchFolder();
const place = await wiredRepository(scratch.path);
try {
  const ours: Side = {
    command: bin('countersign'),
    args: ['mcp', '--surface', 'contract'],
    tool: 'read_file',
    input: { path: 'src/a.ts' },
  };
  const leftOut: string[] = [];
  const name = '@modelcontextprotocol/server-filesystem';
  const modules = await peerPackage({ packages: [`${name}@${VERSION}`], quietModule: `${name}/dist/path-utils.js` }).catch(
    (error: Error) => {
      leftOut.push(`${PEER}: ${error.message}`);
      return null;
    },
  );
  const peer: Side | null =
    modules === null
      ? null
      : {
          ...{ command: process.execPath, args: [join(modules, name, 'dist/index.js'), place.repo], tool: 'read_text_file' },
          input: { path: join(place.repo, 'src/a.ts') },
        };

  const sights: Record<'ours' | 'peer', Sight[]> = { ours: [], peer: [] };
  const look = async (side: 'ours' | 'peer', wanted: Side) => {
    const sight = await lookAt(wanted);
    sights[side].push(sight);
    return sight.start;
  };
  await takeTurns(ROUNDS, { ours: () => look('ours', ours), peer: () => (peer ? look('peer', peer) : Number.NaN) });
  const of = (side: 'ours' | 'peer', what: keyof Sight) => median(sights[side].map((sight) => sight[what]));
  const ratio = (what: keyof Sight) => of('ours', what) / of('peer', what);
  report(
    'mcp',
    [
      { what: 'start to initialize', value: of('ours', 'start'), unit: 'ms' },
      { what: 'calls a second, one after the other', value: of('ours', 'callsPerSecond'), unit: '/s' },
      { what: 'memory of the stdio process', value: of('ours', 'rssMb'), unit: 'MB' },
      ...(peer
        ? [
            { what: `${PEER}: start to initialize`, value: of('peer', 'start'), unit: 'ms' },
            { what: 'start to initialize', value: ratio('start'), unit: '×', against: PEER, atMost: 1 / 3 },
            { what: 'calls a second', value: ratio('callsPerSecond'), unit: '×', against: PEER, atLeast: 1 },
            { what: 'memory of the stdio process', value: ratio('rssMb'), unit: '×', against: PEER, atMost: 0.75 },
          ]
        : []),
    ],
    leftOut,
  );
} finally {
  place.end();
  scratch.remove();
}

async function lookAt({ command, args, tool, input }: Side): Promise<Sight> {
  const client = new Client({ name: 'bench', version: '1' });
  const transport = new StdioClientTransport({ command, args: [...args], cwd: place.repo, env: place.env, stderr: 'ignore' });
  const start = await timed(() => client.connect(transport));
  const call = async () => {
    const answer = await client.callTool({ name: tool, arguments: input });
    if (answer.isError) throw new Error(`${tool}: ${JSON.stringify(answer)}`);
  };
  for (let at = 0; at < 5; at++) await call();
  const took = await timed(async () => {
    for (let at = 0; at < CALLS; at++) await call();
  });
  const rss = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${transport.pid}/status`, 'utf8'));
  await client.close();
  return { start, callsPerSecond: (CALLS / took) * 1000, rssMb: Number(rss?.[1]) / 1024 };
}
