import { describe, expect, test } from 'vitest';
import { verifies } from '../../../test/verifies.ts';
import { clientFor, serve } from '../bad-server.fixture.ts';
import { Spec } from './slice-spec.ts';
import { SpecDocuments } from './spec-documents.ts';

const open = (files: Readonly<Record<string, unknown>>, start = Object.keys(files)[0]!) => {
  const read: string[] = [];
  const documents = new SpecDocuments(async (place) => {
    read.push(place);
    if (!Object.hasOwn(files, place)) throw new Error(`unexpected ${place}`);
    const file = files[place];
    return { place, text: typeof file === 'string' ? file : JSON.stringify(file) };
  });
  return { spec: Spec.open(documents, start), read };
};

const PETS = {
  openapi: '3.0.3',
  info: { title: 'Pets', version: '1.2.0' },
  servers: [{ url: 'https://pets.example.com/v1' }],
  paths: {
    '/pets/{id}': {
      parameters: [{ $ref: '#/components/parameters/Id' }],
      get: {
        operationId: 'getPet',
        summary: 'One pet',
        tags: ['pets'],
        responses: {
          200: { description: 'ok', content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } },
          default: { $ref: '#/components/responses/Error' },
        },
      },
      delete: { deprecated: true, responses: { 204: { description: 'gone' } } },
    },
  },
  components: {
    parameters: { Id: { name: 'id', in: 'path', required: true, schema: { type: 'string' } } },
    responses: { Error: { description: 'no', content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } } },
    schemas: {
      Error: { type: 'object', properties: { default: { type: 'string' }, example: { $ref: '#/components/schemas/Unused~1Name' } } },
      'Unused/Name': { type: 'string', example: { $ref: 'this is data' } },
      Pet: { type: 'object', properties: { name: { type: 'string' }, mother: { $ref: '#/components/schemas/Pet' } } },
      NotNeeded: { type: 'object' },
    },
  },
};

verifies('G20', 'OpenAPI 3.0: the list of operations, and one with what it needs and nothing else', async () => {
  const spec = await open({ 'pets.json': PETS }).spec;
  expect(spec.overview).toEqual({
    ...{ title: 'Pets', version: '1.2.0', form: '3.0.3', servers: ['https://pets.example.com/v1'] },
    operations: [
      { method: 'GET', path: '/pets/{id}', operationId: 'getPet', summary: 'One pet', tags: ['pets'], deprecated: false },
      { method: 'DELETE', path: '/pets/{id}', operationId: null, summary: null, tags: [], deprecated: true },
    ],
  });
  const slice = await spec.slice('getPet');
  expect(slice).toEqual(await spec.slice('get  /pets/{id}'));
  expect(slice).toMatchObject({
    parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
    responses: {
      200: { content: { 'application/json': { schema: { $ref: '#/schemas/Pet' } } } },
      default: { description: 'no', content: { 'application/json': { schema: { $ref: '#/schemas/Error' } } } },
    },
    schemas: {
      Pet: { type: 'object', properties: { name: { type: 'string' }, mother: { $ref: '#/schemas/Pet' } } },
      Error: { type: 'object', properties: { default: { type: 'string' }, example: { $ref: '#/schemas/Unused_Name' } } },
      Unused_Name: { type: 'string', example: { $ref: 'this is data' } },
    },
    unresolved: [],
    leftOut: [],
  });
  expect(Object.keys(slice!.schemas)).toEqual(['Pet', 'Error', 'Unused_Name']);
  expect(await spec.slice('getNothing')).toBe(null);
});

verifies('G20', 'Swagger 2.0 is shown in the form of OpenAPI 3', async () => {
  const spec = await open({
    's.yaml': `
swagger: "2.0"
info: { title: Old, version: 1 }
host: old.example.com
basePath: /v2
schemes: [https]
consumes: [application/json]
produces: [application/json]
paths:
  /pets:
    post:
      operationId: addPet
      parameters:
        - { name: dry, in: query, type: boolean, description: only look }
        - { name: pet, in: body, required: true, schema: { $ref: "#/definitions/Pet" } }
      responses:
        "201": { description: made, schema: { $ref: "#/definitions/Pet" } }
  /pets/{id}/photo:
    post:
      operationId: addPhoto
      consumes: [multipart/form-data]
      parameters:
        - { name: file, in: formData, type: file, required: true }
        - { name: note, in: formData, type: string }
      responses: { "200": { description: ok } }
definitions:
  Pet: { type: object, required: [name], properties: { name: { type: string } } }
`,
  }).spec;
  expect(spec.overview).toMatchObject({ form: '2.0', servers: ['https://old.example.com/v2'], version: '1' });
  const json = { 'application/json': { schema: { $ref: '#/schemas/Pet' } } };
  expect(await spec.slice('addPet')).toMatchObject({
    parameters: [{ name: 'dry', in: 'query', description: 'only look', schema: { type: 'boolean' } }],
    requestBody: { required: true, content: json },
    responses: { 201: { description: 'made', content: json } },
    schemas: { Pet: { type: 'object', required: ['name'] } },
  });
  expect(await spec.slice('addPhoto')).toMatchObject({
    parameters: [],
    requestBody: {
      content: {
        'multipart/form-data': {
          schema: { type: 'object', properties: { file: { type: 'file' }, note: { type: 'string' } }, required: ['file'] },
        },
      },
    },
  });
});

