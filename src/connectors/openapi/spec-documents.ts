// The documents that an API description consists of, read when a reference leads to them. Where they come from is for the caller to say.

import { parse as parseYaml } from 'yaml';
import { ConnectorFailure } from '../failure.ts';

/** The text at a place; the place itself may differ from what was asked for, after a redirect. */
export type ReadSpec = (place: string) => Promise<{ readonly place: string; readonly text: string }>;

export interface SpecPart {
  readonly value: unknown;
  /** The document that it is in: relative references start there. */
  readonly place: string;
  readonly pointer: string;
}

const MOST_DOCUMENTS = 100;
/** A few bytes of YAML aliases can stand for gigabytes. */
const YAML_ALIASES = 1_000;

export class SpecDocuments {
  readonly #read: ReadSpec;
  readonly #open = new Map<string, Promise<{ readonly place: string; readonly root: unknown }>>();

  constructor(read: ReadSpec) {
    this.#read = read;
  }

  async document(place: string): Promise<{ readonly place: string; readonly root: unknown }> {
    const known = this.#open.get(place);
    if (known) return known;
    if (this.#open.size >= MOST_DOCUMENTS)
      throw new ConnectorFailure('too_large', `The description has more than ${MOST_DOCUMENTS} documents.`, 'Name a smaller description');
    const opened = this.#read(place).then(({ place: at, text }) => ({ place: at, root: parseDocument(text, at) }));
    this.#open.set(place, opened);
    return opened;
  }

  /** What a reference means where it stands. */
  async follow(ref: string, from: string): Promise<SpecPart> {
    const [file, fragment = ''] = ref.split('#', 2) as [string, string?];
    const { place, root } = await this.document(file === '' ? from : joined(file, from));
    return { value: at(root, fragment, ref), place, pointer: fragment };
  }
}

/** References are addresses, relative to the document that they are in. */
function joined(file: string, from: string): string {
  if (URL.canParse(file)) return file;
  if (URL.canParse(from)) return new URL(file, from).href;
  // A path of the work tree, which may lead no further up than its root.
  const names = from.split('/').slice(0, -1);
  for (const name of decodeURIComponent(file).split('/')) {
    if (name === '..' && names.length === 0) throw unusable(`${JSON.stringify(file)} leads out of the work tree`);
    if (name === '..') names.pop();
    else if (name !== '.' && name !== '') names.push(name);
  }
  return names.join('/');
}

function at(root: unknown, fragment: string, ref: string): unknown {
  if (fragment !== '' && !fragment.startsWith('/')) throw unusable(`${JSON.stringify(ref)} is not a JSON pointer`);
  let value = root;
  for (const step of fragment.split('/').slice(1)) {
    const name = stepName(step);
    const object = value as Readonly<Record<string, unknown>> | null;
    if (typeof value !== 'object' || object === null || !Object.hasOwn(object, name))
      throw unusable(`${JSON.stringify(ref)} leads nowhere`);
    value = object[name];
  }
  return value;
}

/** A step of a JSON pointer, without its escapes. */
export const stepName = (step: string): string => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');

const unusable = (what: string): ConnectorFailure => new ConnectorFailure('bad_answer', `The reference ${what}.`, 'Fix the description');

function parseDocument(text: string, place: string): unknown {
  try {
    const root: unknown = /^\s*[{[]/.test(text)
      ? JSON.parse(text.replace(/^\uFEFF/, ''))
      : parseYaml(text, { maxAliasCount: YAML_ALIASES, logLevel: 'error' });
    if (typeof root === 'object' && root !== null) return root;
  } catch (error) {
    // What the parser says may quote the document: only where, not what.
    const [where = ''] = /at (?:position \d+|line \d+, column \d+)/.exec((error as Error).message) ?? [];
    throw new ConnectorFailure(
      'bad_answer',
      `${place} is neither valid JSON nor valid YAML${where && ` (${where})`}.`,
      'Fix the description',
    );
  }
  throw new ConnectorFailure('bad_answer', `${place} is not an API description.`, 'Name an OpenAPI or Swagger document');
}
