// The filter of sealed runs, in the kernel of this machine: what it refuses fails, and what tools need still works.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { findWalls } from './find-walls.ts';
import { callFilter, withFilter } from './seccomp.ts';

test('whole instructions for the architectures that are known, and nothing for others', () => {
  const lengths = ['x64', 'arm64', 'riscv64'].map((architecture) => callFilter(architecture)?.length ?? null);
  expect(lengths).toEqual([(7 + 24) * 8, (7 + 22) * 8, null]);
});

const found = await findWalls(path.join(tmpdir(), 'countersign-seccomp-probe'));

describe.skipIf(found.kind === 'none' || callFilter() === null)('in a seal', () => {
  verifies('N12', 'calls that lead into the kernel are refused, and ordinary programs run', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'countersign-seccomp-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const file = path.join(folder, 'calls');
    writeFileSync(file, callFilter() ?? '');
    const run = (script: string): string => {
      const seal = ['bwrap', '--seccomp', '9', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--cap-drop', 'ALL', '--'];
      const [program, ...args] = [...withFilter(file), ...seal, 'python3', '-c', script];
      const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
      return stdout + stderr;
    };
    const call = (x64: number, arm64: number, ...words: string[]) =>
      `print(libc.syscall(${[process.arch === 'arm64' ? arm64 : x64, ...words].join(',')}), ctypes.get_errno())`;
    const refused = [call(250, 219, '0', '-3', '0'), call(321, 280, '0', '0', '0'), call(425, 425, '1', '0'), call(323, 282, '0')];
    const script = ['import ctypes, subprocess, threading', 'libc = ctypes.CDLL(None, use_errno=True)', ...refused].join('\n');
    const works = `${script}\nt = threading.Thread(target=lambda: print("thread")); t.start(); t.join()\nprint(subprocess.run(["git", "--version"], capture_output=True, text=True).stdout[:4])`;
    expect(run(works)).toBe(`${'-1 1\n'.repeat(refused.length)}thread\ngit \n`);
  });
});
