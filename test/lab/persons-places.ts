// Where a person may sit: a terminal that stays open, an editor with terminals of its own, tmux and screen with a terminal attached, another
// machine. Each runs a program as if it were typed there.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import { quoted } from './terminal.ts';

export type Type = (line: string) => void;

/** A shell on a terminal of its own, which reads what is typed. */
export function openTerminal(first = 'sh', env: Readonly<Record<string, string>> = {}): Type {
  const terminal = spawn('script', ['-qec', first, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  terminal.stdout.resume();
  endWithTest(terminal);
  return (line) => void terminal.stdin.write(`${line}\n`);
}

/** Has no terminal itself and opens one for each line, as an editor's process for terminals does. No editor runs here. */
const EDITOR = `import os, pty, sys, threading
for line in sys.stdin:
    threading.Thread(target=lambda words: pty.spawn(words, lambda fd: os.read(fd, 1024)), args=(['sh', '-c', line.strip()],)).start()`;

export function openEditor(): Type {
  const editor = spawn('python3', ['-c', EDITOR], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  endWithTest(editor);
  return (line) => void editor.stdin.write(`${line}\n`);
}

/** tmux, shown on a terminal. */
export async function openTmux(socket: string): Promise<Type> {
  const tmux = (...args: string[]) =>
    spawnSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { env: { ...process.env, TERM: 'xterm' }, encoding: 'utf8' });
  openTerminal(`tmux -L ${socket} -f /dev/null new 'sleep 600'`);
  onTestFinished(() => void tmux('kill-server'));
  await eventually('tmux', async () => (tmux('list-clients').stdout.includes('/dev/') ? true : undefined));
  return (line) => void tmux('new-window', '-d', line);
}

/** screen, shown on a terminal. */
export async function openScreen(name: string): Promise<Type> {
  const screen = (...args: string[]) => spawnSync('screen', args, { encoding: 'utf8' });
  openTerminal(`screen -S ${name} sleep 600`);
  onTestFinished(() => void screen('-S', name, '-X', 'quit'));
  await eventually('screen', async () => (screen('-ls', name).stdout.includes('(Attached)') ? true : undefined));
  return (line) => void screen('-S', name, '-X', 'screen', 'sh', '-c', line);
}

/** A network of its own with an address of its own, connected to this machine's. Its commands come from elsewhere, as far as the network knows. */
export async function anotherMachine(): Promise<{ readonly reaches: string; readonly run: Type }> {
  const far = spawn('unshare', ['-n', 'sh', '-c', 'echo up; exec sleep 600'], { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  endWithTest(far);
  await once(far.stdout, 'data');
  const [near, there] = ['10.231.87.1', '10.231.87.2'];
  const inside = `nsenter -t ${far.pid} -n`;
  const steps = [
    `ip link add cs0 type veth peer name cs1 netns ${far.pid}`,
    `ip addr add ${near}/24 dev cs0`,
    'ip link set cs0 up',
    `${inside} ip addr add ${there}/24 dev cs1`,
    `${inside} ip link set cs1 up`,
  ];
  const { status, stderr } = spawnSync('sh', ['-ec', steps.join('\n')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`no second network: ${stderr}`);
  onTestFinished(() => void spawnSync('ip', ['link', 'del', 'cs0']));
  return { reaches: near, run: (line) => void spawn('sh', ['-c', `${inside} sh -c ${quoted(line)}`], { stdio: 'ignore', detached: true }) };
}

function endWithTest(child: ChildProcess): void {
  onTestFinished(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // It has ended.
    }
  });
}
