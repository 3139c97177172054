// With a real client: whatever fails in the daemon or the hook client, a change does not land; while the hook client works, a read passes.
// The hooks are those that `init` writes, with shorter times, so that the hook client's own deadline stays below the agent's time-out as it
// does in the files, and with a copy of the hook client, which the tests may break.

import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { hookAdapters } from '../../src/agents/index.ts';
import type { Client } from '../lab/clients/client.ts';
import { CLIENT } from '../lab/hook-client.ts';
import { AILMENTS, type SickDaemon, startSickDaemon } from '../lab/sick-daemon.ts';
import type { ScriptedStep } from '../lab/scripted-model.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import { type ClientWords, limitsOf } from './client-words.ts';

/** What happened to the hook client while the daemon is gone. */
const DAMAGE = ['deleted', 'emptied', 'not executable', 'BASH_ENV'] as const;
type Trouble = (typeof AILMENTS)[number] | (typeof DAMAGE)[number];

/** As the tables in the documentation head their columns. */
const TITLES: Readonly<Record<Trouble, string>> = {
  gone: 'gone, none can be started',
  silent: 'takes the call, says nothing',
  slow: 'asks the client to wait until the deadline',
  dying: 'dies in the middle of its answer',
  raving: 'answers nonsense',
  replaced: 'is dead, and a stranger on its port says `{}`',
  'replaced by silence': 'is dead, and a stranger on its port says 204',
  deleted: 'is deleted',
  emptied: 'is emptied',
  'not executable': 'is not executable',
  BASH_ENV: 'finds `BASH_ENV` set',
};
const DOCUMENT = new URL('../../docs/wire-an-agent.md', import.meta.url);
const HELD = 'change blocked, look passed';
/** Nothing is left that knows which tools only read. */
const SHUT = 'change blocked, look blocked';
const isShut = (trouble: Trouble): boolean => trouble === 'deleted' || trouble === 'emptied';
const LOGIN = 'src/auth/login.ts';
/** For one client that is started once. */
const LONGEST_RUN_MS = 120_000;
const SECONDS = { deadline: 1, timeout: 5 };
/** Says yes in place of the hook client, and passes other programs through. */
const YES_FIRST = `case "$0 \${BASH_EXECUTION_STRING-}" in *countersign-hook*) echo '{}'; exit 0 ;; esac\n`;

