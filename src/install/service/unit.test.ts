// The files themselves, as systemd and launchd would read them: systemd's own checker where there is one, and an XML reader for the other.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { serviceOf, type ServiceRequest } from './unit.ts';

const request: ServiceRequest = {
  ...{ cli: '/opt/countersign/bin/countersign', homeDir: '/home/ada/.local/share/countersign', userHome: '/home/ada', uid: 1000 },
  ...{ env: { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }, configHome: undefined },
};

test('the unit of systemd, whole', () => {
  expect(serviceOf('systemd', request)).toEqual({
    kind: 'systemd',
    file: '/home/ada/.config/systemd/user/countersign.service',
    content: [
      '[Unit]',
      'Description=Countersign, the gate for AI agents',
      '',
      '[Service]',
      'Type=exec',
      'ExecStart=/usr/bin/env "/opt/countersign/bin/countersign" "daemon" "--home" "/home/ada/.local/share/countersign"',
      'Environment="PATH=/usr/bin:/bin"',
      'Environment="LANG=C.UTF-8"',
      '# A stopped daemon stays stopped; hooks start one when they need it.',
      'Restart=on-failure',
      'RestartSec=2',
      'UMask=0077',
      '',
      '[Install]',
      'WantedBy=default.target',
      '',
    ].join('\n'),
    install: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', 'countersign.service'],
    ],
    uninstall: [
      ['systemctl', '--user', 'disable', '--now', 'countersign.service'],
      ['systemctl', '--user', 'daemon-reload'],
    ],
  });
  expect(serviceOf('systemd', { ...request, configHome: '/etc/ada' }).file).toBe('/etc/ada/systemd/user/countersign.service');
  expect(serviceOf('systemd', { ...request, configHome: 'relative' }).file).toBe(serviceOf('systemd', request).file);
});

const hasChecker = spawnSync('systemd-analyze', ['--version']).status === 0;

test.runIf(hasChecker)('systemd itself has nothing to say against it, also where the folders have odd names', () => {
  const base = mkdtempSync(join(tmpdir(), 'countersign-unit-'));
  onTestFinished(() => rmSync(base, { recursive: true, force: true }));
  for (const name of ['plain', 'two words', '50%n', '$HOME', 'a"quote', "it's"]) {
    const cli = join(base, name, 'countersign');
    mkdirSync(dirname(cli));
    writeFileSync(cli, '#!/bin/sh\n');
    chmodSync(cli, 0o755);
    const { content } = serviceOf('systemd', { ...request, cli, homeDir: join(base, name), env: { PATH: `/usr/bin:${join(base, name)}` } });
    const file = join(base, 'countersign.service');
    writeFileSync(file, content);
    const { status, stderr } = spawnSync('systemd-analyze', ['--user', 'verify', '--man=no', file], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: base, XDG_RUNTIME_DIR: base },
    });
    // Its messages about other units of the machine do not count.
    expect([name, status, stderr.split('\n').filter((line) => line.includes('countersign'))]).toEqual([name, 0, []]);
  }
});

type Plist = string | number | boolean | Plist[] | { [key: string]: Plist };

/** Dictionaries, lists, strings, numbers and truth values, as a property list has them; throws on anything else. */
function readPlist(text: string): Plist {
  const tokens = text.slice(text.indexOf('<plist')).match(/<[^>]+>|[^<]+/g) ?? [];
  const next = () => {
    const blankBefore = (token: string) => /^\s*$/.test(token) && !/^<(?:string|key)>$/.test(last);
    let token = tokens.shift() ?? '';
    while (token !== '' && blankBefore(token)) token = tokens.shift() ?? '';
    return (last = token);
  };
  let last = '';
  const expected = (token: string) => {
    const found = next();
    if (found !== token) throw new Error(`${found} where ${token} should be`);
  };
  const words = (end: string): string => {
    const word = next();
    if (word === end) return '';
    expected(end);
    const entities = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
    return word.replace(/&(\w+);/g, (_, name: keyof typeof entities) => entities[name]);
  };
  const value = (start: string): Plist => {
    if (start === '<string>') return words('</string>');
    if (start === '<integer>') return Number(words('</integer>'));
    if (start === '<true/>' || start === '<false/>') return start === '<true/>';
    if (start === '<array>') {
      const list: Plist[] = [];
      for (let token = next(); token !== '</array>'; token = next()) list.push(value(token));
      return list;
    }
    if (start !== '<dict>') throw new Error(`${start} is no value`);
    const dictionary: { [key: string]: Plist } = {};
    for (let token = next(); token !== '</dict>'; token = next()) {
      if (token !== '<key>') throw new Error(`${token} where a key should be`);
      const key = words('</key>');
      dictionary[key] = value(next());
    }
    return dictionary;
  };
  expected('<plist version="1.0">');
  const whole = value(next());
  expected('</plist>');
  return whole;
}

test('the agent of launchd says the same to whoever reads it, whatever the folders are called', () => {
  const name = fc.string({ unit: fc.constantFrom('a', ' ', '&', '<', '>', '"', "'", '%', '$', 'ö'), minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(name, name, (cli, folder) => {
      const { content, file } = serviceOf('launchd', { ...request, cli: `/${cli}`, homeDir: `/h/${folder}` });
      expect(file).toBe('/home/ada/Library/LaunchAgents/dev.countersign.daemon.plist');
      expect(readPlist(content)).toEqual({
        Label: 'dev.countersign.daemon',
        ProgramArguments: [`/${cli}`, 'daemon', '--home', `/h/${folder}`],
        EnvironmentVariables: request.env,
        RunAtLoad: true,
        KeepAlive: { SuccessfulExit: false },
        Umask: 0o077,
        StandardOutPath: `/h/${folder}/daemon.log`,
        StandardErrorPath: `/h/${folder}/daemon.log`,
      });
    }),
    { numRuns: 200 },
  );
});
