// The far side of `tree-index.ts`: the index of one tree in a thread of its own.

import { parentPort, workerData } from 'node:worker_threads';
import { Fault } from '../../protocol/plain.ts';
import { TreeEngine } from './engine.ts';
import type { KeeperOptions } from './keeper-options.ts';
import type { Asked, Said } from './tree-index.ts';

const port = parentPort;
const engine = new TreeEngine(workerData as KeeperOptions);
const say = (said: Said): void => port?.postMessage(said);

engine.onChange((change) => say({ kind: 'change', change }));

port?.on('message', ({ id, method, given }: Asked) => {
  const ask = engine[method] as (...given: readonly unknown[]) => Promise<unknown>;
  ask
    .apply(engine, given as unknown[])
    .then((answer) => say({ kind: 'answer', id, answer }))
    .catch((error: unknown) => {
      const { message } = error instanceof Error ? error : new Error(String(error));
      say({
        kind: 'refusal',
        id,
        message,
        code: error instanceof Fault ? error.code : null,
        fix: error instanceof Fault ? error.fix : null,
      });
    })
    .finally(() => {
      // No more questions will come: its port would keep it alive.
      if (method === 'close') port.close();
    })
    .catch(() => undefined);
});