export function tellOfFailures(words: ClientWords): void {
  const { client, edit, read, shell, look } = words;
  const { hearsRefusals, plainShell } = limitsOf(words);
  const damage = DAMAGE.filter((each) => plainShell || each !== 'BASH_ENV');
  describe.skipIf(process.env[client.variable] === undefined)(`${client.name}, with a daemon or a hook client that fails`, () => {
    let world: World;
    let sick: SickDaemon;
    let copy: string;
    const environment: Record<string, string> = {};
    beforeAll(async () => {
      world = await makeWorld(withEnvironment(client, environment));
      sick = await startSickDaemon();
      expect((await world.human(['init', '--agent', client.name, '--yes'])).code).toBe(0);
      for (const trouble of [...AILMENTS, ...DAMAGE]) await writeFile(join(world.repo.path, `look-${trouble}`), `seen ${trouble}\n`);
      copy = join(world.home, '../copy/countersign-hook');
      await mkdir(dirname(copy));
      await hurry(world, client.name, copy);
    });
    afterAll(async () => {
      sick?.close();
      await world?.dispose();
    });

    const several = (troubles: readonly Trouble[]) => (hearsRefusals ? [troubles] : troubles.map((each) => [each]));
    const within = (troubles: readonly Trouble[]) => LONGEST_RUN_MS * (several(troubles).length + 1);
    verifies('T10', 'the daemon: no change lands, looking goes on', () => sufferAll(AILMENTS), within(AILMENTS));
    verifies('N22', 'the hook client: no change lands', () => sufferAll(damage), within(damage));

    async function sufferAll(troubles: readonly Trouble[]): Promise<void> {
      const before = await world.file(LOGIN);
      const found: [Trouble, string][] = [];
      // A client has its environment from the start.
      const [own, others] = [troubles.filter((each) => each === 'BASH_ENV'), troubles.filter((each) => each !== 'BASH_ENV')];
      for (const some of several(others)) found.push(...(await suffer(some, before)));
      await writeFile(join(world.home, '../yes-first'), YES_FIRST);
      if (own.length > 0) Object.assign(environment, { BASH_ENV: join(world.home, '../yes-first') });
      for (const some of several(own).filter((each) => each.length > 0)) found.push(...(await suffer(some, before)));
      const row = found.map(([, cell]) => cell);
      console.log(`${client.name}: ${found.map(([trouble, cell]) => `${trouble}: ${cell}`).join('; ')}`);
      expect(row).toEqual(troubles.map((trouble) => (isShut(trouble) ? SHUT : HELD)));
      expect(await rowInDocument(hookAdapters.get(client.name)!.title, troubles)).toEqual(row);
    }

    /** One run of the client: trouble begins once the client has started, and changes with each step of the model. */
    async function suffer(troubles: readonly Trouble[], before: string): Promise<[Trouble, string][]> {
      copyFileSync(CLIENT, copy);
      const pid = await world.daemonPid();
      const path = join(world.repo.path, LOGIN);
      const landed = (trouble: Trouble) => `src/auth/landed-${trouble.replaceAll(' ', '-')}`;
      const contents = new Map<Trouble, string>();
      // Another file each time: a client may answer from its own cache for one that it has read.
      const lookAt = (trouble: Trouble) => look ?? { call: read(join(world.repo.path, `look-${trouble}`)), answers: `seen ${trouble}` };
      const steps = troubles.flatMap((trouble, at): ScriptedStep[] => {
        const change = edit(path, 'return null', 'return undefined as never');
        // A client that ends with the first refusal has to be refused the change.
        const [first, second] = isShut(trouble) ? [change, lookAt(trouble).call] : [lookAt(trouble).call, change];
        return [
          () => {
            if (at === 0) fallIll(pid);
            begin(trouble);
            return first;
          },
          second,
          () => {
            contents.set(trouble, readFileSync(path, 'utf8'));
            return shell(`touch ${landed(trouble)}`);
          },
        ];
      });
      const { model } = await world.agent('go on', [read(path), ...steps, { text: 'No.' }]);
      const results = model.toolResults().slice(1);
      for (const trouble of troubles) if (!contents.has(trouble)) contents.set(trouble, await world.file(LOGIN));
      world.mendLedger();
      return troubles.map((trouble, at) => {
        const [first = '', second = ''] = results.slice(at * 3, at * 3 + 3);
        const [looked, edited] = isShut(trouble) ? [second, first] : [first, second];
        const isSaid = (result: string) => !hearsRefusals || result.includes('DAEMON_UNAVAILABLE');
        const isBlocked = contents.get(trouble) === before && !existsSync(join(world.repo.path, landed(trouble)));
        const change = isBlocked ? (isSaid(edited) ? 'change blocked' : `change did not land: ${edited}`) : 'change LANDED';
        const seen = looked.includes(lookAt(trouble).answers);
        return [trouble, `${change}, ${seen ? 'look passed' : isSaid(looked) ? 'look blocked' : `look did not pass: ${looked}`}`];
      });
    }

    function begin(trouble: Trouble): void {
      const ailment = AILMENTS.find((each) => each === trouble) ?? 'gone';
      writeFileSync(join(world.home, 'run/hook'), sick.addressFor(ailment));
      copyFileSync(CLIENT, copy);
      if (trouble === 'deleted') rmSync(copy);
      if (trouble === 'emptied') truncateSync(copy);
      if (trouble === 'not executable') chmodSync(copy, 0o644);
    }

    function fallIll(pid: number): void {
      try {
        process.kill(pid, 'SIGKILL');
        world.breakLedger();
      } catch (fault) {
        // A client that asks its model again has the step played twice.
        if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
      }
    }
  });
}

/** A later change of the environment applies to every later start. */
const withEnvironment = (client: Client, environment: Readonly<Record<string, string>>): Client => ({
  ...client,
  start: async (run) => {
    const start = await client.start(run);
    return { ...start, env: { ...start.env, ...environment } };
  },
});

/** Shortens the times in every hook that was written, the client's and the agent's, names the copy, and trusts the result. */
async function hurry({ repo, userHome }: World, name: string, copy: string): Promise<void> {
  const { wiring, trust } = hookAdapters.get(name)!;
  for (const { file, place } of wiring) {
    const path = join(repo.path, file);
    if (place !== 'workspace' || !existsSync(path)) continue;
    const text = (await readFile(path, 'utf8'))
      .replaceAll(CLIENT, copy)
      .replaceAll(/(--deadline[ ",]+)\d+/g, `$1${SECONDS.deadline}`)
      .replaceAll(/("timeout(?:Sec)?": |PATIENCE_MS = )\d+?(000)?\b/g, `$1${SECONDS.timeout}$2`);
    await writeFile(path, text);
    if (trust?.store?.hooksFile !== file) continue;
    const stored = join(userHome, trust.store.file);
    await writeFile(stored, trust.store.grant(await readFile(stored, 'utf8'), { root: repo.path, hooks: text }) ?? '');
  }
}

async function rowInDocument(title: string, troubles: readonly Trouble[]): Promise<string[]> {
  const lines = (await readFile(DOCUMENT, 'utf8')).split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const head = lines.find((cells) => troubles.every((trouble, at) => cells[at + 1] === TITLES[trouble]));
  if (!head)
    throw new Error(`${DOCUMENT.pathname} has no table with the columns ${troubles.map((trouble) => TITLES[trouble]).join(' | ')}`);
  return (
    lines
      .slice(lines.indexOf(head))
      .find(([first]) => first === title)
      ?.slice(1, 1 + troubles.length) ?? []
  );
}
