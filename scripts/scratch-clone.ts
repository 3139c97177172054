// A clone to set up in a temporary folder, for the tests of the set-up.

import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const made: string[] = [];

/** For `afterAll`. */
export function removeTemporary(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export function temporary(name: string): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `countersign-${name}-`)));
  made.push(folder);
  return folder;
}

/** A clone with the real scripts and no dependency, so that npm needs no network, and a main program that says how it was called. */
export class Clone {
  readonly folder = temporary('clone');
  readonly home = temporary('home');

  constructor(dependencies: Record<string, { version: string; integrity: string }> = {}) {
    for (const name of ['scripts', 'bin']) cpSync(join(ROOT, name), this.path(name), { recursive: true });
    execFileSync('git', ['init', '--quiet', this.folder]);
    this.write('src/app/main.ts', SAYS_HOW_IT_WAS_CALLED);
    this.writePackage(dependencies);
  }

  get cache(): string {
    return join(this.home, 'cache', 'countersign');
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  writePackage(dependencies: Record<string, { version: string; integrity: string }>, version = '1.0.0'): void {
    const versions = Object.fromEntries(Object.entries(dependencies).map(([name, entry]) => [name, entry.version]));
    const root = { name: 'clone', version, dependencies: versions };
    const installed = Object.fromEntries(Object.entries(dependencies).map(([name, entry]) => [`node_modules/${name}`, entry]));
    this.write('package.json', JSON.stringify({ ...root, private: true, type: 'module' }));
    this.write(
      'package-lock.json',
      JSON.stringify({ name: 'clone', version, lockfileVersion: 3, requires: true, packages: { '': root, ...installed } }),
    );
  }

  /** Nothing listens on port 9, so network access fails at once. */
  get env(): Record<string, string> {
    return {
      PATH: process.env['PATH'] ?? '',
      HOME: this.home,
      XDG_CACHE_HOME: dirname(this.cache),
      npm_config_cache: join(this.home, 'npm'),
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_fetch_retries: '0',
    };
  }

  run(command: string, args: readonly string[], env: Record<string, string> = {}): Run {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: this.folder, env: { ...this.env, ...env }, encoding: 'utf8' });
    return { code: status, stdout, stderr };
  }

  bootstrap(...args: string[]): Run {
    return this.run(process.execPath, [...args, this.path('scripts/bootstrap.mjs')]);
  }

  lockHash(): string {
    return createHash('sha256')
      .update(readFileSync(this.path('package-lock.json')))
      .digest('hex');
  }

  /** Every file with its size and time: equal before and after means that nothing was written. */
  snapshot(): string[] {
    return readdirSync(this.folder, { recursive: true, encoding: 'utf8' })
      .map((name) => `${name} ${statSync(this.path(name)).size} ${statSync(this.path(name)).mtimeMs}`)
      .sort((a, b) => (a < b ? -1 : 1));
  }
}

const SAYS_HOW_IT_WAS_CALLED = `
  const said = { args: process.argv.slice(2), execPath: process.execPath, flags: process.execArgv, certs: process.env.NODE_EXTRA_CA_CERTS ?? null, cache: process.env.NODE_COMPILE_CACHE };
  if (said.args.includes('--stay')) {
    process.on('SIGTERM', () => process.exit(42));
    setInterval(() => {}, 1000);
  }
  console.log(JSON.stringify(said));
  if (said.args.includes('--fail')) process.exitCode = 7;
`;

/** Only the version is false: the scripts decide by it. */
export const pretendNode = (version: string): string =>
  `--import=data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;

export const withoutSeconds = (text: string): string => text.replace(/\d+ s\b/g, 'N s');
