// MCP's own conformance suite against the door over HTTP: what a revision of the protocol requires of a server, run by the revision's
// own rules. What the door does not offer is named here, so that nothing drops out unseen, neither of the suite nor of the door.

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runCommand } from '../lab/installation.ts';
import { type ConformanceServer, startConformanceServer } from '../lab/mcp-conformance-server.ts';
import { VERSIONS, type Version } from '../lab/mcp-http.ts';

const NOT_OFFERED: Readonly<Record<Version, Readonly<Record<string, readonly string[]>>>> = {
  '2025-11-25': {
    'messages for a log': ['logging-set-level', 'tools-call-with-logging'],
    'completion of arguments': ['completion-complete'],
    "use of the client's model": ['tools-call-sampling'],
    'forms with defaults and choices: a human is asked on the page': ['elicitation-sep1034-defaults', 'elicitation-sep1330-enums'],
    'subscriptions to resources': ['resources-subscribe', 'resources-unsubscribe'],
    'streams that can be taken up again': ['server-sse-polling'],
  },
  '2026-07-28': {
    'completion of arguments': ['completion-complete'],
    "use of the client's model and roots": [
      'input-required-result-basic-list-roots',
      'input-required-result-basic-sampling',
      'input-required-result-multiple-input-requests',
    ],
    'arguments repeated in headers': ['http-custom-header-server-validation'],
    'the extension for long tasks': [
      'tasks-capability-negotiation',
      'tasks-dispatch-and-envelope',
      'tasks-lifecycle',
      'tasks-mrtr-composition',
      'tasks-mrtr-input',
      'tasks-request-headers',
      'tasks-request-state-removal',
      'tasks-required-task-error',
      'tasks-status-notifications',
      'tasks-wire-fields',
    ],
  },
};

/** How many scenarios each revision runs: a suite that shrinks is noticed. */
const SCENARIOS: Readonly<Record<Version, number>> = { '2025-11-25': 33, '2026-07-28': 50 };

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
}

let server: ConformanceServer;
beforeAll(async () => {
  server = await startConformanceServer();
});
afterAll(() => server.dispose());

/** Every scenario that the suite ran, and whether it passed. */
async function runSuite(revision: Version): Promise<ReadonlyMap<string, boolean>> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-conformance-'));
  try {
    const suite = process.env['COUNTERSIGN_MCP_CONFORMANCE'] ?? '';
    await runCommand(process.execPath, [suite, 'server', '--url', server.url, '--requirements', revision, '--output-dir', folder], {
      cwd: folder,
    });
    const scenarios = new Map<string, boolean>();
    for (const name of await readdir(folder)) {
      const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/.exec(name)?.[1] ?? name;
      const checks = JSON.parse(await readFile(join(folder, name, 'checks.json'), 'utf8')) as Check[];
      const tried = checks.some(({ status }) => status === 'SUCCESS');
      scenarios.set(scenario, tried && !checks.some(({ status }) => status === 'FAILURE' || status === 'WARNING'));
    }
    return scenarios;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test.each(VERSIONS)('%s: everything that is offered conforms', async (revision) => {
  const scenarios = await runSuite(revision);
  const objected = [...scenarios].flatMap(([name, passed]) => (passed ? [] : [name]));
  expect(objected.toSorted()).toEqual(Object.values(NOT_OFFERED[revision]).flat().toSorted());
  expect(scenarios.size).toBe(SCENARIOS[revision]);
});

test('what is not offered is not declared either', async () => {
  const { text } = await server.ask({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  });
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '') as { result: { capabilities: unknown } };
  const fixed = { listChanged: false };
  expect(result.capabilities).toEqual({ tools: { listChanged: true }, resources: fixed, prompts: fixed });
});
