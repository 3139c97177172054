// Commands that will not end, or will not end well: each is stopped, and nothing of it is left.

import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { runProcess } from '../../src/sandbox/run-process.ts';
import { findSandbox } from '../../src/sandbox/sandbox.ts';
import { commandTree } from '../lab/command-tree.ts';

/** A unique sleep time, to find the process. */
let naps = 0;
const nap = () => `${90_000 + process.pid}.${++naps}`;

function sleepers(seconds: string): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandLine(pid).includes(`sleep\0${seconds}\0`)).length;
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** A process that was killed is gone a moment later. */
async function gone(seconds: string): Promise<number> {
  for (let times = 0; times < 100 && sleepers(seconds) > 0; times++) await delay(20);
  return sleepers(seconds);
}

const findNone = () => findSandbox('/nowhere/bwrap');

describe.each([
  ['bubblewrap', findSandbox],
  ['none', findNone],
] as const)('with %s around it', (kind, find) => {
  test('the time limit ends all of it', async () => {
    const { run } = await commandTree({}, find);
    const seconds = nap();
    const end = await run(`echo begun; sleep ${seconds} & sleep ${seconds} | cat`, { timeoutMs: 500 });
    expect(end).toMatchObject({ exitCode: null, stopped: 'time', output: 'begun\n', sandbox: kind });
    expect(await gone(seconds)).toBe(0);
  });

  test('a caller that goes away ends all of it', async () => {
    const { run } = await commandTree({}, find);
    const seconds = nap();
    const caller = new AbortController();
    const heard: string[] = [];
    const end = await run(`echo begun; sleep ${seconds}; echo never`, {
      signal: caller.signal,
      onOutput: (text) => {
        heard.push(text);
        caller.abort();
      },
    });
    expect([end.exitCode, end.stopped, heard]).toEqual([null, 'cancelled', ['begun\n']]);
    expect(await gone(seconds)).toBe(0);
    expect((await run('echo x', { signal: AbortSignal.abort() })).stopped).toBe('cancelled');
  });

  test('what it left in the background ends with it', async () => {
    const { run } = await commandTree({}, find);
    const seconds = nap();
    expect(await run(`sleep ${seconds} & echo done`)).toMatchObject({ exitCode: 0, output: 'done\n' });
    expect(await gone(seconds)).toBe(0);
  });

  test('of a flood of output, the head and the tail are kept', async () => {
    const { run } = await commandTree({}, find);
    const { output, truncated, exitCode } = await run('echo first; yes flood | head -c 50000000; echo; echo last');
    expect([exitCode, output.length < 70_000, output.startsWith('first\nflood\n'), output.endsWith('\nlast\n')]).toEqual([
      0,
      true,
      true,
      true,
    ]);
    expect(truncated).toBe(50_000_000 + 'first\n\nlast\n'.length - 64 * 1024);
    expect(output).toContain(`\n… ${truncated} bytes left out …\n`);
  });

  test('a bomb of processes is ended', async () => {
    const { run } = await commandTree({}, find);
    const seconds = nap();
    // It has an end, in case nothing stops it.
    const end = await run(`for i in $(seq 2500); do sleep ${seconds} & done; wait`, { timeoutMs: 60_000 });
    expect([end.exitCode, end.stopped]).toEqual([null, 'processes']);
    expect(await gone(seconds)).toBe(0);
  });
});

describe('memory', () => {
  const order = { prefix: [], cwd: '/', env: { PATH: process.env['PATH'] ?? '' }, timeoutMs: 30_000, memoryBytes: 300 * 1024 * 1024 };

  test('one process gets no more than the limit', async () => {
    const end = await runProcess({ ...order, command: 'head -c 900m /dev/zero | tail' });
    expect(end.exitCode).not.toBe(0);
    // The system refuses it the memory, unless the check that counts all of them comes first.
    expect([null, 'memory']).toContain(end.stopped);
  });

  test('several that are too large together are ended', async () => {
    const hog = '(head -c 120m /dev/zero; sleep 20) | tail &';
    const end = await runProcess({ ...order, command: `${hog} ${hog} ${hog} ${hog} wait` });
    expect(end).toMatchObject({ exitCode: null, stopped: 'memory' });
  });
});
