// The worker that all tabs of a browser share.

import { StreamLine } from './stream-line.ts';

const line = new StreamLine();
addEventListener('connect', (event) => {
  for (const port of (event as MessageEvent).ports) line.connect(port);
});
