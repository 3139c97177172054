// Claude Code, the real client, in a sealed run: it works as it does elsewhere, each change has a receipt, and it reaches nothing else.

import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { ActionRow, Receipt, RunRow, SessionRow } from '../../src/protocol/index.ts';
import { findSandbox } from '../../src/sandbox/index.ts';
import { claudeClient } from '../lab/clients/claude.ts';
import { programOf } from '../lab/clients/client.ts';
import { type ModelRequest, type ScriptedStep, startScriptedModel } from '../lab/scripted-model.ts';
import { runInTerminal } from '../lab/terminal.ts';
import { CLI, makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';

const LOGIN = 'src/auth/login.ts';

const canRun = process.env['COUNTERSIGN_CLAUDE'] !== undefined && (await findSandbox()).kind === 'bubblewrap';

describe.skipIf(!canRun)('claude, sealed', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(claudeClient);
  });
  afterAll(() => world?.dispose());

  /** The client tells its model where it works. */
  const inTree = (step: (tree: string) => Exclude<ScriptedStep, (request: ModelRequest) => unknown>): ScriptedStep => {
    return (request) => step(/\/[\w./-]+-runs\/run_\w+\/tree/.exec(JSON.stringify(request))?.[0] ?? '/nowhere');
  };
  const shell = (command: string) => ({ tool: 'Bash', args: { command, description: 'as the story needs it' } });

  verifies('N12', 'an edit with a receipt is merged, what the shell sneaked in is not, and nothing outside is reached', async () => {
    expect((await world.human(['intent', 'fix login', 'src/auth'])).output).toContain('INT-001 is active');
    const [port] = readFileSync(`${world.home}/run/hook`, 'utf8').split(' ');
    // A program of the project, which the reader of commands does not read: nothing but the walls is in its way.
    const script = `const fs = require('fs');
      fs.writeFileSync('src/payments/sneaked.ts', 'x');
      for (const place of ${JSON.stringify([world.home, `${world.repo.path}/src`, world.userHome])}) try { console.log(fs.readdirSync(place)) } catch (e) { console.log(e.code) }
      require('net').connect(${port}, '127.0.0.1').on('error', (e) => console.log(e.code)).on('connect', () => console.log('IN'));`;
    await writeFile(`${world.repo.path}/check.cjs`, script);
    const model = await startScriptedModel({
      steps: [
        { tool: 'mcp__countersign__begin_work', args: {} },
        inTree((tree) => ({ tool: 'Read', args: { file_path: `${tree}/${LOGIN}` } })),
        inTree((tree) => ({
          tool: 'Edit',
          args: { file_path: `${tree}/${LOGIN}`, old_string: 'return null', new_string: 'return undefined as never' },
        })),
        shell('echo from the shell >> src/auth/notes.md'),
        shell('node check.cjs'),
        { text: 'Done.' },
        { tool: 'mcp__countersign__elefanteAssertCompliance', args: {} },
        { text: 'Stamped.' },
      ],
    });
    const args = [
      'run',
      '--sealed',
      '--merge',
      'ask',
      '--',
      programOf(claudeClient),
      '-p',
      'fix the login',
      '--model',
      'claude-sonnet-4-5',
    ];
    const allowed = ['--allowedTools', 'Bash', '--permission-mode', 'acceptEdits'];
    const env = {
      ...{ HOME: world.userHome, COUNTERSIGN_HOME: world.home },
      ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'dummy', COUNTERSIGN_UNKNOWN: 'kept out' },
    };
    const { code, output } = await runInTerminal(CLI, [...args, ...allowed], {
      ...{ cwd: world.repo.path, env, input: [{ after: '[y/N]', type: 'y\n' }] },
      signal: AbortSignal.timeout(110_000),
    });
    await model.close();
    expect(model.toolResults()[4]?.match(/E[A-Z]+|IN\b/g)).toEqual(['ENOENT', 'ENOENT', 'ENOENT', 'ECONNREFUSED']);
    expect(output).toContain('left out src/payments/sneaked.ts: no receipt explains it');
    expect([code, output]).toEqual([0, expect.stringContaining(`changed  ${LOGIN}`)]);
    expect(await world.file(LOGIN)).toContain('return undefined as never');
    expect(await world.file('src/auth/notes.md')).toBe('from the shell\n');
    expect(world.repo.git('status', '--porcelain', '--untracked-files=all', 'src')).toBe(` M ${LOGIN}\n?? src/auth/notes.md\n`);

    const [session] = (await world.ask<SessionRow[]>('sessions')).filter(({ level }) => level === 'sealed');
    expect(session).toMatchObject({ agent: 'claude-code', by_hooks: true, intent: 'INT-001' });
    const edit = (await world.ask<ActionRow[]>('log')).find(({ tool, session: of }) => tool === 'Edit' && of === session?.id);
    const receipt = (await world.ask<Receipt[]>('receipts')).find(({ receipt_id }) => receipt_id === edit?.receipt_id);
    expect(receipt).toMatchObject({ status: 'done', intent: 'INT-001', file_refs: [{ path: LOGIN }], walls: { level: 'sealed' } });
    const [run] = await world.ask<RunRow[]>('run', 'list');
    expect(run).toMatchObject({ agent: 'claude', state: 'merged', hosts: [], exit_code: 0 });
  });
});
