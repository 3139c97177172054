// What the index is measured against: programs that npm brings into the cache, and those that the system has.

import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rgPath } from '@vscode/ripgrep';
// @ts-expect-error A script without types.
import { installOnce } from '../../scripts/cached-install.mjs';

export interface Took {
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly rssMb: number;
}

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const NODE_FLAGS = ['--max-old-space-size=12288'];

export function runOnce<T extends Took>(script: string, args: readonly string[]): T {
  const run = spawnSync(process.execPath, [...NODE_FLAGS, here(script), ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 1 << 26,
  });
  if (run.status !== 0) throw new Error(`${script} ended with ${run.status ?? run.signal ?? 'no exit code'}`, { cause: run.error });
  return JSON.parse(run.stdout) as T;
}

const TS_MORPH = '28.0.0';

/** Null when it is not available here. */
export async function tsMorph(scratch: string, files: readonly string[]): Promise<Took | null> {
  try {
    const module: string = await installOnce({
      title: `ts-morph ${TS_MORPH}`,
      name: `bench-ts-morph-${TS_MORPH}`,
      prepare: (folder: string) => writeFileSync(join(folder, 'package.json'), '{"private": true}'),
      args: ['install', '--ignore-scripts', '--no-audit', '--no-fund', `ts-morph@${TS_MORPH}`],
      program: 'node_modules/ts-morph/dist/ts-morph.js',
      interpreter: process.execPath,
      otherwise: 'The bench leaves it out.',
      quiet: true,
    });
    const list = join(scratch, 'files.txt');
    writeFileSync(list, files.join('\n'));
    return runOnce<Took>('./ts-morph-once.ts', [module, list]);
  } catch (error) {
    process.stderr.write(`ts-morph is left out: ${error instanceof Error ? error.message : String(error)}\n`);
    return null;
  }
}

/** In milliseconds; null when universal-ctags is not installed. */
export function ctags(root: string): number | null {
  const version = spawnSync('ctags', ['--version'], { encoding: 'utf8' });
  if (version.status !== 0 || !version.stdout.includes('Universal Ctags')) {
    process.stderr.write('universal-ctags is not installed here and left out\n');
    return null;
  }
  const begun = performance.now();
  spawnSync('ctags', ['-R', '-f', '/dev/null', '--fields=+nS', '--exclude=node_modules', root], { stdio: 'ignore' });
  return performance.now() - begun;
}

/** In milliseconds, with how many lines it found. */
export function ripgrep(root: string, args: readonly string[]): { readonly ms: number; readonly lines: number } {
  const begun = performance.now();
  const found = spawnSync(rgPath, ['--no-config', '--hidden', '--glob', '!.git', '-n', ...args, root], { maxBuffer: 1 << 28 });
  const ms = performance.now() - begun;
  return { ms, lines: found.stdout.filter((byte) => byte === 10).length };
}

export const copyTree = (from: string, to: string): void => void execFileSync('cp', ['-r', '--reflink=auto', from, to]);
