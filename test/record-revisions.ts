// `npm run revisions`: records the sources of each version. It reads the versions from the sources and changes none.

import { lowered, recorded, statedNow, writeRecords } from './revisions.ts';

const stated = statedNow();
const known = recorded();
const refused = lowered(stated, known);
if (refused.length > 0) {
  console.error([...refused, 'Nothing was recorded.'].join('\n'));
  process.exitCode = 1;
} else {
  writeRecords(stated);
  const changed = Object.entries(stated).flatMap(([name, { version, sha256 }]) => {
    const then = known[name];
    if (then?.version === version && then.sha256 === sha256) return [];
    return [then?.version === version ? `${name}: new sources, still version ${version}` : `${name}: version ${version}`];
  });
  const gone = Object.keys(known).filter((name) => !(name in stated));
  console.log([...changed, ...gone.map((name) => `${name}: no longer recorded`)].join('\n') || 'Nothing has changed.');
}
