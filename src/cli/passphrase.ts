// A passphrase, read from the terminal itself and from nowhere else: not from arguments, the environment or a pipe, which others see or
// can feed. Typed text is not shown. The terminal is always restored.

import { closeSync, openSync, writeSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { Fault } from '../protocol/plain.ts';

const ENTER = /[\r\n]/;
const LEAVE = new Set(['\u0003', '\u0004']);
const ERASE = new Set(['\u0008', '\u007f']);
const ERASE_ALL = '\u0015';

/** Null: there is no terminal. */
export function openTerminal(): Terminal | null {
  try {
    return new Terminal(openSync('/dev/tty', 'r+'));
  } catch {
    return null;
  }
}

export class Terminal {
  private readonly fd: number;

  constructor(fd: number) {
    this.fd = fd;
  }

  show(text: string): void {
    writeSync(this.fd, `${text}\n`);
  }

  /** Ctrl-C and Ctrl-D cancel with a fault. */
  async secret(question: string): Promise<string> {
    // Its own descriptor: a stream closes what it reads from.
    const input = new ReadStream(openSync('/dev/tty', 'r'));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    let typed: string[] = [];
    const left = () => reject(new Fault('BAD_REQUEST', 'You left; nothing was done.', { fix: 'Run it again when you are ready' }));
    // Before the question: what is typed in that moment would be shown.
    input.setRawMode(true);
    input.setEncoding('utf8');
    input.on('data', (chunk: string) => {
      for (const character of chunk) {
        if (ENTER.test(character)) return resolve(typed.join(''));
        if (LEAVE.has(character)) return left();
        if (character === ERASE_ALL) typed = [];
        else if (ERASE.has(character)) typed.pop();
        else if (character >= ' ') typed.push(character);
      }
    });
    input.once('end', left);
    input.once('error', left);
    writeSync(this.fd, question);
    try {
      return await promise;
    } finally {
      input.setRawMode(false);
      input.destroy();
      writeSync(this.fd, '\n');
    }
  }

  close(): void {
    closeSync(this.fd);
  }
}