verifies('G20', 'OpenAPI 3.1 over several files: path items, parameters and schemas that refer to each other', async () => {
  const { spec, read } = open({
    'api/openapi.yaml':
      'openapi: 3.1.0\ninfo: {title: Split, version: "1"}\npaths:\n  /pets:\n    $ref: "./paths/pets.yaml#/pets"\n  /other:\n    get: {responses: {}}\n',
    'api/paths/pets.yaml': `
pets:
  get:
    operationId: listPets
    parameters: [{ $ref: ../shared/parameters.json#/limit }]
    responses:
      "200":
        content:
          application/json:
            schema: { type: array, items: { $ref: ../shared/pet.yaml, description: one of them } }
`,
    'api/shared/parameters.json': {
      limit: { name: 'limit', in: 'query', schema: { $ref: '#/types/Count' } },
      types: { Count: { type: 'integer' } },
    },
    'api/shared/pet.yaml':
      'type: [object, "null"]\nproperties:\n  owner: { $ref: "owner.yaml#/Owner" }\n  $ref: { type: string }\ndiscriminator: { propertyName: kind, mapping: { cat: "./cat.yaml" } }\n',
    'api/shared/owner.yaml': 'Owner: { type: object, properties: { pets: { type: array, items: { $ref: "pet.yaml" } } } }\n',
    'api/shared/cat.yaml': 'type: object\n',
  });
  const slice = await (await spec).slice('listPets');
  expect(slice).toMatchObject({
    parameters: [{ name: 'limit', schema: { $ref: '#/schemas/Count' } }],
    responses: {
      200: { content: { 'application/json': { schema: { items: { $ref: '#/schemas/pet', description: 'one of them' } } } } },
    },
    schemas: {
      Count: { type: 'integer' },
      pet: {
        type: ['object', 'null'],
        properties: { owner: { $ref: '#/schemas/Owner' }, $ref: { type: 'string' } },
        discriminator: { mapping: { cat: '#/schemas/cat' } },
      },
      Owner: { properties: { pets: { items: { $ref: '#/schemas/pet' } } } },
      cat: { type: 'object' },
    },
    unresolved: [],
  });
  expect(new Set(read).size).toBe(read.length);
});

test('what cannot be resolved is named, and the rest is there', async () => {
  const schema = { anyOf: [{ $ref: '#/nowhere' }, { $ref: '../../outside.yaml' }, { $ref: '#no-pointer' }, { type: 'string' }] };
  const loop = { parameters: { A: { $ref: '#/parameters/B' }, B: { $ref: '#/parameters/A' } } };
  const operation = { parameters: [{ $ref: '#/parameters/A' }], responses: { 200: { content: { x: { schema } } } } };
  const spec = await open({ 'a/b.json': { openapi: '3.1.0', paths: { '/x': { get: operation } }, ...loop } }).spec;
  const slice = await spec.slice('GET /x');
  expect(slice!.unresolved.map(({ ref }) => ref)).toEqual(['#/nowhere', '../../outside.yaml', '#no-pointer']);
  expect(JSON.stringify(slice!.responses)).toContain('{"type":"string"}');
});

describe('what is not a description is refused', () => {
  test.each([
    ['{"openapi": "3.0.0", "paths": ', /neither valid JSON nor valid YAML/],
    ['openapi: [3', /neither valid JSON nor valid YAML/],
    ['just a text', /is not an API description/],
    ['{"swagger": "1.2"}', /is not an API description in Swagger 2.0 or OpenAPI 3/],
    [
      `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefghi'.replaceAll(/./g, (c) => `${c}: &${c} [${`*${String.fromCharCode(c.charCodeAt(0) - 1)},`.repeat(9).slice(0, -1)}]\n`)}`,
      /neither valid/,
    ],
  ])('%#', async (text, message) => {
    await expect(open({ 'x.yaml': text }).spec).rejects.toThrow(message);
  });
});

/** As large as the descriptions of well-known services: 1,200 operations over 900 schemas that use one another. */
function largeSpec(): string {
  const properties = (at: number) =>
    Object.fromEntries(
      Array.from({ length: 12 }, (_, number) => [
        `field_${number}`,
        number < 3
          ? { $ref: `#/components/schemas/Model${(at * 7 + number * 131) % 900}` }
          : { type: 'string', description: `Field ${number} of model ${at}, as it is stored and shown.` },
      ]),
    );
  const schemas = Object.fromEntries(
    Array.from({ length: 900 }, (_, at) => [`Model${at}`, { type: 'object', properties: properties(at) }]),
  );
  const answer = (at: number) => ({
    200: { description: 'ok', content: { 'application/json': { schema: { $ref: `#/components/schemas/Model${at % 900}` } } } },
  });
  const paths = Object.fromEntries(
    Array.from({ length: 600 }, (_, at) => [
      `/things/${at}/{id}`,
      { get: { operationId: `getThing${at}`, responses: answer(at) }, put: { operationId: `putThing${at}`, responses: answer(at + 300) } },
    ]),
  );
  return JSON.stringify({ openapi: '3.1.0', info: { title: 'Large', version: '1' }, paths, components: { schemas } });
}

verifies('G20', 'a description of more than 1 MB is fetched once and sliced to one operation', async () => {
  const text = largeSpec();
  expect(text.length).toBeGreaterThan(1_000_000);
  const server = await serve((_, response) => response.writeHead(200, { 'cache-control': 'max-age=60' }).end(text));
  const client = await clientFor({ hosts: [server.host] });
  const documents = () =>
    new SpecDocuments(async (place) => ({ place, text: (await client.get(new URL(place), '*/*', new AbortController().signal)).text }));
  const spec = await Spec.open(documents(), `${server.url}/openapi.json`);
  expect(spec.overview.operations.length).toBe(1_200);
  const slice = (await spec.slice('putThing599'))!;
  expect(JSON.stringify(slice).length).toBeLessThan(300_000);
  expect([slice.unresolved, Object.keys(slice.schemas)[0], slice.leftOut.length > 0]).toEqual([[], 'Model899', true]);
  await Spec.open(documents(), `${server.url}/openapi.json`);
  expect(server.asked.length).toBe(1);
});
