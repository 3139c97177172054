// Commands that run another command. They are unwrapped, and what they run is judged as if it stood alone.

import type { WrapperRule } from './rule.ts';

export const WRAPPER_RULES: readonly WrapperRule[] = [
  {
    commands: ['command'],
    runs: 'words',
    transparent: true,
    matches: ['command rm a', 'command -- rm a', 'command -p rm a'],
    rejects: ['command ls', 'command -v rm', 'command -V rm'],
  },
  {
    commands: ['timeout', 'gtimeout'],
    runs: 'words',
    transparent: true,
    operand: /^\d+(?:\.\d+)?[smhd]?$/,
    options: {
      short: 'v',
      shortWithValue: 'ks',
      long: ['--foreground', '--preserve-status', '--verbose'],
      longWithValue: ['--kill-after', '--signal'],
    },
    matches: ['timeout 5 rm a', 'timeout -k 1 5s rm a', 'timeout --odd 5 rm a'],
    rejects: ['timeout 5 ls', 'timeout -s KILL 10 grep rm a.txt'],
  },
  {
    commands: ['env'],
    runs: 'words',
    assignments: true,
    options: {
      short: 'i0v',
      shortWithValue: 'uCP',
      long: ['--ignore-environment', '--debug', '--null'],
      longWithValue: ['--unset', '--chdir'],
    },
    matches: ['env rm a', 'env -i A=1 PATH=. rm a', 'env -u HOME rm a', "env -S 'rm a'"],
    rejects: ['env', 'env A=1 ls', 'env A=rm ls'],
  },
  {
    commands: ['nohup', 'setsid', 'builtin', 'exec', 'time', 'caffeinate', 'unbuffer', 'busybox', 'toybox', 'noglob', 'nocorrect'],
    runs: 'words',
    options: { short: 'cfilpvw', shortWithValue: 'a' },
    matches: ['nohup rm a', 'exec -a x rm a', 'busybox rm a', 'setsid -f rm a', '\\time -p rm a'],
    rejects: ['nohup ls', 'exec ls', 'time ls'],
  },
  {
    commands: ['nice', 'ionice', 'stdbuf'],
    runs: 'words',
    options: {
      short: 't',
      shortWithValue: 'ncpioe',
      longWithValue: ['--adjustment', '--output', '--input', '--error', '--class'],
      count: true,
    },
    matches: ['nice rm a', 'nice -n 10 rm a', 'stdbuf -oL rm a', 'nice -10 rm a'],
    rejects: ['nice ls', 'nice -n 10 grep rm a.txt'],
  },
  {
    commands: ['xargs'],
    runs: 'words',
    options: {
      short: '0prtxo',
      shortWithValue: 'adEIJLnPsR',
      exact: ['-i', '-l', '-e'],
      long: ['--null', '--no-run-if-empty', '--verbose', '--interactive', '--exit'],
      longWithValue: ['--arg-file', '--delimiter', '--replace', '--max-lines', '--max-args', '--max-procs', '--max-chars'],
    },
    matches: ['ls | xargs rm', 'xargs -0 -n 1 rm -f', 'xargs -I {} rm {}', 'xargs -i rm {}', "xargs sh -c 'rm a'", 'xargs --odd x rm'],
    rejects: ['ls | xargs cat', 'xargs grep rm'],
  },
  {
    commands: ['npx', 'bunx', 'pnpx', 'uvx'],
    runs: 'words',
    options: { short: 'yq', shortWithValue: 'p', long: ['--yes', '--no-install', '--quiet'], longWithValue: ['--package'] },
    matches: ['npx rimraf a', 'npx -y rimraf a'],
    rejects: ['npx tsc', 'npx'],
  },
  {
    commands: [
      'sudo',
      'doas',
      'su',
      'pkexec',
      'chroot',
      'unshare',
      'nsenter',
      'strace',
      'ltrace',
      'flock',
      'parallel',
      'firejail',
      'bwrap',
      'runuser',
      'systemd-run',
      'taskset',
      'chrt',
      'script',
    ],
    runs: 'anywhere',
    matches: [
      'sudo rm a',
      'sudo -u root rm a',
      'strace -f -o log rm a',
      'flock lock rm a',
      'parallel rm ::: a',
      "su -c 'rm a'",
      "script -qec 'rm a' log",
      'taskset 0x1 rm a',
    ],
    rejects: ['sudo ls', 'strace ls', "script -c 'ls' log"],
  },
  {
    commands: ['eval', 'watch', 'trap'],
    runs: 'script',
    options: { short: 'dtbeg', shortWithValue: 'n' },
    matches: ["eval 'rm a'", 'eval rm a', "watch -n 1 'ls; rm a'", "trap 'rm a' EXIT", 'eval "rm $x"'],
    rejects: ['eval ls', 'watch ls'],
  },
];

/** Shells that read the same grammar closely enough to look for deletion in their scripts. */
export const SHELLS: ReadonlySet<string> = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'ash', 'mksh', 'rbash']);
