// A daemon in this process, set up as in real use, and a session of it that may change `src`.

import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Daemon, startDaemon } from '../../src/app/daemon.ts';
import { homeOf } from '../../src/client/node.ts';
import type { ActionRequest } from '../../src/kernel/index.ts';
import { FIRST_DOORS } from '../../src/protocol/index.ts';

export interface WorkingSession {
  readonly daemon: Daemon;
  readonly root: string;
  readonly request: (tool: string, input: Record<string, unknown>) => ActionRequest;
  readonly end: () => Promise<void>;
}

export async function workingSession(base: string): Promise<WorkingSession> {
  process.env.MCP_DASHBOARD_PORT = '0';
  const tree = join(base, 'tree');
  mkdirSync(join(tree, 'src'), { recursive: true });
  writeFileSync(join(tree, 'src/a.ts'), 'export const a = 1;\n'.repeat(50));
  execFileSync('git', ['init', '--quiet'], { cwd: tree });
  const daemon = await startDaemon(homeOf(join(base, 'home')), (message) => process.stderr.write(`${message}\n`));
  const { kernel } = daemon.services;
  const { id: workspace, root } = await daemon.services.locate(tree);
  await kernel.authority.declareIntent(
    { kind: 'human', human: { proof: 'login', via: 'cli' } },
    { workspace, name: 'bench', ownedScope: ['src/**'], constraints: [], acceptanceCriteria: [] },
  );
  const identity = { workspace, root, agent: 'bench', nativeSession: 'bench', level: 'hooked' as const };
  const { session } = await kernel.turns.openSession(identity, 'GUARDED', null);
  const request = (tool: string, input: Record<string, unknown>): ActionRequest => ({
    ...{ session, workspace, root, cwd: root, actor: { agent: 'bench' }, door: FIRST_DOORS.hook, tool, input, waitTimeoutMs: 0 },
    signal: new AbortController().signal,
  });
  for (const [tool, input] of [['begin_work', {}] as const, ['read_file', { path: 'src/a.ts' }] as const]) {
    const { outcome } = await kernel.spine.pass(request(tool, input));
    if (outcome.kind === 'refused') throw new Error(`${tool}: ${JSON.stringify(outcome)}`);
  }
  const end = async () => {
    daemon.stop();
    await daemon.ended;
  };
  return { daemon, root, request, end };
}
