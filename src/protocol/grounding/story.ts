// What a person or a client is shown of a story: the tree, a file, the outline, the canon index.

import { z } from 'zod';
import { Sha256 } from '../ids.ts';
import { CanonStatus } from './canon.ts';

const here = { cwd: z.string() };

/** `virtual`: made from `source`, which is a file. */
const VfsRow = z.strictObject({ path: z.string(), kind: z.enum(['file', 'virtual']), source: z.string().optional() });

const VfsContent = z.strictObject({
  path: z.string(),
  content: z.string(),
  lines: z.int(),
  sha256: Sha256,
  /** Of a scene in a manuscript: line `first_line` is line `source_line` there. */
  source: z.strictObject({ path: z.string(), source_line: z.int(), first_line: z.int() }).optional(),
});

const OutlineRow = z.strictObject({
  number: z.int().nullable(),
  title: z.string(),
  pov: z.string().nullable(),
  beats: z.array(z.string()),
  part: z.string().nullable(),
  line: z.int(),
  end_line: z.int(),
});

/** `content` is the file's text in the VFS, byte for byte. */
const OutlineContent = z.strictObject({
  path: z.string(),
  content: z.string(),
  sha256: Sha256,
  parts: z.array(z.strictObject({ title: z.string(), line: z.int() })),
  entries: z.array(OutlineRow),
  problems: z.array(z.strictObject({ problem: z.string(), message: z.string(), line: z.int(), quote: z.string() })),
});

export const STORY_QUERIES = {
  vfs_tree: { input: z.strictObject(here), output: z.array(VfsRow) },
  vfs_file: { input: z.strictObject({ ...here, path: z.string().min(1) }), output: VfsContent },
  story_outline: { input: z.strictObject(here), output: OutlineContent },
  canon_index_status: { input: z.strictObject(here), output: CanonStatus },
} as const;
