// How one bench reports its figures: as a table for people, and as JSON with `--json FILE`.

import { writeFileSync } from 'node:fs';

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** What a ratio is to: the peer or the limit, measured in the same run. */
  readonly against?: string;
  readonly atMost?: number;
  readonly atLeast?: number;
}

export interface BenchReport {
  readonly bench: string;
  readonly figures: readonly Figure[];
  /** What could not be measured here, and why. */
  readonly leftOut?: readonly string[];
}

/** The requested file, or null. */
export function jsonFile(args: readonly string[]): string | null {
  const at = args.indexOf('--json');
  if (at < 0) return null;
  const file = args[at + 1];
  if (file === undefined) throw new Error('--json needs the name of a file');
  return file;
}

/** With --tiny a bench only shows that it works: its figures mean nothing. */
export const sized = (usual: number, tiny: number): number => (process.argv.includes('--tiny') ? tiny : usual);

export function report(bench: string, figures: readonly Figure[], leftOut: readonly string[] = []): void {
  const file = jsonFile(process.argv.slice(2));
  const whole: BenchReport = { bench, figures, ...(leftOut.length > 0 ? { leftOut } : {}) };
  if (file !== null) writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`);
  process.stdout.write(tableOf([whole]));
}

export const isMet = ({ value, atMost, atLeast }: Figure): boolean => value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity);

const COLUMNS = ['bench', 'what', 'figure', 'against', 'goal', ''];

export function tableOf(reports: readonly BenchReport[]): string {
  const figures = reports.flatMap((each) => each.figures.map((figure) => ({ ...figure, bench: each.bench })));
  const rows = figures.map((figure) => [
    ...[figure.bench, figure.what, `${figure.value.toFixed(3)} ${figure.unit}`.trim(), figure.against ?? '', goalOf(figure)],
    hasGoal(figure) ? (isMet(figure) ? 'met' : 'MISSED') : '',
  ]);
  const lines = [COLUMNS, ...rows];
  const widths = COLUMNS.map((_, at) => Math.max(...lines.map((row) => row[at]?.length ?? 0)));
  const table = lines.map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  '));
  const leftOut = reports.flatMap((each) => (each.leftOut ?? []).map((why) => `${each.bench}: LEFT OUT: ${why}`));
  return [...table, ...leftOut].map((line) => `${line.trimEnd()}\n`).join('');
}

const hasGoal = ({ atMost, atLeast }: Figure): boolean => atMost !== undefined || atLeast !== undefined;

function goalOf(figure: Figure): string {
  const { atMost, atLeast } = figure;
  return [...(atMost === undefined ? [] : [`≤ ${round(atMost)}`]), ...(atLeast === undefined ? [] : [`≥ ${round(atLeast)}`])].join(', ');
}

const round = (goal: number): string => String(Number(goal.toFixed(3)));
