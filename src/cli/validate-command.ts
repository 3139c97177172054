// The workspace's own checks, run for a person.

import { CheckName, CHECKS, Fault, type JudgedFinding, type QualityReport, visible } from '../protocol/index.ts';
import { type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

/** Longer than the daemon gives the checks. */
const WITHIN_MS = 600_000;

/** Whether all of them passed. */
export async function validate(context: CommandContext, names: readonly string[]): Promise<boolean> {
  const checks = names.map((name) => {
    const { data } = CheckName.safeParse(name);
    if (data === undefined)
      throw new Fault('BAD_REQUEST', `There is no check ${visible(name)}.`, { fix: `The checks are ${CHECKS.join(', ')}` });
    return data;
  });
  const input = { cwd: context.cwd, checks: checks.length > 0 ? checks : null };
  const report = await context.client.act('validate', input, { withinMs: WITHIN_MS });
  show(context, report, textOf(report));
  return report.ok;
}

const STYLES = { passed: 'green', failed: 'red', timed_out: 'yellow', unavailable: 'yellow', skipped: 'dim' } as const;

function textOf({ checks, notes }: QualityReport): string {
  const lines = checks.flatMap(({ check, command, outcome, summary, findings, counts }) => [
    `${paint(STYLES[outcome], outcome.replace('_', ' ').padEnd(11))} ${check.padEnd(9)} ${visible(command)}${summary === null ? '' : paint('dim', `  ${visible(summary)}`)}`,
    ...findings.map(
      (finding) =>
        `  ${placeOf(finding)}${visible(finding.message.split('\n', 1)[0] ?? '')}${finding.rule === undefined ? '' : paint('dim', `  ${visible(finding.rule)}`)}`,
    ),
    ...(counts.all > findings.length ? [`  and ${counts.all - findings.length} more`] : []),
  ]);
  return [...lines, ...notes.map((note) => visible(note))].join('\n');
}

const placeOf = ({ file, line, column }: JudgedFinding): string =>
  file === null ? '' : `${visible(file)}${line === null ? '' : `:${line}${column === undefined ? '' : `:${column}`}`}  `;
