// The daemon as a service of the user: the file that systemd or launchd reads, and the commands that activate it. Pure; nothing here writes
// or runs.

import path from 'node:path';

export type ServiceKind = 'systemd' | 'launchd';

export interface ServiceRequest {
  /** The command line's own program, absolute. */
  readonly cli: string;
  /** The daemon's folder, absolute. */
  readonly homeDir: string;
  readonly userHome: string;
  readonly uid: number;
  /** The environment that the daemon needs: with a bare PATH it would find neither git nor the project's tools. */
  readonly env: Readonly<Record<string, string>>;
  /** The user's configuration folder, if it is not the usual one. */
  readonly configHome: string | undefined;
}

export interface Service {
  readonly kind: ServiceKind;
  readonly file: string;
  readonly content: string;
  readonly install: readonly (readonly string[])[];
  readonly uninstall: readonly (readonly string[])[];
}

const UNIT = 'countersign.service';
const LABEL = 'dev.countersign.daemon';
/** Of the environment, and nothing else: the file can be read by others. */
export const SERVICE_ENVIRONMENT = ['PATH', 'LANG', 'TZ', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'COUNTERSIGN_STORE', 'MCP_DASHBOARD_PORT'];

export function serviceOf(kind: ServiceKind, request: ServiceRequest): Service {
  return kind === 'systemd' ? systemdUnit(request) : launchdAgent(request);
}

function systemdUnit({ cli, homeDir, env, userHome, configHome }: ServiceRequest): Service {
  const folder = configHome && path.isAbsolute(configHome) ? configHome : path.join(userHome, '.config');
  const content = [
    '[Unit]',
    'Description=Countersign, the gate for AI agents',
    '',
    '[Service]',
    'Type=exec',
    // Through `env`: systemd refuses a program path that contains a quote.
    `ExecStart=/usr/bin/env ${[cli, 'daemon', '--home', homeDir].map(systemdArgument).join(' ')}`,
    ...Object.entries(env).map(([name, value]) => `Environment=${systemdQuoted(`${name}=${value}`)}`),
    '# A stopped daemon stays stopped; hooks start one when they need it.',
    'Restart=on-failure',
    'RestartSec=2',
    'UMask=0077',
    '',
    '[Install]',
    'WantedBy=default.target',
    '',
  ].join('\n');
  return {
    kind: 'systemd',
    file: path.join(folder, 'systemd/user', UNIT),
    content,
    install: [
      ['systemctl', '--user', 'daemon-reload'],
      ['systemctl', '--user', 'enable', '--now', UNIT],
    ],
    uninstall: [
      ['systemctl', '--user', 'disable', '--now', UNIT],
      ['systemctl', '--user', 'daemon-reload'],
    ],
  };
}

/** `$` would be a variable in a command's arguments, and nowhere else. */
const systemdArgument = (word: string): string => systemdQuoted(word.replaceAll('$', '$$$$'));

/** In quotes, so that blanks hold together. `%` begins a name of systemd's own. */
function systemdQuoted(text: string): string {
  const escaped = text.replace(/["\\]/g, '\\$&').replaceAll('%', '%%').replaceAll('\n', '\\n');
  return `"${escaped}"`;
}

function launchdAgent({ cli, homeDir, userHome, uid, env }: ServiceRequest): Service {
  const file = path.join(userHome, 'Library/LaunchAgents', `${LABEL}.plist`);
  const string = (text: string) => `<string>${xml(text)}</string>`;
  const key = (name: string) => `<key>${xml(name)}</key>`;
  const log = string(path.join(homeDir, 'daemon.log'));
  const content = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    '<dict>',
    `  ${key('Label')}${string(LABEL)}`,
    `  ${key('ProgramArguments')}<array>${[cli, 'daemon', '--home', homeDir].map(string).join('')}</array>`,
    `  ${key('EnvironmentVariables')}<dict>${Object.entries(env)
      .map(([name, value]) => key(name) + string(value))
      .join('')}</dict>`,
    `  ${key('RunAtLoad')}<true/>`,
    // A daemon that was stopped on purpose stays stopped.
    `  ${key('KeepAlive')}<dict>${key('SuccessfulExit')}<false/></dict>`,
    `  ${key('Umask')}<integer>63</integer>`,
    `  ${key('StandardOutPath')}${log}`,
    `  ${key('StandardErrorPath')}${log}`,
    '</dict>',
    '</plist>',
    '',
  ].join('\n');
  return {
    kind: 'launchd',
    file,
    content,
    install: [['launchctl', 'bootstrap', `gui/${uid}`, file]],
    uninstall: [['launchctl', 'bootout', `gui/${uid}/${LABEL}`]],
  };
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };
const xml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
