// `npm start`: the daemon in the foreground, on a sample workspace or a real one, with a live line for each action.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { styleText } from 'node:util';
import type { ForegroundOptions } from '../cli/program/command-line.ts';
import { actionLine } from '../cli/terminal-text.ts';
import { type ActionRow, Fault, type WorkspaceRow } from '../protocol/index.ts';
import { startDaemon } from './daemon.ts';
import { sampleWorkspace } from '../install/sample-workspace.ts';

const PROGRAM_ROOT = path.join(import.meta.dirname, '../..');

export async function startInForeground({ home, client, workspace, print }: ForegroundOptions): Promise<void> {
  const folder = workspace ?? (await sampleWorkspace(home));
  if (!(await stat(folder).catch(() => null))?.isDirectory())
    throw new Fault('NOT_FOUND', `There is no folder ${folder}.`, { fix: 'Name a folder that exists: npm start -- --workspace DIR' });

  const quit = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => quit.abort());

  if (await client.isAlive()) {
    const { address, pid, workspaces } = await client.ask('status', {});
    print(`A daemon is running already (process ${pid}); it is used as it is.`);
    print(welcome({ address, folder, link: null, row: workspaces.find(({ root }) => root === folder) }));
    const onEvent = (topic: string, row: unknown) => topic === 'action' && print(actionLine(row as ActionRow));
    await client.follow({ onEvent }, quit.signal);
    return;
  }

  const daemon = await startDaemon(home, (message) => print(styleText('dim', message)));
  quit.signal.addEventListener('abort', daemon.stop);
  if (quit.signal.aborted) daemon.stop();
  const { ask, locate, logins, subscribe } = daemon.services;
  const { id } = await locate(folder);
  const row = (await ask('status', {})).workspaces.find((workspace) => workspace.id === id);
  // A login link is shown only on a terminal from which a human asked for it.
  const link = process.stdout.isTTY && daemon.judgeSelf().kind === 'human' ? `${daemon.address}ui/#code=${logins.issueCode()}` : null;
  print(welcome({ address: daemon.address, folder, link, row }));
  subscribe((event) => event.topic === 'action' && print(actionLine(event.row)));
  await daemon.ended;
  print('Stopped. Hooks and MCP clients start the daemon again when they need it.');
}

interface Welcome {
  readonly address: string;
  readonly folder: string;
  readonly link: string | null;
  readonly row: WorkspaceRow | undefined;
}

function welcome({ address, folder, link, row }: Welcome): string {
  const cli = path.join(PROGRAM_ROOT, 'bin/countersign');
  return [
    '',
    `Countersign is up at ${address}`,
    link === null
      ? `  log in      run ${cli} open in a terminal of yours`
      : `  log in      ${link}\n              (once, within two minutes; later: ${cli} open)`,
    `  workspace   ${folder}`,
    `  level       ${row?.level ?? 'advisory'}: ${row?.level_note ?? ''}`,
    '',
    'Three things to try:',
    `  1. Wire Claude Code:   cd ${folder} && ${cli} init`,
    `  2. Grant some work:    ${cli} intent "fix login" src/auth      (in that folder)`,
    '  3. Let it work:        claude "fix the login bug"              and watch it here and on the page',
    '',
    'Ctrl-C stops. Live:',
  ].join('\n');
}
