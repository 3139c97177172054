// When something that cannot be undone is only ordinary work: the content is kept, tools make it again, or it was temporary.

import { inScope, NO_PATH_CONFIG, pathClass } from '../workspace/index.ts';
import type { Finding } from './judgement.ts';
import { isScratch, type Place, type PlacedWrite, placeWrite } from './resolve-writes.ts';
import type { Folder } from './working-folder.ts';
import type { WriteTarget } from './write-target.ts';

/** Tools make these again. */
const REMADE = /(?:\.(?:pyc|pyo|o|obj|class|tsbuildinfo)|^\.DS_Store)$/;
/** Copies and logs that tools and editors leave. */
const LEFT = /(?:\.(?:bak|orig|rej|tmp|temp|log|swp|swo|old|pid|dmp)|~)$/;
/** Folders that hold what was built or printed. */
const OUTPUT = /(?:^|\/)(?:build|out|output|tmp|temp|logs|reports?|results|artifacts|coverage|dist)$/;

export class Milder {
  readonly #targets: readonly WriteTarget[];
  readonly #governed: boolean;
  readonly #folder: Folder;
  readonly #place: Place | null;

  /** `targets` are empty where other files may be written too; `governed`: each is known, and in scope. */
  constructor(targets: readonly WriteTarget[], governed: boolean, folder: Folder, place: Place | null) {
    this.#targets = targets;
    this.#governed = governed;
    this.#folder = folder;
    this.#place = place;
  }

  /** Null: it is as bad as it says. */
  messageOf({ restorable, remakeable, temporary, leftover }: Finding): string | null {
    if (this.#targets.length === 0 || (this.#place?.scope ?? null) === null) return null;
    if (restorable !== undefined && this.#governed) return restorable;
    if (temporary !== undefined && this.#all((write) => this.#isTemporary(write))) return temporary;
    if (remakeable !== undefined && this.#all((write) => this.#isDerived(write))) return remakeable;
    return leftover !== undefined && this.#targets.every((target) => this.#isLeftover(target)) ? leftover : null;
  }

  #all(test: (placed: PlacedWrite) => boolean): boolean {
    return this.#targets.every((target) => placeWrite(target, this.#folder, this.#place!).every(test));
  }

  /** Of a folder: what is below it. */
  #isDerived({ write, outside }: PlacedWrite): boolean {
    return write.known && outside === null && pathClass(`${write.resolved}/x`, this.#place!.paths ?? NO_PATH_CONFIG) === 'derived';
  }

  /** Below a scratch folder, not the folder itself; a pattern in a folder there too. */
  #isTemporary({ write, outside }: PlacedWrite): boolean {
    const { resolved } = write;
    if (resolved === null || outside !== null || !resolved.startsWith('/')) return false;
    const folder = resolved.replace(/\/[^/]*[*?[][^]*$/, '');
    return isScratch(folder, this.#place!) && (write.known || folder !== resolved);
  }

  #isLeftover(target: WriteTarget): boolean {
    const { scope, paths = NO_PATH_CONFIG } = this.#place!;
    return placeWrite(target, this.#folder, this.#place!).every(({ write, outside }) => {
      const { resolved } = write;
      if (resolved === null || outside !== null || /^[/~]/.test(resolved)) return false;
      const parts = resolved.split('/');
      const name = target.only ?? parts.at(-1)!;
      const folder = target.only === undefined ? parts.slice(0, -1).join('/') : resolved;
      if (!/[*?]/.test(name) || /[*?[{]/.test(folder)) return false;
      if (REMADE.test(name)) return true;
      const isOwn = inScope(scope ?? [], folder === '' || folder === '.' ? 'some-name' : `${folder}/some-name`, paths) !== null;
      return isOwn && (LEFT.test(name) || (OUTPUT.test(folder) && name !== '*'));
    });
  }
}
