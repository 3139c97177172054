// A whole world for one story: a repository, a home for the daemon, a home for the agent, a human at a terminal. Everything in
// it is real; `dispose` ends what it started.

import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Status } from '../../src/protocol/index.ts';
import { claudeClient } from './clients/claude.ts';
import { type Client, type ClientResult, runClient } from './clients/client.ts';
import { makeScratchRepo, type ScratchRepo } from './scratch-repo.ts';
import { type ScriptedModel, type ScriptedModelOptions, type ScriptedStep, startScriptedModel } from './scripted-model.ts';
import { type Answer, runInTerminal, type TerminalResult } from './terminal.ts';

export const CLI = fileURLToPath(new URL('../../bin/countersign', import.meta.url));

export interface World {
  readonly repo: ScratchRepo;
  /** COUNTERSIGN_HOME. */
  readonly home: string;
  /** The human's own. */
  readonly userHome: string;
  /** A human types a command in a terminal of their own, in the repository. */
  readonly human: (args: readonly string[], input?: readonly Answer[]) => Promise<TerminalResult>;
  /** The same with --json, parsed. */
  readonly ask: <T>(...args: string[]) => Promise<T>;
  /** The agent works through the steps; the model keeps what it was shown. */
  readonly agent: (
    prompt: string,
    steps: readonly ScriptedStep[],
    options?: { signal?: AbortSignal; followUps?: readonly string[] } & Pick<ScriptedModelOptions, 'others' | 'after'>,
  ) => Promise<ClientResult & { model: ScriptedModel }>;
  readonly file: (path: string) => Promise<string>;
  readonly daemonPid: () => Promise<number>;
  /** A daemon does not start on a ledger that does not verify. */
  readonly breakLedger: () => void;
  readonly mendLedger: () => void;
  readonly dispose: () => Promise<void>;
}

/** `repoIn`, `homesIn`: where the repository and the homes are, if the temporary folder is unsuitable. */
export async function makeWorld(client: Client = claudeClient, repoIn?: string, homesIn = '/tmp'): Promise<World> {
  const repo = await makeScratchRepo(repoIn);
  const base = await mkdtemp(join(homesIn, 'cs-'));
  const home = join(base, 'home');
  const env = { HOME: join(base, 'human'), COUNTERSIGN_HOME: home };
  const models: ScriptedModel[] = [];
  const segment = join(home, 'ledger/00000001.jsonl');
  let sound: Buffer | null = null;

  const human: World['human'] = (args, input) =>
    runInTerminal(CLI, args, { cwd: repo.path, env, ...(input === undefined ? {} : { input }) });
  const ask: World['ask'] = async (...args) => {
    const { output } = await human([...args, '--json']);
    return JSON.parse(output) as never;
  };
  // On a busy machine a daemon may take longer to start than one command waits for it.
  for (let tries = 0; tries < 5 && (await human(['start', '--quiet'])).code !== 0; tries++);
  return {
    repo,
    home,
    userHome: env.HOME,
    human,
    ask,
    file: (path) => readFile(join(repo.path, path), 'utf8'),
    breakLedger: () => {
      sound = readFileSync(segment);
      const broken = Buffer.from(sound);
      broken[1000]! ^= 1;
      writeFileSync(segment, broken);
    },
    mendLedger: () => {
      if (sound) writeFileSync(segment, sound);
      sound = null;
    },
    daemonPid: async () => (await ask<Status>('status')).pid,
    agent: async (prompt, steps, { others = {}, after, ...options } = {}) => {
      const model = await startScriptedModel({ steps, others, ...(after === undefined ? {} : { after }) });
      models.push(model);
      return { ...(await runClient(client, { workspace: repo.path, home: join(base, 'agent'), model, prompt, ...options })), model };
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
