// How each client calls its shell, word for word, through the wall programs and into a real box. The clients themselves are in `test/agents`.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { hookAdapters } from '../../src/agents/index.ts';
import { walledStart } from '../../src/install/run-agent.ts';
import { readWallCall, writeWallAnswer } from '../../src/doors/hooks/wall-call.ts';
import { findWalls, readOnlyAccess, WallSessions, writingAccess } from '../../src/sandbox/index.ts';
import { processStarted } from '../../src/sandbox/process-tree.ts';
import { verifies } from '../verifies.ts';

interface Seam {
  readonly agent: string;
  /** The words that the client starts, and the variables that it adds. */
  readonly call: (command: string) => { readonly words: readonly string[]; readonly env: Record<string, string> };
}

/** The client makes the folder, and reads the file afterwards. */
const TEMP = mkdtempSync(path.join(tmpdir(), 'gemini-shell-'));
const BACKGROUND = path.join(TEMP, 'bgpids.tmp');
const BIN = path.join(import.meta.dirname, '../../bin');
const SESSION = 'ses_1';
/** This process starts the shells. */
const CLIENT = { pid: process.pid, started: processStarted(process.pid) ?? '' };
/** As `countersign run` sets it, where the client takes bash from PATH. */
const launched = (agent: string, client: Record<string, string>): Record<string, string> => {
  const { env = {} } = walledStart(`/opt/${agent}`, null, '/nowhere', { PATH: process.env['PATH'] }) ?? {};
  const { COUNTERSIGN_WALL_HOME: _home, ...rest } = env;
  return { ...rest, ...client };
};

const SEAMS: readonly Seam[] = [
  {
    agent: 'opencode',
    call: (command) => ({
      words: [path.join(BIN, 'countersign-wall-bash'), '-c', command],
      env: { COUNTERSIGN_WALL_AGENT: 'opencode', COUNTERSIGN_WALL_SESSION: SESSION, CLAUDE_CODE_SESSION_ID: 'of another agent' },
    }),
  },
  {
    agent: 'gemini',
    call: (command) => ({
      words: [
        'bash',
        '-c',
        `shopt -u promptvars nullglob extglob nocaseglob dotglob; _bgpids_file=${BACKGROUND}\n(\n  trap 'jobs -p > "$_bgpids_file"' EXIT\n${command}\n)\n__code=$?\nexit $__code`,
      ],
      env: launched('gemini', { GEMINI_CLI: '1' }),
    }),
  },
  {
    agent: 'qwen',
    call: (command) => ({
      words: ['bash', '-c', command],
      env: launched('qwen', { QWEN_CODE: '1', QWEN_CODE_SESSION_ID: SESSION }),
    }),
  },
  {
    agent: 'copilot',
    call: (command) => ({
      words: ['/bin/bash', '--norc', '--noprofile', '-c', command],
      env: launched('copilot', { COPILOT_AGENT_SESSION_ID: SESSION }),
    }),
  },
];

const COMMANDS: readonly [command: string, code: number, output: string][] = [
  [`printf '%s|' "it's" 'a"b' $(echo x) # end`, 0, `it's|a"b|x|`],
  [`cat <<'X'\nheredoc 'q' é\nX\nexit 3`, 3, `heredoc 'q' é\n`],
  ['pwd; env | grep -c WALL', 1, 'ROOT\n0\n'],
  [`bash -c 'echo inner' && type -P bash | grep -c walls`, 1, 'inner\n0\n'],
  ['echo new > src/new.txt; cat src/new.txt', 0, 'new\n'],
  ['(echo BROKEN > README.md) 2>/dev/null || cat README.md', 0, 'kept\n'],
];

const found = await findWalls(path.join(tmpdir(), 'countersign-seams-probe'));
if (found.kind === 'none') console.warn(`skipped, walls do not work here: ${found.why}`);

