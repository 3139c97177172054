// Writes one setting into a layer of `.ai/config`. What else the file has stays as it is: the file is a human's.

import { join } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { z } from 'zod';
import { type CONFIG_LAYERS, ConfigLayer, Fault } from '../protocol/index.ts';
import { type Document, ensureFolder, readDocument, replaceFile, textOf } from './document.ts';
import { knownKeys, parseLayer, unknownKey } from './read-config.ts';

export const CONFIG_SCHEMA_FILE = '.ai/config/schema.json';

export interface NewSetting {
  readonly file: (typeof CONFIG_LAYERS)[number];
  readonly key: string;
  /** Null where the setting may be null; undefined removes it from the file. */
  readonly value: unknown;
}

export async function writeSetting(root: string, { file, key, value }: NewSetting): Promise<void> {
  if (!knownKeys().includes(key))
    throw new Fault('BAD_REQUEST', `${key} ${unknownKey([], key)}.`, { fix: 'countersign config show lists all settings' });
  const before = await readDocument(root, file);
  const text = before === null ? '{}\n' : textOf(file, before.bytes);
  // A file that is wrong already would be blamed on this value.
  parseLayer(file, text);
  const edits = modify(text, key.split('.'), value, { formattingOptions: { insertSpaces: true, tabSize: 2, eol: '\n' } });
  const next = applyEdits(text, edits);
  parseLayer(file, next);
  await replace(root, file, before, next);
  const schema = await readDocument(root, CONFIG_SCHEMA_FILE);
  if (schema === null || textOf(CONFIG_SCHEMA_FILE, schema.bytes) !== configSchema())
    await replace(root, CONFIG_SCHEMA_FILE, schema, configSchema());
}

/** The JSON Schema of a layer, for editors: `"$schema": "./schema.json"`. */
export const configSchema = (): string => `${JSON.stringify(z.toJSONSchema(ConfigLayer), null, 2)}\n`;

async function replace(root: string, file: string, before: Document | null, text: string): Promise<void> {
  await ensureFolder(root, '.ai/config');
  await replaceFile(join(root, file), before, new TextEncoder().encode(text));
}
