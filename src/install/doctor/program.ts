// The program as it is on disk: its files, the packages that it needs, the page, and what the hook client is made of.

import { createHash } from 'node:crypto';
import { access, constants, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { programOn } from '../wiring/find-agents.ts';
import { bad, type Check, ok } from './check.ts';

export interface ProgramCheckOptions {
  /** The folder of the clone, or of the package as npm installed it. */
  readonly root: string;
  readonly searchPath: string;
}

/** What `bin/countersign-hook` starts. Without one of them it denies every change, or waits in vain for a daemon. */
const HOOK_TOOLS = ['bash', 'cat', 'env', 'mkdir', 'sleep'];
const SHOWN = 5;
const manifestSchema = z.object({ files: z.record(z.string(), z.string()) });
const packageSchema = z.object({ dependencies: z.record(z.string(), z.string()) });
const versionSchema = z.object({ version: z.string() });

export async function checkProgram({ root, searchPath }: ProgramCheckOptions): Promise<Check[]> {
  // Only the package has it: a clone's files change with every commit.
  const manifest = manifestSchema.safeParse(await readJson(path.join(root, 'lib/manifest.json'))).data ?? null;
  const again = manifest ? 'Install the package again: npm install -g countersign-VERSION.tgz' : `Run npm start in ${root}`;
  return [
    await filesCheck(root, manifest?.files ?? null, again),
    await dependenciesCheck(root, again),
    (await exists(path.join(root, 'clients/web/dist/index.html')))
      ? ok('page', 'built')
      : bad('page', 'The page is not built: approvals can only be answered in the terminal.', again),
    await hookClientCheck(root, searchPath, again),
  ];
}

async function filesCheck(root: string, files: Readonly<Record<string, string>> | null, again: string): Promise<Check> {
  if (!files)
    return (await exists(path.join(root, 'src/app/main.ts')))
      ? ok('package', `a clone at ${root}`)
      : bad('package', `${root} is neither a clone nor a whole package: lib/manifest.json cannot be read.`, again);
  const wrong: string[] = [];
  for (const [file, sha256] of Object.entries(files)) {
    const bytes = await readFile(path.join(root, file)).catch(() => null);
    if (!bytes) wrong.push(`${file} is missing`);
    else if (createHash('sha256').update(bytes).digest('hex') !== sha256) wrong.push(`${file} was changed`);
  }
  return wrong.length === 0
    ? ok('package', `${Object.keys(files).length} files as packed, at ${root}`)
    : bad('package', `Not as it was packed: ${listed(wrong)}.`, again);
}

/** Where Node would find them: in the package's own node_modules, or in one of a folder above. */
async function dependenciesCheck(root: string, again: string): Promise<Check> {
  const wanted = packageSchema.safeParse(await readJson(path.join(root, 'package.json'))).data?.dependencies ?? {};
  const wrong: string[] = [];
  for (const [name, version] of Object.entries(wanted)) {
    const found = await installedVersion(root, name);
    if (found !== version) wrong.push(`${name} ${version} is wanted and ${found ?? 'nothing'} is there`);
  }
  if (wrong.length > 0) return bad('packages', `${listed(wrong)}.`, again);
  return ok('packages', `${Object.keys(wanted).length}, each in its version`);
}

async function installedVersion(from: string, name: string): Promise<string | null> {
  const found = versionSchema.safeParse(await readJson(path.join(from, 'node_modules', name, 'package.json'))).data;
  if (found) return found.version;
  return path.dirname(from) === from ? null : installedVersion(path.dirname(from), name);
}

async function hookClientCheck(root: string, searchPath: string, again: string): Promise<Check> {
  const client = path.join(root, 'bin/countersign-hook');
  if (!(await exists(client, constants.X_OK))) return bad('hook client', `${client} is missing, or cannot be run.`, again);
  const found = await Promise.all(HOOK_TOOLS.map((name) => programOn(searchPath, name)));
  const missing = HOOK_TOOLS.filter((_, at) => found[at] === null);
  return missing.length === 0
    ? ok('hook client', client)
    : bad('hook client', `It needs ${missing.join(', ')}, not on PATH.`, `Install ${missing.join(', ')}, or put them on PATH`);
}

const listed = (wrong: readonly string[]): string =>
  `${wrong.slice(0, SHOWN).join('; ')}${wrong.length > SHOWN ? `; and ${wrong.length - SHOWN} more` : ''}`;

const exists = (file: string, mode = constants.F_OK): Promise<boolean> =>
  access(file, mode).then(
    () => true,
    () => false,
  );

async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  } catch {
    return null;
  }
}
