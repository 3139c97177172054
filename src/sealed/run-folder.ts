// The folder of one run, beside the daemon's own: its tree and home, which the agent writes; the gate that it sees; and what the daemon
// keeps about it, which no agent sees.

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { base32, Fault, ID_FORMS, type ProcessLink, type RunRow } from '../protocol/index.ts';
import { writePrivateFile } from '../workspace/index.ts';

export interface KeptRun {
  readonly row: RunRow;
  readonly hookToken: string;
  readonly hookAnswer: string;
  readonly credential: string;
  /** Ports of this machine that the run reaches under the same number. */
  readonly ports: readonly number[];
  readonly process: ProcessLink | null;
  /** The governed files at the start, by path. */
  readonly base: Readonly<Record<string, string>>;
}

/** What a system takes as the path of a socket. */
const SOCKET_PATH_BYTES = 104;

export class RunFolder {
  readonly dir: string;
  constructor(runs: string, id: string) {
    this.dir = path.join(runs, id);
  }
  get tree(): string {
    return path.join(this.dir, 'tree');
  }
  get home(): string {
    return path.join(this.dir, 'home');
  }
  get gate(): string {
    return path.join(this.dir, 'gate');
  }
  get control(): string {
    return path.join(this.dir, 'net');
  }
  /** Where the hook client and the MCP client find it. */
  get door(): string {
    return path.join(this.gate, 'run/daemon.sock');
  }
  get filter(): string {
    return path.join(this.gate, 'run/filter.sock');
  }
  get hookFile(): string {
    return path.join(this.gate, 'run/hook');
  }
  forwarder(port: number): string {
    return path.join(this.gate, `run/to-${port}.sock`);
  }

  async make(): Promise<void> {
    if (Buffer.byteLength(this.filter) > SOCKET_PATH_BYTES)
      throw new Fault('BAD_REQUEST', `The path ${this.gate} is too long for a socket.`, { fix: 'Set COUNTERSIGN_HOME to a shorter path' });
    for (const dir of [this.home, this.control, path.dirname(this.door)]) await mkdir(dir, { recursive: true, mode: 0o700 });
  }

  async keep(run: KeptRun): Promise<void> {
    await writePrivateFile(path.join(this.dir, 'run.json'), JSON.stringify(run));
  }

  async read(): Promise<KeptRun | null> {
    const text = await readFile(path.join(this.dir, 'run.json'), 'utf8').catch(() => null);
    return text === null ? null : (JSON.parse(text) as KeptRun);
  }

  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const newRunId = (): string => `run_${base32(randomBytes(8), 10)}`;

export async function runIdsIn(runs: string): Promise<string[]> {
  return (await readdir(runs).catch(() => [])).filter((name) => ID_FORMS.run.test(name));
}
