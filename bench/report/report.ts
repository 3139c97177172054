// How one bench tells its figures: as a table for people, and as JSON for whoever asked with `--json FILE`.

import { writeFileSync } from 'node:fs';

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface BenchReport {
  readonly bench: string;
  readonly figures: readonly Figure[];
}

/** The file that was asked for, or null. */
export function jsonFile(args: readonly string[]): string | null {
  const at = args.indexOf('--json');
  if (at < 0) return null;
  const file = args[at + 1];
  if (file === undefined) throw new Error('--json needs the name of a file');
  return file;
}

export function report(bench: string, figures: readonly Figure[]): void {
  const file = jsonFile(process.argv.slice(2));
  const whole: BenchReport = { bench, figures };
  if (file !== null) writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
  process.stdout.write(tableOf([whole]));
}

export const isMet = ({ value, atMost, atLeast }: Figure): boolean => value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);

export function tableOf(reports: readonly BenchReport[]): string {
  const rows = reports.flatMap(({ bench, figures }) =>
    figures.map((figure) => [bench, figure.what, `${figure.value.toFixed(3)} ${figure.unit}`.trim(), goalOf(figure)]),
  );
  const widths = [0, 1, 2].map((at) => Math.max(0, ...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

function goalOf(figure: Figure): string {
  const { atMost, atLeast } = figure;
  if (atMost === undefined && atLeast === undefined) return '';
  return `${isMet(figure) ? 'met' : 'MISSED'}: ${atMost === undefined ? `at least ${String(atLeast)}` : `at most ${atMost}`}`;
}
