// A command is judged by the words that the shell will see: without quotes, with braces, defaults and variables filled in, from the folder
// that `cd` led to.

import { expect } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import type { Place } from './resolve-writes.ts';
import { readCommand, readPlaced } from './read-command.ts';

const PLACE: Place = { cwd: '/home/me/tree', root: '/home/me/tree', scope: ['src/**'], home: '/home/me', scratch: ['/tmp'] };
const classesOf = (commands: readonly string[]) => commands.map((command) => [command, readCommand(command, PLACE).class]);
const all = (commands: readonly string[], expected: string) => commands.map((command) => [command, expected]);

verifies('N11', 'the gate’s own files are named however they are written', () => {
  const commands = [
    'cd .. && cat cs/run/hook',
    'cat ../c"s"/run/hook',
    "cat ../'cs'/run/ho\\ok",
    'cat ../{cs,}/run/hook',
    'cat ${x:-../cs/run/hook}',
    'cat "${x:-../cs}/run/hook"',
    'for f in ../cs/run/hook; do cat "$f"; done',
    'd=../cs; cat $d/run/hook',
    'cat $(echo ../cs/run/hook)',
    'cat < ../c"s"/run/hook',
    'cd ../cs/run && cat hook',
    'cd ~/cs; cat run/hook',
    'cat $PWD/../cs/run/hook',
    'cat ~/./cs//run/hook',
    "cat $'../cs/run/hook'",
    'cp --target-directory=src ../c"s"/run/hook',
  ];
  for (const command of commands)
    expect([command, readPlaced(command, PLACE).named]).toEqual([command, expect.arrayContaining(['/home/me/cs/run/hook'])]);
});

verifies('I11', 'secrets are found in the words that the shell will see', () => {
  const commands = [
    'cat ~/.aws//credentials',
    'cat /etc/./shadow',
    'cat /proc/self/task/1/environ',
    'cat .{env,x}',
    'cat {.env,a}',
    'for f in .env; do cat "$f"; done',
    'for f in a .en{v,w}; do cat "$f"; done',
    'cat ~/.claude/.credentials.json',
    'cat ~/.codex/auth.json',
    'cat /run/secrets/db',
    'cat /run/secrets/*',
    'grep -r . ~/.ssh',
    'grep -r . ~',
    'cat ../.ssh/id_rsa',
    'cd && cat .netrc',
    'cd ~/.aws && head credentials',
    'cd .. && tar cf - .gnupg',
    'f=env; cat .$f',
    "x='a .env'; cat $x",
    'cat ~/.a*/cred*',
    'cat .e[n]v',
    'find .. -name id_rsa -exec cat {} +',
    'find . -name .env | xargs cat',
    'echo .env | xargs -I% cat %',
    'env -C ~/.aws cat credentials',
    'base64 < ${x:-.env}',
    'jq -n "env.GITHUB_TOKEN"',
  ];
  expect(classesOf(commands)).toEqual(all(commands, 'DESTRUCTIVE'));
});

verifies('I11', 'looking at ordinary files in the same ways stays SAFE', () => {
  const commands = [
    'cat src/{a,b}.ts',
    'cd src && cat a.ts',
    'for f in src/*.ts; do head -3 "$f"; done',
    'cat "${f:-src/a.ts}"',
    'cat $(pwd)/a.ts',
    'cat "src/$name.ts"',
    'grep -rn KEY .',
    'ls -la ~/.ssh ~',
    'find ~ -maxdepth 1',
    'cat *',
    'jq .env package.json',
    'cat ../README.md',
  ];
  expect(classesOf(commands)).toEqual(all(commands, 'SAFE'));
});

verifies('I12', 'what is written is found behind defaults, braces and variables', () => {
  const commands = [
    'echo x > ${x:-infra/f}',
    'touch infr{a,}/f',
    'for f in infra/x infra/y; do touch $f; done',
    'f=infra/x; touch "$f"',
    'touch infra/$x',
    'touch "${d:-.claude}/settings.json"',
    'd=.git; touch $d/hooks/pre-commit',
    'find infra -exec cp README.md {} \\;',
  ];
  expect(classesOf(commands)).toEqual(all(commands, 'WRITES_OUTSIDE'));
  const inside = ['touch src/$x', 'for f in src/a src/b; do touch "$f"; done', 'd=src; touch $d/x', 'echo x > "$OUT/x"'];
  expect(classesOf(inside)).toEqual(all(inside, 'MUTATING'));
});

verifies('I11', 'what another shell may read differently is not SAFE', () => {
  const commands = [
    'cat ./${x:-README.md(e:touch src/p:)}',
    'ls ${x:-=(touch src/p)}',
    'cat ${x:-<(touch src/p)}',
    'cat <<$"ls"\nx\nls\n$ls\ntouch src/p\nls\n',
    "cat <<$'ls'\nx\nls\n",
    'cat <<"a$b"\nx\na$b\n',
    'ls ${x/a/(e:touch src/p:)}',
  ];
  expect(commands.filter((command) => readCommand(command, PLACE).class === 'SAFE')).toEqual([]);
});
