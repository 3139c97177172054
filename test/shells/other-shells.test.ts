// What shells other than bash really do with commands that are called SAFE. An agent runs its commands in the user's shell, which may be
// zsh or ksh, and a text that bash only looks with may run a program there.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { readCommand } from '../../src/shell/index.ts';
import { runForReal } from '../../src/shell/real-shell.fixture.ts';
import { HOSTILE, plant, SAFE_COMMANDS } from '../../src/shell/safe-commands.fixture.ts';
import { SYNTAX } from '../../src/shell/syntax.fixture.ts';
import { verifies } from '../verifies.ts';

const SHELLS = ['zsh', 'ksh', 'mksh', 'dash'];

/** Each writes `pwned` in the shell that it is listed for; bash reads it otherwise. */
const ATTACKS: Readonly<Record<string, readonly string[]>> = {
  zsh: [
    'cat ./${y:-a.txt(e:touch pwned:)}',
    'cat a.txt(e:touch pwned:)',
    'ls *(e{touch pwned})',
    "ls *(e:'touch pwned':)",
    'ls ${y:-=(touch pwned)}',
    'cat =(touch pwned)',
    'cat =(touch pwned; ls)',
    'ls >!pwned',
    'ls >>!pwned',
    'ls >&!pwned',
    'ls &>!pwned',
    'ls >&|pwned',
    'cat <<$"ls"\nx\n$ls\ntouch pwned\nls',
    'echo ${(e):-\\$(touch pwned)}',
    'echo ${(%):-%(?.$(touch pwned).)}',
    "echo ${(e)${:-'$(touch pwned)'}}",
    "[[ -n ${(e):-'$(touch pwned)'} ]]",
    "print -rz -- x; printf '%s' ${(e):-'`touch pwned`'}",
    'repeat 1 touch pwned',
    'noglob touch pwned',
    'nocorrect touch pwned',
    '- touch pwned',
    'ls | (touch pwned) |& cat',
    'foreach f (a) touch pwned; end',
    'for f (a) touch pwned',
    'if [[ -n a ]] touch pwned',
    '() { touch pwned }',
    'function { touch pwned }',
    'ls; { ls } always { touch pwned }',
    'echo $(( $(touch pwned) 1 ))',
    'a=(1); echo $a[$(touch pwned)1]',
    'echo "$x[$(touch pwned)1]"',
    'echo ${x[(r)$(touch pwned)]}',
    'echo a > pwned > a.out',
    'ls >pwned | cat',
    '=touch pwned',
    '\\touch pwned',
    'coproc touch pwned; wait',
    'TRAPEXIT() { touch pwned }',
    'zmodload zsh/files; zf_ln a.txt pwned',
    "ls /(e:'touch pwned':)",
    "echo **/*(e:'touch pwned':)",
  ],
  ksh: [
    'ls ${ touch pwned; }',
    'echo ${ touch pwned;}',
    'ls |& touch pwned',
    'cat <<# E\n$(touch pwned)\nE',
    'ls >; pwned',
    'ls <>;pwned',
    '[[ $(touch pwned) ]]',
    'x=a[$(touch pwned)0] y=$((x))',
    'print -v x; touch pwned',
  ],
  mksh: [
    'ls ${ touch pwned; }',
    'echo ${|touch pwned; }',
    'ls ${|touch pwned;}',
    'cat <<<$(touch pwned)',
    'ls &>pwned',
    'ls >|pwned',
    'global y=$(touch pwned)',
    'echo ${y@#$(touch pwned)}',
    'rename a.txt pwned',
  ],
  dash: ['cat <<$"ls"\nx\n$ls\ntouch pwned\nls', 'ls &>pwned'],
};

const PIECES = [
  ...SAFE_COMMANDS.slice(0, 30),
  ...SYNTAX,
  ...[
    'touch pwned',
    '>pwned',
    '>!pwned',
    '$x',
    'x=',
    '*',
    '-o',
    '--',
    'E',
    '2>&1',
    '<(',
    '=(',
    '>(',
    '$((',
    "$'",
    '$"',
    '|&',
    '&|',
    '&!',
    '>|',
  ],
  ...[
    '(e:touch pwned:)',
    '(.)',
    '(#q',
    '${(e)',
    '${:-',
    ':-',
    '=ls',
    '${ ',
    '${|',
    '[',
    ']',
    '@',
    '+(',
    '?(',
    '~',
    '^',
    '!',
    'for f in a; do',
    'done',
    'time',
    '- ',
  ],
];
const text = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom(' ', ' ', '')), { minLength: 2, maxLength: 7 })
  .map((pieces) => pieces.flat().join(''));
const calledSafe = fc.sample(
  text.filter((command) => readCommand(command).class === 'SAFE'),
  { numRuns: Number(process.env['COUNTERSIGN_RUNS'] ?? 150) },
);

const STDIN = 'touch pwned\n';
const looking = [...SAFE_COMMANDS, ...calledSafe].flatMap((command, at) =>
  SHELLS.map((shell) => ({ command, shell, value: HOSTILE[at % HOSTILE.length]!, stdin: STDIN })),
);
const attacking = Object.entries(ATTACKS).flatMap(([shell, commands]) =>
  commands.map((command) => ({ command, shell, value: 'a', stdin: STDIN })),
);
const runs = runForReal([...looking, ...attacking], plant)!;

verifies('I11', 'commands that are called SAFE change nothing in zsh, ksh, mksh and dash', () => {
  expect(runs.slice(0, looking.length).filter(({ changed }) => changed.length > 0)).toEqual([]);
});

verifies('I11', 'texts that run programs only in another shell than bash are not SAFE', () => {
  const tried = runs.slice(looking.length);
  expect(
    tried.filter(({ command }) => readCommand(command).class === 'SAFE').map(({ shell, command, changed }) => [shell, command, changed]),
  ).toEqual([]);
  expect(tried.filter(({ changed }) => changed.length === 0).map(({ shell, command }) => [shell, command])).toEqual([]);
});

verifies('I11', 'texts with which gawk opens a connection are not SAFE', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const place = `tcp/0/127.0.0.1/${(server.address() as AddressInfo).port}`;
  const texts = [
    `gawk 1 /inet/${place}`,
    `gawk 1 "/in"et4/${place}`,
    `gawk 'BEGIN { "/inet/${place}" |& getline }'`,
    `gawk 'BEGIN { getline < ("/in" "et/${place}") }'`,
    `gawk 'BEGIN { ARGV[1] = "/in" "et/${place}"; ARGC = 2 } 1'`,
    `gawk 'BEGIN { SYMTAB["ARGC"] = 2; SYMTAB["ARGV"][1] = "/in" "et/${place}" } 1'`,
  ];
  for (const [at, text] of texts.entries()) {
    await once(spawn('bash', ['-c', text], { stdio: 'ignore' }), 'exit');
    expect([text, connections, readCommand(text).class]).toEqual([text, at + 1, expect.not.stringMatching('SAFE') as string]);
  }
});
