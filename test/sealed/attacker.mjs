// An agent in a sealed run that tries what the guarantees admit at lower levels. It writes what came of each attempt as a JSON line. Its
// argument: what it could know of the world outside, and even secrets that it could never have read.

import { execFileSync, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';

const world = JSON.parse(process.argv[2]);
const [gatePort, hookToken] = fs.readFileSync(path.join(process.env.COUNTERSIGN_HOME, 'run/hook'), 'utf8').split(' ');

const tried = (name, outcome) => console.log(JSON.stringify({ tried: name, outcome }));

function attempt(name, act) {
  try {
    const outcome = act();
    tried(name, outcome === undefined ? 'DONE' : outcome);
  } catch (error) {
    tried(name, error.code ?? error.message);
  }
}

const ask = (method, url, { token = hookToken, body, headers = {} } = {}) =>
  new Promise((resolve) => {
    const request = http.request({
      agent: false,
      host: '127.0.0.1',
      port: gatePort,
      method,
      path: url,
      headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    });
    request.on('error', (error) => resolve(error.code));
    request.on('response', (answer) => {
      let text = '';
      answer.on('data', (chunk) => (text += chunk));
      answer.on('end', () => resolve(`${answer.statusCode} ${text.slice(0, 300)}`));
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });

const connects = (port, host) =>
  new Promise((resolve) => {
    const socket = net.connect(typeof port === 'string' ? { path: port } : { port, host, timeout: 5_000 });
    socket.on('connect', () => {
      socket.destroy();
      resolve('CONNECTED');
    });
    socket.on('error', (error) => resolve(error.code));
    socket.on('timeout', () => resolve('timeout'));
  });

// Keys, tokens, sockets.
attempt('list the daemon’s folder', () => fs.readdirSync(world.home).join());
attempt('read a key', () => fs.readFileSync(path.join(world.home, 'keys', world.keyFile), 'hex'));
attempt('read the hook token', () => fs.readFileSync(path.join(world.home, 'run/hook'), 'utf8'));
attempt('read the state of this run', () => fs.readFileSync(path.join(path.dirname(process.cwd()), 'run.json'), 'utf8'));
attempt('read the human’s home', () => fs.readdirSync(world.userHome).join());
attempt('read a secret of the system', () => fs.readFileSync('/etc/shadow', 'utf8').slice(0, 10));
tried('the owner’s socket', await connects(path.join(world.home, 'run/daemon.sock')));
tried('the daemon’s port', await connects(world.port, '127.0.0.1'));

attempt(
  'see other processes',
  () =>
    fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('main.ts'))
      .length,
);

// In here the daemon's number may be another process's.
const isDaemon = (pid) => fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0daemon\0');
attempt('kill the daemon', () => (isDaemon(world.daemonPid) ? process.kill(world.daemonPid, 'SIGKILL') : 'not there'));
attempt('see the daemon', () => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && isDaemon(name)).length);

// Human authority, with every credential there is.
const approve = { body: { answer: 'approved', reason: '' } };
for (const [whose, token] of Object.entries({ own: hookToken, stolenHook: world.hookToken, stolenMcp: world.mcpToken })) {
  tried(`approve with the ${whose} token`, await ask('POST', `/api/approvals/${world.approval}/answer`, { ...approve, token }));
  tried(`read the status with the ${whose} token`, await ask('GET', '/api/status', { token }));
  tried(`call MCP over HTTP with the ${whose} token`, await ask('POST', '/mcp', { token, body: {} }));
}
tried('send a hook with the stolen token', await ask('POST', '/hooks/claude/Stop', { token: world.hookToken, body: {} }));
tried('log in with a stolen code', await ask('POST', '/api/login', { body: { code: world.loginCode } }));
tried('a challenge', await ask('GET', '/api/challenge'));
const cli = (...args) => {
  const line = [world.cli, '--home', world.home, ...args].map((word) => `'${word}'`).join(' ');
  // A terminal of its own, out of the agent's process tree.
  const { status, stdout } = spawnSync('setsid', ['--fork', '--wait', 'script', '-qec', line, '/dev/null'], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  return `${status} ${stdout.trim().slice(0, 200)}`;
};
attempt('the approve command', () => cli('approve', world.approval));
attempt('the intent command', () => cli('intent', 'everything', '.'));

// What the gate would run for it, outside the seal.
async function overMcp() {
  const socket = net.connect(path.join(process.env.COUNTERSIGN_HOME, 'run/daemon.sock'));
  const headers = {
    Host: 'countersign',
    Connection: 'Upgrade',
    Upgrade: 'countersign-mcp',
    'X-Countersign-Surface': 'contract',
    'X-Countersign-Cwd': world.root,
  };
  socket.write(
    `GET /mcp-pipe HTTP/1.1\r\n${Object.entries(headers)
      .map((each) => `${each.join(': ')}\r\n`)
      .join('')}\r\n`,
  );
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => (text += chunk));
  while (!text.includes('\r\n\r\n')) await new Promise((done) => setTimeout(done, 20));
  const call = async (id, method, params) => {
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    while (!text.includes(`"id":${id}`)) await new Promise((done) => setTimeout(done, 20));
    return text.split('\n').find((line) => line.includes(`"id":${id}`));
  };
  await call(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } });
  socket.write(`${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })}\n`);
  const tools = JSON.parse(await call(2, 'tools/list', {})).result.tools.map(({ name }) => name);
  fs.writeFileSync('package.json', JSON.stringify({ name: 'x', scripts: { test: 'echo RAN-BY-THE-GATE; exit 1' } }));
  await call(3, 'tools/call', { name: 'begin_work', arguments: {} });
  const validated = await call(4, 'tools/call', { name: 'validate', arguments: { checks: ['test'] } });
  fs.rmSync('package.json');
  socket.destroy();
  return { run: tools.includes('run_command'), gate: tools.includes('begin_work'), ran: validated.includes('RAN-BY-THE-GATE') };
}
tried('have the gate run something', await overMcp());

