// Runs a command that the gate has admitted, to see how it ends. Bounded in time and output; nothing of it outlives the call.

import { spawn } from 'node:child_process';

export interface CommandEnd {
  /** Null when a signal ended it. */
  readonly exitCode: number | null;
  /** The last part of what it printed on both streams. */
  readonly output: string;
  readonly timedOut: boolean;
}

const WITHIN_MS = 120_000;
const OUTPUT_BYTES = 256 * 1024;

export async function runCommand(command: string, cwd: string, withinMs = WITHIN_MS): Promise<CommandEnd> {
  const { promise, resolve, reject } = Promise.withResolvers<CommandEnd>();
  // A group of its own, so that what it started can be ended with it.
  const child = spawn('/bin/sh', ['-c', command], { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = Buffer.alloc(0);
  let timedOut = false;
  const keep = (chunk: Buffer) => {
    output = Buffer.concat([output, chunk]);
    if (output.length > OUTPUT_BYTES) output = output.subarray(-OUTPUT_BYTES);
  };
  const endGroup = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL');
    } catch {
      // The group is gone.
    }
  };
  const timer = setTimeout(() => {
    timedOut = true;
    endGroup();
  }, withinMs);
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  child.once('error', reject);
  child.once('close', (exitCode) => {
    endGroup();
    resolve({ exitCode, output: output.toString('utf8'), timedOut });
  });
  return promise.finally(() => clearTimeout(timer));
}
