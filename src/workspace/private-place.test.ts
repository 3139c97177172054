import { linkSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { whyPrivate } from './private-place.ts';
import { resolveInRoot } from './real-path.ts';

const OWN = "it belongs to the gate's keys and records";
const PROCESS = 'it is the inside of a process, and the gate is one';
const BELOW = "the gate's keys and records lie below it; name a narrower folder";

/** A daemon's folder beside a work tree, and what is said about a path in it. */
function places() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-private-')));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const [home, root] = [join(base, 'home'), join(base, 'tree')];
  mkdirSync(join(home, 'keys'), { recursive: true });
  mkdirSync(root);
  writeFileSync(join(home, 'keys/a.key'), 'secret');
  writeFileSync(join(home, 'daemon.log'), 'started');
  writeFileSync(join(root, 'a.ts'), '');
  const why = async (path: string, deep = false) =>
    whyPrivate(await resolveInRoot(root, path, root), { access: 'read', ...(deep ? { deep } : {}) }, [home]);
  return { base, home, root, why };
}

verifies('N11', "the daemon's folder is private, by its name and through a link", async () => {
  const { home, root, why } = places();
  symlinkSync(home, join(root, 'link'));
  expect(await Promise.all([home, join(home, 'keys/a.key'), join(home, 'new'), 'link/keys/a.key'].map((path) => why(path)))).toEqual(
    Array(4).fill(OWN),
  );
  expect(await Promise.all(['a.ts', '.', `${home}-other`, '/etc/hostname', ''].map((path) => why(path)))).toEqual(Array(5).fill(null));
});

verifies('N11', 'a pattern that may reach into the private folder counts as reaching it', async () => {
  const { base, why } = places();
  const reaching = ['../h*/keys/a.key', '../*/keys/*', `${base}/hom?/daemon.log`, `${base}/[h]ome/keys/a.key`, `${base}/*/*`];
  for (const path of reaching) expect([path, await why(path)]).toEqual([path, OWN]);
  for (const path of ['../*', '../t*/a.ts', '*/keys/*', `${base}/x*/keys/a`]) expect([path, await why(path)]).toEqual([path, null]);
});

verifies('N11', 'a second name of a private file is private, and of any other file is not', async () => {
  const { home, root, why } = places();
  linkSync(join(home, 'keys/a.key'), join(root, 'key'));
  linkSync(join(home, 'daemon.log'), join(root, 'log'));
  linkSync(join(root, 'a.ts'), join(root, 'b.ts'));
  expect([await why('key'), await why('log'), await why('b.ts')]).toEqual([OWN, OWN, null]);
});

verifies('N11', 'a search is not begun above the private folder, unless that is the work tree', async () => {
  const { base, home, root, why } = places();
  expect([await why(base, true), await why('/', true), await why(base), await why(root, true)]).toEqual([BELOW, BELOW, null, null]);
  expect(await whyPrivate(await resolveInRoot(base, '.', base), { access: 'read', deep: true }, [home])).toBeNull();
});

verifies('N11', 'the inside of a process is private, what everybody may know of it is not', async () => {
  const { why } = places();
  const inside = ['self/root/etc', 'thread-self/cwd', '7/root', '7/task/8/root/x', '7/mem', '7/environ', '7/fd/3', '7/map_files/x'];
  for (const path of [...inside, 'self/./root//x', 'self/fd/../root/x', '1/x/..'])
    expect([path, await why(`/proc/${path}`)]).toEqual([path, PROCESS]);
  for (const path of ['cpuinfo', 'self/status', '7/cmdline', 'self/fd/1', 'self/rooted', '7/fdinfo'])
    expect([path, await why(`/proc/${path}`)]).toEqual([path, null]);
});
