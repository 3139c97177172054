// `tinyTasks.md`: the only source of tasks; people edit it while agents follow it. Finished lists move to an archive.

import { join } from 'node:path';
import { Fault, type TaskList } from '../protocol/index.ts';
import { ensureFolder, readDocument, replaceFile, syncFolder, textOf } from './document.ts';
import { archiveFinished } from './edit-tasks.ts';
import { parseOnce } from './parse-once.ts';
import { openToAppend } from './plain-file.ts';
import { parseTasks } from './tasks-document.ts';
import { TASKS_ARCHIVE_FILE, TASKS_FILE } from './own-files.ts';

const ARCHIVE_FOLDER = '.orchestration';

const listsIn = parseOnce((text): readonly TaskList[] => parseTasks(text));

/** Null when there is no such file; a DOCUMENT_INVALID fault names the line of what cannot be read. */
export async function readTasks(root: string): Promise<{ lists: readonly TaskList[]; text: string } | null> {
  const document = await readDocument(root, TASKS_FILE);
  if (document === null) return null;
  const text = textOf(TASKS_FILE, document.bytes);
  return { lists: listsIn(text), text };
}

/** `change` gets the text, null when there is no file. CONFLICT when the file has changed since it was read; that change is kept. */
export async function changeTasks<T extends { readonly text: string }>(root: string, change: (text: string | null) => T): Promise<T> {
  const document = await readDocument(root, TASKS_FILE);
  const text = document === null ? null : textOf(TASKS_FILE, document.bytes);
  const changed = change(text);
  if (changed.text !== text) await replaceFile(join(root, TASKS_FILE), document, Buffer.from(changed.text));
  return changed;
}

/** Moves a finished list to the archive. INVARIANT: it is in the archive, and on the disk, before it leaves the file. */
export async function archiveTasks(root: string, list: TaskList): Promise<void> {
  const document = await readDocument(root, TASKS_FILE);
  const { text, section } = archiveFinished(document === null ? null : textOf(TASKS_FILE, document.bytes), list);
  await appendToArchive(root, section.endsWith('\n') ? section : `${section}\n`);
  await replaceFile(join(root, TASKS_FILE), document, Buffer.from(text));
}

async function appendToArchive(root: string, section: string): Promise<void> {
  await ensureFolder(root, ARCHIVE_FOLDER);
  const handle = await openToAppend(join(root, TASKS_ARCHIVE_FILE));
  if (handle === null)
    throw new Fault('DOCUMENT_INVALID', `${TASKS_ARCHIVE_FILE} is not a plain file`, { fix: `Move ${TASKS_ARCHIVE_FILE} away` });
  try {
    const { size } = await handle.stat();
    const length = Math.min(size, Buffer.byteLength(section) + 2);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, size - length);
    const tail = buffer.toString('utf8', 0, bytesRead);
    const gap = size === 0 || tail.endsWith('\n\n') ? '' : tail.endsWith('\n') ? '\n' : '\n\n';
    // If the archive already ends with it, an earlier call was interrupted after this step, or found the file changed.
    if (!tail.endsWith(section)) await handle.appendFile(`${gap}${section}`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await syncFolder(join(root, ARCHIVE_FOLDER));
}
