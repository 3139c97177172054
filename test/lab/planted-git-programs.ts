// A repository whose settings name a program for each key that can, in most of git's commands; each program notes that it ran.

import { execFileSync } from 'node:child_process';
import { appendFile, chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Installation, makeInstallation } from './installation.ts';

/** Every key that names a program, as of git's own manual. `x` is what .gitattributes and the remote name. */
const KEYS = [
  ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.gitProxy', 'core.askPass', 'core.alternateRefsCommand'],
  ...['credential.helper', 'credential.https://x.test.helper', 'diff.external', 'diff.x.command', 'diff.x.textconv', 'diff.guitool'],
  ...['filter.x.clean', 'filter.x.smudge', 'filter.y.process', 'merge.x.driver', 'merge.tool', 'mergetool.x.cmd', 'difftool.x.cmd'],
  ...['diff.tool', 'difftool.x.path', 'merge.guitool', 'mergetool.x.path', 'man.x.path', 'browser.x.path', 'instaweb.browser'],
  ...['gc.recentObjectsHook', 'gpg.openpgp.program', 'submodule.x.update', 'sendemail.ccCmd', 'sendemail.headerCmd'],
  ...['gpg.program', 'gpg.x509.program', 'gpg.ssh.program', 'gpg.ssh.defaultKeyCommand', 'interactive.diffFilter', 'sequence.editor'],
  ...['remote.x.uploadpack', 'remote.x.receivepack', 'remote.y.vcs', 'uploadpack.packObjectsHook', 'trailer.x.command', 'trailer.x.cmd'],
  ...['pager.status', 'pager.ls-files', 'pager.rev-parse', 'pager.config', 'pager.diff', 'man.x.cmd', 'browser.x.cmd', 'guitool.x.cmd'],
  ...['sendemail.smtpServer', 'sendemail.toCmd', 'instaweb.httpd', 'web.browser', 'help.browser', 'imap.tunnel', 'tar.x.command'],
  'sendemail.sendmailCmd',
];
const ALIASES = ['status', 'ls-files', 'rev-parse', 'st', 'blame', 'config'];
const HOOKS = ['post-index-change', 'post-checkout', 'reference-transaction', 'pre-commit', 'fsmonitor-watchman', 'post-commit'];

/** A filter that speaks no protocol ends git, so it has its own file type. */
const ATTRIBUTES = '* filter=x diff=x merge=x\n*.odd filter=y\n';
export const TRACKED = '.claude/settings.local.json';

interface Planted {
  readonly place: Installation;
  /** Which programs ran, by key. */
  readonly ran: () => Promise<string[]>;
}

/** In the repository's settings, the work tree's own, a file that is included, and one that is included under a condition. */
export async function planted(): Promise<Planted> {
  const base = await makeInstallation();
  onTestFinished(() => base.dispose());
  await mkdir(join(base.repo.path, '.claude'));
  await writeFile(join(base.repo.path, TRACKED), '{}\n');
  base.repo.git('add', '--all');
  base.repo.git('commit', '--quiet', '--message', 'more');
  const log = join(base.base, 'ran');
  const programs = join(base.base, 'programs');
  await mkdir(join(programs, 'hooks'), { recursive: true });
  const program = async (file: string, key: string, then = '') => {
    await writeFile(join(programs, file), `#!/bin/sh\necho '${key}' >> '${log}'\n${then}`);
    await chmod(join(programs, file), 0o755);
    return join(programs, file);
  };
  const settings = [`[core]\n\thooksPath = ${join(programs, 'hooks')}`, '[remote "x"]\n\turl = ssh://x.test/x\n\tpromisor = true'];
  for (const key of KEYS) {
    const [, section, subsection, name] = /^([^.]+)(?:\.(.+))?\.([^.]+)$/.exec(key)!;
    const file = await program(key.replaceAll('/', '_'), key, key.endsWith('clean') || key.endsWith('smudge') ? 'exec cat\n' : '');
    const value = key === 'submodule.x.update' ? `!${file}` : file;
    settings.push(`[${section}${subsection === undefined ? '' : ` "${subsection}"`}]\n\t${name} = ${value}`);
  }
  for (const name of ALIASES) settings.push(`[alias]\n\t${name} = !${await program(`alias-${name}`, `alias.${name}`)}`);
  for (const hook of HOOKS) await program(`hooks/${hook}`, `hook ${hook}`);
  // The first git on PATH reports that it was started.
  await program('git', 'git itself', `exec ${execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()} "$@"\n`);
  const config = (name: string) => join(base.repo.path, '.git', name);
  const [all, unconditional] = [`${settings.join('\n')}\n`, '[extensions]\n\tworktreeConfig = true\n[include]\n\tpath = more\n'];
  await appendFile(config('config'), `${unconditional}[includeIf "gitdir:/"]\n\tpath = even-more\n${all}`);
  await writeFile(config('more'), all);
  await writeFile(config('even-more'), all.replace(/hooksPath = .*/, ''));
  await writeFile(config('config.worktree'), all);
  await writeFile(join(base.repo.path, '.gitattributes'), ATTRIBUTES);
  await appendFile(join(base.repo.path, '.git/info/attributes'), ATTRIBUTES);
  const ran = async () => [...new Set((await readFile(log, 'utf8').catch(() => '')).split('\n').filter(Boolean))];
  return { place: { ...base, ...withPath(base, programs) }, ran };
}

const withPath = (base: Installation, programs: string): Pick<Installation, 'runAlone'> => ({
  runAlone: (args, options = {}) =>
    base.runAlone(args, { ...options, env: { ...options.env, PATH: `${programs}:${process.env['PATH'] ?? ''}` } }),
});
