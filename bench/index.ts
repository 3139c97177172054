// The benches of this folder, one after the other, each in a process of its own: none warms up or slows down the next.
// npm run bench [-- NAME…] [--json FILE] [--tiny]

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchReport, isMet, jsonFile, tableOf } from './report/report.ts';

const self = fileURLToPath(import.meta.url);
const folder = fileURLToPath(new URL('.', import.meta.url));
const args = process.argv.slice(2);
const file = jsonFile(args);
const tiny = args.includes('--tiny');
const wanted = args.filter((argument, at) => !argument.startsWith('--') && args[at - 1] !== '--json');
const known = readdirSync(folder)
  .filter((name) => name.endsWith('.ts') && name !== basename(self))
  .map((name) => basename(name, '.ts'))
  .toSorted();
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  process.stderr.write(`There is no bench ${unknown.join(', ')}. There are: ${known.join(', ')}\n`);
  process.exit(2);
}

const [load = 0] = loadavg();
const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`;
process.stderr.write(`${machine}; load average at the start ${load.toFixed(2)}\n`);
if (load > availableParallelism())
  process.stderr.write('The machine is busy: absolute times say little now, ratios to a peer in the same run still do.\n');

const scratch = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
try {
  const reports = (wanted.length > 0 ? wanted : known).map(runBench);
  process.stdout.write(tableOf(reports));
  if (file !== null) writeFileSync(file, `${JSON.stringify({ machine, load, benches: reports }, null, 2)}\n`);
  const missed = reports.flatMap(({ figures }) => figures).filter((figure) => !isMet(figure)).length;
  const broken = reports.filter(({ figures }) => figures.length === 0).length;
  process.stdout.write(`${missed} missed, ${broken} without a figure\n`);
  if (missed + broken > 0 && !tiny) process.exitCode = 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** A bench that breaks off is a line of the table, and the others still run. */
function runBench(bench: string): BenchReport {
  const written = join(scratch, `${bench}.json`);
  const run = spawnSync(
    process.execPath,
    [...process.execArgv, join(folder, `${bench}.ts`), '--json', written, ...(tiny ? ['--tiny'] : [])],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  if (run.status === 0) return JSON.parse(readFileSync(written, 'utf8')) as BenchReport;
  return { bench, figures: [], leftOut: [`it ended with ${run.status ?? run.signal ?? String(run.error)}`] };
}
