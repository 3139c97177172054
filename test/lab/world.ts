// A whole world for one story: a repository, a home for the daemon, a home for the agent, a human at a terminal. Everything in
// it is real; `dispose` ends what it started.

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Status } from '../../src/protocol/index.ts';
import { type ClaudeResult, runClaude } from './claude.ts';
import { makeScratchRepo, type ScratchRepo } from './scratch-repo.ts';
import { type ScriptedModel, type ScriptedStep, startScriptedModel } from './scripted-model.ts';
import { type Answer, runInTerminal, type TerminalResult } from './terminal.ts';

export const CLI = fileURLToPath(new URL('../../bin/countersign', import.meta.url));

export interface World {
  readonly repo: ScratchRepo;
  /** COUNTERSIGN_HOME. */
  readonly home: string;
  /** A human types a command in a terminal of their own, in the repository. */
  readonly human: (args: readonly string[], input?: readonly Answer[]) => Promise<TerminalResult>;
  /** The same with --json, parsed. */
  readonly ask: <T>(...args: string[]) => Promise<T>;
  /** The agent works through the steps; the model keeps what it was shown. */
  readonly agent: (
    prompt: string,
    steps: readonly ScriptedStep[],
    options?: { signal?: AbortSignal },
  ) => Promise<ClaudeResult & { model: ScriptedModel }>;
  readonly file: (path: string) => Promise<string>;
  readonly daemonPid: () => Promise<number>;
  readonly dispose: () => Promise<void>;
}

export async function makeWorld(): Promise<World> {
  const repo = await makeScratchRepo();
  const base = await mkdtemp('/tmp/cs-');
  const home = join(base, 'home');
  const env = { HOME: join(base, 'human'), COUNTERSIGN_HOME: home };
  const models: ScriptedModel[] = [];

  const human: World['human'] = (args, input) =>
    runInTerminal(CLI, args, { cwd: repo.path, env, ...(input === undefined ? {} : { input }) });
  const ask: World['ask'] = async (...args) => {
    const { output } = await human([...args, '--json']);
    return JSON.parse(output) as never;
  };
  return {
    repo,
    home,
    human,
    ask,
    file: (path) => readFile(join(repo.path, path), 'utf8'),
    daemonPid: async () => (await ask<Status>('status')).pid,
    agent: async (prompt, steps, options = {}) => {
      const bin = process.env['COUNTERSIGN_CLAUDE'];
      if (bin === undefined) throw new Error('COUNTERSIGN_CLAUDE is not set: run this through npm test');
      const model = await startScriptedModel({ steps });
      models.push(model);
      const result = await runClaude({
        bin,
        workspace: repo.path,
        home: join(base, 'agent'),
        model,
        prompt,
        extraArgs: ['--permission-mode', 'acceptEdits'],
        ...options,
      });
      return { ...result, model };
    },
    dispose: async () => {
      for (const model of models) await model.close();
      const pid = await ask<Status>('status').then(
        ({ pid }) => pid,
        () => null,
      );
      if (typeof pid === 'number') process.kill(pid, 'SIGKILL');
      await repo.dispose();
      await rm(base, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
