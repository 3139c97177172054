// `countersign service` on the real command line, with a `systemctl` of this test's own in front: what it is asked to do is written down, and
// whether the machine has a systemd does not matter.

import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Installation, makeInstallation } from './lab/installation.ts';

async function place(): Promise<Installation & { readonly unit: string; readonly bin: string; readonly asked: () => Promise<string> }> {
  const made = await makeInstallation();
  onTestFinished(() => made.dispose());
  const bin = join(made.base, 'bin');
  const log = join(made.base, 'asked');
  await mkdir(bin);
  await writeFile(join(bin, 'systemctl'), `#!/bin/sh\necho "$*" >> '${log}'\n[ ! -e '${bin}/fails' ] || { echo no bus >&2; exit 1; }\n`);
  await chmod(join(bin, 'systemctl'), 0o755);
  return {
    ...made,
    ...{ bin, unit: join(made.env['HOME']!, '.config/systemd/user/countersign.service') },
    asked: () => readFile(log, 'utf8').catch(() => ''),
  };
}
const exists = (file: string) => stat(file).then(Boolean, () => false);

test('install writes the unit for its owner alone and starts it; uninstall takes both back', async () => {
  const { run, unit, asked, bin, home } = await place();
  const env = { PATH: `${bin}:${process.env['PATH']}` };
  const dry = await run(['service', 'install', '--dry-run', '--kind', 'systemd'], { env });
  expect(dry).toMatchObject({ code: 0, stderr: '' });
  expect([await asked(), await exists(unit)]).toEqual(['', false]);

  const { code, stdout } = await run(['service', 'install', '--kind', 'systemd', '--json'], { env });
  const report = JSON.parse(stdout) as { content: string };
  expect([code, report]).toMatchObject([0, { kind: 'systemd', what: 'install', done: true, file: unit }]);
  expect(await readFile(unit, 'utf8')).toBe(report.content);
  expect((await stat(unit)).mode & 0o777).toBe(0o600);
  expect(dry.stdout).toContain(report.content);
  expect(report.content).toContain(`"daemon" "--home" "${home}"`);
  expect(await asked()).toBe('--user daemon-reload\n--user enable --now countersign.service\n');

  expect((await run(['service', 'uninstall', '--kind', 'systemd'], { env })).stdout).toBe(`The service is gone: ${unit}\n`);
  expect(await exists(unit)).toBe(false);
  expect((await asked()).split('\n').slice(2, 4)).toEqual(['--user disable --now countersign.service', '--user daemon-reload']);
  expect(await run(['service', 'uninstall', '--kind', 'systemd'], { env })).toMatchObject({ code: 1, stdout: '' });
});

test('where there is no such program it refuses, writes nothing and says that nothing is lost', async () => {
  const { run, env } = await place();
  const { code, stderr } = await run(['service', 'install', '--kind', 'launchd']);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/There is no launchctl on PATH.*\n {2}Nothing is lost: hooks/)]);
  expect(await exists(join(env['HOME']!, 'Library'))).toBe(false);
  const dry = await run(['service', 'install', '--kind', 'launchd', '--dry-run']);
  expect(dry.stdout).toMatch(
    /^Would write .*\/Library\/LaunchAgents\/dev\.countersign\.daemon\.plist:[^]*and run:\n {2}launchctl bootstrap gui\/\d+ /,
  );
});

test('what systemctl objects to is reported in its words, with what to do', async () => {
  const { run, bin, unit } = await place();
  await writeFile(join(bin, 'fails'), '');
  const { code, stderr } = await run(['service', 'install', '--kind', 'systemd'], { env: { PATH: `${bin}:${process.env['PATH']}` } });
  expect(code).toBe(3);
  expect(stderr).toBe(
    `countersign: systemctl --user daemon-reload failed: no bus\n  ${unit} is as it was written. Run the command yourself in a session of your own, or countersign service uninstall\n`,
  );
});
