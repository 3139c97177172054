import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Client, programOf } from './client.ts';

const run = promisify(execFile);
const quiet = { CLINE_NO_AUTO_UPDATE: '1', CLINE_TELEMETRY_DISABLED: '1' };

/** It looks for servers in the user's home and nowhere else: it gets that of the human who wires it. */
export const clineClient: Client = {
  name: 'cline',
  variable: 'COUNTERSIGN_CLINE',
  start: async ({ prompt, model, home }) => {
    const env = { ...quiet, HOME: join(home, '../human') };
    const login = ['auth', '-p', 'openai-compatible', '-k', 'dummy', '-m', 'fake', '-b', `${model.url}/v1`];
    await run(programOf(clineClient), login, { env: { PATH: process.env['PATH'], ...env } });
    return { args: [prompt], env };
  },
};
