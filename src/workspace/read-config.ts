// Reads the settings of `.ai/config`. Later layers win key by key; lists are replaced whole. Anything unknown is an error that names file,
// line and key: a human would believe that an ignored, misspelt setting is in force.

import { statSync } from 'node:fs';
import { Config, CONFIG_LAYERS, ConfigLayer, DEFAULT_CONFIG, Fault } from '../protocol/index.ts';
import { readDocument, textOf } from './document.ts';
import { editDistance } from './edit-distance.ts';
import { parseJsonWithLines } from './json-lines.ts';

interface KnownConfig {
  readonly stamp: readonly number[];
  readonly config: Config;
}

/** Every action needs the settings several times; the parsed result is reused while the files are unchanged. */
const known = new Map<string, KnownConfig>();
/** A file that is younger than this may change again without another time stamp. */
const SETTLED_AFTER_MS = 100;

export async function readConfig(root: string): Promise<Config> {
  // Before reading: a file that changes during the read has another stamp next time.
  const stamp = stampOf(root);
  const seen = known.get(root);
  if (stamp !== null && seen && stamp.every((part, at) => part === seen.stamp[at])) return seen.config;
  const config = await readLayers(root);
  if (stamp === null) known.delete(root);
  else known.set(root, { stamp, config });
  return config;
}

/** Which files the layers are, with their stamps; null when that is unknown, or not yet certain. Only stats files: microseconds. */
function stampOf(root: string): readonly number[] | null {
  const settled = Date.now() - SETTLED_AFTER_MS;
  const stamp: number[] = [];
  try {
    for (const file of CONFIG_LAYERS) {
      const found = statSync(`${root}/${file}`, { throwIfNoEntry: false });
      if (found && found.ctimeMs > settled) return null;
      if (found) stamp.push(found.dev, found.ino, found.size, found.mtimeMs, found.ctimeMs);
      else stamp.push(0, 0, 0, 0, 0);
    }
    return stamp;
  } catch {
    return null;
  }
}

async function readLayers(root: string): Promise<Config> {
  let merged: Record<string, unknown> = structuredClone(DEFAULT_CONFIG);
  for (const file of CONFIG_LAYERS) {
    const document = await readDocument(root, file);
    if (document === null) continue;
    const { $schema: _, ...layer } = parseLayer(file, textOf(file, document.bytes));
    merged = merge(merged, layer);
  }
  return Config.parse(merged);
}

export interface SettingOrigin {
  /** `commands.network`. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
}

/** Which line of which file gives each setting that a file sets; the last layer that has it. */
export async function configOrigins(root: string): Promise<readonly SettingOrigin[]> {
  const origins = new Map<string, SettingOrigin>();
  for (const file of CONFIG_LAYERS) {
    const document = await readDocument(root, file);
    if (document === null) continue;
    const text = textOf(file, document.bytes);
    const { $schema: _, ...layer } = parseLayer(file, text);
    const { lineOf } = parseJsonWithLines(file, text);
    for (const [section, values] of Object.entries(layer))
      for (const name of Object.keys(values ?? {}))
        origins.set(`${section}.${name}`, { key: `${section}.${name}`, file, line: lineOf([section, name]) });
  }
  return [...origins.values()];
}

/** One layer. Throws a fault that names file, line and key. */
export function parseLayer(file: string, text: string): ConfigLayer {
  const { value, lineOf } = parseJsonWithLines(file, text);
  const parsed = ConfigLayer.safeParse(value);
  if (parsed.success) return parsed.data;
  const complaints = parsed.error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ path: [...issue.path, key], what: unknownKey(issue.path, key) }))
      : [{ path: issue.path, what: issue.message }],
  );
  throw new Fault(
    'DOCUMENT_INVALID',
    complaints.map(({ path, what }) => `${file}:${lineOf(path)}: ${path.map(String).join('.') || 'the file'}: ${what}`).join('\n'),
    {
      fix: `Fix ${file}; countersign config show lists all settings`,
    },
  );
}

/** Completing a sentence that begins with the key. */
export function unknownKey(path: readonly PropertyKey[], key: string): string {
  const full = [...path.map(String), key].join('.');
  const candidates = knownKeys().flatMap((known) => [known, known.split('.')[0] ?? known]);
  const [nearest] = candidates.map((known) => ({ known, distance: editDistance(full, known) })).toSorted((a, b) => a.distance - b.distance);
  return `is not a setting${nearest && nearest.distance <= full.length / 2 ? `; the nearest is ${nearest.known}` : ''}`;
}

/** `commands.network`, `memory.rejectionThreshold`. */
export const knownKeys = (): string[] =>
  Object.entries(Config.shape).flatMap(([section, schema]) =>
    'shape' in schema ? Object.keys(schema.shape).map((key) => `${section}.${key}`) : [`${section}.*`],
  );

function merge(below: Record<string, unknown>, above: Record<string, unknown>): Record<string, unknown> {
  const result = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = result[key];
    result[key] = isRecord(under) && isRecord(value) ? merge(under, value) : value;
  }
  return result;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
