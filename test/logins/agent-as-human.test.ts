// An agent that wants to be the human, and the humans who must not be taken for one: real processes, terminals, ssh logins, tmux, screen,
// sudo and at. Both sides in one table: what an agent does fails, what a person does passes.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { agentProcess } from '../lab/agent-process.ts';
import { eventually } from '../lab/eventually.ts';
import { CLI, hasEnded, type Installation, makeInstallation, type Place } from '../lab/installation.ts';
import { anotherMachine, openEditor, openScreen, openTerminal, openTmux } from '../lab/persons-places.ts';
import { type SshServer, sshServer } from '../lab/ssh-server.ts';
import { verifies } from '../verifies.ts';

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
  'in a multiplexer': "tmux -L OWN-a -f /dev/null new -d 'SAY'",
  'in a window of its own multiplexer': "tmux -L OWN-b -f /dev/null new -d 'sleep 20'; tmux -L OWN-b new-window -d 'SAY'",
  'typed into its own multiplexer': "tmux -L OWN-c -f /dev/null new -d 'sh'; tmux -L OWN-c send-keys 'SAY' Enter",
  'in its own multiplexer, shown on a terminal of its own': 'setsid -f script -qec "tmux -L OWN-d -f /dev/null new \'SAY\'" /dev/null',
  'in a multiplexer with the name of the human’s, elsewhere':
    "mkdir -p BASE/OWN; TMUX_TMPDIR=BASE/OWN tmux -L HUMANS -f /dev/null new -d 'SAY; sleep 20'",
  'in a multiplexer in the place of the human’s':
    "at=${TMUX_TMPDIR:-/tmp}/tmux-$(id -u)/HUMANS; mv $at $at.old; tmux -L HUMANS -f /dev/null new -d 'SAY; sleep 20'; mv $at.old $at",
  'in a multiplexer that has the human’s terminals open':
    "for at in /dev/pts/[0-9]*; do exec {fd}<>$at; done; tmux -L OWN-e -f /dev/null new -d 'SAY; sleep 20'",
  'in a screen': 'screen -dmS OWN SAY',
  'in a screen, shown on a terminal of its own': "setsid -f script -qec 'screen -S OWN-shown SAY' /dev/null",
  'over ssh to this machine': 'SSH SAY',
  'over ssh, with nothing of it in the environment': 'SSH \'exec env -i PATH="$PATH" SAY\'',
  'over ssh, after the command': "setsid -f sh -c 'sleep 2; SSH SAY'",
  'over ssh, after the connection': 'SSH \'setsid -f script -qec "sleep 2; SAY" /dev/null; sleep 1\'',
  'left with at': 'echo "script -qec \'SAY\' /dev/null" | at now',
  'as the same user once more': 'setsid -f script -qec \'sudo -n -u "$(id -un)" SAY\' /dev/null',
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

async function installation(): Promise<Installation> {
  const here = await makeInstallation();
  onTestFinished(() => here.dispose());
  await mkdir(join(here.repo.path, '.ai/config'), { recursive: true });
  await writeFile(join(here.repo.path, '.ai/config/env.local.json'), '{"mode":{"minimum":"GUARDED"}}');
  expect((await here.human(['intent', 'work', 'src'])).code).toBe(0);
  return here;
}

const agentIn = async (here: Place) => {
  const agent = await agentProcess({ home: here.home, root: here.repo.path, env: here.env }, 'the agent');
  await agent.hook('SessionStart', { source: 'startup' });
  await agent.hook('UserPromptSubmit', { prompt: 'go' });
  return agent;
};
const call = { tool_name: 'Bash', tool_input: { command: './work.sh' } };

