// What some suites need beyond Node: a real Chromium, a real agent client, MCP's own suite and inspector, Linux namespaces. Looks
// only; `fetch-needs.mjs` brings.

import childProcess from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder } from './cached-install.mjs';

const CLAUDE_VERSION = '2.1.325';
const FETCH = 'Run `node scripts/fetch-needs.mjs`';

/** Where the real client is kept. The package of the platform holds the program; the package named claude-code only finds it. */
export const CLAUDE = {
  package: `@anthropic-ai/claude-code-${process.platform}-${process.arch}`,
  version: CLAUDE_VERSION,
  name: path.join('agents', `claude-code-${CLAUDE_VERSION}`),
  program: path.join(
    'node_modules',
    '@anthropic-ai',
    `claude-code-${process.platform}-${process.arch}`,
    process.platform === 'win32' ? 'claude.exe' : 'claude',
  ),
};

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

/**
 * `{ chromium, claude, conformance, inspector, namespaces, missing }`: paths and a command prefix, each null when missing, and for
 * each missing one `{ need, why, get }`. A program after the prefix is in a network of its own, loopback up, and dies with it.
 */
export function probeNeeds() {
  const found = {
    chromium: findChromium(),
    claude: findClaude(),
    conformance: findMcpScript(MCP_SCRIPTS.conformance),
    inspector: findMcpScript(MCP_SCRIPTS.inspector),
    namespaces: findNamespaces(),
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
  claude: {
    why: `the Claude Code client ${CLAUDE_VERSION} is not in the cache, and COUNTERSIGN_CLAUDE names none`,
    get: `${FETCH} (about 350 MB), or set COUNTERSIGN_CLAUDE to the program's path.`,
  },
  conformance: reasonFor(MCP_SCRIPTS.conformance),
  inspector: reasonFor(MCP_SCRIPTS.inspector),
  namespaces: {
    why: 'this machine gives a process no network of its own (`unshare`, `ip`)',
    get: 'Use Linux with util-linux and iproute2, as root or with user namespaces allowed.',
  },
};

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

function findClaude() {
  const file = process.env.COUNTERSIGN_CLAUDE || path.join(cacheFolder(), CLAUDE.name, CLAUDE.program);
  return isProgram(file) ? path.resolve(file) : null;
}

function findMcpScript({ name, program, variable }) {
  const file = process.env[variable] || path.join(cacheFolder(), name, program);
  return fs.existsSync(file) ? path.resolve(file) : null;
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
