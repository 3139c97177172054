// Brings what the suites need and the machine lacks: the real Claude Code client and MCP's own suite and inspector into the cache
// and, for root on Debian, Chromium and `ip` from the system's packages. What is there already, and what a variable names, is left alone.

import './require-node.mjs';
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import { installOnce } from './cached-install.mjs';
import { CLAUDE, MCP_SCRIPTS, probeNeeds } from './needs.mjs';
import { ensureProductNode } from './product-node.mjs';
import { runStep } from './run-step.mjs';
import { SetupFailure } from './setup-failure.mjs';

/** Never rejects for a need that cannot be had: `probeNeeds` tells afterwards, and the caller decides. */
export async function fetchNeeds() {
  const missing = probeNeeds().missing.map(({ need }) => need);
  if (missing.includes('claude') && !process.env.COUNTERSIGN_CLAUDE) await fetchOrTell(installClaude);
  for (const [need, script] of Object.entries(MCP_SCRIPTS))
    if (missing.includes(need) && !process.env[script.variable]) await fetchOrTell(() => installMcpScript(script));
  if (missing.includes('chromium') && !process.env.COUNTERSIGN_CHROMIUM) await fetchDebianPackage('chromium');
  if (missing.includes('namespaces')) await fetchDebianPackage('iproute2');
}

function installClaude() {
  return installPackage(CLAUDE, {
    title: `Fetching Claude Code ${CLAUDE.version}`,
    otherwise: 'Set COUNTERSIGN_CLAUDE to a client that does.',
  });
}

async function installMcpScript(script) {
  const interpreter = await ensureProductNode({ quiet: false });
  return installPackage(script, {
    title: `Fetching ${script.package} ${script.version}`,
    interpreter,
    otherwise: `Set ${script.variable} to a script that does.`,
  });
}

function installPackage({ package: name, version, name: folder, program }, options) {
  return installOnce({
    ...options,
    name: folder,
    prepare: (half) => fs.writeFileSync(path.join(half, 'package.json'), JSON.stringify({ private: true })),
    args: ['install', '--save-exact', `${name}@${version}`],
    program,
    quiet: false,
  });
}

async function fetchOrTell(install) {
  try {
    await install();
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    console.error(error.message);
  }
}

async function fetchDebianPackage(name) {
  const isRootOnDebian = process.getuid && process.getuid() === 0 && fs.existsSync('/etc/debian_version');
  if (!isRootOnDebian) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const apt = (title, args) => runStep({ title, command: 'apt-get', args, cwd: '/', env, quiet: false });
  await apt('Reading the list of system packages', ['update', '-q']);
  const result = await apt(`Installing ${name}`, ['install', '-q', '-y', '--no-install-recommends', name]);
  if (result.code !== 0)
    console.error([`Installing ${name} failed. apt-get said:`, ...result.lines.slice(-5).map((line) => `  ${line}`)].join('\n'));
}

if (process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === url.fileURLToPath(import.meta.url)) {
  await fetchNeeds();
  for (const { need, why, get } of probeNeeds().missing) console.error(`Still missing: ${need}: ${why}. ${get}`);
}
