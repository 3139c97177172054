// What policies learn about the files of an action, and what happened to those files afterwards.

import { createHash, hash } from 'node:crypto';
import { closeSync, createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { FileRef, FileObservation, Resource } from '../protocol/index.ts';
import { changedRanges } from './changes.ts';
import { governanceRule } from './governance.ts';
import { inScope, NO_PATH_CONFIG, type PathConfig } from './path-class.ts';
import { contentOf, openPlainFile } from './plain-file.ts';
import { whyPrivate } from './private-place.ts';
import { resolveInRoot } from './real-path.ts';
import { scratchFolderOf } from './scratch.ts';

/** Larger files are hashed without being held in memory, and their changes are not listed line by line. */
export const PRE_IMAGE_MAX_BYTES = 16 * 1024 * 1024;
/** For all files of one action together. */
const PRE_IMAGES_MAX_BYTES = 4 * PRE_IMAGE_MAX_BYTES;

export interface FileFactsInput {
  readonly root: string;
  readonly cwd: string;
  readonly resources: readonly Resource[];
  /** The selected intent's globs; null when no intent is selected. */
  readonly scope: readonly string[] | null;
  /** Derived paths and companions from a human's settings, added to the defaults. */
  readonly paths?: PathConfig;
  /** Real folders outside the root that hold keys and the ledger: not even readable. */
  readonly privateFolders?: readonly string[];
  /** What secrets are kept at an absolute path; null: none. */
  readonly secretIn?: (absolute: string) => string | null;
  /** Called with the content of every file that is read, unless it is too large. */
  readonly onRead?: (sha256: string, bytes: Uint8Array) => void;
}

export interface GatheredFiles {
  readonly facts: FileObservation[];
  /** Contents of the files that may change, by real path. */
  readonly preImages: Map<string, Uint8Array>;
}

export async function gatherFileFacts(input: FileFactsInput): Promise<GatheredFiles> {
  const facts: FileObservation[] = [];
  const preImages = new Map<string, Uint8Array>();
  let room = PRE_IMAGES_MAX_BYTES;
  for (const resource of input.resources) {
    if (resource.kind !== 'file') continue;
    const { path, access } = resource;
    const place = await resolveInRoot(input.root, path, input.cwd);
    const isPrivate = await whyPrivate(place, resource, input.privateFolders ?? []);
    const governance = isPrivate ?? (place.real === null ? null : governanceRule(place.real, access));
    const what = access === 'read' && place.absolute !== null ? (input.secretIn?.(place.absolute) ?? null) : null;
    const secret = what === null ? {} : { secret: what };
    const refuse = (unresolved: string | null): void =>
      void facts.push({ path, access, real: null, unresolved, governance, scope_glob: null, sha256: null, ...secret });

    const scratch =
      access === 'read' || place.real !== null || place.absolute === null ? null : scratchFolderOf(place.absolute, input.root);
    if (scratch !== null && governance === null)
      facts.push({ path, access, real: null, unresolved: null, governance, scope_glob: `${scratch}/**`, sha256: null });
    else if (place.real === null) refuse(place.unresolved);
    // Deleting one name of a file leaves the others as they are.
    else if (place.hardLinked && access === 'write') refuse('it has other hard links, so that writing to it would change another file too');
    else {
      const content = await readContent(join(input.root, place.real));
      if (content.kind === 'unreadable') refuse(`it ${content.why}`);
      else {
        const scope_glob = input.scope === null ? null : (inScope(input.scope, place.real, input.paths ?? NO_PATH_CONFIG)?.glob ?? null);
        facts.push({
          path,
          access,
          real: place.real,
          unresolved: null,
          governance,
          scope_glob,
          sha256: content.sha256,
          ...(content.executable ? { executable: true } : {}),
          ...secret,
        });
        if (access === 'read' && governance === null && content.bytes && content.sha256) input.onRead?.(content.sha256, content.bytes);
        if (access !== 'read' && content.bytes && content.bytes.length <= room && !preImages.has(place.real)) {
          room -= content.bytes.length;
          preImages.set(place.real, content.bytes);
        }
      }
    }
  }
  return { facts, preImages };
}

export interface ComparedFile {
  readonly ref: FileRef;
  /** Null when there was none, or it was not kept. */
  readonly before: Uint8Array | null;
  /** Null when there is none, or it is too large. */
  readonly after: Uint8Array | null;
}

/** The files of the facts that really changed, with their new state. `preImage` finds a content by its hash. */
export async function compareFiles(
  root: string,
  before: readonly FileObservation[],
  preImage: (sha256: string) => Promise<Uint8Array | null>,
): Promise<ComparedFile[]> {
  const refs = new Map<string, ComparedFile>();
  for (const fact of before) {
    if (fact.real === null || fact.access === 'read' || refs.has(fact.real)) continue;
    const place = await resolveInRoot(root, fact.real, root);
    // Something else is there now; the action was not about a link's target.
    const content =
      place.real === fact.real ? await readContent(join(root, fact.real)) : ({ kind: 'content', sha256: null, bytes: null } as const);
    if (content.kind === 'unreadable' || content.sha256 === fact.sha256) continue;
    const old = fact.sha256 === null ? null : await preImage(fact.sha256);
    // Without the old content every line would look new.
    const known = content.bytes !== null && (fact.sha256 === null || old !== null);
    refs.set(fact.real, {
      ref: {
        path: fact.real,
        before_sha256: fact.sha256,
        after_sha256: content.sha256,
        ranges: known ? changedRanges(old, content.bytes) : [],
        ...(content.sha256 === null && fact.executable ? { executable: true } : {}),
      },
      before: old,
      after: content.bytes,
    });
  }
  return [...refs.values()];
}

type Content =
  | { readonly kind: 'content'; readonly sha256: string | null; readonly bytes: Uint8Array | null; readonly executable?: boolean }
  | { readonly kind: 'unreadable'; readonly why: string };

async function readContent(path: string): Promise<Content> {
  const opened = openPlainFile(path);
  if (opened.kind === 'missing') return { kind: 'content', sha256: null, bytes: null };
  // A folder has no content of its own.
  if (opened.kind === 'unreadable') return opened.why === 'is a folder' ? { kind: 'content', sha256: null, bytes: null } : opened;
  const { fd, size, mode } = opened;
  const executable = (mode & 0o100) !== 0;
  try {
    if (size <= PRE_IMAGE_MAX_BYTES) {
      const bytes = await contentOf(opened);
      return { kind: 'content', sha256: hash('sha256', bytes), bytes, executable };
    }
    const whole = createHash('sha256');
    for await (const chunk of createReadStream('', { fd, autoClose: false })) whole.update(chunk as Uint8Array);
    return { kind: 'content', sha256: whole.digest('hex'), bytes: null, executable };
  } finally {
    closeSync(fd);
  }
}
