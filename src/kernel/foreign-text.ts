// Which sessions read text from outside (a page, another server's tool, a command that reached another machine), and what each wrote
// afterwards. A page can tell an agent what to do, so a human who is asked about such code gets to know where it may come from.

import type { Action, CommandReading, Facts, Receipt } from '../protocol/index.ts';
import { forgetOldest } from './forget-oldest.ts';

/** Sessions, and files of each, that are kept. */
const KEEP = 500;
const SHOWN_CHARACTERS = 120;
const REACHES_OUT: ReadonlySet<string> = new Set(['NETWORK', 'PACKAGE_INSTALL']);

export class ForeignText {
  /** What each session read last from outside. */
  private readonly sources = new Map<string, string>();
  /** By session and real path: what had been read before it was written. */
  private readonly written = new Map<string, Map<string, string>>();

  /** An action has ended. `also`: sessions that get its output too, such as the one that started a sub-agent. */
  note(action: Action, command: CommandReading | null, receipt: Receipt | null, also: readonly string[]): void {
    const source = sourceOf(action, command);
    for (const session of source === null ? [] : [action.session, ...also]) {
      this.sources.delete(session);
      this.sources.set(session, source!);
    }
    forgetOldest(this.sources, KEEP, () => true);
    const before = this.sources.get(action.session);
    if (before === undefined || receipt === null || receipt.file_refs.length === 0) return;
    const files = this.written.get(action.session) ?? new Map<string, string>();
    for (const { path } of receipt.file_refs) files.set(path, before);
    forgetOldest(files, KEEP, () => true);
    this.written.set(action.session, files);
    forgetOldest(this.written, KEEP, () => true);
  }

  /** What of this action was written after such text: the files that it writes now, or those that its command names. */
  factFor({ session, root, resources }: Action, cwd: string): Pick<Facts, 'foreign_text'> {
    const source = this.sources.get(session);
    if (source === undefined) return {};
    const written = this.written.get(session);
    const files = resources.flatMap((resource): string[] => {
      if (resource.kind === 'file') return resource.access === 'write' ? [placeOf(resource.path, root, cwd)] : [];
      if (resource.kind !== 'command') return [];
      return [...namedIn(resource.command, root, cwd)].filter((path) => written?.has(path));
    });
    return files.length === 0 ? {} : { foreign_text: { source: written?.get(files[0]!) ?? source, files: files.slice(0, 10) } };
  }
}

function sourceOf({ resources }: Action, command: CommandReading | null): string | null {
  for (const resource of resources) {
    if (resource.kind === 'url') return shown(resource.url);
    if (resource.kind === 'other' && resource.shape_sha256 !== undefined) return shown(resource.name);
  }
  const part = command?.reasons.find(({ code }) => REACHES_OUT.has(code))?.part;
  return part === undefined ? null : shown(part);
}

const shown = (text: string): string => text.replaceAll(/\s+/g, ' ').slice(0, SHOWN_CHARACTERS).toWellFormed();

/** The words of the text, as paths from the root. */
function namedIn(text: string, root: string, cwd: string): Set<string> {
  const paths = text.split(/[\s'"`;|&()<>=]+/).filter((word) => word !== '' && word.length < 1_024);
  return new Set(paths.map((word) => placeOf(word, root, cwd)));
}

/** From the root where it is below it. Links are not followed: it names what a human reads. */
function placeOf(path: string, root: string, cwd: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (name === '..') names.pop();
    else if (name !== '' && name !== '.') names.push(name);
  }
  const absolute = `/${names.join('/')}`;
  return absolute.startsWith(`${root}/`) ? absolute.slice(root.length + 1) : absolute;
}
