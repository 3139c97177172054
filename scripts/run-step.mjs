// Runs one slow program of the set-up, with one progress line on standard error. Standard output stays free for the command
// that the set-up is for.

import childProcess from 'node:child_process';

/** Resolves to `{ code, lines }`: the exit code (-1 if it could not be started) and what it said, without blank lines. */
export async function runStep({ title, command, args, cwd, env, quiet }) {
  const progress = quiet ? silent : showProgress(title);
  const result = await new Promise((resolve) => {
    const child = childProcess.spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let said = '';
    const listen = (chunk) => (said = (said + chunk).slice(-20_000));
    child.stdout.setEncoding('utf8').on('data', listen);
    child.stderr.setEncoding('utf8').on('data', listen);
    const end = (code) => resolve({ code, lines: said.split(/\r?\n/).filter((line) => line.trim() !== '') });
    child.on('error', (error) => {
      said += `\n${error.message}`;
      end(-1);
    });
    child.on('close', (code) => end(code === null ? -1 : code));
  });
  progress(result.code === 0 ? 'done' : 'failed');
  return result;
}

function silent() {}

function showProgress(title) {
  const startedAt = Date.now();
  const seconds = () => `${Math.round((Date.now() - startedAt) / 1000)} s`;
  const out = process.stderr;
  if (!out.isTTY) {
    out.write(`${title} …\n`);
    return (outcome) => out.write(`${title}: ${outcome} after ${seconds()}\n`);
  }
  const draw = () => out.write(`\r\x1b[K${title} … ${seconds()}`);
  draw();
  const timer = setInterval(draw, 1000);
  return (outcome) => {
    clearInterval(timer);
    out.write(`\r\x1b[K${title}: ${outcome} after ${seconds()}\n`);
  };
}
