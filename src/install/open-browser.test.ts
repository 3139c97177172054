import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { browserOpener, openBrowser } from './open-browser.ts';

const LINK = 'http://127.0.0.1:8723/ui/#code=abc';

test('the browser gets a private file that leads to the link, never the link itself; the file is deleted', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'countersign-browser-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'login.html');
  const env = { PATH: `${dir}:/usr/bin:/bin`, DISPLAY: ':0' };
  const opener = (last: string) => {
    writeFileSync(
      join(dir, 'xdg-open'),
      `#!/bin/sh\necho "$@" > ${dir}/args\nstat -c %a ${file} > ${dir}/mode\ncp ${file} ${dir}/read\n${last}\n`,
    );
    chmodSync(join(dir, 'xdg-open'), 0o755);
  };
  const read = (name: string) => readFileSync(join(dir, name), 'utf8');

  opener('exit 0');
  expect(await openBrowser(LINK, file, env, 'linux', 2_000)).toBe(true);
  expect([read('args'), read('mode'), existsSync(file)]).toEqual([`file://${file}\n`, '600\n', false]);
  expect(read('read')).toContain(`location.replace("${LINK}")`);

  opener('exit 3');
  expect([await openBrowser(LINK, file, env, 'linux', 2_000), existsSync(file)]).toEqual([false, false]);
  rmSync(join(dir, 'xdg-open'));
  expect([await openBrowser(LINK, file, { PATH: dir, DISPLAY: ':0' }, 'linux', 2_000), existsSync(file)]).toEqual([false, false]);
});

test('without a desktop no browser is looked for', async () => {
  expect([browserOpener({}, 'linux'), browserOpener({ WAYLAND_DISPLAY: 'w' }, 'linux'), browserOpener({}, 'darwin')]).toEqual([
    null,
    'xdg-open',
    'open',
  ]);
  expect(await openBrowser(LINK, '/nowhere/login.html', {}, 'linux')).toBe(false);
});
