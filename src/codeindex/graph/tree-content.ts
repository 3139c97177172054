// What the graph holds of a tree, kept up with the index: only files whose content is another are read again.

import { angularContent } from '../angular/angular-content.ts';
import type { AngularFacts } from '../angular/angular-facts.ts';
import { isForAngular, readAngularFiles } from '../angular/read-files.ts';
import type { TreeIndex } from '../model.ts';
import { anchorContent, type AnchorSettings } from './anchors.ts';
import { type FilePart, filePart } from './file-part.ts';
import type { GraphContent } from './graph-model.ts';
import { indexContent } from './index-content.ts';
import { NameResolver } from './name-resolver.ts';

export type GraphIndex = Pick<TreeIndex, 'status' | 'files' | 'facts' | 'text'>;

const FILES_AT_ONCE = 200;

export class TreeContent {
  readonly #index: GraphIndex;
  readonly #parts = new Map<string, FilePart>();
  readonly #angular = new Map<string, AngularFacts>();
  #built: { readonly revision: number; readonly parts: readonly GraphContent[]; readonly anchors: string } | null = null;
  /** Files that the Angular pack could not read. */
  unread: readonly string[] = [];

  constructor(index: GraphIndex) {
    this.#index = index;
  }

  /** The same array again while nothing changed. */
  async current(anchors: AnchorSettings): Promise<readonly GraphContent[]> {
    const { revision } = await this.#index.status();
    const settings = JSON.stringify(anchors);
    if (this.#built?.revision === revision && this.#built.anchors === settings) return this.#built.parts;
    const changed = await this.#takeIn();
    if (!this.#built || changed || this.#built.anchors !== settings)
      this.#built = { revision, anchors: settings, parts: this.#build(anchors) };
    else this.#built = { ...this.#built, revision };
    return this.#built.parts;
  }

  async #takeIn(): Promise<boolean> {
    const files = await this.#index.files();
    const now = new Set(files.map(({ path }) => path));
    const gone = [...this.#parts.keys()].filter((path) => !now.has(path));
    const changed = files.filter(({ path, sha256 }) => this.#parts.get(path)?.file.sha256 !== sha256).map(({ path }) => path);
    for (const path of [...gone, ...changed]) {
      this.#parts.delete(path);
      this.#angular.delete(path);
    }
    for (let at = 0; at < changed.length; at += FILES_AT_ONCE)
      for (const facts of await this.#index.facts(changed.slice(at, at + FILES_AT_ONCE))) this.#parts.set(facts.file.path, filePart(facts));
    await this.#readAngular(changed);
    return gone.length > 0 || changed.length > 0;
  }

  async #readAngular(changed: readonly string[]): Promise<void> {
    const files: { path: string; text: string }[] = [];
    for (const path of changed) {
      const part = this.#parts.get(path);
      const found = part && isForAngular(part) ? await this.#index.text(path) : null;
      if (found) files.push({ path, text: found.text });
    }
    const { facts, failed } = await readAngularFiles(files);
    for (const [path, each] of facts) this.#angular.set(path, each);
    this.unread = [...this.unread.filter((path) => this.#parts.has(path) && !changed.includes(path)), ...failed];
  }

  #build(anchors: AnchorSettings): readonly GraphContent[] {
    const resolver = new NameResolver(this.#parts.values());
    const input = { parts: this.#parts, facts: this.#angular, resolver };
    return [
      anchorContent([...this.#parts.keys()], anchors),
      indexContent(this.#parts.values(), resolver),
      ...(this.#angular.size > 0 ? [angularContent(input)] : []),
    ];
  }
}
