// The thread in which a pack reads files: its stack holds what the parser needs, and a file that breaks it costs that file only.

import { parentPort, workerData } from 'node:worker_threads';
import { loadPack } from '../load-packs.ts';
import { factsWithPack } from './facts-with-pack.ts';
import type { ReadFile } from './read-with-pack.ts';

const pack = await (await loadPack(workerData as string)).graph();

parentPort?.on('message', (file: ReadFile) => parentPort?.postMessage({ facts: factsWithPack(pack, file) }));