verifies('I13', 'no way of an agent out of its process tree makes it the human', async () => {
  const here = await installation();
  const humans = `cs-${process.pid}-human`;
  await openTmux(humans);
  await openScreen(humans);
  const ssh = await sshServer(here.base);
  const ways = Object.entries(WAYS).filter(startAtDaemon() ? () => true : ([, line]) => !line.includes('| at '));
  const agent = await agentIn(here);

  // One command of it, with every way in it.
  expect(await agent.hook('PreToolUse', { ...call, tool_use_id: 'toolu_ways' })).toBe('{}');
  const results: [string, () => Promise<string>][] = [];
  for (const [at, [way, line]] of ways.entries()) {
    const { file, result } = await sayer(here, String(at));
    results.push([way, result]);
    const own = `cs-${process.pid}-${at}`;
    const filled = { SAY: file, OWN: own, HUMANS: humans, BASE: here.base, COUNTERSIGN: CLI, SSH: ssh.login() };
    const text = Object.entries(filled).reduce((all, [word, value]) => all.replaceAll(word, value), line);
    const script = join(here.base, `way-${at}.sh`);
    await writeFile(script, `${text}\n`);
    await agent.shell(`bash '${script}' </dev/null >/dev/null 2>&1`);
    endLater(here, own, humans);
  }
  await agent.hook('PostToolUse', { ...call, tool_use_id: 'toolu_ways', tool_response: { stdout: '' } });
  const ended = await Promise.all(results.map(async ([way, result]) => [way, await result()] as const));
  for (const [way, said] of ended) expect([way, said]).toEqual([way, expect.stringMatching(/Recorded as the proposal/)]);
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
});

verifies('I13', 'the humans beside an agent stay who they are, wherever they sit', async () => {
  const here = await installation();
  const name = `cs-${process.pid}`;
  const ssh = await sshServer(here.base);
  const places = {
    'an older terminal': openTerminal(),
    'tmux, older': await openTmux(`${name}-old`),
    'screen, older': await openScreen(`${name}-old`),
    'an editor’s terminal': openEditor(),
  };
  const sudo = `sudo -n -u ${spawnSync('id', ['-un'], { encoding: 'utf8' }).stdout.trim()}`;
  const agent = await agentIn(here);
  const passes = async (where: string, type: (line: string) => void, before = '') => {
    const { file, result } = await sayer(here, where.replaceAll(/\W/g, '-'));
    type(`${before} ${file}`);
    expect([where, await result()]).toEqual([where, expect.stringContaining('exit 0')]);
  };

  // Between its commands.
  await passes('a new terminal', openTerminal());
  await passes('a new terminal whose parent has ended', (line) => void spawnSync('setsid', ['-f', 'script', '-qec', line, '/dev/null']));
  const loopback = openTerminal(ssh.login());
  await passes('a new login over ssh on this machine', loopback);
  // While that connection is open, it cannot be distinguished from one that comes from elsewhere.
  loopback('exit');

  // While one of them runs.
  await agent.hook('PreToolUse', { ...call, tool_use_id: 'toolu_long' });
  for (const [where, type] of Object.entries(places)) await passes(where, type);
  await passes('sudo -u in an older terminal', places['an older terminal'], sudo);
  await passes('tmux, newer', await openTmux(`${name}-new`));
  await passes('screen, newer', await openScreen(`${name}-new`));
  await passes('a login over ssh from another machine', await fromAnotherMachine(ssh));

  // One who cannot be distinguished from the agent is refused, with the ways out.
  const refused = await sayer(here, 'beside');
  spawnSync('setsid', ['-f', 'script', '-qec', refused.file, '/dev/null']);
  expect(await refused.result()).toMatch(/Recorded as the proposal[^]*on the page, in a terminal that was open before the agent started/);
});

const fromAnotherMachine = async (ssh: SshServer): Promise<(line: string) => void> => {
  const { reaches, run } = await anotherMachine();
  return (line) => run(`${ssh.login(reaches)} '${line.trim()}' </dev/null`);
};

/** It takes the jobs of everybody on a machine, so only one can run. False: one runs outside of this namespace. */
function startAtDaemon(): boolean {
  if (spawnSync('flock', ['-n', '/run/atd.pid', 'true']).status !== 0) {
    console.warn('NOT RUN: a job left with at, because this machine runs an atd already. A machine without one tries it.');
    return false;
  }
  const daemon = spawn('/usr/sbin/atd', ['-f'], { stdio: 'ignore', detached: true });
  onTestFinished(() => void daemon.kill('SIGKILL'));
  return true;
}

function endLater(here: Place, own: string, humans: string): void {
  onTestFinished(() => {
    for (const socket of ['a', 'b', 'c', 'd', 'e']) spawnSync('tmux', ['-L', `${own}-${socket}`, 'kill-server'], { stdio: 'ignore' });
    spawnSync('tmux', ['-L', humans, 'kill-server'], { stdio: 'ignore', env: { ...process.env, TMUX_TMPDIR: join(here.base, own) } });
    spawnSync('screen', ['-S', own, '-X', 'quit'], { stdio: 'ignore' });
  });
}
