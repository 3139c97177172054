// Which failures are new: a failing check runs once more on the tree as it was before the session changed it.

import type { CheckResult, Finding, JudgedFinding } from '../protocol/index.ts';
import type { Check } from './check.ts';
import { compareFindings } from './compare-findings.ts';
import type { Ran } from './check-runs.ts';

const MAX_FINDINGS = 50;
const NONE = { caused: 0, before: 0, unclear: 0 };

/** The findings that make a run fail. A tool may fail for warnings; one without locations fails as a whole. */
export function failuresOf(check: Check, { findings, tail, summary }: Ran): readonly Finding[] {
  const errors = findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) return errors;
  if (findings.length > 0) return findings;
  return [{ check: check.check, file: null, line: null, message: summary ?? (tail || `${check.tool} failed`), severity: 'error' }];
}

const namesPlaces = ({ findings }: Ran): boolean => findings.length > 0;

/** `before` is null when the earlier tree could not be restored, or its run did not finish. */
export function judge(check: Check, now: Ran, before: Ran | null): JudgedFinding[] {
  const failures = failuresOf(check, now);
  const all = (origin: JudgedFinding['origin']): JudgedFinding[] => failures.map((each) => ({ ...each, ...(origin ? { origin } : {}) }));
  if (!before || (before.outcome !== 'passed' && before.outcome !== 'failed')) return all('unclear');
  if (before.outcome === 'failed' && !(namesPlaces(now) && namesPlaces(before)))
    return all(
      !namesPlaces(now) && !namesPlaces(before) && failures[0]?.message === failuresOf(check, before)[0]?.message ? 'before' : 'unclear',
    );
  const compared = compareFindings(failures, before.outcome === 'failed' ? failuresOf(check, before) : before.findings);
  return [
    ...compared.caused.map((each) => ({ ...each, origin: 'caused' as const })),
    ...compared.before.map((each) => ({ ...each, origin: 'before' as const })),
  ];
}

const ORDER = ['caused', 'unclear', 'before'];
const rank = ({ origin }: JudgedFinding): number => (origin === undefined ? 0 : ORDER.indexOf(origin));

export function resultOf(
  { check, tool }: Check,
  command: string,
  outcome: CheckResult['outcome'],
  summary: string | null = null,
  findings: readonly JudgedFinding[] = [],
): CheckResult {
  const counts = { ...NONE, all: findings.length };
  for (const { origin } of findings) if (origin) counts[origin] += 1;
  return {
    check,
    tool,
    command,
    outcome,
    summary,
    findings: findings.toSorted((a, b) => rank(a) - rank(b)).slice(0, MAX_FINDINGS),
    counts,
  };
}

/** No failure is new. Without a session to judge, the check has to pass. */
export const isFine = ({ outcome, counts }: CheckResult): boolean =>
  outcome !== 'failed' || (counts.all > 0 && counts.before === counts.all);
