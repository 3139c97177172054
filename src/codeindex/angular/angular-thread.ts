// The thread that reads Angular files: its stack holds what the parser needs, and a file that breaks it costs that file only.

import { parentPort } from 'node:worker_threads';
import { readAngular } from './read-angular.ts';

parentPort?.on('message', ({ path, text }: { readonly path: string; readonly text: string }) => {
  parentPort?.postMessage({ path, facts: readAngular(path, text) });
});
