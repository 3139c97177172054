// The HTTP door described from its own schemas: what is parsed is what is written down, for every route that the router has.

import { z } from 'zod';
import { CODES } from '../../protocol/index.ts';
import { type Access, COOKIE, PAGE_TOKEN } from './access.ts';

/** A route's input and output, as far as schemas describe them. */
export interface RouteForm {
  readonly summary: string;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  /** Fields that the address names, and a body of all others. */
  readonly input?: z.ZodType;
  /** Fields that the schema asks for and the door fills in, if a request has none. */
  readonly filledIn?: readonly string[];
  readonly output?: z.ZodType;
  /** The type of the answer; `application/json` by default. */
  readonly answers?: string;
}

export interface DescribedRoute {
  readonly method: string;
  readonly url: string;
  readonly access: Access;
  readonly form: RouteForm;
}

type Json = Record<string, unknown>;

/** A caller that satisfies one row is let in. `owner` is the owner's socket, which no header grants. */
const SECURITY: Readonly<Record<Access, readonly Json[]>> = {
  public: [],
  reader: [{ login: [] }],
  human: [{ login: [], page: [] }],
  owner: [{ owner: [] }],
  hook: [{ hooks: [] }],
  mcp: [{ mcp: [] }],
  agent: [{ mcp: [] }, { login: [], page: [] }],
};

/** The route as the router has it. Throws when it declares no access or no form, so that such a route is never served. */
export function describedRoutes({ method, url, config }: { method: string | string[]; url: string; config?: unknown }): DescribedRoute[] {
  const { access, form } = (config ?? {}) as Partial<DescribedRoute>;
  if (access === undefined || form === undefined) throw new Error(`${url}: a route says who may come in and what it takes`);
  return [method].flat().map((each) => ({ method: each, url, access, form }));
}

export function openApiDocument(routes: readonly DescribedRoute[], version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) (paths[addressOf(route.url)] ??= {})[route.method.toLowerCase()] = operationOf(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version,
      description: "The daemon's HTTP door: on the loopback port, and on the owner's socket, where every route is open to its owner.",
    },
    servers: [{ url: 'http://127.0.0.1:8722' }],
    paths,
    components: {
      securitySchemes: {
        login: {
          type: 'apiKey',
          in: 'cookie',
          name: COOKIE,
          description: 'From POST /api/login with the code that countersign open shows.',
        },
        page: {
          type: 'apiKey',
          in: 'header',
          name: PAGE_TOKEN,
          description: 'The page token of the same login: nothing is decided without it.',
        },
        hooks: {
          type: 'http',
          scheme: 'bearer',
          description: "The second word in run/hook of the daemon's folder. Answers carry the third in x-countersign-answer.",
        },
        mcp: { type: 'http', scheme: 'bearer', description: "In run/mcp-token of the daemon's folder." },
        owner: {
          type: 'http',
          scheme: 'owner-socket',
          description: "Only over run/daemon.sock of the daemon's folder; no header opens it.",
        },
      },
      schemas: {
        Error: schemaOf(
          z.object({
            error: z.object({ code: z.enum(Object.keys(CODES) as [string, ...string[]]), message: z.string(), fix: z.string().nullable() }),
            output: z.unknown().optional(),
          }),
          'output',
        ),
      },
    },
  };
}

/** `/api/intents/:id` is written `/api/intents/{id}`. */
const addressOf = (url: string): string => url.replaceAll(/:(\w+)/g, '{$1}').replace('*', '{path}');

function operationOf({ method, url, access, form }: DescribedRoute): Json {
  const named = [...url.matchAll(/:(\w+)|\*/g)].map(([, name]) => name ?? 'path');
  const input = form.input ? requestSchema(form.input, form.filledIn) : null;
  const fields = input ? fieldsOf(input) : [];
  const body = input ? withoutFields(input, named) : form.body ? schemaOf(form.body, 'input') : null;
  const parameters = [
    ...named.map((name) => ({
      name,
      in: 'path',
      required: true,
      schema: fields.find((field) => field.name === name)?.schema ?? { type: 'string' },
    })),
    ...(form.query ? fieldsOf(requestSchema(form.query, form.filledIn)) : []).flatMap(({ name, required, schema }) =>
      named.includes(name) ? [] : [{ name, in: 'query', required, schema }],
    ),
  ];
  const type = form.answers ?? 'application/json';
  return {
    operationId: `${method.toLowerCase()}${addressOf(url).replaceAll(/[^A-Za-z0-9]+(.)?/g, (_, next: string | undefined) => (next ?? '').toUpperCase())}`,
    summary: form.summary,
    security: SECURITY[access],
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: { required: true, content: { 'application/json': { schema: body } } } } : {}),
    responses: {
      200: { description: 'Done.', content: { [type]: { schema: form.output ? schemaOf(form.output, 'output') : {} } } },
      default: {
        description: 'Not done. The code says why, the fix what helps.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

interface ObjectSchema extends Json {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
  /** Of a union: its members. */
  readonly anyOf?: readonly ObjectSchema[];
  readonly oneOf?: readonly ObjectSchema[];
}

/** Of a union, the fields of its first member: what an address names is in all of them. */
function fieldsOf({ properties = {}, required = [], anyOf, oneOf }: ObjectSchema): { name: string; required: boolean; schema: Json }[] {
  const [first] = anyOf ?? oneOf ?? [];
  if (first) return fieldsOf(first);
  return Object.entries(properties).map(([name, schema]) => ({ name, required: required.includes(name), schema }));
}

function withoutFields({ properties, required, anyOf, oneOf, ...rest }: ObjectSchema, names: readonly string[]): Json {
  const kept = Object.entries(properties ?? {}).filter(([name]) => !names.includes(name));
  const demanded = required?.filter((name) => !names.includes(name)) ?? [];
  return {
    ...rest,
    ...(properties ? { properties: Object.fromEntries(kept) } : {}),
    ...(demanded.length > 0 ? { required: demanded } : {}),
    ...(anyOf ? { anyOf: anyOf.map((each) => withoutFields(each, names)) } : {}),
    ...(oneOf ? { oneOf: oneOf.map((each) => withoutFields(each, names)) } : {}),
  };
}

function requestSchema(schema: z.ZodType, filledIn: readonly string[] = []): ObjectSchema {
  const { required, ...rest }: ObjectSchema = schemaOf(schema, 'input');
  const demanded = required?.filter((name) => !filledIn.includes(name)) ?? [];
  return { ...rest, ...(demanded.length > 0 ? { required: demanded } : {}) };
}

/** What JSON Schema cannot express is left unconstrained rather than described wrongly. */
function schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
