// The check before a commit: a marked block at the top of git's pre-commit hook. It reports and never stops a commit; without a daemon it
// is silent.
//
// INVARIANT: no byte outside the block changes, and adding and removing the block restores the file.

import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Fault } from '../protocol/index.ts';
import { type Document, readGitSetting, readPlainFile, textOf, type Workspace } from '../workspace/index.ts';

export interface GitHookChange {
  /** The path as shown to people. */
  readonly file: string;
  readonly target: string;
  readonly document: Document | null;
  readonly before: string | null;
  readonly after: string | null;
}

const BEGIN = '# countersign begin: written by `countersign init --git`, removed by `countersign init --undo`';
const END = '# countersign end';
const BLOCK = new RegExp(`^${BEGIN}\\n[^]*?^${END}\\n`, 'm');
const BARE_SHELL = '#!/bin/sh\n';
/** Shells that can run our block, with their usual options. */
const SHELL_LINE = /^#! ?\/(?:usr\/)?(?:bin\/env +(?:-S +)?)?(?:bin\/)?(?:sh|bash|dash|zsh|ksh)(?: +-\w+)*\n/;
const HOOK_MAX_BYTES = 1024 * 1024;

interface Person {
  readonly userHome: string;
  readonly xdgConfigHome?: string | undefined;
}

/** Null: not a git repository. */
export async function gitHookChange(
  workspace: Workspace,
  program: { readonly cli: string; readonly home: string },
  person: Person,
  undo: boolean,
): Promise<GitHookChange | null> {
  if (workspace.gitCommonDir === null) return null;
  const { folders, isCertain } = await hooksFolders(workspace, person);
  const hooks = await Promise.all(folders.map((folder) => hookIn(workspace, folder)));
  const [first] = hooks as [HookFile, ...HookFile[]];
  if (undo) {
    const ours = hooks.find(({ before }) => before !== null && BLOCK.test(before)) ?? first;
    return { ...ours, after: ours.before === null ? null : withoutBlock(ours.before) };
  }

  const block = blockFor(program);
  const byHand = { fix: `Add this to its pre-commit yourself:\n${block}` };
  if (!isCertain)
    throw new Fault('CONFLICT', `Your git settings choose the folder of hooks by a condition, such as ${first.folder}.`, byHand);
  if (isBelow(workspace.root, first.folder) && !isBelow(workspace.gitCommonDir, first.folder)) {
    const folder = path.relative(workspace.root, first.folder);
    throw new Fault('CONFLICT', `The hooks of this repository are kept in ${folder}, which everybody shares.`, byHand);
  }
  const inTheWay = await notAFolder(first.folder);
  if (inTheWay !== null)
    throw new Fault('CONFLICT', `Git looks for hooks in ${first.folder}, but ${inTheWay} is not a folder. Nothing was written.`, {
      fix: 'Set core.hooksPath to a folder, or remove it: git config --unset core.hooksPath',
    });
  return { ...first, after: withBlock(first.target, first.before, block) };
}

/** The file that stands where this folder, or one above it, would be; null: the folder is there or can be made. */
async function notAFolder(folder: string): Promise<string | null> {
  const found = await stat(folder).catch(() => null);
  if (found) return found.isDirectory() ? null : folder;
  const above = path.dirname(folder);
  return above === folder ? null : notAFolder(above);
}

type HookFile = Omit<GitHookChange, 'after'> & { readonly folder: string };

async function hookIn(workspace: Workspace, folder: string): Promise<HookFile> {
  const target = path.join(folder, 'pre-commit');
  const found = await readPlainFile(target, HOOK_MAX_BYTES);
  if (found.kind === 'unreadable') throw new Fault('DOCUMENT_INVALID', `${target} ${found.why}`);
  const document = found.kind === 'missing' ? null : found;
  return { folder, file: path.relative(workspace.root, target), target, document, before: document && textOf(target, document.bytes) };
}

const withoutBlock = (text: string): string | null => {
  const rest = text.replace(BLOCK, '');
  return rest === BARE_SHELL ? null : rest;
};

function withBlock(target: string, text: string | null, block: string): string {
  if (text === null) return BARE_SHELL + block;
  if (BLOCK.test(text)) return text.replace(BLOCK, () => block);
  const [first] = SHELL_LINE.exec(text) ?? [];
  // At the end it might never be reached: hooks end with exec and exit.
  if (first !== undefined) return first + block + text.slice(first.length);
  throw new Fault('CONFLICT', `${target} is there already and is no shell script.`, { fix: `Call this from it:\n${block}` });
}

/** Runs none of the programs that a repository's settings may name for it. */
const STAGED =
  'GIT_OPTIONAL_LOCKS=0 GIT_NO_LAZY_FETCH=1 git -P -c core.fsmonitor=false diff --cached --name-only --no-ext-diff --no-textconv -z';

const blockFor = ({ cli, home }: { readonly cli: string; readonly home: string }): string =>
  [BEGIN, `${STAGED} 2>/dev/null | ${quoted(cli)} --home ${quoted(home)} reconcile --before-commit || :`, END, ''].join('\n');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const isBelow = (folder: string, place: string): boolean => place === folder || place.startsWith(`${folder}/`);

/** Where git looks for hooks: the last entry is the right one, unless a condition decides. */
async function hooksFolders({ root, gitCommonDir }: Workspace, person: Person): Promise<{ folders: string[]; isCertain: boolean }> {
  const { value, conditional } = await readGitSetting(root, 'core.hookspath', person);
  const folder = value ? path.resolve(root, value) : path.join(gitCommonDir!, 'hooks');
  return { folders: [...conditional.map((named) => path.resolve(root, named)), folder], isCertain: conditional.length === 0 };
}