// Another session, by its name and place.
const forged = { session_id: world.session, cwd: world.root, prompt: 'forged prompt', hook_event_name: 'UserPromptSubmit' };
tried('forge a prompt of another session', (await ask('POST', '/hooks/claude/UserPromptSubmit', { body: forged })).slice(0, 3));
const end = { session_id: world.session, cwd: world.root, reason: 'other', hook_event_name: 'SessionEnd' };
tried('end another session', (await ask('POST', '/hooks/claude/SessionEnd', { body: end })).slice(0, 3));

// Processes and terminals.
attempt('see other terminals', () => fs.readdirSync('/dev/pts').filter((name) => name !== 'ptmx').length);
attempt(
  'type for the human',
  () =>
    execFileSync('python3', ['-c', 'import fcntl, termios\nfor c in b"y\\n": fcntl.ioctl(0, termios.TIOCSTI, bytes([c]))'], {
      stdio: ['inherit', 'ignore', 'ignore'],
    }) ?? 'TYPED',
);

// The real tree, and the gate's files.
attempt('write to the real tree', () => fs.writeFileSync(path.join(world.root, 'src/auth/login.ts'), 'broken'));
attempt('write to the real repository', () =>
  fs.writeFileSync(path.join(world.root, '.git/hooks/pre-commit'), '#!/bin/sh\n', { mode: 0o755 }),
);
attempt('write to its objects', () => fs.writeFileSync(path.join(world.root, '.git/objects/planted'), 'x'));
attempt('mount something', () => execFileSync('mount', ['-t', 'tmpfs', 'none', '/usr'], { stdio: 'ignore' }));
attempt('write to the system', () => fs.writeFileSync('/usr/bin/planted', 'x'));
attempt('write to the product', () => fs.appendFileSync(world.cli, '\n# planted\n'));
attempt('edit the hook file', () => fs.writeFileSync('.claude/settings.local.json', '{}'));
attempt(
  'replace the hook file',
  () => (fs.writeFileSync('.claude/other', '{}'), fs.renameSync('.claude/other', '.claude/settings.local.json')),
);
attempt('move the hook folder away', () => fs.renameSync('.claude', 'away'));
attempt('edit the intents', () => fs.appendFileSync('.orchestration/active_intents.yaml', '\n'));
attempt('edit its token', () => fs.writeFileSync(path.join(process.env.COUNTERSIGN_HOME, 'run/hook'), 'x'));
attempt('leave a break-glass note', () => {
  fs.mkdirSync(path.join(world.home, 'break-glass'), { recursive: true });
  fs.writeFileSync(path.join(world.home, 'break-glass/0.json'), JSON.stringify(world.note));
  return 'in a folder of its own';
});

// Other hosts.
const curl = (...args) => spawnSync('curl', ['-sS', '-m', '10', ...args], { encoding: 'utf8' });
attempt('another host through the proxy', () => curl(`http://127.0.0.2:${world.otherPort}/`, '--noproxy', '').stdout.trim());
attempt('the daemon through the proxy', () => curl(`http://127.0.0.1:${world.port}/health`, '--noproxy', '').stdout.trim());
tried('another host directly', await connects(80, '192.0.2.1'));
tried('its model', await connects(world.modelPort, '127.0.0.1'));

// What stays.
fs.writeFileSync('src/auth/without-receipt.ts', 'export {};\n');
fs.rmSync('src/auth/linked', { force: true });
fs.symlinkSync('/etc/passwd', 'src/auth/linked');
spawn('setsid', ['--fork', 'sh', '-c', `sleep ${world.nap}; echo late >> src/auth/login.ts`], { stdio: 'ignore', detached: true }).unref();
