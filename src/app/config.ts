// The settings that humans keep in `.ai/config`: base for everyone, repo for this repository, env.local for this machine.
// Later layers win key by key; lists are replaced whole. Whatever is not understood is an error that names file, line and key:
// a misspelt setting that is passed over in silence would be one that a human believes to be in force.

import { statSync } from 'node:fs';
import { z } from 'zod';
import { Fault, Proof } from '../protocol/index.ts';
import { parseJsonWithLines, readDocument, textOf } from '../workspace/index.ts';

export const CONFIG_LAYERS = ['.ai/config/base.json', '.ai/config/repo.json', '.ai/config/env.local.json'] as const;

/** A command, several, or true: whatever the workspace's own files name. False and null: none. */
const check = z.union([z.string().min(1), z.array(z.string().min(1)).min(1), z.boolean()]).nullable();
const globs = z.array(z.string().min(1));

const Settings = z.strictObject({
  mode: z.strictObject({
    /** The least that an agent may declare, short of PASSIVE. */
    minimum: z.enum(['GUARDED', 'STRICT']).nullable(),
    /** Holds every agent to observation. */
    pin: z.literal('PASSIVE').nullable(),
  }),
  approvals: z.strictObject({
    ttlSeconds: z
      .int()
      .min(1)
      .max(30 * 24 * 3600),
    /** Null: the strongest proof that is enrolled. */
    destructiveProof: Proof.nullable(),
  }),
  commands: z.strictObject({
    /** Whether commands that the gate runs may use the network. */
    network: z.boolean(),
    /** Commands that STRICT does not ask about. */
    allow: z.array(z.string().min(1)),
  }),
  quality: z.strictObject({ format: check, lint: check, typecheck: check, test: check }),
  paths: z.strictObject({
    /** Writable and summarised, but not traced. */
    derived: globs,
    /** Files that follow the scope of another: from a manifest's name to the names beside it. */
    companions: z.record(z.string().min(1), globs),
  }),
  ledger: z.strictObject({
    /** Null: kept for ever. */
    retentionDays: z.int().min(1).nullable(),
  }),
  memory: z.record(z.string(), z.unknown()),
  graph: z.strictObject({
    /** Null: the embedded graph alone. The password stands in `.ai/auth/neo4j.token`. */
    neo4j: z
      .strictObject({
        address: z.string().min(1).optional(),
        user: z.string().min(1).optional(),
        database: z.string().min(1).nullable().optional(),
      })
      .nullable(),
  }),
});
export type Config = z.infer<typeof Settings>;

/** One layer: any part of the settings. `$schema` is for editors. */
const Layer = z.strictObject({
  $schema: z.string().optional(),
  mode: Settings.shape.mode.partial().optional(),
  approvals: Settings.shape.approvals.partial().optional(),
  commands: Settings.shape.commands.partial().optional(),
  quality: Settings.shape.quality.partial().optional(),
  paths: Settings.shape.paths.partial().optional(),
  ledger: Settings.shape.ledger.partial().optional(),
  memory: Settings.shape.memory.optional(),
  graph: Settings.shape.graph.partial().optional(),
});

export const DEFAULT_CONFIG: Config = {
  mode: { minimum: null, pin: null },
  approvals: { ttlSeconds: 900, destructiveProof: null },
  commands: { network: false, allow: [] },
  quality: { format: true, lint: true, typecheck: true, test: true },
  // What every workspace has is known by name; these are more.
  paths: { derived: [], companions: {} },
  ledger: { retentionDays: null },
  memory: {},
  graph: { neo4j: null },
};

interface KnownConfig {
  readonly stamp: readonly number[];
  readonly config: Config;
}

/** Every action asks for the settings several times; what they were read as holds for as long as the files are the same. */
const known = new Map<string, KnownConfig>();
/** A file that is younger than this may change again without another time stamp. */
const SETTLED_AFTER_MS = 100;

export async function readConfig(root: string): Promise<Config> {
  // Before reading: a file that changes meanwhile has another stamp the next time.
  const stamp = stampOf(root);
  const seen = known.get(root);
  if (stamp !== null && seen && stamp.every((part, at) => part === seen.stamp[at])) return seen.config;
  const config = await readLayers(root);
  if (stamp === null) known.delete(root);
  else known.set(root, { stamp, config });
  return config;
}

/** Which files the layers are, and as of when; null when that cannot be told, or not yet. Looks only, so that it costs microseconds. */
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
  return Settings.parse(merged);
}

function parseLayer(file: string, text: string): z.infer<typeof Layer> {
  const { value, lineOf } = parseJsonWithLines(file, text);
  const parsed = Layer.safeParse(value);
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
      fix: `Mend ${file}; the settings are: ${knownKeys().join(', ')}`,
    },
  );
}

function unknownKey(path: readonly PropertyKey[], key: string): string {
  const full = [...path.map(String), key].join('.');
  const candidates = knownKeys().flatMap((known) => [known, known.split('.')[0] ?? known]);
  const [nearest] = candidates.map((known) => ({ known, distance: editDistance(full, known) })).toSorted((a, b) => a.distance - b.distance);
  return `is not a setting${nearest ? `; the nearest is ${nearest.known}` : ''}`;
}

const knownKeys = (): string[] =>
  Object.entries(Settings.shape).flatMap(([section, schema]) =>
    schema instanceof z.ZodObject ? Object.keys(schema.shape).map((key) => `${section}.${key}`) : [`${section}.*`],
  );

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length] ?? 0;
}

function merge(below: Record<string, unknown>, above: Record<string, unknown>): Record<string, unknown> {
  const result = { ...below };
  for (const [key, value] of Object.entries(above)) {
    const under = result[key];
    result[key] = isRecord(under) && isRecord(value) ? merge(under, value) : value;
  }
  return result;
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
