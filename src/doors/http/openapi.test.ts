import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBareDoor, startTestDaemon, type TestDaemon } from '../../../test/lab/daemon.ts';
import { QUERIES } from '../../protocol/index.ts';
import { describedRoutes } from './openapi.ts';

let daemon: TestDaemon;
let document: Document;
beforeAll(async () => {
  daemon = await startTestDaemon();
  document = JSON.parse((await daemon.web('GET', '/openapi.json', { headers: await daemon.login() })).text) as Document;
});
afterAll(() => daemon.dispose());

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { name: string; in: string; required: boolean; schema: object }[];
  readonly requestBody?: { content: { 'application/json': { schema: object } } };
  readonly responses: Readonly<Record<string, { content: Readonly<Record<string, { schema: object }>> }>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, unknown>>; readonly schemas: Readonly<Record<string, object>> };
}

const operations = (): [address: string, method: string, operation: Operation][] =>
  Object.entries(document.paths).flatMap(([address, methods]) =>
    Object.entries(methods).map(([method, operation]) => [address, method, operation] as [string, string, Operation]),
  );

/** What OpenAPI 3.1 asks of the parts that are used here. */
const schema = { type: ['object', 'boolean'] };
const content = {
  type: 'object',
  minProperties: 1,
  additionalProperties: { type: 'object', properties: { schema }, additionalProperties: false },
};
const parameter = {
  type: 'object',
  required: ['name', 'in', 'schema'],
  properties: { name: { type: 'string' }, in: { enum: ['path', 'query'] }, required: { type: 'boolean' }, schema },
  if: { properties: { in: { const: 'path' } } },
  // oxlint-disable-next-line no-thenable -- the keyword of JSON Schema
  then: { properties: { required: { const: true } }, required: ['required'] },
  additionalProperties: false,
};
const operation = {
  type: 'object',
  required: ['operationId', 'summary', 'security', 'responses'],
  properties: {
    operationId: { type: 'string', pattern: '^[a-z][A-Za-z0-9]*$' },
    summary: { type: 'string', minLength: 1 },
    security: { type: 'array', items: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } } },
    parameters: { type: 'array', items: parameter },
    requestBody: {
      type: 'object',
      required: ['content'],
      properties: { required: { type: 'boolean' }, content },
      additionalProperties: false,
    },
    responses: {
      type: 'object',
      minProperties: 1,
      patternProperties: {
        '^([1-5][0-9]{2}|default)$': {
          type: 'object',
          required: ['description'],
          properties: { description: { type: 'string' }, content },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};
const OPENAPI = {
  type: 'object',
  required: ['openapi', 'info', 'paths'],
  properties: {
    openapi: { type: 'string', pattern: '^3\\.1\\.\\d+$' },
    info: { type: 'object', required: ['title', 'version'], properties: { title: { type: 'string' }, version: { type: 'string' } } },
    servers: { type: 'array', items: { type: 'object', required: ['url'] } },
    paths: {
      type: 'object',
      patternProperties: {
        '^/': { type: 'object', patternProperties: { '^(get|post|delete)$': operation }, additionalProperties: false },
      },
      additionalProperties: false,
    },
    components: { type: 'object', required: ['securitySchemes', 'schemas'] },
  },
  additionalProperties: false,
};

test('it has the form that OpenAPI 3.1 asks for', () => {
  const ajv = new Ajv2020({ strict: false });
  expect([ajv.validate(OPENAPI, document), ajv.errors]).toEqual([true, null]);
});

test('it has every route that the router has, and nothing else', async () => {
  const door = await openBareDoor(daemon.services());
  const printed = door.app.printRoutes({ commonPrefix: false, includeHooks: false });
  await door.close();
  const summaryOf = (method: string, address: string) =>
    `${method.toUpperCase()} ${address.replaceAll(/\{path\}/g, '*').replaceAll(/\{(\w+)\}/g, ':$1')}`;
  const described = operations().map(([address, method]) => summaryOf(method, address));
  expect(described.toSorted()).toEqual(door.routes.map(({ method, url }) => summaryOf(method, url)).toSorted());
  expect(new Set(described).size).toBe(described.length);
  // The router's own drawing knows no more methods than these.
  const drawn = [...printed.matchAll(/\(([A-Z, ]+)\)/g)].flatMap(([, methods = '']) => methods.split(', '));
  expect(drawn.length).toBe(described.length);
});

test('a route that does not say who may come in cannot be made', () => {
  expect(() => describedRoutes({ method: 'GET', url: '/backdoor', config: {} })).toThrow(
    '/backdoor: a route says who may come in and what it takes',
  );
  expect(() => describedRoutes({ method: 'GET', url: '/backdoor', config: { access: 'public' } })).toThrow('/backdoor: a route says');
});

test('every schema in it compiles, every name is one of its own, every parameter of an address is reported', () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'doc', components: document.components });
  for (const [address, , { parameters = [], requestBody, responses, security }] of operations()) {
    const inPath = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter((each) => each.in === 'path').map(({ name }) => name)).toEqual(inPath);
    const schemas = [
      ...parameters.map(({ schema }) => schema),
      ...(requestBody ? [requestBody.content['application/json'].schema] : []),
      ...Object.values(responses).flatMap(({ content }) => Object.values(content).map(({ schema }) => schema)),
    ];
    for (const each of schemas) if (!('$ref' in each)) ajv.compile(each);
    for (const name of security.flatMap((row) => Object.keys(row)))
      expect(Object.keys(document.components.securitySchemes)).toContain(name);
  }
  expect(new Set(operations().map(([, , { operationId }]) => operationId)).size).toBe(operations().length);
});

test('what a route takes and gives is its schema', () => {
  const get = document.paths['/api/approvals']!['get']!;
  expect(get.parameters?.map(({ name, required }) => [name, required])).toEqual(
    Object.keys(QUERIES.approvals.input.shape).map((name) => [name, false]),
  );
  expect(document.paths['/api/grants/{id}/end']!['post']!.parameters?.map(({ name, required }) => [name, required])).toEqual([
    ['id', true],
  ]);
  expect(document.paths['/api/approvals/{id}/answer']!['post']!.requestBody?.content['application/json'].schema).toMatchObject({
    type: 'object',
    properties: { answer: { type: 'string', enum: ['approved', 'rejected'] }, reason: { type: 'string', maxLength: 500 } },
    required: ['answer'],
    additionalProperties: false,
  });
  expect(document.paths['/api/approvals/{id}/answer']!['post']!.security).toEqual([{ login: [], page: [] }]);
});

test('a folder that the door fills in is not required', () => {
  const folderOf = (address: string) => document.paths[address]!['get']!.parameters?.find(({ name }) => name === 'cwd')?.required;
  expect([folderOf('/api/agents'), folderOf('/api/story/outline')]).toEqual([false, false]);
  const bodyOf = (address: string) => document.paths[address]!['post']!.requestBody?.content['application/json'].schema;
  expect(bodyOf('/api/ai/chat')).toMatchObject({ properties: { cwd: { type: 'string' } }, required: ['message'] });
  expect(bodyOf('/api/canon/index')).not.toHaveProperty('required');
  expect(bodyOf('/api/pause')).toMatchObject({ required: expect.arrayContaining(['cwd']) });
});

test('it is for readers, like what it describes', async () => {
  expect((await daemon.web('GET', '/openapi.json')).status).toBe(401);
  expect((await daemon.web('GET', '/openapi.json', { headers: await daemon.asHook() })).status).toBe(403);
});
