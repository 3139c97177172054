// Another process swaps a folder and a file for links that lead outside, as fast as it can, while the gate's operations write there.
// COUNTERSIGN_RACES raises the number of writes; a gate that checks and then writes by name is caught within 500.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { Fault } from '../../src/protocol/index.ts';
import { changeFiles, moveFile, readInRoot } from '../../src/workspace/index.ts';
import { verifies } from '../verifies.ts';

const WRITES = Number(process.env['COUNTERSIGN_RACES'] ?? 2_000);
const AT_ONCE = 4;

const SWAPPER = `
  const { renameSync, symlinkSync, unlinkSync, writeFileSync, rmSync } = require('node:fs');
  const [root, outside, aside] = process.argv.slice(1);
  const quietly = (work) => { try { work(); } catch {} };
  process.stdout.write('ready');
  for (;;) {
    quietly(() => renameSync(root + '/src', aside + '/src'));
    quietly(() => symlinkSync(outside, root + '/src'));
    quietly(() => rmSync(root + '/file.ts', { force: true }));
    quietly(() => symlinkSync(outside + '/file.ts', root + '/file.ts'));
    quietly(() => unlinkSync(root + '/src'));
    quietly(() => renameSync(aside + '/src', root + '/src'));
    quietly(() => unlinkSync(root + '/file.ts'));
    quietly(() => writeFileSync(root + '/file.ts', 'start', { flag: 'wx' }));
  }
`;

/** Names, contents and times, to detect even a short-lived change. */
const sightOf = (folder: string) => ({
  changed: lstatSync(folder, { bigint: true }).ctimeNs,
  files: readdirSync(folder)
    .toSorted()
    .map((name) => ({
      name,
      content: readFileSync(join(folder, name), 'utf8'),
      changed: lstatSync(join(folder, name), { bigint: true }).ctimeNs,
    })),
});

verifies('I9', 'swap between check and write: no escape', swapWhileWriting, 60_000 + WRITES * 20);

async function swapWhileWriting(): Promise<void> {
  // Memory, where there is such a place: the race is about names, and a disk that syncs slows it down.
  const base = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'countersign-swap-')));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  const [root, outside, aside] = [join(base, 'work'), join(base, 'outside'), join(base, 'aside')];
  for (const folder of [join(root, 'src'), outside, aside]) mkdirSync(folder, { recursive: true });
  for (const name of ['a.ts', 'b.ts', 'file.ts']) writeFileSync(join(outside, name), `outside ${name}`);
  for (const name of ['src/a.ts', 'file.ts']) writeFileSync(join(root, name), 'start');
  const before = sightOf(outside);

  const swapper = spawn(process.execPath, ['-e', SWAPPER, root, outside, aside], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await once(swapper.stdout, 'data');

  const ends = { done: 0, refused: 0, shown: 0 };
  const content = Buffer.from('from the gate');
  const attempts = [
    () => changeFiles(root, [{ path: 'src/a.ts', content }]),
    () => changeFiles(root, [{ path: 'file.ts', content }]),
    () =>
      changeFiles(root, [
        { path: 'src/new/b.ts', content },
        { path: 'src/b.ts', content },
      ]),
    () =>
      changeFiles(root, [
        { path: 'src/b.ts', content: null },
        { path: 'src/new/b.ts', content: null },
      ]),
    () => moveFile(root, 'src/a.ts', 'src/b.ts'),
    async () => {
      const file = await readInRoot(root, 'src/a.ts');
      if (file && Buffer.from(file.bytes).toString().startsWith('outside')) ends.shown++;
    },
  ];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < WRITES) {
      try {
        await attempts[next++ % attempts.length]?.();
        ends.done++;
      } catch (error) {
        // Anything but a fault is a defect, whatever was swapped.
        if (!(error instanceof Fault)) throw error;
        ends.refused++;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  swapper.kill('SIGKILL');
  await once(swapper, 'exit');

  expect(sightOf(outside)).toEqual(before);
  expect(ends).toEqual({
    done: expect.toSatisfy((n: number) => n > WRITES / 100),
    refused: expect.toSatisfy((n: number) => n > WRITES / 100),
    shown: 0,
  });
}
