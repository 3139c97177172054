// The controller's harness: eight sections over real stdio, with the official MCP client.

import { spawnSync } from 'node:child_process';

const { status } = spawnSync(process.execPath, ['scripts/test.mjs', 'test/controller/harness.test.ts'], {
  cwd: import.meta.dirname,
  stdio: 'inherit',
});
process.exit(status ?? 1);
