// Agents that put commands behind walls of their own: their settings describe the walls of each work tree, and follow its active intents.
//
// INVARIANT: a command counts as walled only if the agent's own record of the session says so for this call, and the walls there open
// nothing that would be closed now.

import { lstat, mkdir, open, readFile, realpath } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import os from 'node:os';
import path from 'node:path';
import type { HookAdapter, ProfileWalls, WallProfile } from '../../agents/index.ts';
import { writePrivateFile } from '../../workspace/index.ts';

/** Where commands of such an agent keep temporary files: nothing that was there before is in it. */
export const profileTemp = (root: string): string =>
  path.join(os.tmpdir(), `countersign-${process.getuid?.() ?? 0}-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`);

/** Until the daemon has written what the intents open. */
export const firstProfile = (root: string, home: string): ProfileWalls => ({ writable: [profileTemp(root)], closed: [], hidden: [home] });

export interface ProfileParts {
  readonly adapters: readonly HookAdapter[];
  readonly userHome: string;
  /** What the active intents of this work tree open now. */
  readonly wallsOf: (root: string) => Promise<ProfileWalls>;
  /** Hidden from every command. */
  readonly privateFolders: readonly string[];
}

export interface ProfiledCall {
  /** The agent's record of the session. */
  readonly transcript?: string | undefined;
  readonly callId?: string | undefined;
}

export class AgentProfiles {
  private readonly parts: ProfileParts;
  private writing: Promise<void> = Promise.resolve();

  constructor(parts: ProfileParts) {
    this.parts = parts;
  }

  /** Writes what the intents open now, wherever `init` has written walls for this work tree. One at a time: all trees share a file. */
  sync(root: string): Promise<void> {
    this.writing = this.writing.then(() => this.write(root)).catch(() => {});
    return this.writing;
  }

  /** Why a call has no walls; null: it has. */
  async whyMissing(profile: WallProfile, root: string, { transcript, callId }: ProfiledCall): Promise<string | null> {
    const settings = await textIn(path.join(this.parts.userHome, profile.file));
    if (settings === null || !profile.isWired(settings, root))
      return 'the agent’s settings do not describe them; countersign init writes it';
    await this.sync(root);
    if (transcript === undefined) return null;
    const found = profile.inForce(await recordOf(transcript), root, callId);
    if (found.kind === 'none') return found.why;
    const wanted = await this.parts.wallsOf(root);
    const isWithin = (place: string, of: readonly string[]) => of.some((each) => `${place}/`.startsWith(`${each}/`));
    const wider = found.writable.find((place) => !isWithin(place, wanted.writable) || wanted.closed.includes(place));
    if (wider !== undefined) return `the agent was started when ${wider} could be written; start it again`;
    const shown = this.parts.privateFolders.find((place) => wanted.hidden.includes(place) && !isWithin(place, found.hidden));
    return shown === undefined ? null : `the agent was started when ${shown} could be read; start it again`;
  }

  private async write(root: string): Promise<void> {
    for (const { profile } of this.parts.adapters) {
      if (!profile) continue;
      const named = path.join(this.parts.userHome, profile.file);
      const file = await realpath(named).catch(() => named);
      const before = await textIn(file);
      if (before === null || !profile.isWired(before, root)) continue;
      await makePrivate(profileTemp(root));
      const walls = await this.parts.wallsOf(root);
      // Again: the agent writes to it too.
      const now = await textIn(file);
      const after = now === null ? null : profile.write(now, root, walls);
      if (after !== null && after !== now) await writePrivateFile(file, after);
    }
  }
}

const textIn = (file: string): Promise<string | null> => readFile(file, 'utf8').catch(() => null);

const TAIL_BYTES = 4 * 1024 * 1024;

/** Its end; all of it where a long turn began earlier. */
async function recordOf(file: string): Promise<string> {
  try {
    await using handle = await open(file, 'r');
    const { size } = await handle.stat();
    const read = async (bytes: number) => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, size - bytes);
      return buffer.subarray(0, bytesRead).toString('utf8');
    };
    const tail = await read(Math.min(size, TAIL_BYTES));
    return tail.includes('"turn_context"') ? tail : await read(Math.min(size, 16 * TAIL_BYTES));
  } catch {
    return '';
  }
}

/** In a folder that others write to: only one that is ours is used. */
async function makePrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0)
    throw new Error(`${folder} belongs to somebody else`);
}
