// Every bench of this folder, one after the other, each in a process of its own: none warms up or slows down the next.
// npm run bench [-- --json FILE]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchReport, isMet, jsonFile, tableOf } from './report/report.ts';

const self = fileURLToPath(import.meta.url);
const folder = fileURLToPath(new URL('.', import.meta.url));
const file = jsonFile(process.argv.slice(2));
const benches = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== basename(self))
  .toSorted();

const scratch = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
try {
  const reports = benches.map((name): BenchReport => {
    const written = join(scratch, `${name}.json`);
    const run = spawnSync(process.execPath, [join(folder, name), '--json', written], { stdio: ['ignore', 'ignore', 'inherit'] });
    if (run.status !== 0) throw new Error(`bench/${name} ended with ${run.status ?? run.signal ?? 'no exit code'}`, { cause: run.error });
    return JSON.parse(readFileSync(written, 'utf8')) as BenchReport;
  });
  process.stdout.write(tableOf(reports));
  if (file !== null) writeFileSync(file, `${JSON.stringify(reports, null, 2)}\n`);
  if (!reports.every(({ figures }) => figures.every(isMet))) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
