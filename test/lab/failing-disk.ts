// Loaded into a process before anything else (`--import`), with no compiler: its disk fails, or it is killed, at a chosen call.
// DISK is JSON (`Disk`). A *write point* is any call that changes a file below one of the folders: write, sync, truncate, rename and so on.

import fs from 'node:fs';
import fsPromises, { type FileHandle } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

/**
 * - `before`, `after`: killed just before or after the call.
 * - `half`: half of what is written arrives; a call that writes no bytes is not begun.
 * - `lost`: killed before it, and the power went too: whatever of the ledger was not synced is gone.
 * - `error`: not killed; half of what is written arrives and the call fails with EIO.
 */
export type How = 'before' | 'half' | 'after' | 'lost' | 'error';

export interface Disk {
  readonly folders: readonly string[];
  /** At the n-th write point from 1; with `call`, at the n-th of these calls on the ledger's own files. */
  readonly at?: { readonly point: number; readonly how: How; readonly call?: 'write' | 'fdatasync' };
  /** As long as this file is there, the ledger's own files cannot be written: it holds the name of the error, such as ENOSPC. */
  readonly fault?: string;
  /** As long as this file is there, it holds how many milliseconds the clock is off. */
  readonly clock?: string;
}

type Call = (...args: never[]) => unknown;

const disk = JSON.parse(process.env['DISK'] ?? '{"folders":[]}') as Disk;
const real = { ...fs };
const paths = new Map<number, string>();
const handles = new WeakMap<object, string>();
/** Of each of the ledger's files, how much is safely on the disk. */
const synced = new Map<string, number>();
let points = 0;

const isSegment = (path: string | undefined): path is string => path !== undefined && path.endsWith('.jsonl') && path.includes('/ledger/');

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
}

function losePower(): never {
  for (const [path, size] of synced) if (real.existsSync(path) && real.statSync(path).size > size) real.truncateSync(path, size);
  return die();
}

/** What should happen at this call, if anything. */
function fate(path: string | undefined, call: string): How | null {
  if (path === undefined || disk.at === undefined || !disk.folders.some((folder) => path.startsWith(`${folder}/`))) return null;
  const { point, how, call: wanted } = disk.at;
  if (wanted !== undefined && (wanted !== call || !isSegment(path))) return null;
  points += 1;
  return points === point ? how : null;
}

function errorNow(path: string | undefined): string | null {
  if (disk.fault === undefined || !isSegment(path)) return null;
  try {
    return real.readFileSync(disk.fault, 'utf8').trim();
  } catch {
    return null;
  }
}

const systemError = (code: string, syscall: string): Error =>
  Object.assign(new Error(`${code}: as the test wants it, ${syscall}`), { code, syscall, errno: -constants.errno[code as 'EIO'] });

/** Null when the call is to be made as usual; otherwise it has been decided: killed, or the error that it ends with. */
function meet(path: string | undefined, call: string, half: () => void, whole: () => void): Error | null {
  const error = errorNow(path);
  if (error !== null) {
    if (error !== 'EROFS') half();
    return systemError(error, call);
  }
  const how = fate(path, call);
  if (how === null) return null;
  if (how === 'lost') losePower();
  if (how === 'half' || how === 'error') half();
  if (how === 'after') whole();
  return how === 'error' ? systemError('EIO', call) : die();
}

/** Puts another function in the place of one, with whatever `promisify` looks for on it. */
function replace(owner: object, name: string, make: (original: Call) => Call): void {
  const original = (owner as Record<string, Call>)[name] as Call;
  const own = make(original);
  for (const key of Object.getOwnPropertySymbols(original))
    Object.defineProperty(own, key, Object.getOwnPropertyDescriptor(original, key) as PropertyDescriptor);
  (owner as Record<string, Call>)[name] = own;
}

const callbackOf = (args: readonly unknown[]) => args.at(-1) as (error: Error | null, value?: unknown) => void;
const nothing = (): void => {};

replace(fs, 'open', (open) => (...args) => {
  const callback = callbackOf(args);
  const [path] = args as unknown as [string];
  return (open as (...all: unknown[]) => void)(...args.slice(0, -1), (error: Error | null, fd: number) => {
    if (error === null) paths.set(fd, path);
    if (error === null && isSegment(path) && !synced.has(path)) synced.set(path, real.fstatSync(fd).size);
    callback(error, fd);
  });
});
replace(fs, 'close', (close) => (...args) => {
  paths.delete(args[0] as unknown as number);
  return close(...args);
});
function meetWrite(args: readonly unknown[]): Error | null {
  const [fd, bytes, offset, length, position] = args as [number, Uint8Array, number, number, number];
  const part = (count: number) => void real.writeSync(fd, bytes, offset, count, position);
  return meet(
    paths.get(fd),
    'write',
    () => part(Math.floor(length / 2)),
    () => part(length),
  );
}

