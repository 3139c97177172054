// fetch_api_spec: an API description from an allowed host or from the work tree. Without an operation the list of operations, with one that operation
// and its schemas.

import { z } from 'zod';
import type { OperationSlice } from '../../connectors/index.ts';
import { Fault, type Receipt } from '../../protocol/index.ts';
import { readInRoot } from '../../workspace/index.ts';
import { decodeOf, missing, realPathOf, touch } from '../native/file-place.ts';
import { defineTool, refuse } from '../tool.ts';
import { unlessItFails } from './connector-failure.ts';

const LISTED = 300;
/** References must not make a reader of any other file. */
const SPEC_FILE = /\.(?:json|ya?ml)$/i;

export const fetchApiSpec = defineTool({
  name: 'fetch_api_spec',
  description: 'Fetches an API description.',
  input: z.strictObject({ specUrl: z.string().min(1).max(2_048), operation: z.string().min(1).max(512).optional() }),
  declare: ({ specUrl }) => ({
    effects: ['observe'],
    resources: [URL.canParse(specUrl) ? { kind: 'url', url: specUrl } : touch('read', specUrl, { whole: true })],
  }),
  surfaces: [],
  run: async ({ specUrl, operation }, { place, session: { workspace }, signal }, deps) =>
    unlessItFails(async () => {
      const { root } = place;
      const reads: NonNullable<Receipt['reads']> = [];
      const readTree = async (given: string) => {
        if (!SPEC_FILE.test(given)) throw new Fault('BAD_REQUEST', `${given} is not a .json, .yaml or .yml file.`);
        const path = await realPathOf(place, given, 'read', deps);
        const file = await readInRoot(root, path);
        if (!file) throw missing(root, path);
        const text = decodeOf(path, file.bytes);
        reads.push({ path, sha256: file.sha256, start_line: 1, end_line: text.split('\n').length });
        return { place: path, text };
      };
      const { value: spec, ref, sha256, trace } = await deps.connectors.spec(specUrl, readTree, { root, workspace, signal });
      const { operations, ...about } = spec.overview;
      const slice: OperationSlice | null = operation === undefined ? null : await spec.slice(operation);
      if (operation !== undefined && slice === null) return noSuchOperation(operation, specUrl);
      const listed = operations.slice(0, LISTED);
      const more = operations.length - listed.length;
      const shown = slice
        ? { operation: slice }
        : {
            operations: listed,
            count: operations.length,
            ...(more > 0 ? { hint: `${more} more; name one by operationId or as GET /path` } : {}),
          };
      return { output: { ...about, ...shown, ref, sha256, trace }, ...(reads.length > 0 ? { reads } : {}) };
    }, 'If the description is a file of the work tree, name its path'),
});

const noSuchOperation = (operation: string, specUrl: string) =>
  refuse(
    'CONNECTOR_FAILED',
    `The description has no operation ${JSON.stringify(operation.slice(0, 100))}.`,
    'Name one of the list by its operationId, or as method and path: GET /pets/{id}',
    { tool: 'fetch_api_spec', args: { specUrl } },
  );
