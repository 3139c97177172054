import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

// `scripts/test.mjs` names the suites that this run is for: `plain`, or those whose folders need more than Node. Those run one
// file at a time, because a machine of two cores cannot drive several browsers and agents within their deadlines.
const suites = process.env['COUNTERSIGN_SUITES']?.split(',') ?? ['all'];
// Suites of clients that are not there, or not asked for.
const left = (process.env['COUNTERSIGN_LEFT'] ?? '').split(',').map((client) => `test/agents/${client}.test.ts`);
const special = [
  'agents',
  'page',
  'mcp',
  'neo4j',
  'commands',
  'walls',
  'sealed',
  'packed',
  'campaigns',
  'terminal',
  'small-model',
  'logins',
  'shells',
];
const chosen = special.filter((suite) => suites.includes(suite)).map((suite) => `test/${suite}/**/*.test.ts`);

export default defineConfig({
  test: {
    include: chosen.length > 0 ? chosen : ['src/**/*.test.ts', 'test/**/*.test.ts', 'clients/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...left, ...(suites.includes('plain') ? special.map((suite) => `test/${suite}/**`) : [])],
    fileParallelism: chosen.length === 0,
    globalSetup: ['test/lab/path-without-agents.ts', ...(suites.includes('neo4j') ? ['test/neo4j/shared-server.ts'] : [])],
    // Most files wait for processes of their own; by default a machine of two cores would run one file at a time.
    ...(chosen.length === 0 ? { maxWorkers: Math.max(2, availableParallelism() - 1) } : {}),
    // Loading the sources is most of what a file costs, and no test leaves anything behind in them: each has its own folders,
    // daemons and clients.
    isolate: chosen.length > 0,
    // Bounds, not expectations: a machine that does other work too may be five times as slow.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
