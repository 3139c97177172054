import { afterAll, describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { isPlaceholder, ReturnShape, shapeMismatch } from './check-return.ts';
import type { CodeEnd } from './code-limits.ts';
import { CodeSandbox } from './code-sandbox.ts';

const sandbox = new CodeSandbox();
afterAll(() => sandbox.close());

const still = new AbortController().signal;
const run = (
  code: string,
  inputs: Record<string, unknown> = {},
  limits: { timeoutMs?: number; memoryMb?: number } = {},
): Promise<CodeEnd> => sandbox.run({ code, inputs, timeoutMs: 10_000, memoryMb: 32, ...limits }, still);
const returned = async (body: string, inputs: Record<string, unknown> = {}): Promise<unknown> => {
  const end = await run(`(async () => { ${body} })()`, inputs);
  return end.kind === 'returned' ? (JSON.parse(end.json) as unknown) : end;
};

verifies('G11', 'an async IIFE computes with its inputs, and the same code always gives the same', async () => {
  expect(await returned('return inputs.rows.map((row) => row * 2)', { rows: [1, 2] })).toEqual([2, 4]);
  expect(await returned('const wait = (x) => Promise.resolve(x); return (await wait(1)) + (await wait(2))')).toBe(3);
  const random = 'return [Date.now(), Math.random(), performance.now(), new Date().getTimezoneOffset()]';
  expect(await returned(random)).toEqual(await returned(random));
  expect(await returned('return "✓ gr\u00fc\u00dfe"')).toBe('✓ grüße');
});

test.each([
  ['42', { kind: 'not_async' }],
  ['({ then: (done) => done(1) })', { kind: 'not_async' }],
  ['return 1', { kind: 'threw', message: 'SyntaxError: return not in a function' }],
  ['(async () => {', { kind: 'threw', message: expect.stringMatching(/^SyntaxError/) as string }],
  ['(async () => { throw new TypeError("x") })()', { kind: 'threw', message: 'TypeError: x' }],
  ['(async () => {})()', { kind: 'nothing' }],
  ['(async () => () => 1)()', { kind: 'nothing' }],
  ['(async () => "x".repeat(2_000_000))()', { kind: 'too_large' }],
])('%s', async (code, end) => {
  expect(await run(code)).toEqual(end);
});

describe('attacks: nothing but the inputs can be read, and nothing outside can be reached', () => {
  const NOTHING = 'no way out';
  /** The attack evaluates to what it got hold of; whatever is the host's would be something. */
  const reach = (expression: string) =>
    returned(`try { const got = ${expression}; return got === undefined ? '${NOTHING}' : String(got); } catch { return '${NOTHING}'; }`);

  verifies('G11', 'no name of the host is there', async () => {
    const names = [
      ...['process', 'require', 'module', 'exports', '__filename', '__dirname', 'global', 'Buffer', 'fetch', 'XMLHttpRequest', 'WebSocket'],
      ...['Worker', 'SharedWorker', 'MessageChannel', 'BroadcastChannel', 'parentPort', 'postMessage', 'importScripts', 'self', 'window'],
      ...['document', 'navigator', 'Deno', 'Bun', 'std', 'os', 'scriptArgs', 'print', 'load', 'loadScript', 'read', 'WebAssembly'],
      ...['setTimeout', 'setInterval', 'setImmediate', 'localStorage', 'indexedDB', 'crypto', 'structuredClone'],
    ];
    expect(await returned(`return inputs.names.filter((name) => typeof globalThis[name] !== 'undefined')`, { names })).toEqual([]);
  });

  test.each([
    ['the constructor of a function', `(() => {}).constructor('return process')()`],
    ['the constructor of an async function', `await (async () => {}).constructor('return process.env')()`],
    ['the constructor of a generator', `(function* () {}).constructor('yield process')().next().value`],
    ['the constructor of the inputs', `inputs.constructor.constructor('return process')()`],
    ['the constructor of an error', `new Error().constructor.constructor('return this.process')()`],
    ['eval, indirectly', `(0, eval)('process')`],
    ['this of a sloppy function', `(function () { return this.process ?? this.require; })()`],
    ['the caller', `(function f() { return f.caller.caller; })()`],
    ['arguments.callee', `(function () { return arguments.callee.caller.arguments[0]; })()`],
    ['import of a module of Node', `await import('node:fs')`],
    ['import of a file', `await import('/etc/passwd')`],
    ['import of an address', `await import('http://127.0.0.1:1/')`],
    ['import of data', `await import('data:text/javascript,export default 1')`],
    ['import.meta', `new Function('return import.meta')()`],
    ['the stack as objects', `(Error.prepareStackTrace = (_, frames) => frames, new Error().stack[0].getThis())`],
    ['a stack trace with paths of the host', `new Error().stack.match(/\\/[a-z]+\\/[^)\\s]+/)?.[0]`],
    ['captureStackTrace', `(() => { const x = {}; Error.captureStackTrace?.(x); return x.stack?.match(/node:|\\/src\\//)?.[0]; })()`],
    ['shared memory', `new SharedArrayBuffer(8).constructor.constructor('return process')()`],
    ['Atomics.wait', `Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 1) === 'never' ? 1 : undefined`],
    ['the memory of the engine', `WebAssembly.Memory`],
    ['a weak reference after collection', `new WeakRef(inputs).deref().process`],
    ['a registry of symbols', `globalThis[Symbol.for('nodejs.util.inspect.custom')]`],
    ['a proxy around the global', `new Proxy(globalThis, {}).process`],
    ['Reflect.construct of a function', `Reflect.construct(Function, ['return process'])()`],
    ['an iterator helper', `Iterator.prototype.map.constructor('return process')()`],
    ['a realm by Function.prototype.toString', `Function.prototype.toString.call(Function).includes('node')  || undefined`],
  ])('%s', async (_name, expression) => {
    expect(await reach(expression)).toBe(NOTHING);
  });

  test.each([
    ['the inputs are frozen', 'try { "use strict"; inputs.list.push(2) } catch {} return inputs.list', [1]],
    ['the inputs cannot be replaced', 'try { globalThis.inputs = { list: "forged" } } catch {} return inputs.list', [1]],
    ['pollution of a prototype', 'Object.prototype.polluted = 1; Array.prototype.map = () => "forged"; return { own: 1 }', { own: 1 }],
    ['a replaced JSON.stringify', 'JSON.stringify = () => { throw 1 }; JSON = null; return 7', 7],
    ['toJSON', 'return { toJSON: () => ({ a: 1 }) }', { a: 1 }],
    ['a getter', 'return { get a() { return 1 } }', { a: 1 }],
    ['__proto__ as data', 'return JSON.parse(\'{"__proto__": {"x": 1}, "a": 2}\').a', 2],
    ['a replaced Promise.prototype.then', 'Promise.prototype.then = () => { throw 1 }; return 7', 7],
  ])('%s', async (_name, body, expected) => {
    expect(await returned(body, { list: [1] })).toEqual(expected);
    // Nothing of it is left for the next piece of code, nor for this process.
    expect(await returned('return [typeof {}.polluted, typeof [].map, typeof JSON.stringify]')).toEqual([
      'undefined',
      'function',
      'function',
    ]);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  test.each([
    ['a getter that throws', 'return { get a() { throw new Error("x") } }', 'threw'],
    ['a cycle', 'const a = {}; a.a = a; return a', 'threw'],
    ['a big integer', 'return 1n', 'threw'],
    ['an error whose message is a getter', 'throw Object.defineProperty(new Error(), "message", { get() { throw 1 } })', 'threw'],
    ['a thrown proxy', 'throw new Proxy({}, { get() { throw 1 } })', 'threw'],
    ['a thrown nothing', 'throw undefined', 'threw'],
    ['a thenable that never settles', 'return { then() {} }', 'pending'],
    ['a promise that nothing settles', 'await new Promise(() => {}); return 1', 'pending'],
    ['deep recursion', 'const f = () => f() + 1; return f()', 'threw'],
    ['deep recursion through JSON', 'let a = []; for (let i = 0; i < 100_000; i++) a = [a]; return a', 'threw'],
  ])('%s', async (_name, body, kind) => {
    expect(await returned(body)).toMatchObject({ kind });
  });

  test.each([
    ['an endless loop', 'while (true);'],
    ['an endless chain of promises', 'for (;;) await null;'],
    ['an endless loop in a getter', 'return { get a() { while (true); } }'],
    ['an endless loop in toJSON', 'return { toJSON() { while (true); } }'],
    ['an endless iterator', 'return [...(function* () { for (;;) yield; })()].length'],
    ['a pattern that takes for ever', 'return /^(a+)+$/.test("a".repeat(50) + "!")'],
    ['a sort that never ends', 'return Array.from({ length: 1e6 }, (_, i) => i).sort(() => { while (true); })'],
    ['a loop that catches everything', 'for (;;) { try { null.x } catch { continue } finally { continue } }'],
  ])('time: %s', async (_name, body) => {
    expect(await run(`(async () => { ${body} })()`, {}, { timeoutMs: 300, memoryMb: 64 })).toMatchObject({ kind: 'stopped' });
  });

  test.each([
    ['lists', 'const a = []; for (;;) a.push(new Array(1_000).fill(1));'],
    ['texts', 'let a = "x"; for (;;) a += a;'],
    ['buffers', 'const a = []; for (;;) a.push(new Uint8Array(1_000_000));'],
    ['one large buffer', 'return new ArrayBuffer(2 ** 31).byteLength'],
    ['maps', 'const a = new Map(); for (let i = 0; ; i++) a.set(i, {});'],
  ])('memory: %s', async (_name, body) => {
    const end = await run(`(async () => { ${body} })()`, {}, { timeoutMs: 20_000, memoryMb: 16 });
    expect(end.kind === 'stopped' || (end.kind === 'threw' && /memory|length|size|allocat|too long/i.test(end.message))).toBe(true);
  });

  test('a caller that goes away ends it', async () => {
    const gone = new AbortController();
    const running = sandbox.run({ code: '(async () => { while (true); })()', inputs: {}, timeoutMs: 30_000, memoryMb: 32 }, gone.signal);
    setTimeout(() => gone.abort(), 50);
    expect(await running).toEqual({ kind: 'stopped', why: 'cancelled' });
  });
});

describe('what is returned has to be of the declared shape and a result', () => {
  test('shape', () => {
    const shape = ReturnShape.parse({
      type: 'object',
      required: ['rows'],
      properties: { rows: { type: 'array', items: { type: ['integer', 'null'] } } },
    });
    expect(shapeMismatch({ rows: [1, null] }, shape)).toBe(null);
    expect(shapeMismatch({ rows: [1, 'x'] }, shape)).toBe('the value.rows[1] is string, not integer or null');
    expect(shapeMismatch({}, shape)).toBe('the value has no rows');
    expect(shapeMismatch([], shape)).toBe('the value is array, not object');
    expect(() => ReturnShape.parse({ type: 'string', pattern: '(a+)+' })).toThrow('pattern');
  });

  verifies('G11', 'placeholders are distinguished from results', () => {
    const empty = [
      null,
      '',
      '  ',
      'TODO',
      'not implemented',
      'ok',
      {},
      [],
      [null, {}],
      { status: 'ok' },
      { success: true, message: 'Done!' },
      '…',
    ];
    const real = [0, 1, false, true, 'a sentence', { total: 0 }, [0], { status: 'ok', rows: 3 }, { flags: { a: true } }];
    expect(empty.filter((value) => !isPlaceholder(value))).toEqual([]);
    expect(real.filter(isPlaceholder)).toEqual([]);
  });
});
