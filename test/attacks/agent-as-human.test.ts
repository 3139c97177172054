// An agent that wants to be the human: real processes that leave the agent's process tree and get a terminal of their own. And the humans
// who must not be taken for one. `ssh`, `screen`, an editor's terminal and `sudo -u` are judged over recorded tables in
// src/sandbox/lineage.test.ts, because machines of tests do not have them.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { agentProcess } from '../lab/agent-process.ts';
import { eventually } from '../lab/eventually.ts';
import { CLI, hasEnded, makeInstallation, type Place } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

const has = (program: string): boolean => spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
const canRun = process.platform === 'linux' && has('script') && has('setsid');
const withTmux = canRun && has('tmux');

const PTY = `import os, sys
pid = os.fork()
if pid == 0:
    os.setsid()
    if os.fork() == 0:
        import pty
        pty.spawn(sys.argv[1:])
    os._exit(0)
os.waitpid(pid, 0)`;

/** Each runs SAY, which gives a human's command and keeps the answer. */
const WAYS: Readonly<Record<string, string>> = {
  'as a child': 'SAY',
  'in a session of its own': 'setsid -f SAY',
  'on a terminal of its own': "script -qec 'SAY' /dev/null",
  'detached, on a terminal of its own': "setsid -f script -qec 'SAY' /dev/null",
  'in the background': "nohup script -qec 'SAY' /dev/null >/dev/null 2>&1 &",
  'through a subshell that ends': "(setsid script -qec 'SAY' /dev/null >/dev/null 2>&1 &)",
  'with an empty environment': 'setsid -f env -i PATH="$PATH" script -qec \'SAY\' /dev/null',
  'under the name of a login': "(exec -a login setsid -f script -qec 'SAY' /dev/null)",
  'after the command': "setsid -f sh -c 'sleep 2; SAY'",
  'after the command, on a terminal': 'setsid -f sh -c \'sleep 2; script -qec "SAY" /dev/null\'',
  'by an orphan of an orphan': 'setsid -f sh -c \'sleep 2; setsid -f script -qec "SAY" /dev/null; sleep 1\'',
  'from two terminals deep': 'setsid -f script -qec "script -qec \'SAY\' /dev/null" /dev/null',
  'with a double fork': `python3 -c '${PTY}' SAY`,
  'as another name of the program': "ln -sf 'COUNTERSIGN' 'BASE/other'; PROGRAM='BASE/other' setsid -f script -qec 'SAY' /dev/null",
  ...(withTmux
    ? {
        'in a multiplexer': "tmux -L SOCKET-a -f /dev/null new -d 'SAY'",
        'in a window of its own multiplexer': "tmux -L SOCKET-b -f /dev/null new -d 'sleep 20'; tmux -L SOCKET-b new-window -d 'SAY'",
        'typed into its own multiplexer': "tmux -L SOCKET-c -f /dev/null new -d 'sh'; tmux -L SOCKET-c send-keys 'SAY' Enter",
      }
    : {}),
};

/** A program that gives a human's command, and writes down how it ended. */
async function sayer(here: Place, name: string): Promise<{ readonly file: string; readonly result: () => Promise<string> }> {
  const folder = join(here.base, 'say');
  await mkdir(folder, { recursive: true });
  const [file, out] = [join(folder, `${name}.sh`), join(folder, `${name}.out`)];
  await writeFile(
    file,
    `#!/bin/sh\ncd '${here.repo.path}'\nexport COUNTERSIGN_HOME='${here.home}' HOME='${here.env['HOME']}'\n"\${PROGRAM:-${CLI}}" intent 'way ${name}' src >'${out}.part' 2>&1\necho "exit $?" >>'${out}.part'\nmv '${out}.part' '${out}'\n`,
    { mode: 0o755 },
  );
  return {
    file,
    result: () => eventually(`the end of ${name}`, async () => (existsSync(out) ? readFile(out, 'utf8') : undefined)),
  };
}

const activeIntents = async (here: Place) =>
  (await here.client.ask('intents', { cwd: here.repo.path })).filter(({ status }) => status === 'active').map(({ name }) => name);

