// The summaries that test runners print at their end. A command that exits with 0 has run tests only when a runner says so: `true`, a build
// or a filter that matched nothing exit with 0 as well.
//
// Each pattern is for one whole line, without colours. None has two neighbouring parts that match the same text.

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export interface SummaryRule {
  readonly runner: string;
  readonly pattern: RegExp;
  readonly counts: (groups: Readonly<Record<string, string | undefined>>) => Counts;
  readonly examples: { readonly match: readonly (readonly [line: string, counts: Counts])[]; readonly left: readonly string[] };
}

const number = (text: string | undefined): number => (text === undefined ? 0 : Number.parseInt(text, 10));
/** Of groups with these names. */
const named = (groups: Readonly<Record<string, string | undefined>>): Counts => ({
  passed: number(groups['passed']),
  failed: number(groups['failed']),
});
/** Of a list such as `1 failed | 4 passed, 2 skipped`. */
const listed = (groups: Readonly<Record<string, string | undefined>>): Counts => {
  const count = (word: RegExp): number => [...(groups['list'] ?? '').matchAll(word)].reduce((sum, [, digits]) => sum + number(digits), 0);
  return { passed: count(/(\d+) passed/g), failed: count(/(\d+) (?:failed|errors?)\b/g) };
};
const counts = (passed: number, failed: number): Counts => ({ passed, failed });
const none = (): Counts => counts(0, 0);

