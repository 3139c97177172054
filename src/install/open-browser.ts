// Opens the login link in the person's browser, where there is one.
//
// INVARIANT: the link is never an argument of a program. Every process of the user can read those, an agent's too. The browser is given
// a file in the daemon's private folder that leads to the link.

import { spawn } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

/** Long enough for a browser that has to start first. The link itself counts only once. */
const READ_WITHIN_MS = 10_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** The program that opens a file in a browser of this desktop; null: there is no desktop here. */
export function browserOpener(env: Environment, platform: NodeJS.Platform): string | null {
  if (platform === 'darwin') return 'open';
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : null;
}

/** False: no browser was started. */
export async function openBrowser(
  link: string,
  file: string,
  env: Environment = process.env,
  platform: NodeJS.Platform = process.platform,
  withinMs = READ_WITHIN_MS,
): Promise<boolean> {
  const opener = browserOpener(env, platform);
  if (opener === null) return false;
  await rm(file, { force: true });
  await writeFile(file, `<!doctype html><title>Countersign</title><script>location.replace(${JSON.stringify(link)})</script>\n`, {
    mode: 0o600,
    flag: 'wx',
  });
  try {
    const child = spawn(opener, [pathToFileURL(file).href], { detached: true, env: { ...env }, stdio: 'ignore' });
    const code = await new Promise<number | null>((resolve) => {
      child.once('error', () => resolve(-1));
      child.once('exit', resolve);
      // Some openers end only with the browser.
      child.once('spawn', () => setTimeout(resolve, withinMs, 0).unref());
    });
    child.unref();
    if (code !== 0) return false;
    await pause(withinMs / 4);
    return true;
  } finally {
    await rm(file, { force: true });
  }
}
