// The look before a commit: a marked block at the top of git's pre-commit hook. It tells and never stops a commit; with the daemon
// dead it is silent.
//
// INVARIANT: no byte outside the block changes, and what is put in and taken out again leaves the file as it was.

import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { Fault } from '../protocol/index.ts';
import { type Document, readPlainFile, textOf, type Workspace } from '../workspace/index.ts';

export interface GitHookChange {
  /** As it is shown. */
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
/** Shells that read what we write, with the options that people give them. */
const SHELL_LINE = /^#! ?\/(?:usr\/)?(?:bin\/env +(?:-S +)?)?(?:bin\/)?(?:sh|bash|dash|zsh|ksh)(?: +-\w+)*\n/;
const HOOK_MAX_BYTES = 1024 * 1024;

/** Null: there is no git here. */
export async function gitHookChange(
  workspace: Workspace,
  program: { readonly cli: string; readonly home: string },
  undo: boolean,
): Promise<GitHookChange | null> {
  if (workspace.gitCommonDir === null) return null;
  const folder = await hooksFolder(workspace);
  const target = path.join(folder, 'pre-commit');
  const file = await readPlainFile(target, HOOK_MAX_BYTES);
  if (file.kind === 'unreadable') throw new Fault('DOCUMENT_INVALID', `${target} ${file.why}`);
  const document = file.kind === 'missing' ? null : file;
  const before = document && textOf(target, document.bytes);
  const change = { file: path.relative(workspace.root, target), target, document, before };
  if (undo) return { ...change, after: before === null ? null : withoutBlock(before) };

  const block = blockFor(program);
  if (isBelow(workspace.root, folder) && !isBelow(workspace.gitCommonDir, folder)) {
    throw new Fault(
      'CONFLICT',
      `The hooks of this repository are kept in ${change.file.replace(/\/pre-commit$/, '')}, which everybody shares.`,
      {
        fix: `Add this to its pre-commit yourself:\n${block}`,
      },
    );
  }
  return { ...change, after: withBlock(target, before, block) };
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

const blockFor = ({ cli, home }: { readonly cli: string; readonly home: string }): string =>
  [
    BEGIN,
    `git diff --cached --name-only -z 2>/dev/null | ${quoted(cli)} --home ${quoted(home)} reconcile --before-commit || :`,
    END,
    '',
  ].join('\n');

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const isBelow = (folder: string, place: string): boolean => place === folder || place.startsWith(`${folder}/`);

/** Git knows: settings may name another one. */
async function hooksFolder({ root, gitCommonDir }: Workspace): Promise<string> {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));
  const asked = await promisify(execFile)('git', ['rev-parse', '--git-path', 'hooks'], { cwd: root, env }).catch(() => null);
  const named = asked?.stdout.replace(/\n$/, '');
  return named ? path.resolve(root, named) : path.join(gitCommonDir!, 'hooks');
}
