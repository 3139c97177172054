// One full index of a tree, in a process of its own: node index-once.ts ROOT CACHE. Prints what it took as JSON.

import { openCodeIndex } from '../../src/codeindex/code-index.ts';
import { CODE_PACKS } from '../../src/packs/code-packs.ts';

const [root = '', cacheDir = ''] = process.argv.slice(2);
const begun = performance.now();
const index = openCodeIndex(undefined, { cacheDir, packs: CODE_PACKS });
const { files, definitions, references, bytes } = await index.tree(root).ready();
// A question that follows imports: what is resolved late counts too.
await index.tree(root).references({ name: 'constructor', limit: 1 });
await index.close();
const wallMs = performance.now() - begun;
const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
process.stdout.write(
  JSON.stringify({ wallMs, cpuMs: (userCPUTime + systemCPUTime) / 1000, rssMb: maxRSS / 1024, files, definitions, references, bytes }),
);
