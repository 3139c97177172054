// Verifying a record: beside `sha256sum` of the same file, which is the minimum for any verifier, and beside parsing and re-canonicalising
// every line with the published package, which is what most chained logs do. node bench/verify.ts [--json FILE]

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import canonicalize from 'canonicalize';
import { verifyLedger } from '../src/ledger/index.ts';
import { report, sized } from './report/report.ts';
import { median, takeTurns, timed } from './report/rounds.ts';
import { scratchFolder } from './stack/scratch.ts';
import { writeLedger } from './stack/write-ledger.ts';

const RECORDS = sized(150_000, 200);
const ROUNDS = sized(7, 1);

const scratch = scratchFolder();
try {
  const home = join(scratch.path, 'home');
  await writeLedger(home, RECORDS);
  const dir = join(home, 'ledger');
  const publicKeyPem = readFileSync(join(dir, 'public.pem'), 'utf8');
  const files = readdirSync(dir)
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(dir, name));
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6;
  const verify = async () => {
    const { ok } = await verifyLedger({ dir, publicKeyPem });
    if (!ok) throw new Error('the ledger does not verify');
  };
  const canonicalise = () => {
    for (const file of files)
      for (const line of readFileSync(file, 'utf8').split('\n'))
        if (line !== '')
          createHash('sha256')
            .update(canonicalize(JSON.parse(line)) as string)
            .digest('hex');
  };
  await verify();
  const times = await takeTurns(ROUNDS, {
    ours: () => timed(verify),
    sum: () => timed(() => execFileSync('sha256sum', files)),
    canonical: () => timed(canonicalise),
  });
  const ours = median(times.ours);
  report('verify', [
    { what: `${RECORDS} records, ${megabytes.toFixed(0)} MB`, value: ours, unit: 'ms' },
    { what: 'records a second', value: (RECORDS / ours) * 1000, unit: '/s' },
    {
      what: 'the whole chain and every signature',
      value: median(times.sum) / ours,
      unit: '×',
      against: 'sha256sum of the files',
      atLeast: 1.4,
    },
    { what: 'the same', value: median(times.canonical) / ours, unit: '×', against: 'parse and canonicalise each line', atLeast: 10 },
  ]);
} finally {
  scratch.remove();
}
