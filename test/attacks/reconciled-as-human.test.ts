// A command that ends the daemon and changes a file out of scope meanwhile. It must not count as the human's.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { hasEnded, makeInstallation } from '../lab/installation.ts';
import { verifies } from '../verifies.ts';

verifies('N5', 'what changed while no daemon ran is not the human’s, and an action that was open then is named', async () => {
  const here = await makeInstallation();
  onTestFinished(() => here.dispose());
  const { repo } = here;
  await mkdir(join(repo.path, '.ai/config'), { recursive: true });
  await writeFile(join(repo.path, '.ai/config/env.local.json'), '{"mode":{"minimum":"GUARDED"}}');
  await mkdir(join(repo.path, 'dist'));
  await writeFile(join(repo.path, 'dist/app.js'), 'committed\n');
  repo.git('add', '-f', 'dist/app.js');
  repo.git('commit', '-q', '-m', 'a build that is committed');
  expect((await here.human(['intent', 'work', 'src'])).code).toBe(0);
  await here.hook('SessionStart', { source: 'startup' });
  await here.hook('UserPromptSubmit', { prompt: 'go' });
  const call = (tool_name: string, tool_input: object) =>
    here.hook('PreToolUse', { tool_name, tool_input, tool_use_id: `toolu_${tool_name}` }).then((answer) => JSON.stringify(answer));
  // A file that git tracks is never derived, so that the scope holds for it; a new one beside it is.
  expect(await call('Write', { file_path: join(repo.path, 'dist/app.js'), content: 'x' })).toContain('deny');
  expect(await call('Bash', { command: './work.sh' })).toBe('{}');

  const pid = await here.daemonPid();
  process.kill(pid, 'SIGKILL');
  await hasEnded(pid);
  await writeFile(join(repo.path, 'README.md'), 'changed behind the back\n');
  await writeFile(join(repo.path, 'dist/app.js'), 'changed too\n');

  const { code, stdout } = await here.run(['reconcile']);
  expect(stdout).toMatch(/changed +README\.md +\(unknown: act_\w{26}\)/);
  expect(stdout).toMatch(/changed +dist\/app\.js +\(unknown: act_\w{26}\)/);
  expect([code, stdout.includes('by you')]).toEqual([1, false]);
});
