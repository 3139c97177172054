// A thread that reads spans, one at a time.

import { parentPort } from 'node:worker_threads';
import { readSpan, type Span } from './read-span.ts';

parentPort?.on('message', ({ span, wanted }: { readonly span: Span; readonly wanted: number | null }) => {
  readSpan(span, wanted)
    // A file that cannot be read is read again from the start, and that reading reports the error.
    .catch(() => null)
    .then((reading) => parentPort?.postMessage(reading))
    .catch(() => process.exit(1));
});