describe.skipIf(found.kind === 'none')('a client’s shell', () => {
  const base = mkdtempSync(path.join(tmpdir(), 'countersign-seams-'));
  const [root, gate, home] = [path.join(base, 'repo'), path.join(base, 'gate'), path.join(base, 'home')];
  const gitCommonDir = path.join(root, '.git');
  const sessions = new WallSessions({
    found: () => Promise.resolve(found),
    ...{ folder: path.join(gate, 'run/boxes'), userHome: home, privateFolders: [gate], agentSettings: [] },
    seamOf: (agent) => hookAdapters.get(agent)?.wall ?? null,
    settingsOf: () => Promise.resolve({ level: 'required', readable: [], writable: [], hosts: [] }),
    rootOf: () => Promise.resolve(root),
    isEnforced: () => Promise.resolve(true),
    accessOf: (_root, scope) =>
      Promise.resolve(
        scope === null
          ? readOnlyAccess(root, gitCommonDir)
          : writingAccess({
              ...{ root, gitCommonDir, scope, paths: { derived: [], companions: {} } },
              ...{ files: ['README.md', 'src/a.txt'], gitSettings: 'open' },
            }),
      ),
  });
  const door = http.createServer((request, answer) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      answer.setHeader('x-countersign-answer', 'secret');
      sessions.enter(readWallCall(request.url?.split('/').at(-1) ?? '', Buffer.concat(chunks))).then(
        (walls) => answer.end(writeWallAnswer(walls)),
        (error: unknown) => answer.end(writeWallAnswer({ kind: 'refused', why: String(error) })),
      );
    });
  });

  beforeAll(async () => {
    for (const folder of [path.join(root, 'src'), path.join(gate, 'run'), home]) mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(root, 'README.md'), 'kept\n');
    writeFileSync(path.join(root, 'src/a.txt'), 'a\n');
    spawnSync('git', ['init', '-q'], { cwd: root });
    await new Promise<void>((done) => door.listen(0, '127.0.0.1', done));
    writeFileSync(path.join(gate, 'run/hook'), `${(door.address() as AddressInfo).port} token secret\n`);
  });
  afterAll(async () => {
    for (const { agent } of SEAMS) await sessions.end(agent, SESSION);
    await sessions.close();
    door.close();
    for (const folder of [base, TEMP]) rmSync(folder, { recursive: true, force: true });
  });

  const run = async ({ call }: Seam, command: string): Promise<[code: number | null, output: string]> => {
    const { words, env } = call(command);
    const child = spawn(words[0] ?? '', words.slice(1), {
      cwd: root,
      env: { PATH: process.env['PATH'], HOME: home, COUNTERSIGN_WALL_HOME: gate, LANG: 'C.UTF-8', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    const code = await new Promise<number | null>((done) => child.once('close', done));
    return [code, output.replaceAll(root, 'ROOT')];
  };

  verifies('N20', 'runs an admitted command behind its walls, and one that was not admitted where nothing is writable', async () => {
    for (const seam of SEAMS) {
      for (const [command, code, output] of COMMANDS) {
        const action = `${seam.agent} ${command}`;
        sessions.admit({
          ...{ agent: seam.agent, nativeSession: SESSION, process: CLIENT, action, root, command },
          ...{ scope: ['src/**'], network: false, showSecrets: false, open: false },
        });
        expect([seam.agent, command, ...(await run(seam, command))]).toEqual([seam.agent, command, code, output]);
        expect(sessions.settled(action)).toMatchObject({ walled: true });
      }
      const [code, output] = await run(seam, 'echo more >> src/new.txt');
      expect([seam.agent, code, output]).toEqual([seam.agent, 1, expect.stringContaining('Read-only file system')]);
      expect([readFileSync(path.join(root, 'README.md'), 'utf8'), readFileSync(path.join(root, 'src/new.txt'), 'utf8')]).toEqual([
        'kept\n',
        'new\n',
      ]);
    }
  });

  verifies('N20', 'a command that was replaced by its ticket runs as it was written, once, and no other ticket runs anything', async () => {
    const parts = COMMANDS.map(([command]) => command);
    const action = 'act_REPLACED';
    sessions.admit({
      ...{ agent: 'cline', nativeSession: SESSION, process: CLIENT, action, root, command: parts.join('\n'), parts },
      ...{ scope: ['src/**'], network: false, showSecrets: false, open: false },
    });
    const byTicket = (ticket: string): Seam => ({
      agent: 'cline',
      call: () => ({ words: [path.join(BIN, 'countersign-wall'), '--home', gate, ticket], env: {} }),
    });
    const tickets = sessions.rewritten(action) ?? [];
    expect(tickets).toEqual(parts.map((_, at) => `${action}-${at}`));
    for (const [at, [command, code, output]] of COMMANDS.entries())
      expect([command, ...(await run(byTicket(tickets[at] ?? ''), command))]).toEqual([command, code, output]);
    for (const ticket of [tickets[0] ?? '', `${action}-99`, 'act_OTHER-0', 'touch src/forged'])
      expect(await run(byTicket(ticket), ticket)).toEqual([126, expect.stringContaining('was not admitted, or was run before')]);
    expect(sessions.settled(action)).toMatchObject({ walled: true });
    await sessions.end('cline', SESSION);
  });

  verifies('N20', 'is the real one for hooks and servers of a client that starts them with it too, and a hook reports it', async () => {
    for (const agent of ['gemini', 'qwen']) {
      const hook: Seam = { agent, call: (command) => ({ words: ['bash', '-c', command], env: launched(agent, {}) }) };
      const [code, output] = await run(hook, `echo made > ${agent}.txt; echo "$COUNTERSIGN_WALL_SHELL"; type -P bash | grep -c walls`);
      expect([code, output, readFileSync(path.join(root, `${agent}.txt`), 'utf8')]).toEqual([
        1,
        `${path.join(BIN, 'walls/bash')}\n0\n`,
        'made\n',
      ]);
    }
  });
});
