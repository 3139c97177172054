// An API description, sliced by operation: the list of operations, or one operation with every schema that it needs. Swagger 2.0 is
// shown in the form of OpenAPI 3, so that a reader needs to know one form.

import { ConnectorFailure } from '../failure.ts';
import { bundleSchemas, type Bundled } from './bundle-schemas.ts';
import type { SpecDocuments } from './spec-documents.ts';

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly operationId: string | null;
  readonly summary: string | null;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
}

export interface SpecOverview {
  readonly title: string;
  readonly version: string;
  /** Of the form: `2.0`, `3.0.3`, `3.1.0`. */
  readonly form: string;
  readonly servers: readonly string[];
  readonly operations: readonly Operation[];
}

export interface OperationSlice extends Operation, Bundled {
  readonly description: string | null;
  readonly parameters: unknown;
  readonly requestBody: unknown;
  readonly responses: unknown;
  readonly security: unknown;
}

export type Node = Readonly<Record<string, unknown>>;
export const nodeOf = (value: unknown): Node | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Node) : null;
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
/** In YAML a version may be a number. */
const wordOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

interface Found {
  readonly operation: Operation;
  readonly given: Node;
  readonly shared: readonly unknown[];
  /** The document that it is in. */
  readonly place: string;
}

export class Spec {
  readonly overview: SpecOverview;
  readonly #found: readonly Found[];
  readonly #root: Node;
  readonly #documents: SpecDocuments;

  private constructor(root: Node, found: readonly Found[], documents: SpecDocuments) {
    this.#root = root;
    this.#found = found;
    this.#documents = documents;
    const info = nodeOf(root['info']);
    this.overview = {
      title: textOf(info?.['title']) ?? '',
      version: wordOf(info?.['version']),
      form: formOf(root)!,
      servers: serversOf(root),
      operations: found.map(({ operation }) => operation),
    };
  }

  static async open(documents: SpecDocuments, start: string): Promise<Spec> {
    const { place, root: given } = await documents.document(start);
    const root = nodeOf(given);
    if (!root || formOf(root) === null)
      throw new ConnectorFailure('bad_answer', `${start} is not an API description in Swagger 2.0 or OpenAPI 3.`, 'Name such a document');
    const found: Found[] = [];
    for (const [path, item] of Object.entries(nodeOf(root['paths']) ?? {}))
      found.push(...(await operationsOf(documents, path, item, place)));
    return new Spec(root, found, documents);
  }

  /** By `operationId`, or by method and path such as `GET /pets/{id}`. Null: there is no such operation. */
  async slice(wanted: string): Promise<OperationSlice | null> {
    const name = wanted.trim();
    const found =
      this.#found.find(({ operation }) => operation.operationId === name) ??
      this.#found.find(({ operation: { method, path } }) => `${method} ${path}`.toLowerCase() === name.replace(/\s+/g, ' ').toLowerCase());
    if (!found) return null;
    const { given, shared, place, operation } = found;
    const isOld = this.overview.form === '2.0';
    const parts = {
      parameters: [...shared, ...(Array.isArray(given['parameters']) ? given['parameters'] : [])],
      requestBody: given['requestBody'] ?? null,
      responses: given['responses'] ?? {},
    };
    const bundled = await bundleSchemas(this.#documents, parts, place);
    const { parts: made, ...rest } = bundled;
    const shown = isOld ? asOpenApi3(made as unknown as OldParts, given, this.#root) : made;
    return {
      ...operation,
      description: textOf(given['description']),
      ...(shown as Pick<OperationSlice, 'parameters' | 'requestBody' | 'responses'>),
      security: given['security'] ?? this.#root['security'] ?? null,
      ...rest,
    };
  }
}

const formOf = (root: Node): string | null => {
  const [swagger, openapi] = [wordOf(root['swagger']), wordOf(root['openapi'])];
  if (/^2(?:\.0)?$/.test(swagger)) return '2.0';
  return /^3\.\d+(?:\.\d+)?$/.test(openapi) ? openapi : null;
};

function serversOf(root: Node): readonly string[] {
  if (Array.isArray(root['servers'])) return root['servers'].flatMap((each) => textOf(nodeOf(each)?.['url']) ?? []);
  const host = textOf(root['host']);
  const schemes = Array.isArray(root['schemes']) ? root['schemes'] : ['https'];
  return host === null ? [] : schemes.map((scheme) => `${String(scheme)}://${host}${textOf(root['basePath']) ?? ''}`);
}

async function operationsOf(documents: SpecDocuments, path: string, item: unknown, from: string): Promise<Found[]> {
  let [node, place] = [nodeOf(item), from];
  // A reference to a reference is followed too, but not in a circle.
  for (let steps = 0; node && typeof node['$ref'] === 'string' && steps < 10; steps++) {
    const part = await documents.follow(node['$ref'], place);
    [node, place] = [nodeOf(part.value), part.place];
  }
  if (!node) return [];
  const shared = Array.isArray(node['parameters']) ? node['parameters'] : [];
  return METHODS.flatMap((method): Found[] => {
    const given = nodeOf(node[method]);
    if (!given) return [];
    const operation = {
      method: method.toUpperCase(),
      path,
      operationId: textOf(given['operationId']),
      summary: textOf(given['summary']),
      tags: Array.isArray(given['tags']) ? given['tags'].filter((tag) => typeof tag === 'string') : [],
      deprecated: given['deprecated'] === true,
    };
    return [{ operation, given, shared, place }];
  });
}

interface OldParts {
  readonly parameters: readonly Node[];
  readonly responses: Node;
}

/** A body and form fields become the request body; the schema of an answer gets its media types. */
function asOpenApi3({ parameters, responses }: OldParts, operation: Node, root: Node) {
  const typesOf = (field: string): readonly string[] => {
    const named = operation[field] ?? root[field];
    return Array.isArray(named) && named.length > 0 ? named.map(String) : ['application/json'];
  };
  const contentOf = (types: readonly string[], schema: unknown) => Object.fromEntries(types.map((type) => [type, { schema }]));
  const placed = parameters.map((each) => nodeOf(each) ?? {});
  const body = placed.find((each) => each['in'] === 'body');
  const form = placed.filter((each) => each['in'] === 'formData');
  const { name: _name, in: _in, schema, ...about } = body ?? {};
  const fields = Object.fromEntries(form.map(({ name, in: _place, required: _required, ...rest }) => [String(name), rest]));
  const required = form.filter((each) => each['required'] === true).map((each) => String(each['name']));
  const formTypes = typesOf('consumes').filter((type) => /form/.test(type));
  return {
    parameters: placed
      .filter((each) => each['in'] !== 'body' && each['in'] !== 'formData')
      .map(({ name, in: place, description, required: isRequired, ...rest }) => ({
        ...{ name, in: place },
        ...(description === undefined ? {} : { description }),
        ...(isRequired === undefined ? {} : { required: isRequired }),
        schema: rest,
      })),
    requestBody: body
      ? { ...about, content: contentOf(typesOf('consumes'), schema) }
      : form.length > 0
        ? {
            content: contentOf(formTypes.length > 0 ? formTypes : ['application/x-www-form-urlencoded'], {
              ...{ type: 'object', properties: fields },
              ...(required.length > 0 ? { required } : {}),
            }),
          }
        : null,
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, each]) => {
        const { schema: answered, ...rest } = nodeOf(each) ?? {};
        return [status, answered === undefined ? rest : { ...rest, content: contentOf(typesOf('produces'), answered) }];
      }),
    ),
  };
}
