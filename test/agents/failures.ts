// With a real client: whatever ails the daemon, a change does not land and a look passes. The hooks are those that `init` writes, with
// shorter times, so that the hook client's own deadline stays below the agent's time-out as it does in the files.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { hookAdapters } from '../../src/doors/hooks/index.ts';
import { type Ailment, AILMENTS, type SickDaemon, startSickDaemon } from '../lab/sick-daemon.ts';
import type { ScriptedStep } from '../lab/scripted-model.ts';
import { makeWorld, type World } from '../lab/world.ts';
import { verifies } from '../verifies.ts';
import { type ClientWords, limitsOf } from './client-words.ts';

/** As the table in the documentation heads its columns. */
const TITLES: Readonly<Record<Ailment, string>> = {
  gone: 'gone, none can be started',
  silent: 'takes the call, says nothing',
  slow: 'asks for patience until the time is up',
  dying: 'dies in the middle of its answer',
  raving: 'answers nonsense',
};
const DOCUMENT = new URL('../../docs/wire-an-agent.md', import.meta.url);
const HELD = 'change blocked, look passed';
const LOGIN = 'src/auth/login.ts';
/** Of one client that is started once. */
const LONGEST_RUN_MS = 120_000;
const SECONDS = { deadline: 1, timeout: 5 };

export function tellOfFailures(words: ClientWords): void {
  const { client, edit, read, shell, look } = words;
  const { hearsRefusals } = limitsOf(words);
  describe.skipIf(process.env[client.variable] === undefined)(`${client.name}, with a daemon that is ill`, () => {
    let world: World;
    let sick: SickDaemon;
    beforeAll(async () => {
      world = await makeWorld(client);
      sick = await startSickDaemon();
      expect((await world.human(['init', '--agent', client.name, '--yes'])).code).toBe(0);
      for (const ailment of AILMENTS) await writeFile(join(world.repo.path, `look-${ailment}`), `seen ${ailment}\n`);
      await hurry(world, client.name);
    });
    afterAll(async () => {
      sick?.close();
      await world?.dispose();
    });

    verifies('T10', 'no change lands and looking goes on', sufferAll, hearsRefusals ? LONGEST_RUN_MS : AILMENTS.length * LONGEST_RUN_MS);

    async function sufferAll(): Promise<void> {
      const before = await world.file(LOGIN);
      const found: [Ailment, string][] = [];
      for (const ailments of hearsRefusals ? [AILMENTS] : AILMENTS.map((each) => [each])) found.push(...(await suffer(ailments, before)));
      const row = found.map(([, cell]) => cell);
      console.log(`${client.name}: ${found.map(([ailment, cell]) => `${ailment}: ${cell}`).join('; ')}`);
      expect(row).toEqual(AILMENTS.map(() => HELD));
      expect(await rowInDocument(hookAdapters.get(client.name)!.title)).toEqual(row);
    }

    /** One run of the client: the daemon falls ill once the client has started, and its state changes as the model goes on. */
    async function suffer(ailments: readonly Ailment[], before: string): Promise<[Ailment, string][]> {
      const pid = await world.daemonPid();
      const path = join(world.repo.path, LOGIN);
      const landed = (ailment: Ailment) => `src/auth/landed-${ailment}`;
      const contents = new Map<Ailment, string>();
      // Another file each time: a client may answer for one that it has read by itself.
      const lookAt = (ailment: Ailment) => look ?? { call: read(join(world.repo.path, `look-${ailment}`)), answers: `seen ${ailment}` };
      const steps = ailments.flatMap((ailment, at): ScriptedStep[] => [
        () => {
          if (at === 0) fallIll(pid);
          writeFileSync(join(world.home, 'run/hook'), sick.addressFor(ailment));
          return lookAt(ailment).call;
        },
        edit(path, 'return null', 'return undefined as never'),
        () => {
          contents.set(ailment, readFileSync(path, 'utf8'));
          return shell(`touch ${landed(ailment)}`);
        },
      ]);
      const { model } = await world.agent('go on', [read(path), ...steps, { text: 'No.' }]);
      const results = model.toolResults().slice(1);
      for (const ailment of ailments) if (!contents.has(ailment)) contents.set(ailment, await world.file(LOGIN));
      world.mendLedger();
      return ailments.map((ailment, at) => {
        const [looked = '', edited = ''] = results.slice(at * 3, at * 3 + 3);
        const isBlocked = contents.get(ailment) === before && !existsSync(join(world.repo.path, landed(ailment)));
        const isSaid = !hearsRefusals || edited.includes('DAEMON_UNAVAILABLE');
        const change = isBlocked ? (isSaid ? 'change blocked' : `change did not land: ${edited}`) : 'change LANDED';
        return [ailment, `${change}, ${looked.includes(lookAt(ailment).answers) ? 'look passed' : `look BLOCKED: ${looked}`}`];
      });
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

/** Shortens the times in every hook that was written, the client's and the agent's, and trusts what came of it. */
async function hurry({ repo, userHome }: World, name: string): Promise<void> {
  const { wiring, trust } = hookAdapters.get(name)!;
  for (const { file, place } of wiring) {
    const path = join(repo.path, file);
    if (place !== 'workspace' || !existsSync(path)) continue;
    const text = (await readFile(path, 'utf8'))
      .replaceAll(/(--deadline[ ",]+)\d+/g, `$1${SECONDS.deadline}`)
      .replaceAll(/("timeout(?:Sec)?": |PATIENCE_MS = )\d+?(000)?\b/g, `$1${SECONDS.timeout}$2`);
    await writeFile(path, text);
    if (trust?.store?.hooksFile !== file) continue;
    const stored = join(userHome, trust.store.file);
    await writeFile(stored, trust.store.grant(await readFile(stored, 'utf8'), { root: repo.path, hooks: text }) ?? '');
  }
}

async function rowInDocument(title: string): Promise<string[]> {
  const lines = (await readFile(DOCUMENT, 'utf8')).split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const head = lines.find((cells) => cells.slice(1).join() === AILMENTS.map((ailment) => TITLES[ailment]).join());
  if (!head) throw new Error(`${DOCUMENT.pathname} has no table with the columns ${Object.values(TITLES).join(' | ')}`);
  return (
    lines
      .slice(lines.indexOf(head))
      .find(([first]) => first === title)
      ?.slice(1) ?? []
  );
}
