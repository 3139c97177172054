// Whether git would run programs that a repository's own settings name, for a read-only command: a file-system monitor, a diff driver, an
// alias. A person's settings outside the repository are theirs to trust.

import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Sections and keys that name programs, or other files with settings. Whatever is not understood counts as naming one. */
const NAMES_PROGRAMS =
  /^\s*\[\s*(?:alias|filter|include|includeif|diff\s*"|difftool|mergetool|merge\s*"|gpg|pager|interactive|credential|browser|man|guitool)|(?:^|\])\s*(?:fsmonitor|pager|editor|external|textconv|command|sshcommand|hookspath|askpass|attributesfile|gitproxy|program|worktree)\s*(?:=|$)/im;

/** The lines of settings that name a program, or another file with settings, each with its section. */
export function namedPrograms(text: string): string[] {
  let section = '';
  return text.split('\n').flatMap((line) => {
    if (/^\s*\[/.test(line)) section = line.trim();
    const isNamed = NAMES_PROGRAMS.test(line) || (NAMES_PROGRAMS.test(section) && line.trim() !== '');
    return isNamed ? [line.trim() === section ? section : `${section} ${line.trim()}`] : [];
  });
}

/** True only if the repository's settings certainly name no program. Synchronous: settings are small, and this runs once a command. */
export function gitRunsNoPrograms(root: string): boolean {
  try {
    const dir = gitDirOf(join(root, '.git'));
    const common = commonDirOf(dir);
    return [join(common, 'config'), join(dir, 'config.worktree')].every((file) => !NAMES_PROGRAMS.test(textOf(file)));
  } catch {
    return false;
  }
}

function gitDirOf(place: string): string {
  if (statSync(place).isDirectory()) return place;
  const [, target] = /^gitdir: (.+)$/m.exec(readFileSync(place, 'utf8')) ?? [];
  if (target === undefined) throw new Error(`${place} names no folder`);
  return resolve(place, '..', target);
}

function commonDirOf(dir: string): string {
  try {
    return resolve(dir, readFileSync(join(dir, 'commondir'), 'utf8').trim());
  } catch {
    return dir;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
