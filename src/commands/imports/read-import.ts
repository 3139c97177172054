// Reads a file or folder that a human names, in the format that it has.

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Fault, ImportKind } from '../../protocol/index.ts';
import { readPlainFile } from '../../workspace/index.ts';
import { readClaudePermissions } from './claude-permissions.ts';
import { readCsv } from './csv.ts';
import { type Drafts, LIMITS, NOTHING } from './draft.ts';
import { readRules } from './rules-file.ts';
import { readSpec } from './spec-kit.ts';
import { readGitHub, readJira, readLinear } from './trackers.ts';

const MAX_BYTES = 8 * 1024 * 1024;
const MAX_SPECS = 200;

/** `file` absolute. */
export async function readImport(file: string, as: ImportKind | null): Promise<{ kind: ImportKind; drafts: Drafts }> {
  const found = await stat(file).catch(() => null);
  if (!found) throw new Fault('NOT_FOUND', `There is nothing at ${file}.`, { fix: 'Name a rules file, an export, or a spec-kit folder' });
  if (found.isDirectory()) {
    if (as !== null && as !== 'spec-kit')
      throw new Fault('BAD_REQUEST', `${file} is a folder, and only spec-kit has such.`, { fix: 'Name a file' });
    return { kind: 'spec-kit', drafts: limited(file, await readSpecs(file)) };
  }
  const text = await textOf(file);
  const name = path.basename(file);
  const kind = as ?? kindOf(file, text);
  const read = { github: readGitHub, jira: readJira, linear: readLinear } as const;
  if (kind === 'spec-kit') return { kind, drafts: { ...NOTHING, intents: [readSpec(await specFolder(path.dirname(file)))] } };
  if (kind === 'rules')
    return { kind, drafts: limited(file, name.endsWith('.json') ? readClaudePermissions(name, text) : rulesOf(file, text)) };
  return { kind, drafts: limited(file, read[kind](name, text)) };
}

const rulesOf = (file: string, text: string): Drafts => ({ ...NOTHING, ...readRules(file, text) });

function kindOf(file: string, text: string): ImportKind {
  const name = path.basename(file);
  if (name === 'spec.md') return 'spec-kit';
  if (/\.(?:md|mdc|mdx|txt)$/i.test(name) || /^\.\w+rules$/.test(name)) return 'rules';
  if (/\.csv$/i.test(name)) {
    const columns = readCsv(name, text).columns.map((column) => column.toLowerCase());
    if (columns.includes('issue key')) return 'jira';
    if (columns.includes('title') && columns.includes('id')) return 'linear';
  }
  if (/\.json$/i.test(name)) {
    if (/"permissions"\s*:/.test(text) && name.startsWith('settings')) return 'rules';
    if (/^[\ufeff\s]*\{[^]*"issues"\s*:/.test(text) || /"fields"\s*:/.test(text)) return 'jira';
    if (/"number"\s*:/.test(text) && /"title"\s*:/.test(text)) return 'github';
  }
  throw new Fault('BAD_REQUEST', `The format of ${name} is not recognised.`, { fix: `Name it: --as ${ImportKind.options.join('|')}` });
}

/** The folder of one specification, one of many, or a project with `specs`. */
async function readSpecs(folder: string): Promise<Drafts> {
  if (await isFile(path.join(folder, 'spec.md'))) return { ...NOTHING, intents: [readSpec(await specFolder(folder))] };
  for (const place of [folder, path.join(folder, 'specs'), path.join(folder, '..', 'specs')]) {
    const entries = await readdir(place, { withFileTypes: true }).catch(() => []);
    const specs: string[] = [];
    for (const entry of entries.filter((each) => each.isDirectory()).slice(0, MAX_SPECS))
      if (await isFile(path.join(place, entry.name, 'spec.md'))) specs.push(path.join(place, entry.name));
    if (specs.length > 0) {
      const folders = await Promise.all(specs.toSorted().map(specFolder));
      return { ...NOTHING, intents: folders.map(readSpec) };
    }
  }
  throw new Fault('NOT_FOUND', `There is no specification in ${folder}.`, { fix: 'Name a folder that holds spec.md, or folders that do' });
}

async function specFolder(folder: string) {
  const beside = await Promise.all(
    ['plan.md', 'tasks.md'].map(async (name) => ((await isFile(path.join(folder, name))) ? textOf(path.join(folder, name)) : '')),
  );
  const name = path.join(path.basename(path.dirname(folder)), path.basename(folder));
  return { name, spec: await textOf(path.join(folder, 'spec.md')), beside: beside.join('\n') };
}

const isFile = (file: string): Promise<boolean> =>
  stat(file).then(
    (found) => found.isFile(),
    () => false,
  );

async function textOf(file: string): Promise<string> {
  const found = await readPlainFile(file, MAX_BYTES, { follow: true });
  if (found.kind === 'missing') throw new Fault('NOT_FOUND', `There is no file ${file}.`);
  if (found.kind === 'unreadable') throw new Fault('BAD_REQUEST', `${file} ${found.why}.`, { fix: 'Import it in parts' });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(found.bytes);
  } catch (cause) {
    throw new Fault('DOCUMENT_INVALID', `${path.basename(file)}:1: it cannot be read as UTF-8`, { fix: 'Save it as UTF-8', cause });
  }
}

function limited(file: string, drafts: Drafts): Drafts {
  const most = Math.max(drafts.intents.length, drafts.rules.length);
  if (most > LIMITS.drafts)
    throw new Fault('TOO_LARGE', `${file} holds ${most}; ${LIMITS.drafts} are taken over at once.`, { fix: 'Export less, or in parts' });
  return drafts;
}
