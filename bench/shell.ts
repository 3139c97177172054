// How long reading a command takes, for commands of 8 KB: as long as one may be and still be proven.
// node bench/shell.ts [--json FILE]

import { readCommand } from '../src/shell/index.ts';
import { report } from './report/report.ts';

const BYTES = 8192;
/** Commands of each kind, no two alike. Each is timed several times; the best time is the reader's, the others include noise. */
const OF_EACH = 25;
const ROUNDS = 9;
const PLACE = { cwd: '/tree/src', root: '/tree', scope: ['src/**', 'package.json'] };

/** Each kind is one construct over and over, with other names each time: its costs add up instead of hiding among others. */
const PIECES: Readonly<Record<string, (n: number) => string>> = {
  list: (n) => `ls -la src${n} && grep -rn "some words ${n}" src | head -n ${n}; `,
  writes: (n) => `cp src/a${n}.ts src/b${n}.ts; echo text > src/c${n}.ts; sed -i "s/a/b/" src/d${n}.ts; `,
  substitutions: (n) => `echo "$(cat a${n}.txt)" \`pwd\` \${x:-$(ls)} <(sort b${n}.txt); `,
  wrappers: (n) => `env A=${n} timeout 5 bash -c 'touch a${n}; cd b && tee c${n}'; `,
  folders: (n) => `cd src${n} && touch a || exit 1; (cd .. && rm -f x${n}); `,
  git: (n) => `git -C sub checkout -- a${n} b c; git commit -m "words ${n}"; git push origin +x${n}; `,
  loops: (n) => `for f in a${n} b; do if [ -f "$f" ]; then cat "$f" | wc -l; else npm test -- $f; fi; done\n`,
  words: (n) => `a-word-that-is-an-argument-${n} `,
  patterns: (n) => `src/a${n}*/*.ts {a,b}${n}.ts `,
  text: (n) => `line ${n} of a file that is written, with 'quotes' and $(signs)\n`,
  program: (n) => `print("line ${n} of a program", x[${n}] > 3)\n`,
};

function commandOf(kind: string, seed: number): string {
  const piece = PIECES[kind]!;
  const [head, tail] =
    kind === 'words' || kind === 'patterns'
      ? ['cat ', '']
      : kind === 'text'
        ? ["cat > src/a.ts <<'END'\n", 'END\n']
        : kind === 'program'
          ? ["python3 -c '", "'"]
          : ['', ''];
  let body = '';
  for (let n = seed; ; n++) {
    const next = piece(n);
    if (head.length + body.length + next.length + tail.length > BYTES) return head + body + tail;
    body += next;
  }
}

const kinds = Object.keys(PIECES);
const commands = kinds.map((kind) => Array.from({ length: OF_EACH }, (_, i) => commandOf(kind, i * 1000)));
for (let i = 0; i < 10; i++) for (const each of commands.flat()) readCommand(each, PLACE);

const times = commands.map((each) => each.map(timesOf));
function timesOf(command: string): number[] {
  return Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    readCommand(command, PLACE);
    return performance.now() - started;
  });
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

const best = times.map((ofKind) => ofKind.map((rounds) => Math.min(...rounds)));
report('shell', [
  ...kinds.map((kind, i) => ({ what: `8 KB of ${kind}`, value: percentile(best[i]!, 0.5), unit: 'ms' })),
  { what: `p50 of ${best.flat().length} commands of 8 KB`, value: percentile(best.flat(), 0.5), unit: 'ms' },
  { what: `p99 of ${best.flat().length} commands of 8 KB`, value: percentile(best.flat(), 0.99), unit: 'ms', atMost: 2 },
  { what: `p99 of all ${times.flat(2).length} calls`, value: percentile(times.flat(2), 0.99), unit: 'ms' },
]);
