// `.orchestration/active_intents.yaml`: the editable form of what humans granted. What counts is the confirmed event in the
// ledger; this file is where people read it and propose changes.

import { join } from 'node:path';
import type { Intent } from '../protocol/index.ts';
import { ensureFolder, readDocument, replaceFile, textOf } from './document.ts';
import { insertIntent } from './insert-intent.ts';
import { parseIntents } from './intents-document.ts';
import { parseOnce } from './parse-once.ts';
import { updateIntent } from './update-intent.ts';
import { INTENTS_FILE } from './own-files.ts';

const intentsIn = parseOnce((text): readonly Intent[] => parseIntents(text).intents);

/** Null when there is no such file; a DOCUMENT_INVALID fault names the line of what cannot be read. */
export async function readIntentsFile(root: string): Promise<readonly Intent[] | null> {
  const document = await readDocument(root, INTENTS_FILE);
  return document === null ? null : intentsIn(textOf(INTENTS_FILE, document.bytes));
}

/** Refuses with CONFLICT when the id is taken or the file has changed since it was read. */
export async function addIntentToFile(root: string, intent: Intent): Promise<void> {
  await ensureFolder(root, '.orchestration');
  const document = await readDocument(root, INTENTS_FILE);
  const text = insertIntent(document === null ? null : textOf(INTENTS_FILE, document.bytes), intent);
  await replaceFile(join(root, INTENTS_FILE), document, Buffer.from(text));
}

/** Writes the intent's current state to the file, adding it if missing. CONFLICT when the file has changed since it was read. */
export async function updateIntentInFile(root: string, intent: Intent): Promise<'written' | 'unchanged'> {
  await ensureFolder(root, '.orchestration');
  const document = await readDocument(root, INTENTS_FILE);
  const text = document === null ? null : textOf(INTENTS_FILE, document.bytes);
  const isThere = text !== null && parseIntents(text).intents.some(({ id }) => id === intent.id);
  const next = isThere ? updateIntent(text, intent) : insertIntent(text, intent);
  if (next === text) return 'unchanged';
  await replaceFile(join(root, INTENTS_FILE), document, Buffer.from(next));
  return 'written';
}
