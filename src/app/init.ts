// `countersign init`: wires the agents of a work tree to the gate. Shows the exact change first, keeps what is there, can be
// run again without effect, and undone.

import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { MCP_FILE, SETTINGS_FILE, unwireMcp, unwireSettings, wireMcp, wireSettings, type WirePaths } from '../doors/hooks/claude/wire.ts';
import { GROUNDING } from '../doors/mcp/grounding.ts';
import { Fault, type Intent } from '../protocol/index.ts';
import {
  type Document,
  ensureFolder,
  excludeFromGit,
  locateWorkspace,
  readDocument,
  removeExcludes,
  replaceFile,
  textOf,
  type Workspace,
} from '../workspace/index.ts';
import { readConfig } from './config.ts';
import { ask, confirm } from './confirm.ts';
import { editJson } from './edit-json.ts';
import type { Home } from './home.ts';
import { withBlock, withoutBlock } from './instructions-block.ts';
import { textDiff } from './text-diff.ts';

export interface InitOptions {
  readonly cwd: string;
  readonly home: Home;
  readonly undo: boolean;
  readonly yes: boolean;
  readonly dryRun: boolean;
  readonly json: boolean;
  readonly print: (text: string) => void;
  readonly say: (text: string) => void;
  /** Given on the command line. Null: not, so that a terminal is asked. */
  readonly intent: { readonly title: string | undefined; readonly paths: readonly string[] | undefined } | null;
  readonly hasActiveIntent: () => Promise<boolean>;
  readonly grant: (title: string, paths: readonly string[]) => Promise<Intent>;
}

interface FileChange {
  readonly file: string;
  readonly document: Document | null;
  readonly before: string | null;
  /** Null: the file held nothing but ours and goes away. */
  readonly after: string | null;
}

const NOBODY_TO_ASK = 'Run it in a terminal, or with --yes after reading countersign init --dry-run';
const LOCAL_CONFIG = '.ai/config/env.local.json';
/** Views and local files: kept out of git on this machine, without a change of the repository's own .gitignore. */
const EXCLUDED = [
  '/.orchestration/intent_map.md',
  '/.orchestration/agent_trace.jsonl',
  `/${LOCAL_CONFIG}`,
  '/.ai/auth/',
  '/.ai/tmp/',
  `/${SETTINGS_FILE}`,
  `/${MCP_FILE}`,
];

/** What agents read that know nothing of our tools yet. */
const INSTRUCTIONS_FILE = '.github/copilot-instructions.md';
const STANDING_TITLE = 'everyday work';
/** Where sources usually are. */
const SOURCE_FOLDERS = [
  'src',
  'lib',
  'app',
  'apps',
  'packages',
  'cmd',
  'internal',
  'pkg',
  'server',
  'client',
  'web',
  'test',
  'tests',
  'docs',
];

const PROGRAM_ROOT = path.join(import.meta.dirname, '../..');

export async function init(options: InitOptions): Promise<void> {
  const { undo, dryRun, json, print, say } = options;
  const workspace = await locateWorkspace(options.cwd);
  const changes = (await plan(workspace, options)).filter(({ before, after }) => before !== after);
  const report = (written: boolean, intent: Intent | null): void => {
    const files = changes.map(({ file, before, after }) => ({ file, before, after }));
    if (json) print(JSON.stringify({ workspace: workspace.root, undo, written, changes: files, intent }, null, 2));
  };

  if (!json) for (const { file, before, after } of changes) print(textDiff(file, before, after));
  if (changes.length === 0)
    say(undo ? `Nothing of Countersign is wired in ${workspace.root}.` : `${workspace.root} is wired already; nothing to change.`);
  if (dryRun || (changes.length === 0 && options.intent === null)) return report(false, null);
  if (changes.length > 0 && !options.yes && !(await confirm(`${undo ? 'Undo' : 'Write'} this in ${workspace.root}?`, NOBODY_TO_ASK))) {
    say('Nothing was written.');
    return report(false, null);
  }

  for (const { file, document, after } of changes) {
    const target = path.join(workspace.root, file);
    if (after === null) await rm(target);
    else {
      if (path.dirname(file) !== '.') await ensureFolder(workspace.root, path.dirname(file));
      await replaceFile(target, document, Buffer.from(after));
    }
  }
  if (undo) await removeExcludes(workspace);
  else await excludeFromGit(workspace, EXCLUDED);
  if (undo) say('Undone. Claude Code works without the gate from its next session on.');
  else if (changes.length > 0)
    say('Done. Claude Code asks the gate before each tool, from its next session on. Reading is free; changes need an intent.');

  const wish = undo ? null : await standingIntent(workspace, options);
  const intent = wish && (await options.grant(wish.title, wish.paths));
  if (intent)
    say(`${intent.id} is active: ${intent.name}, for ${intent.owned_scope.join(', ')}. End it with: countersign intents done ${intent.id}`);
  else if (!undo) say('Next:  countersign intent "what should change" PATH');
  report(changes.length > 0, intent);
}

