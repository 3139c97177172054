// The controller as an MCP client meets it: one tool over real stdio.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Refusal } from '../../src/protocol/index.ts';
import type { Place } from './installation.ts';

export interface TurnAnswer {
  readonly runSessionId: string;
  readonly workId: string;
  readonly agentId: string;
  readonly state: string;
  readonly outcome?: string;
  readonly capabilities: readonly string[];
  readonly verbDescriptions: Readonly<
    Record<string, { description: string; whenToUse: string; requiredArgs: string[]; optionalArgs: string[] }>
  >;
  readonly scope: { readonly worktreeRoot: string; readonly scratchRoot: string };
  readonly result: Record<string, unknown> & { readonly refusal?: Refusal };
  readonly denyReasons: readonly string[];
  readonly suggestedAction?: { readonly verb: string; readonly reason: string; readonly args?: Record<string, unknown> };
  readonly knowledgeStrategy: { readonly strategyId: string; readonly reasons: readonly unknown[] };
  readonly budgetStatus: {
    readonly maxTokens: number;
    readonly usedTokens: number;
    readonly thresholdTokens: number;
    readonly blocked: boolean;
  };
  readonly traceRef: string;
  readonly schemaVersion: string;
  readonly subAgentHints: { readonly recommended: boolean; readonly splits: readonly { files: string[]; nodeIds: string[] }[] };
  readonly packInsufficiency?: unknown;
  readonly receipt_id: string | null;
}

export const ALWAYS = [
  ...['runSessionId', 'workId', 'agentId', 'state', 'capabilities', 'verbDescriptions', 'scope', 'result', 'denyReasons'],
  ...['knowledgeStrategy', 'budgetStatus', 'traceRef', 'schemaVersion', 'subAgentHints'],
] as const;

/** Sends turns over one connection. `envelope`: the whole request, where a test is about its other fields. */
export interface Controller {
  readonly client: Client;
  readonly turn: (verb: string, args?: Record<string, unknown>) => Promise<TurnAnswer>;
  readonly send: (request: Record<string, unknown>) => Promise<TurnAnswer>;
  readonly close: () => Promise<void>;
}

export async function connectController(place: Pick<Place, 'mcpClient'>): Promise<Controller> {
  const client = await place.mcpClient({ surface: 'controller' });
  const send = async (request: Record<string, unknown>) =>
    (await client.callTool({ name: 'controller_turn', arguments: request })).structuredContent as TurnAnswer;
  return { client, send, turn: (verb, args) => send({ verb, ...(args ? { args } : {}) }), close: () => client.close() };
}

export const SHOP = {
  'package.json': '{ "name": "shop", "type": "module", "scripts": { "test": "node --test" } }\n',
  'src/total.js': [
    '/** Adds up the lines of an order. */',
    'export function total(lines) {',
    '  return lines.reduce((sum, { price, count }) => sum + price * count, 0);',
    '}',
    '',
    'export function label(order) {',
    '  return `Order ${order.id}`;',
    '}',
    '',
  ].join('\n'),
  'src/print.js': "import { total } from './total.js';\n\nexport const print = (order) => `${total(order.lines)} EUR`;\n",
  'test/total.test.js': [
    "import assert from 'node:assert/strict';",
    "import { test } from 'node:test';",
    "import { total } from '../src/total.js';",
    '',
    "test('adds up', () => {",
    '  assert.equal(total([{ price: 2, count: 3 }]), 6);',
    '});',
    '',
  ].join('\n'),
} as const;

export async function writeShop(root: string): Promise<void> {
  for (const [path, text] of Object.entries(SHOP)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** A plan as a small model writes it. */
export const PLAN = {
  nodes: [
    {
      nodeId: 'round',
      kind: 'change',
      targetFile: 'src/total.js',
      targetSymbols: ['total'],
      whyThisFile: 'total() adds up the lines of an order',
      editIntent: 'Round the sum in total() to cents',
      verificationHooks: ['test'],
    },
    {
      nodeId: 'check',
      kind: 'validate',
      dependsOn: ['round'],
      mapsToNodeIds: ['round'],
      verificationHooks: ['test'],
      successCriteria: 'The tests of total() pass',
    },
  ],
};
