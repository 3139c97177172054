// How long a whole run takes: as the last one on this machine, or, before the first, as on a machine with two cores.

import fs from 'node:fs';
import path from 'node:path';

const fileIn = (root) => path.join(root, 'node_modules/.cache/countersign-test-times.json');

function timesIn(root) {
  try {
    return JSON.parse(fs.readFileSync(fileIn(root), 'utf8'));
  } catch {
    return {};
  }
}

/** `parts`: the suites of each vitest. */
export function expectedTime(root, parts) {
  const known = parts.map((suites) => timesIn(root)[suites.join()]).filter((each) => typeof each === 'number');
  if (known.length === parts.length) {
    const minutes = Math.ceil(known.reduce((total, each) => total + each, 0) / 60_000);
    return `This takes about ${minutes} minute${minutes === 1 ? '' : 's'}, as the last time on this machine.`;
  }
  const more =
    parts.length > 1 ? ' The suites with real agents, a browser and other programs come after it and take several minutes more.' : '';
  return `The plain suite takes about five minutes on two cores.${more} A single file: npm test -- src/ledger`;
}

/** Times are only for people: nothing fails when they cannot be kept. */
export function rememberTime(root, suites, milliseconds) {
  try {
    fs.mkdirSync(path.dirname(fileIn(root)), { recursive: true });
    fs.writeFileSync(fileIn(root), JSON.stringify({ ...timesIn(root), [suites.join()]: milliseconds }));
  } catch {
    // As said above.
  }
}