/** Offered once, to a person who has just said yes and has granted nothing yet. */
async function standingIntent(
  { root }: Workspace,
  { intent, yes, json, hasActiveIntent }: InitOptions,
): Promise<{ title: string; paths: readonly string[] } | null> {
  if (intent) return { title: intent.title ?? STANDING_TITLE, paths: intent.paths ?? (await sourceFolders(root)) };
  if (yes || json || (await hasActiveIntent())) return null;
  const title = await ask(`Grant agents a standing intent now, so that they can begin? Title [${STANDING_TITLE}], or n for none: `);
  if (title === null || /^no?$/i.test(title)) return null;
  const usual = await sourceFolders(root);
  const paths = await ask(`Paths that it may change, with spaces between them [${usual.join(' ')}]: `);
  if (paths === null || /^no?$/i.test(paths)) return null;
  return { title: title || STANDING_TITLE, paths: paths === '' ? usual : paths.split(/\s+/) };
}

async function sourceFolders(root: string): Promise<string[]> {
  const isFolder = (name: string) =>
    stat(path.join(root, name)).then(
      (found) => found.isDirectory(),
      () => false,
    );
  const found = await Promise.all(SOURCE_FOLDERS.map(async (name) => ((await isFolder(name)) ? [name] : [])));
  return found.flat().length > 0 ? found.flat() : ['.'];
}

async function plan({ root }: Workspace, { undo, home }: InitOptions): Promise<FileChange[]> {
  const paths: WirePaths = {
    hookClient: path.join(PROGRAM_ROOT, 'bin/countersign-hook'),
    cli: path.join(PROGRAM_ROOT, 'bin/countersign'),
    home: home.dir,
  };
  const changes = [
    await jsonChange(root, SETTINGS_FILE, (settings) => (undo ? unwireSettings(settings) : wireSettings(settings, paths))),
    await jsonChange(root, MCP_FILE, (config) => (undo ? unwireMcp(config) : wireMcp(config, paths))),
  ];
  changes.push(...(await instructionsChange(root, undo)));
  // A human's setting, once made, is theirs: init sets a minimum where there is none, and undo leaves it.
  const { mode } = await readConfig(root);
  if (!undo && mode.minimum === null && mode.pin === null) {
    changes.push(
      await jsonChange(root, LOCAL_CONFIG, (config) => ({
        ...config,
        mode: { ...(config.mode as object | undefined), minimum: 'GUARDED' },
      })),
    );
  }
  return changes;
}

/** Only where such instructions are kept at all: the file belongs to the repository. */
async function instructionsChange(root: string, undo: boolean): Promise<FileChange[]> {
  const isKept = await stat(path.join(root, path.dirname(INSTRUCTIONS_FILE))).catch(() => null);
  if (!isKept?.isDirectory()) return [];
  const document = await readDocument(root, INSTRUCTIONS_FILE);
  const before = document === null ? null : textOf(INSTRUCTIONS_FILE, document.bytes);
  if (undo && before === null) return [];
  const after = undo ? withoutBlock(INSTRUCTIONS_FILE, before ?? '') : withBlock(INSTRUCTIONS_FILE, before, GROUNDING);
  return [{ file: INSTRUCTIONS_FILE, document, before, after }];
}

async function jsonChange(
  root: string,
  file: string,
  change: (value: Record<string, unknown>) => Record<string, unknown>,
): Promise<FileChange> {
  const document = await readDocument(root, file);
  const before = document === null ? null : textOf(file, document.bytes);
  let value: unknown;
  try {
    value = before === null ? {} : JSON.parse(before);
  } catch (error) {
    throw new Fault('DOCUMENT_INVALID', `${file} is not JSON: ${(error as Error).message}`, {
      fix: 'Mend it, then run countersign init again; nothing was written',
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault('DOCUMENT_INVALID', `${file} does not hold a JSON object.`, {
      fix: 'Mend it, then run countersign init again; nothing was written',
    });

  const next = change(value as Record<string, unknown>);
  const isEmpty = Object.keys(next).length === 0;
  if (before === null) return { file, document, before, after: isEmpty ? null : `${JSON.stringify(next, null, 2)}\n` };
  return { file, document, before, after: isEmpty && Object.keys(value).length > 0 ? null : editJson(before, next) };
}
