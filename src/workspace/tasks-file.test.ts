import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../../test/verifies.ts';
import { addTasks, completeTask } from './edit-tasks.ts';
import { parseTasks } from './tasks-document.ts';
import { archiveTasks, changeTasks, readTasks } from './tasks-file.ts';
import { makeTree } from './tree.fixture.ts';
import { TASKS_ARCHIVE_FILE, TASKS_FILE } from './own-files.ts';

const text = '# Tasks — g\n\n- [ ] a\n- [ ] b\n';
const [list] = parseTasks(text);
const first = list!.tasks[0]!.id;
const add = (title: string) => (before: string | null) => addTasks(before, { intent: null, titles: [title] });

test('the file is read, made and changed at its place', async () => {
  const root = makeTree();
  expect(await readTasks(root)).toBe(null);
  const { added } = await changeTasks(root, add('a'));
  expect(await readTasks(root)).toEqual({
    text: '# Tasks — Next steps\n\n- [ ] a\n',
    lists: [{ intent: null, goal: 'Next steps', line: 1, tasks: added, current: added[0]?.id }],
  });
  chmodSync(join(root, TASKS_FILE), 0o600);
  await changeTasks(root, add('b'));
  expect(statSync(join(root, TASKS_FILE)).mode & 0o777).toBe(0o600);
  expect(readdirSync(root)).toEqual([TASKS_FILE]);
  expect(await readTasks(makeTree({ [TASKS_FILE]: 'no tasks here\n' }))).toEqual({ text: 'no tasks here\n', lists: [] });
});

verifies('T8', 'a bad file is reported and left as it is', async () => {
  const root = makeTree({ [TASKS_FILE]: '# Tasks — g\n- [y] a\n' });
  await expect(readTasks(root)).rejects.toMatchObject({
    code: 'DOCUMENT_INVALID',
    message: expect.stringContaining('tinyTasks.md:2: ') as string,
  });
  await expect(changeTasks(root, add('b'))).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  expect(readFileSync(join(root, TASKS_FILE), 'utf8')).toBe('# Tasks — g\n- [y] a\n');
  await expect(readTasks(makeTree({ [TASKS_FILE]: Buffer.from([35, 10, 0xff]) }))).rejects.toMatchObject({
    message: 'tinyTasks.md:2: is not valid UTF-8',
  });
});

verifies('T8', "a human's edit in between is a conflict and stays", async () => {
  const root = makeTree({ [TASKS_FILE]: text });
  const path = join(root, TASKS_FILE);
  const human = `${text}- [ ] from Kim\n`;
  const meddlers: [meddle: () => void, stands: string][] = [
    [(): void => writeFileSync(path, human), human],
    // As editors save: a new file takes the name.
    [(): void => (writeFileSync(`${path}~`, `${human}- [ ] and Jo\n`), renameSync(`${path}~`, path)), `${human}- [ ] and Jo\n`],
  ];
  for (const [meddle, stands] of meddlers) {
    const act = changeTasks(root, (before) => {
      meddle();
      return completeTask(before, first);
    });
    await expect(act).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(readFileSync(path, 'utf8')).toBe(stands);
  }
  const afterAll = await changeTasks(root, (before) => completeTask(before, first));
  expect(afterAll.text).toBe(`${human}- [ ] and Jo\n`.replace('[ ] a', '[x] a'));

  const empty = makeTree();
  await expect(changeTasks(empty, (before) => (writeFileSync(join(empty, TASKS_FILE), text), add('x')(before)))).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(readFileSync(join(empty, TASKS_FILE), 'utf8')).toBe(text);
  const gone = makeTree({ [TASKS_FILE]: text });
  await expect(changeTasks(gone, (before) => (rmSync(join(gone, TASKS_FILE)), add('x')(before)))).rejects.toMatchObject({
    code: 'CONFLICT',
  });
  expect(readdirSync(gone)).toEqual([]);
});

verifies('T8', 'of several changes at once none is lost in silence', async () => {
  const root = makeTree({ [TASKS_FILE]: text });
  const names = ['c', 'd', 'e', 'f'];
  const results = await Promise.allSettled(names.map((name) => changeTasks(root, add(name))));
  const won = names.filter((_, index) => results[index]?.status === 'fulfilled');
  expect((await readTasks(root))?.lists[0]?.tasks.map(({ title }) => title).toSorted()).toEqual(['a', 'b', ...won]);
  const reasons = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  expect(reasons).toEqual(reasons.map(() => expect.objectContaining({ code: 'CONFLICT' }) as unknown));
  expect(readdirSync(root)).toEqual([TASKS_FILE]);
});

test('a pipe or a link that takes the place is a conflict, and holds nothing up', async () => {
  for (const meddle of [
    (path: string): unknown => execFileSync('mkfifo', [path]),
    (path: string): void => symlinkSync('elsewhere', path),
  ]) {
    const root = makeTree({ [TASKS_FILE]: text, elsewhere: text });
    const path = join(root, TASKS_FILE);
    await expect(changeTasks(root, (before) => (rmSync(path), meddle(path), add('x')(before)))).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(readFileSync(join(root, 'elsewhere'), 'utf8')).toBe(text);
    await expect(readTasks(root)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  }
});

verifies('T8', 'a finished list moves to the archive whole', async () => {
  const done = '# Tasks — g (INT-1)\n\nKim: good.\n- [x] a\n\n';
  const root = makeTree({ [TASKS_FILE]: `${done}# Tasks — h\n- [x] b` });
  const [one, two] = (await readTasks(root))!.lists;
  await archiveTasks(root, one!);
  expect(readFileSync(join(root, TASKS_FILE), 'utf8')).toBe('# Tasks — h\n- [x] b');
  expect(readFileSync(join(root, TASKS_ARCHIVE_FILE), 'utf8')).toBe(done);
  await archiveTasks(root, two!);
  expect(await readTasks(root)).toEqual({ text: '', lists: [] });
  expect(readFileSync(join(root, TASKS_ARCHIVE_FILE), 'utf8')).toBe(`${done}# Tasks — h\n- [x] b\n`);
  await expect(archiveTasks(root, two!)).rejects.toMatchObject({ code: 'NOT_FOUND' });

  // An earlier attempt got as far as the archive.
  const again = makeTree({ [TASKS_FILE]: done, [TASKS_ARCHIVE_FILE]: `# Old\n\n${done}` });
  await archiveTasks(again, one!);
  expect(readFileSync(join(again, TASKS_ARCHIVE_FILE), 'utf8')).toBe(`# Old\n\n${done}`);
});

test('without an archive nothing leaves the file', async () => {
  const root = makeTree({ [TASKS_FILE]: '# Tasks — g\n- [x] a\n', 'elsewhere.md': '' });
  mkdirSync(join(root, '.orchestration'));
  symlinkSync('../elsewhere.md', join(root, TASKS_ARCHIVE_FILE));
  await expect(archiveTasks(root, parseTasks('# Tasks — g\n')[0]!)).rejects.toMatchObject({ code: 'DOCUMENT_INVALID' });
  expect(readFileSync(join(root, 'elsewhere.md'), 'utf8')).toBe('');
  expect(readFileSync(join(root, TASKS_FILE), 'utf8')).toBe('# Tasks — g\n- [x] a\n');
});
