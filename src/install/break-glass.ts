// Break-glass with the daemon dead: hooks are removed so that agents can continue, and a note says so. The note is not signed: the next
// daemon records it as an unproven note, and restores the hooks when its time is over or a human ends it.
//
// The note names files and never what to write into them: otherwise anyone who can write it could make the daemon write anything.

import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { hookAdapters, type WiredFile } from '../agents/index.ts';
import { Fault, Instant } from '../protocol/index.ts';
import { descentOf } from '../sandbox/index.ts';
import { writePrivateFile } from '../workspace/index.ts';
import { isShared, wirePaths } from './wiring/program-paths.ts';
import { planFile, readWired, stateOf, type WirePlaces } from './wiring/wired-file.ts';
import { writeChange } from './wiring/write-change.ts';

const Note = z.strictObject({
  command: z.enum(['pause', 'init --undo']),
  root: z.string(),
  from: Instant,
  until: Instant.nullable(),
  reason: z.string().max(500),
  files: z.array(z.strictObject({ file: z.string(), place: z.enum(['workspace', 'home']), shared: z.boolean() })).max(100),
});
export type Note = z.infer<typeof Note>;

const folderIn = (home: string): string => path.join(home, 'break-glass');

export async function leaveNote(home: string, note: Note): Promise<void> {
  await mkdir(folderIn(home), { recursive: true, mode: 0o700 });
  await writePrivateFile(path.join(folderIn(home), `${randomBytes(8).toString('hex')}.json`), `${JSON.stringify(note, null, 2)}\n`);
}

const hookFiles = (): WiredFile[] =>
  [...hookAdapters.values()].flatMap(({ wiring }) => wiring.filter(({ holds }) => holds.includes('hooks')));

/** Writes the note first: a note about hooks that are still there is harmless. */
export async function removeHooks(home: string, places: WirePlaces, pause: Pick<Note, 'from' | 'until' | 'reason'>): Promise<string[]> {
  const wiredFiles = await Promise.all(hookFiles().map(async (wired) => ((await stateOf(wired, places)).wired ? [wired] : [])));
  const files = wiredFiles.flat();
  const named = files.map(async (wired) => {
    const { text } = await readWired(wired, places);
    return { file: wired.file, place: wired.place, shared: isShared(text ?? '', home) };
  });
  await leaveNote(home, { command: 'pause', root: places.root, ...pause, files: await Promise.all(named) });
  const shown = new Set<string>();
  // One after the other: two agents may share a file.
  for (const wired of files) {
    const change = await planFile(wired, places, null, []);
    if (change.before !== null) await writeChange(places, change);
    shown.add(change.file);
  }
  return [...shown];
}

/** Restores missing hooks; files that cannot be restored are listed by name. */
export async function restoreHooks(
  home: string,
  places: WirePlaces,
  files: Note['files'],
  observing: boolean,
): Promise<{ restored: string[]; left: string[] }> {
  const restored: string[] = [];
  const left: string[] = [];
  for (const wired of hookFiles()) {
    const named = files.find(({ file, place }) => wired.file === file && wired.place === place);
    if (!named) continue;
    try {
      if ((await stateOf(wired, places)).wired) continue;
      const change = await planFile(wired, places, wirePaths(named.shared, home, observing), []);
      await writeChange(places, change);
      restored.push(change.file);
    } catch {
      left.push(wired.file);
    }
  }
  return { restored, left };
}

/** For a human who ends it while there is still no daemon. The note stays, with its real end: the next daemon reports it. */
export async function endWithoutDaemon(home: string, places: WirePlaces): Promise<{ restored: string[]; left: string[] }> {
  const notes = (await readNotes(home)).filter(({ note }) => note.root === places.root && note.command === 'pause');
  const done = await restoreHooks(
    home,
    places,
    notes.flatMap(({ note }) => note.files),
    // Only the record says that it observes, and it is not being read now.
    false,
  );
  const until = new Date().toISOString();
  for (const { file, note } of notes) await writePrivateFile(file, `${JSON.stringify({ ...note, until }, null, 2)}\n`);
  return done;
}

export async function readNotes(home: string): Promise<{ readonly file: string; readonly note: Note }[]> {
  const names = await readdir(folderIn(home)).catch(() => []);
  const read = names.map(async (name) => {
    const file = path.join(folderIn(home), name);
    try {
      return [{ file, note: Note.parse(JSON.parse(await readFile(file, 'utf8'))) }];
    } catch {
      return [];
    }
  });
  return (await Promise.all(read)).flat().toSorted((a, b) => (a.note.from < b.note.from ? -1 : 1));
}

/** Without a daemon there is no state to check: any terminal that is connected to its own login is accepted. */
export function demandTerminal(command: string): void {
  const descent = descentOf(process.pid);
  if (!descent?.terminal || !descent.unbroken)
    throw new Fault('FORBIDDEN', `Without a daemon, ${command} is for a human in a terminal, and this is not a terminal.`, {
      fix: 'Run it in a terminal of your own',
    });
}
