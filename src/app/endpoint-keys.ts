// Keys of model endpoints: one private file in the daemon's folder. Each key is bound to a host, and is given out for that host alone.

import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Redactor } from '../kernel/index.ts';
import { writePrivateFile } from '../workspace/index.ts';

const KeyFile = z.record(z.string(), z.strictObject({ host: z.string(), key: z.string() }));
type Keys = z.infer<typeof KeyFile>;

export interface EndpointKeys {
  readonly keyFor: (id: string, host: string) => Promise<string | null>;
  readonly set: (id: string, host: string, key: string | null) => Promise<void>;
  readonly remove: (id: string) => Promise<void>;
}

export async function openEndpointKeys(file: string, redactor: Redactor): Promise<EndpointKeys> {
  let keys: Keys = await readKeys(file);
  for (const { key } of Object.values(keys)) redactor.hold('endpoint-key', key);
  const write = async (next: Keys) => {
    await writePrivateFile(file, JSON.stringify(next));
    keys = next;
  };
  return {
    keyFor: async (id, host) => (keys[id]?.host === host ? keys[id].key : null),
    set: async (id, host, key) => {
      const { [id]: _before, ...others } = keys;
      if (key !== null) redactor.hold('endpoint-key', key);
      await write(key === null ? others : { ...others, [id]: { host, key } });
    },
    remove: async (id) => {
      const { [id]: gone, ...others } = keys;
      if (gone) await write(others);
    },
  };
}

async function readKeys(file: string): Promise<Keys> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? {} : KeyFile.parse(JSON.parse(text));
}
