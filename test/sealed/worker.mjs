// An honest agent in a sealed run, with the hooks of Claude Code: before and after each change it runs what is wired in its settings, as
// the client does. Its argument is the list of what it does.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';

const settings = JSON.parse(fs.readFileSync('.claude/settings.local.json', 'utf8'));
const session = { session_id: 'worker', cwd: process.cwd(), transcript_path: '/etc/passwd' };
let calls = 0;

function hook(event, payload) {
  const [{ hooks }] = settings.hooks[event];
  const input = JSON.stringify({ ...session, hook_event_name: event, ...payload });
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', hooks[0].command], { input, encoding: 'utf8' });
  if (status !== 0) console.log(`${event}: ${status} ${stderr.trim()}`);
  return stdout.trim() === '' ? {} : JSON.parse(stdout);
}

function gated(tool_name, tool_input, act) {
  const call = { tool_name, tool_input, tool_use_id: `toolu_worker_${++calls}` };
  const { permissionDecision, permissionDecisionReason } = hook('PreToolUse', call).hookSpecificOutput ?? {};
  if (permissionDecision === 'deny') console.log(`denied: ${permissionDecisionReason.split('\n')[0]}`);
  else {
    act();
    hook('PostToolUse', { ...call, tool_response: 'ok' });
  }
}

const steps = {
  write: (file, content) => {
    const file_path = path.resolve(file);
    gated('Write', { file_path, content }, () => fs.writeFileSync(file_path, content));
  },
  shell: (command) => gated('Bash', { command }, () => spawnSync('/bin/bash', ['-c', command], { stdio: 'inherit' })),
  sneak: (file, content) => fs.writeFileSync(file, content),
  wait: (file) => {
    while (!fs.existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  },
  type: (text) => {
    const lines = ['import fcntl, termios', `for c in ${JSON.stringify(text)}.encode(): fcntl.ioctl(0, termios.TIOCSTI, bytes([c]))`];
    spawnSync('python3', ['-c', lines.join('\n')], { stdio: ['inherit', 'ignore', 'ignore'] });
  },
};

hook('SessionStart', { source: 'startup' });
hook('UserPromptSubmit', { prompt: 'fix the login' });
for (const [step, ...args] of JSON.parse(process.argv[2])) steps[step](...args);
hook('Stop', { stop_hook_active: true });
