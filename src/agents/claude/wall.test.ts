import { expect, test } from 'vitest';
import { wall } from './wall.ts';

/** As the client really wrote it, version 2.1.325. */
const line = (quoted: string, more = ' < /dev/null') =>
  `source /home/ada/.claude/shell-snapshots/snapshot-bash-1-a.sh 2>/dev/null || true && \\builtin shopt -u extglob 2>/dev/null || true && { \\builtin unalias -- 'which'; \\builtin unset -f -- 'which'; } >/dev/null 2>&1 || true && eval ${quoted}${more} && pwd -P >| /tmp/claude-9d36-cwd`;

test('the command is found in what the client gives its shell, whatever it contains', () => {
  const quote = (text: string) => `'${text.replaceAll("'", `'"'"'`)}'`;
  const commands = [
    'ls',
    "echo 'it''s' \"$HOME\"",
    "cat <<'X'\nheredoc 'q'\nX",
    "eval 'a' && pwd -P >| /tmp/claude-1-cwd",
    "x' < /dev/null && pwd -P >| /tmp/claude-1-cwd; eval 'y",
    '',
  ];
  for (const command of commands) {
    expect(wall.commandIn(line(quote(command)))).toBe(command);
    expect(wall.commandIn(line(quote(command), ''))).toBe(command);
    expect(wall.readsBack(line(quote(command)))).toBe('/tmp/claude-9d36-cwd');
  }
});

test('what the client runs for itself has no command of an agent in it', () => {
  for (const own of ['env', 'SNAPSHOT_FILE=/x\n echo "# Snapshot file" >| "$SNAPSHOT_FILE"', `eval 'ls'`])
    expect([wall.commandIn(own), wall.readsBack(own)]).toEqual([null, null]);
  expect(wall.readsBack(line(`'ls'`).replace('/tmp/claude-9d36-cwd', '/home/ada/.bashrc'))).toBeNull();
});