replace(fs, 'write', (write) => (...args) => {
  const error = meetWrite(args);
  return error === null ? write(...args) : process.nextTick(callbackOf(args), error);
});
replace(fs, 'writeSync', (write) => (...args) => {
  const error = meetWrite(args);
  if (error !== null) throw error;
  return write(...args);
});
for (const name of ['fdatasync', 'fsync'] as const) {
  replace(fs, name, (sync) => (...args) => {
    const [fd] = args as unknown as [number];
    const path = paths.get(fd);
    const error = meet(path, name, nothing, () => real.fsyncSync(fd));
    if (error !== null) return process.nextTick(callbackOf(args), error);
    const size = isSegment(path) ? real.fstatSync(fd).size : 0;
    return (sync as (...all: unknown[]) => void)(fd, (failure: Error | null) => {
      if (failure === null && isSegment(path)) synced.set(path, size);
      callbackOf(args)(failure);
    });
  });
}
replace(fs, 'fdatasyncSync', (sync) => (...args) => {
  const [fd] = args as unknown as [number];
  const path = paths.get(fd);
  const error = meet(path, 'fdatasync', nothing, () => real.fsyncSync(fd));
  if (error !== null) throw error;
  sync(...args);
  if (isSegment(path)) synced.set(path, real.fstatSync(fd).size);
});
replace(fs, 'ftruncate', (truncate) => (...args) => {
  const [fd, size] = args as unknown as [number, number];
  const error = meet(paths.get(fd), 'ftruncate', nothing, () => real.ftruncateSync(fd, size));
  return error === null ? truncate(...args) : process.nextTick(callbackOf(args), error);
});

async function decide(path: string | undefined, call: string, half: () => void, whole: () => void): Promise<void> {
  const error = meet(path, call, half, whole);
  if (error !== null) throw error;
}

replace(fsPromises, 'open', (open) => async (...args) => {
  const handle = (await open(...args)) as object;
  handles.set(handle, String(args[0]));
  return handle;
});
const probe = await fsPromises.open(fileURLToPath(import.meta.url), 'r');
const handleMethods = Object.getPrototypeOf(probe) as object;
await probe.close();
for (const name of ['write', 'writeFile', 'appendFile', 'sync', 'datasync', 'truncate'] as const) {
  replace(
    handleMethods,
    name,
    (method) =>
      async function (this: FileHandle, ...args: never[]) {
        const bytes = name === 'writeFile' || name === 'appendFile' ? Buffer.from(args[0] as unknown as string) : Buffer.alloc(0);
        // A folder's handle takes no bytes, not even none.
        const put = (count: number) => bytes.length > 0 && real.writeSync(this.fd, bytes, 0, count);
        await decide(
          handles.get(this),
          name,
          () => put(Math.floor(bytes.length / 2)),
          () => put(bytes.length),
        );
        return method.apply(this, args);
      },
  );
}
for (const name of ['rename', 'link', 'unlink', 'rm', 'writeFile'] as const) {
  replace(fsPromises, name, (method) => async (...args) => {
    const [path, second] = args as unknown as [string, string];
    const half = () =>
      name === 'writeFile' ? real.writeFileSync(path, Buffer.from(second).subarray(0, Math.floor(second.length / 2))) : undefined;
    const whole = () => {
      if (name === 'rename') real.renameSync(path, second);
      else if (name === 'link') real.linkSync(path, second);
      else if (name === 'writeFile') real.writeFileSync(path, second, args[2]);
      else real.rmSync(path, { force: true, recursive: true });
    };
    await decide(name === 'rename' ? second : path, name, half, whole);
    return method(...args);
  });
}

if (disk.clock !== undefined) {
  const file = disk.clock;
  const now = Date.now;
  Date.now = () => now() + (real.existsSync(file) ? Number(real.readFileSync(file, 'utf8')) : 0);
}
syncBuiltinESMExports();
// A complete run shows how many write points there are.
process.on('exit', () => process.env['DISK_POINTS'] && real.writeFileSync(process.env['DISK_POINTS'], String(points)));
