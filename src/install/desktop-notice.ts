// A notification on the person's desktop, by the program that Linux desktops have for it.

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

/** A service that does not answer must not leave processes behind. */
const WITHIN_MS = 10_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** A daemon that a hook started has no variable of the desktop; the session's bus is where systemd puts it. */
function withBus(env: Environment): Environment {
  if (env['DBUS_SESSION_BUS_ADDRESS'] || process.getuid === undefined) return env;
  const bus = `/run/user/${process.getuid()}/bus`;
  return existsSync(bus) ? { ...env, DBUS_SESSION_BUS_ADDRESS: `unix:path=${bus}` } : env;
}

/** False: no notification was shown, because there is no such program or no desktop. */
export async function notifyDesktop(title: string, body: string, env: Environment = process.env): Promise<boolean> {
  // The body is read as markup: an agent's text must not become a link or an image.
  const plain = body.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const child = spawn('notify-send', ['--app-name=Countersign', '--urgency=critical', '--', title, plain], {
    ...{ env: withBus(env), stdio: 'ignore', timeout: WITHIN_MS },
  });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('exit', (code) => resolve(code === 0));
  });
}
