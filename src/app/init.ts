// `countersign init`: wires the agents of a work tree to the gate. Shows the exact change first, keeps what is there, can be
// run again without effect, and undone.

import { rm } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline/promises';
import { MCP_FILE, SETTINGS_FILE, unwireMcp, unwireSettings, wireMcp, wireSettings, type WirePaths } from '../doors/hooks/claude/wire.ts';
import { Fault } from '../protocol/index.ts';
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
import { editJson } from './edit-json.ts';
import type { Home } from './home.ts';
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
}

interface FileChange {
  readonly file: string;
  readonly document: Document | null;
  readonly before: string | null;
  /** Null: the file held nothing but ours and goes away. */
  readonly after: string | null;
}

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

const PROGRAM_ROOT = path.join(import.meta.dirname, '../..');

export async function init(options: InitOptions): Promise<void> {
  const { undo, dryRun, json, print, say } = options;
  const workspace = await locateWorkspace(options.cwd);
  const changes = (await plan(workspace, options)).filter(({ before, after }) => before !== after);
  const summary = {
    workspace: workspace.root,
    undo,
    written: false,
    changes: changes.map(({ file, before, after }) => ({ file, before, after })),
  };

  if (!json) for (const { file, before, after } of changes) print(textDiff(file, before, after));
  if (changes.length === 0)
    say(undo ? `Nothing of Countersign is wired in ${workspace.root}.` : `${workspace.root} is wired already; nothing to change.`);
  if (changes.length === 0 || dryRun) return json ? print(JSON.stringify(summary, null, 2)) : undefined;
  if (!options.yes && !(await confirm(workspace.root))) {
    say('Nothing was written.');
    return json ? print(JSON.stringify(summary, null, 2)) : undefined;
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

  if (json) return print(JSON.stringify({ ...summary, written: true }, null, 2));
  say(
    undo
      ? 'Undone. Claude Code works without the gate from its next session on.'
      : [
          'Done. Claude Code asks the gate before each tool, from its next session on. Reading is free; changes need an intent.',
          'Next:  countersign intent "what should change" PATH',
        ].join('\n'),
  );
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

async function confirm(root: string): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new Fault('BAD_REQUEST', 'There is nobody to ask: this is not a terminal.', {
      fix: 'Run it in a terminal, or with --yes after reading countersign init --dry-run',
    });
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  // Ctrl-C and Ctrl-D answer nothing, and mean no.
  const left = new Promise<null>((resolve) => questions.once('close', () => resolve(null)));
  const answer = await Promise.race([left, questions.question(`Write this in ${root}? [y/N] `).catch(() => null)]);
  questions.close();
  if (answer === null) process.stderr.write('\n');
  return answer !== null && /^y(es)?$/i.test(answer.trim());
}
