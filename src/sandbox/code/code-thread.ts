// The far side of `code-sandbox.ts`: one engine in WebAssembly, for one piece of code, in a thread that is ended afterwards. The engine has no module loader, no host
// functions, and a clock and random numbers that are always the same: code sees its inputs and nothing else.

import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { JSException, QuickJS } from 'quickjs-wasi';
import { CODE_LIMITS, type CodeEnd, type ThreadOrder } from './code-limits.ts';

const MB = 1024 * 1024;
const STACK_BYTES = 256 * 1024;
const MESSAGE_CHARACTERS = 500;
/** A day in 2001, in nanoseconds. */
const FIXED_TIME = 1_000_000_000n * 1_000_000_000n;
const DONE = 0;

const wasm = new WebAssembly.Module(readFileSync(new URL(import.meta.resolve('quickjs-wasi/quickjs.wasm'))));

const wasi = (memory: WebAssembly.Memory) => ({
  clock_time_get: (_clock: number, _precision: bigint, at: number) => {
    new DataView(memory.buffer).setBigUint64(at, FIXED_TIME, true);
    return DONE;
  },
  random_get: (at: number, length: number) => {
    new Uint8Array(memory.buffer, at, length).fill(7);
    return DONE;
  },
  // What the engine itself would print goes nowhere.
  fd_write: (_file: number, _parts: number, _count: number, written: number) => {
    new DataView(memory.buffer).setUint32(written, 0, true);
    return DONE;
  },
});

const FREEZE = `(text) => {
  const freeze = (value) => {
    if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
    return value;
  };
  Object.defineProperty(globalThis, 'inputs', { value: freeze(JSON.parse(text)) });
}`;

async function run({ code, inputs, memoryMb }: ThreadOrder): Promise<CodeEnd> {
  const vm = await QuickJS.create({ wasm, wasi, memoryLimit: memoryMb * MB, maxStackSize: STACK_BYTES });
  try {
    // Taken before the code runs, which can change every object that it sees.
    const stringify = vm.evalCode('JSON.stringify');
    vm.callFunction(vm.evalCode(FREEZE), vm.undefined, vm.newString(inputs));
    const promise = vm.evalCode(code, 'code.js');
    if (promise.className !== 'Promise') return { kind: 'not_async' };
    vm.markPromiseHandled(promise);
    while (vm.executePendingJobs() > 0);
    if (promise.promiseState === PENDING) return { kind: 'pending' };
    const settled = vm.resolvePromise(promise);
    vm.executePendingJobs();
    const end = await settled;
    if ('error' in end) return failed(vm.dump(end.error));
    const text = vm.callFunction(stringify, vm.undefined, end.value);
    if (text.typeof !== 'string') return { kind: 'nothing' };
    return text.length > CODE_LIMITS.result ? { kind: 'too_large' } : { kind: 'returned', json: text.toString() };
  } catch (error) {
    if (!(error instanceof JSException)) throw error;
    return failed(error);
  }
}

function failed(thrown: unknown): CodeEnd {
  const message = messageOf(thrown);
  return message === 'InternalError: out of memory' ? { kind: 'stopped', why: 'memory' } : { kind: 'threw', message };
}

const PENDING = 0;

/** What code throws may be anything. */
function messageOf(thrown: unknown): string {
  const { name, message } = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as { name?: unknown; message?: unknown };
  const text = typeof message === 'string' ? `${typeof name === 'string' ? `${name}: ` : ''}${message}` : JSON.stringify(thrown);
  return (text ?? 'nothing').slice(0, MESSAGE_CHARACTERS).toWellFormed();
}

parentPort?.once('message', (order: ThreadOrder) => {
  void run(order).then(
    (end) => parentPort?.postMessage(end),
    (error: unknown) => parentPort?.postMessage({ kind: 'threw', message: messageOf(error) } satisfies CodeEnd),
  );
});
parentPort?.postMessage('ready');