verifies(
  'I13',
  'no way of an agent out of its process tree makes it the human, and the humans beside it stay who they are',
  async () => {
    if (!canRun) return;
    const here = await makeInstallation();
    onTestFinished(() => here.dispose());
    const socket = `cs-${process.pid}-human`;
    const tmux = (...args: string[]) =>
      spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env: { ...process.env, ...here.env, TERM: 'xterm' } });
    await mkdir(join(here.repo.path, '.ai/config'), { recursive: true });
    await writeFile(join(here.repo.path, '.ai/config/env.local.json'), '{"mode":{"minimum":"GUARDED"}}');
    expect((await here.human(['intent', 'work', 'src'])).code).toBe(0);
    const attach = () => {
      const client = spawn('script', ['-qec', `tmux -L ${socket} attach`, '/dev/null'], {
        env: { ...process.env, TERM: 'xterm' },
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      client.stdout.resume();
      onTestFinished(() => void client.kill('SIGKILL'));
    };
    if (withTmux) {
      tmux('new', '-d', 'sleep 60');
      onTestFinished(() => void tmux('kill-server'));
      attach();
    }

    const agent = await agentProcess({ home: here.home, root: here.repo.path, env: here.env }, 'the agent');
    await agent.hook('SessionStart', { source: 'startup' });
    await agent.hook('UserPromptSubmit', { prompt: 'go' });

    // Humans: a terminal that is older than the agent, a new one whose parent has ended, a multiplexer that is attached.
    expect((await here.human(['intent', 'human old', 'src'])).code).toBe(0);
    const fresh = await sayer(here, 'human-new');
    spawnSync('setsid', ['-f', 'script', '-qec', fresh.file, '/dev/null']);
    expect(await fresh.result()).toContain('exit 0');
    const humans = ['work', 'human old', 'way human-new'];
    if (withTmux) {
      const windowed = await sayer(here, 'human-tmux');
      tmux('new-window', '-d', windowed.file);
      expect(await windowed.result()).toContain('exit 0');
      humans.push('way human-tmux');
    }
    expect((await activeIntents(here)).toSorted()).toEqual(humans.toSorted());

    for (const { id, name } of await here.client.ask('intents', { cwd: here.repo.path }))
      if (name !== 'work') expect((await here.human(['intents', 'done', id])).code).toBe(0);

    // The agent: one command of it, with every way in it.
    await agent.hook('UserPromptSubmit', { prompt: 'go on' });
    const call = { tool_name: 'Bash', tool_input: { command: './work.sh' }, tool_use_id: 'toolu_ways' };
    expect(await agent.hook('PreToolUse', call)).toBe('{}');
    const results: [string, () => Promise<string>][] = [];
    for (const [at, [way, line]] of Object.entries(WAYS).entries()) {
      const { file, result } = await sayer(here, String(at));
      results.push([way, result]);
      const socket = `cs-${process.pid}-${at}`;
      const text = line.replaceAll('SAY', file).replaceAll('SOCKET', socket).replaceAll('BASE', here.base).replaceAll('COUNTERSIGN', CLI);
      const script = join(here.base, `way-${at}.sh`);
      await writeFile(script, `${text}\n`);
      await agent.shell(`bash '${script}' </dev/null >/dev/null 2>&1`);
      for (const end of ['a', 'b', 'c'])
        if (withTmux) onTestFinished(() => void spawnSync('tmux', ['-L', `${socket}-${end}`, 'kill-server'], { stdio: 'ignore' }));
    }
    await agent.hook('PostToolUse', { ...call, tool_response: { stdout: '' } });
    const ended = await Promise.all(results.map(async ([way, result]) => [way, await result()] as const));
    for (const [way, said] of ended) expect([way, /is active:/.test(said)]).toEqual([way, false]);
    expect(await activeIntents(here)).toEqual(['work']);

    // The daemon is ended meanwhile: the next one finds what was left running.
    const later = await sayer(here, 'after-restart');
    await agent.hook('PreToolUse', { ...call, tool_use_id: 'toolu_kill' });
    await agent.shell(
      `setsid -f sh -c 'while [ ! -e "${here.base}/now" ]; do sleep 0.2; done; setsid -f script -qec "${later.file}" /dev/null; sleep 1'`,
    );
    await agent.hook('PostToolUse', { ...call, tool_use_id: 'toolu_kill', tool_response: { stdout: '' } });
    const pid = await here.daemonPid();
    process.kill(pid, 'SIGKILL');
    await hasEnded(pid);
    expect((await here.run(['status'])).code).toBe(0);
    await writeFile(join(here.base, 'now'), '');
    expect(await later.result()).toContain('Recorded as the proposal');

    // A human who opens a terminal while all that is around is refused with the ways out.
    const refused = await sayer(here, 'human-beside');
    await agent.hook('PreToolUse', { ...call, tool_use_id: 'toolu_more' });
    spawnSync('setsid', ['-f', 'script', '-qec', refused.file, '/dev/null']);
    expect(await refused.result()).toMatch(/Recorded as the proposal[^]*on the page, in a terminal that was open before the agent started/);
    // The older terminal still works.
    expect((await here.human(['intent', 'human again', 'src'])).code).toBe(0);
  },
  120_000,
);
