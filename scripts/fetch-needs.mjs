// Brings what the suites need and the machine lacks: the real Claude Code client into the cache and, for root on Debian, Chromium and
// `ip` from the system's packages. What is there already, and what a variable names, is left alone.

import './require-node.mjs';
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import { installOnce } from './cached-install.mjs';
import { CLAUDE, probeNeeds } from './needs.mjs';
import { runStep } from './run-step.mjs';
import { SetupFailure } from './setup-failure.mjs';

/** Never rejects for a need that cannot be had: `probeNeeds` tells afterwards, and the caller decides. */
export async function fetchNeeds() {
  const missing = probeNeeds().missing.map(({ need }) => need);
  if (missing.includes('claude') && !process.env.COUNTERSIGN_CLAUDE) await fetchClaude();
  if (missing.includes('chromium') && !process.env.COUNTERSIGN_CHROMIUM) await fetchDebianPackage('chromium');
  if (missing.includes('namespaces')) await fetchDebianPackage('iproute2');
}

async function fetchClaude() {
  try {
    await installOnce({
      title: `Fetching Claude Code ${CLAUDE.version}`,
      name: CLAUDE.name,
      prepare: (folder) => fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ private: true })),
      args: ['install', '--save-exact', `${CLAUDE.package}@${CLAUDE.version}`],
      program: CLAUDE.program,
      otherwise: 'Set COUNTERSIGN_CLAUDE to a client that does.',
      quiet: false,
    });
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
