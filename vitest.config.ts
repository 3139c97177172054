import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';

// `scripts/test.mjs` names the suites that this run is for: `plain`, or those whose folders need more than Node. Those run one
// file at a time, because a machine of two cores cannot drive several browsers and agents within their deadlines.
const suites = process.env['COUNTERSIGN_SUITES']?.split(',') ?? ['all'];
const special = ['agents', 'page', 'mcp'];
const chosen = special.filter((suite) => suites.includes(suite)).map((suite) => `test/${suite}/**/*.test.ts`);

export default defineConfig({
  test: {
    include: chosen.length > 0 ? chosen : ['src/**/*.test.ts', 'test/**/*.test.ts', 'clients/**/*.test.ts', 'scripts/**/*.test.ts'],
    exclude: suites.includes('plain') ? [...configDefaults.exclude, ...special.map((suite) => `test/${suite}/**`)] : configDefaults.exclude,
    fileParallelism: chosen.length === 0,
    // Most files wait for processes of their own; by default a machine of two cores would run one file at a time.
    ...(chosen.length === 0 ? { maxWorkers: Math.max(2, availableParallelism() - 1) } : {}),
    testTimeout: chosen.length > 0 ? 120_000 : 30_000,
    hookTimeout: chosen.length > 0 ? 120_000 : 30_000,
  },
});
