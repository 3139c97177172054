// A command on a real pseudo-terminal. A human's channel asks for a controlling terminal that no agent is an ancestor of, and a
// pipe cannot stand in for one. util-linux `script` makes the terminal: no native module, and it passes the exit code on.

import { spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** What the human types once the terminal shows `after`. */
export interface Answer {
  readonly after: string;
  readonly type: string;
  /** How long they read first: some keys count only for what stood there for a moment. */
  readonly readsMs?: number;
}

export interface TerminalOptions {
  readonly cwd: string;
  /** The command's whole environment, apart from PATH and TERM, which are inherited. */
  readonly env?: Readonly<Record<string, string>>;
  /** A string is typed at once. Answers wait for their prompts, in order: a program that drops typed-ahead keys needs them. */
  readonly input?: string | readonly Answer[];
  readonly signal?: AbortSignal;
  /** The terminal shows what is typed, as a person's does, unless the command switches that off. */
  readonly echo?: true;
}

export interface TerminalResult {
  readonly code: number | null;
  /** What the terminal showed: no escape sequences, plain line ends, no echo of what was typed unless that was asked for. */
  readonly output: string;
}

const longestRunMs = 60_000;

export function runInTerminal(command: string, args: readonly string[], options: TerminalOptions): Promise<TerminalResult> {
  const line = ['exec', ...[command, ...args].map(quoted)].join(' ');
  const terminal = spawn('script', ['--quiet', '--return', '--echo', options.echo ? 'always' : 'never', '--command', line, '/dev/null'], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], TERM: process.env['TERM'] ?? 'xterm', ...options.env, SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
    signal: options.signal ?? AbortSignal.timeout(longestRunMs),
    // The terminal goes with `script`, and the command with its terminal; asked politely, `script` would first wait for it.
    killSignal: 'SIGKILL',
  });

  const answers = typeof options.input === 'string' ? [{ after: '', type: options.input }] : [...(options.input ?? [])];
  const shown: Buffer[] = [];
  let answeredUpTo = 0;
  const output = (): string => stripVTControlCharacters(Buffer.concat(shown).toString('utf8')).replaceAll('\r\n', '\n');
  const typeWhatIsDue = (): void => {
    for (let next = answers[0]; next !== undefined; next = answers[0]) {
      const at = output().indexOf(next.after, answeredUpTo);
      if (at < 0) return;
      answeredUpTo = at + next.after.length;
      const { type, readsMs } = next;
      if (readsMs === undefined) terminal.stdin.write(type);
      else setTimeout(() => terminal.stdin.write(type), readsMs);
      answers.shift();
    }
  };

  return new Promise((resolve, reject) => {
    terminal.stdout.on('data', (chunk: Buffer) => {
      shown.push(chunk);
      typeWhatIsDue();
    });
    // The command may end before it has read everything typed; its exit code shows the result.
    terminal.stdin.on('error', () => undefined);
    terminal.once('error', reject);
    terminal.once('close', (code) => resolve({ code, output: output() }));
    typeWhatIsDue();
  });
}

export function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
