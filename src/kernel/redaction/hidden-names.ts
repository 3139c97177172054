// File names that contain a secret: the record has the mark, the disk has the file. A running daemon knows which file is meant; a
// restarted one does not, and reports nothing about that file rather than something wrong.

import { type FileObservation, isRedacted } from '../../protocol/index.ts';
import type { Redactor } from './redactor.ts';

const MAX_NAMES = 1_000;

type Named = Pick<FileObservation, 'path' | 'real'>;

export class HiddenNames {
  private readonly redactor: Redactor;
  private readonly originals = new Map<string, string>();

  constructor(redactor: Redactor) {
    this.redactor = redactor;
  }

  /** The name as it is recorded. */
  shown(name: string): string {
    const text = this.redactor.text(name);
    if (text === name) return name;
    this.originals.delete(text);
    this.originals.set(text, name);
    for (const oldest of this.originals.keys()) {
      if (this.originals.size <= MAX_NAMES) break;
      this.originals.delete(oldest);
    }
    return text;
  }

  shownFile<T extends Named>(file: T): T {
    const path = this.shown(file.path);
    const real = file.real === null ? null : this.shown(file.real);
    return path === file.path && real === file.real ? file : { ...file, path, real };
  }

  /** The files as they are on the disk, without those that are no longer known. */
  onDisk<T extends Named>(files: readonly T[]): T[] {
    return files.flatMap((file) => {
      const path = this.original(file.path);
      const real = file.real === null ? null : this.original(file.real);
      return path === undefined || real === undefined ? [] : path === file.path && real === file.real ? [file] : [{ ...file, path, real }];
    });
  }

  private original(name: string): string | undefined {
    return isRedacted(name) ? this.originals.get(name) : name;
  }
}
