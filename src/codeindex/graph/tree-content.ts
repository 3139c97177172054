// What the graph holds of a tree, kept up with the index: only files whose content is another are read again.

import { loadPack } from '../load-packs.ts';
import type { TemplateFact, TreeIndex } from '../model.ts';
import type { GraphPack } from '../pack.ts';
import { anchorContent, type AnchorSettings } from './anchors.ts';
import { type FilePart, filePart } from './file-part.ts';
import type { GraphContent } from './graph-model.ts';
import { indexContent } from './index-content.ts';
import { NameResolver } from './name-resolver.ts';
import { readWithPack } from './read-with-pack.ts';

export type GraphIndex = Pick<TreeIndex, 'status' | 'files' | 'facts' | 'text'>;

const FILES_AT_ONCE = 200;

interface OpenPack {
  readonly address: string;
  readonly pack: GraphPack;
  /** By file; what each says is for the pack alone to know. */
  readonly facts: Map<string, unknown>;
}

export class TreeContent {
  readonly #index: GraphIndex;
  readonly #addresses: readonly string[];
  /** Loaded with the first scan. */
  #packs: readonly OpenPack[] | null = null;
  readonly #parts = new Map<string, FilePart>();
  #built: { readonly revision: number; readonly parts: readonly GraphContent[]; readonly anchors: string } | null = null;
  /** Files that a pack could not read. */
  unread: readonly string[] = [];

  constructor(index: GraphIndex, packs: readonly string[]) {
    this.#index = index;
    this.#addresses = packs;
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
    const packs = (this.#packs ??= await Promise.all(this.#addresses.map(openPack)));
    const keeps = (fact: TemplateFact): boolean => packs.some(({ pack }) => pack.keeps(fact));
    const files = await this.#index.files();
    const now = new Set(files.map(({ path }) => path));
    const gone = [...this.#parts.keys()].filter((path) => !now.has(path));
    const changed = files.filter(({ path, sha256 }) => this.#parts.get(path)?.file.sha256 !== sha256).map(({ path }) => path);
    for (const path of [...gone, ...changed]) {
      this.#parts.delete(path);
      for (const { facts } of packs) facts.delete(path);
    }
    for (let at = 0; at < changed.length; at += FILES_AT_ONCE)
      for (const facts of await this.#index.facts(changed.slice(at, at + FILES_AT_ONCE)))
        this.#parts.set(facts.file.path, filePart(facts, keeps));
    this.unread = this.unread.filter((path) => this.#parts.has(path) && !changed.includes(path));
    for (const each of packs) await this.#readWith(each, changed);
    return gone.length > 0 || changed.length > 0;
  }

  async #readWith({ address, pack, facts }: OpenPack, changed: readonly string[]): Promise<void> {
    const files: { path: string; text: string }[] = [];
    for (const path of changed) {
      const part = this.#parts.get(path);
      const found = part && pack.isFor(part) ? await this.#index.text(path) : null;
      if (found) files.push({ path, text: found.text });
    }
    const read = await readWithPack(address, files);
    for (const [path, found] of read) facts.set(path, found ?? pack.nothing);
    this.unread = [...new Set([...this.unread, ...[...read].flatMap(([path, found]) => (found === null ? [path] : []))])];
  }

  #build(anchors: AnchorSettings): readonly GraphContent[] {
    const resolver = new NameResolver(this.#parts.values());
    return [
      anchorContent([...this.#parts.keys()], anchors),
      indexContent(this.#parts.values(), resolver),
      ...(this.#packs ?? [])
        .filter(({ facts }) => facts.size > 0)
        .map(({ pack, facts }) => pack.content({ parts: this.#parts, facts, resolver })),
    ];
  }
}

const openPack = async (address: string): Promise<OpenPack> => ({
  address,
  pack: await (await loadPack(address)).graph(),
  facts: new Map(),
});
