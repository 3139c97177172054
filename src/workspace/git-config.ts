// One setting of git, read by hand for the reason that `git-dir.ts` gives: from the machine's files, the person's, the repository's and the
// work tree's, with what they include. The last one counts, as in git.

import { join, resolve } from 'node:path';
import { findGitDir } from './git-dir.ts';
import { readPlainFile } from './plain-file.ts';

export interface GitSetting {
  /** As written; `~/` is resolved. Null: no file sets it. */
  readonly value: string | null;
  /** Values that hold under a condition (`includeIf`), which is not judged here. */
  readonly conditional: readonly string[];
}

export interface ConfigPlaces {
  /** The person's home; null: no file of theirs is read. */
  readonly userHome: string | null;
  /** `XDG_CONFIG_HOME`, where it is set. */
  readonly xdgConfigHome?: string | undefined;
}

const CONFIG_MAX_BYTES = 1024 * 1024;
/** As many as git follows. */
const INCLUDE_DEPTH = 10;
/** Where packages of git look for the machine's settings. */
const SYSTEM_FILES = ['/etc/gitconfig', '/usr/local/etc/gitconfig', '/opt/homebrew/etc/gitconfig'];

/** `name` in small letters, such as `core.hookspath`. `folder` is a real one. */
export async function readGitSetting(folder: string, name: string, { userHome, xdgConfigHome }: ConfigPlaces): Promise<GitSetting> {
  const git = await findGitDir(folder);
  const entries: Entry[] = [];
  const read = async (file: string) => void entries.push(...(await entriesIn(file, { userHome, isConditional: false, depth: 0 })));
  for (const file of SYSTEM_FILES) await read(file);
  if (userHome !== null) {
    await read(join(xdgConfigHome || join(userHome, '.config'), 'git/config'));
    await read(join(userHome, '.gitconfig'));
  }
  if (git) {
    await read(join(git.commonDir, 'config'));
    const own = entries.findLast((entry) => entry.name === 'extensions.worktreeconfig');
    if (own && /^(?:true|yes|on|1|)$/i.test(own.value)) await read(join(git.gitDir, 'config.worktree'));
  }
  const found = entries.filter((entry) => entry.name === name);
  const last = found.findLast(({ isConditional }) => !isConditional);
  return {
    value: last ? homeResolved(last.value, userHome) : null,
    conditional: found.filter(({ isConditional }) => isConditional).map(({ value }) => homeResolved(value, userHome)),
  };
}

interface Entry {
  /** Section and key in small letters, a subsection as it is written. */
  readonly name: string;
  readonly value: string;
  readonly isConditional: boolean;
}

interface Reading {
  readonly userHome: string | null;
  readonly isConditional: boolean;
  readonly depth: number;
}

async function entriesIn(file: string, reading: Reading): Promise<Entry[]> {
  const { userHome, depth } = reading;
  const found = depth > INCLUDE_DEPTH ? null : await readPlainFile(file, CONFIG_MAX_BYTES, { follow: true });
  if (found?.kind !== 'file') return [];
  const entries: Entry[] = [];
  for (const [name, value] of parseGitConfig(Buffer.from(found.bytes).toString('utf8'))) {
    const isCondition = /^includeif\..*\.path$/s.test(name);
    if (name === 'include.path' || isCondition) {
      const included = resolve(file, '..', homeResolved(value, userHome));
      const isConditional = reading.isConditional || isCondition;
      entries.push(...(await entriesIn(included, { userHome, isConditional, depth: depth + 1 })));
    } else entries.push({ name, value, isConditional: reading.isConditional });
  }
  return entries;
}

const homeResolved = (value: string, userHome: string | null): string =>
  userHome !== null && /^~(?:\/|$)/.test(value) ? join(userHome, value.slice(1)) : value;

const SECTION = /\[\s*([\w.-]+)\s*(?:"((?:[^"\\\n]|\\.)*)"\s*)?\]/y;
const KEY = /([a-z][a-z\d-]*)[ \t]*(=?)/iy;
const ESCAPED: Readonly<Record<string, string>> = { n: '\n', t: '\t', b: '\b' };

/** Names and values in their order, up to the first thing that git would refuse. */
export function parseGitConfig(source: string): [name: string, value: string][] {
  const text = source.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
  const entries: [string, string][] = [];
  let section: string | null = null;
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    at += found?.[0].length ?? 0;
    return found;
  };
  for (take(BLANK); at < text.length; take(BLANK)) {
    const head = take(SECTION);
    if (head) {
      const [, name = '', subsection] = head;
      section = name.toLowerCase() + (subsection === undefined ? '' : `.${subsection.replaceAll(/\\(.)/g, '$1')}`);
      continue;
    }
    const key = take(KEY);
    if (!key || section === null) return entries;
    // A key alone means true.
    const value: string | null = key[2] ? valueAt() : 'true';
    if (value === null) return entries;
    entries.push([`${section}.${key[1]!.toLowerCase()}`, value]);
  }
  return entries;

  function valueAt(): string | null {
    let [value, spaces, isQuoted] = ['', '', false];
    for (take(/[ \t]*/y); at < text.length && (isQuoted || text[at] !== '\n'); at++) {
      const letter = text[at]!;
      if (!isQuoted && /[;#]/.test(letter)) {
        take(/[^\n]*/y);
        break;
      }
      if (!isQuoted && /[ \t\r]/.test(letter)) {
        if (value !== '') spaces += letter;
        continue;
      }
      if (letter === '\n') return null;
      value += spaces;
      spaces = '';
      if (letter === '"') isQuoted = !isQuoted;
      else if (letter !== '\\') value += letter;
      else {
        const next = text[++at] ?? '\n';
        if (!/[\n"\\ntb]/.test(next)) return null;
        value += next === '\n' ? '' : (ESCAPED[next] ?? next);
      }
    }
    return isQuoted ? null : value;
  }
}

const BLANK = /(?:[ \t\r\n]|[#;][^\n]*)*/y;