export const TEST_SUMMARIES: readonly SummaryRule[] = [
  {
    runner: 'vitest',
    pattern: /^\s*Tests {2,}(?<list>(?:\d+ [a-z]+(?: \| )?)+) \(\d+\)$/,
    counts: listed,
    examples: {
      match: [
        ['      Tests  5 passed (5)', counts(5, 0)],
        ['      Tests  1 failed | 4 passed | 2 skipped (7)', counts(4, 1)],
        ['      Tests  3 skipped (3)', counts(0, 0)],
      ],
      left: [' Test Files  1 passed (1)', 'Tests passed', '   Duration  301ms'],
    },
  },
  {
    runner: 'jest',
    pattern: /^Tests:\s+(?<list>(?:\d+ [a-z]+, )*)\d+ total$/,
    counts: listed,
    examples: {
      match: [
        ['Tests:       1 failed, 2 passed, 3 total', counts(2, 1)],
        ['Tests:       5 passed, 5 total', counts(5, 0)],
        ['Tests:       0 total', counts(0, 0)],
      ],
      left: ['Test Suites: 1 passed, 1 total', 'Snapshots:   0 total', 'Tests: 5, Assertions: 10, Failures: 1.'],
    },
  },
  {
    runner: 'mocha',
    pattern: /^\s*(?:(?<passed>\d+) passing \(\d+\w+\)|(?<failed>\d+) failing)$/,
    counts: named,
    examples: {
      match: [
        ['  12 passing (34ms)', counts(12, 0)],
        ['  1 failing', counts(0, 1)],
        ['  0 passing (1ms)', counts(0, 0)],
      ],
      left: ['12 passing grades', '  1 pending', 'passing (1ms)'],
    },
  },
  {
    runner: 'node:test or TAP',
    pattern: /^(?:#|ℹ) (?:pass (?<passed>\d+)|fail (?<failed>\d+))$/,
    counts: named,
    examples: {
      match: [
        ['# pass 5', counts(5, 0)],
        ['ℹ pass 12', counts(12, 0)],
        ['# fail 1', counts(0, 1)],
        ['# pass 0', counts(0, 0)],
      ],
      left: ['# tests 5', '# passing 5', 'ok 1 - adds', '# todo 1'],
    },
  },
  {
    runner: 'pytest',
    pattern: /^(?:=+ )?(?<list>(?:\d+ [a-z]+,? )+)in \d+(?:\.\d+)?s(?: \(\d+:\d+:\d+\))?(?: =+)?$/,
    counts: listed,
    examples: {
      match: [
        ['============ 5 passed, 1 warning in 0.12s ============', counts(5, 0)],
        ['1 failed, 4 passed in 0.10s', counts(4, 1)],
        ['===== 2 passed, 1 error in 63.01s (0:01:03) =====', counts(2, 1)],
        ['3 deselected in 0.02s', counts(0, 0)],
      ],
      left: ['collected 5 items', 'tests/test_a.py ..... [100%]', 'built 5 modules in 3s ok'],
    },
  },
  {
    runner: 'unittest',
    pattern: /^(?:Ran (?<passed>\d+) tests? in \d+(?:\.\d+)?s|FAILED \((?:failures|errors)=(?<failed>\d+)(?:, [a-z ]+=\d+)*\))$/,
    counts: named,
    examples: {
      match: [
        ['Ran 3 tests in 0.001s', counts(3, 0)],
        ['Ran 0 tests in 0.000s', counts(0, 0)],
        ['FAILED (failures=1, errors=2)', counts(0, 1)],
      ],
      left: ['OK', 'Ran a test in 3s', 'FAILED'],
    },
  },
  {
    runner: 'go test',
    pattern:
      /^(?:(?<ok>ok)\s+\S+\s+(?:\d+(?:\.\d+)?s|\(cached\))(?:\s+coverage: \S+% of statements)?(?<empty>\s+\[no tests to run\])?|(?<bad>FAIL)\s+\S+(?:\s+(?:\d+(?:\.\d+)?s|\[(?:build|setup) failed\]))|\?\s+\S+\s+\[no test files\])$/,
    counts: ({ ok, empty, bad }) => counts(ok !== undefined && empty === undefined ? 1 : 0, bad === undefined ? 0 : 1),
    examples: {
      match: [
        ['ok  \texample.org/shop/cart\t0.005s', counts(1, 0)],
        ['ok  \texample.org/shop/cart\t(cached)\tcoverage: 81.2% of statements', counts(1, 0)],
        ['ok  \texample.org/shop/cart\t0.002s [no tests to run]', counts(0, 0)],
        ['?   \texample.org/shop\t[no test files]', counts(0, 0)],
        ['FAIL\texample.org/shop/cart\t0.004s', counts(0, 1)],
      ],
      left: ['ok', 'PASS', 'ok 1 - adds', 'FAIL'],
    },
  },
  {
    runner: 'cargo test',
    pattern: /^test result: \w+\. (?<passed>\d+) passed; (?<failed>\d+) failed; .*$/,
    counts: named,
    examples: {
      match: [
        ['test result: ok. 5 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s', counts(5, 0)],
        ['test result: FAILED. 4 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out', counts(4, 1)],
      ],
      left: ['running 5 tests', 'test cart::adds ... ok'],
    },
  },
  {
    runner: 'JUnit',
    pattern:
      /^(?:\[\w+\]\s+)?Tests run: (?<run>\d+), Failures: (?<failures>\d+), Errors: (?<errors>\d+)(?:, Skipped: (?<skipped>\d+))?(?:, Time elapsed: .*)?$/,
    counts: ({ run, failures, errors, skipped }) => {
      const failed = number(failures) + number(errors);
      return counts(Math.max(0, number(run) - failed - number(skipped)), failed);
    },
    examples: {
      match: [
        ['[INFO] Tests run: 5, Failures: 0, Errors: 0, Skipped: 1', counts(4, 0)],
        ['[ERROR] Tests run: 5, Failures: 1, Errors: 1, Skipped: 0, Time elapsed: 0.02 s <<< FAILURE! - in ShopTest', counts(3, 2)],
        ['Tests run: 0, Failures: 0, Errors: 0', counts(0, 0)],
      ],
      left: ['[INFO] BUILD SUCCESS', 'BUILD SUCCESSFUL in 3s', 'Tests run: many'],
    },
  },
  {
    runner: 'PHPUnit',
    pattern:
      /^(?:OK \((?<passed>\d+) tests?, \d+ assertions?\)|Tests: (?<run>\d+), Assertions: \d+(?:, Errors: (?<errors>\d+))?(?:, Failures: (?<failures>\d+))?(?:, [A-Z]\w+(?: \w+)*: \d+)*\.)$/,
    counts: ({ passed, run, errors, failures }) => {
      const failed = number(errors) + number(failures);
      return run === undefined ? counts(number(passed), 0) : counts(Math.max(0, number(run) - failed), failed);
    },
    examples: {
      match: [
        ['OK (5 tests, 10 assertions)', counts(5, 0)],
        ['Tests: 5, Assertions: 10, Failures: 1.', counts(4, 1)],
        ['Tests: 5, Assertions: 9, Skipped: 1.', counts(5, 0)],
      ],
      left: ['OK', 'Time: 00:00.012, Memory: 6.00 MB', 'Tests:       5 passed, 5 total'],
    },
  },
  {
    runner: 'RSpec',
    pattern:
      /^(?<run>\d+) examples?, (?<failed>\d+) failures?(?:, (?<pending>\d+) pending)?(?:, \d+ errors? occurred outside of examples)?$/,
    counts: ({ run, failed, pending }) => counts(Math.max(0, number(run) - number(failed) - number(pending)), number(failed)),
    examples: {
      match: [
        ['5 examples, 0 failures', counts(5, 0)],
        ['5 examples, 1 failure, 1 pending', counts(3, 1)],
        ['0 examples, 0 failures', counts(0, 0)],
      ],
      left: ['for example, 0 failures', 'Finished in 0.01 seconds'],
    },
  },
  {
    runner: 'dotnet test',
    pattern:
      /^(?:(?:Passed|Failed|Skipped)!\s+- Failed:\s+(?<failed>\d+), Passed:\s+(?<passed>\d+), .*|Test summary: total: \d+, failed: (?<failures>\d+), succeeded: (?<succeeded>\d+), .*)$/,
    counts: ({ passed, failed, succeeded, failures }) => counts(number(passed ?? succeeded), number(failed ?? failures)),
    examples: {
      match: [
        ['Passed!  - Failed:     0, Passed:     5, Skipped:     0, Total:     5, Duration: 3 ms - Shop.dll (net8.0)', counts(5, 0)],
        ['Failed!  - Failed:     1, Passed:     4, Skipped:     0, Total:     5, Duration: 9 ms - Shop.dll (net8.0)', counts(4, 1)],
        ['Test summary: total: 5, failed: 0, succeeded: 5, skipped: 0, duration: 1.2s', counts(5, 0)],
      ],
      left: ['Build succeeded.', '    0 Error(s)', 'Passed!'],
    },
  },
  {
    runner: 'a runner that counts "passed"',
    pattern: /^\s*(?:\w+ \| )?(?<list>\d+ (?:passed|failed)(?:(?: \||[,;]) \d+ [a-z]+)*)(?: \([\d.:]+\w*\))?$/,
    counts: listed,
    examples: {
      match: [
        ['  5 passed (3.2s)', counts(5, 0)],
        ['ok | 5 passed | 0 failed (3ms)', counts(5, 0)],
        ['1 failed, 4 passed', counts(4, 1)],
        ['0 passed', counts(0, 0)],
      ],
      left: ['5 passed the bar', 'we passed', 'checks: all passed', '12 years passed quickly'],
    },
  },
  {
    runner: 'bun test',
    pattern: /^\s*(?:(?<passed>\d+) pass|(?<failed>\d+) fail)$/,
    counts: named,
    examples: {
      match: [
        [' 5 pass', counts(5, 0)],
        [' 1 fail', counts(0, 1)],
      ],
      left: ['5 passes', 'pass', '5 pass through'],
    },
  },
  {
    runner: 'a runner that found no tests',
    pattern:
      /^(?:=* ?no tests ran(?: in \d+(?:\.\d+)?s)?(?: =+)?|No tests? (?:files? )?(?:found|executed)\b.*|No test files found\b.*|\s*Tests {2}no tests|1\.\.0(?: #.*)?|no tests to run)$/i,
    counts: none,
    examples: {
      match: [
        ['===== no tests ran in 0.01s =====', none()],
        ['No tests found, exiting with code 0', none()],
        ['No test files found, exiting with code 0', none()],
        ['No tests executed!', none()],
        ['      Tests  no tests', none()],
        ['1..0 # skipped', none()],
      ],
      left: ['There were no tests before', '1..10', 'no tests were harmed'],
    },
  },
];

export interface Summary extends Counts {
  /** The most telling summary line: a failure before a pass. Null when no line is a summary. */
  readonly line: string | null;
}

const OUTPUT_MAX = 256 * 1024;
const LINE_MAX = 400;
const COLOURS = /\u001b\[[\d;?]*[A-Za-z]/g;

/** What the end of an output says about tests, taken over all its summaries. */
export function summaryIn(output: string): Summary {
  let total: Summary = { passed: 0, failed: 0, line: null };
  let worth = -1;
  for (const raw of output.slice(-OUTPUT_MAX).split(/\r?\n/)) {
    if (raw.length > LINE_MAX) continue;
    const line = raw.replace(COLOURS, '').trimEnd();
    const found = countsOf(line);
    if (found === null) continue;
    const better = found.failed > 0 ? 2 : found.passed > 0 ? 1 : 0;
    total = { passed: total.passed + found.passed, failed: total.failed + found.failed, line: better > worth ? line.trim() : total.line };
    worth = Math.max(worth, better);
  }
  return total;
}

function countsOf(line: string): Counts | null {
  for (const rule of TEST_SUMMARIES) {
    const found = rule.pattern.exec(line);
    if (found) return rule.counts(found.groups ?? {});
  }
  return null;
}
