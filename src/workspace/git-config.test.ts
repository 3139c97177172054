import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { parseGitConfig, readGitSetting } from './git-config.ts';

function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-git-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

test('a file is read as git reads it', () => {
  const file = join(scratch(), 'config');
  const piece = fc.constantFrom(
    ...['[core]', '[ Core ]', '[a "b c"]', '[a "b\\"\\\\c"]', '[a.B]', '\n', '\n\t', ' ', 'hooksPath', 'x-1', '=', ' = ', 'v', 'two words'],
    ...['"', '"quoted # ; "', '\\\n', '\\n', '\\t', '\\"', '\\\\', '\\x', '# note', '; note', 'true', '~/x', '\r\n', '\ufeff', 'é'],
  );
  const line = fc
    .tuple(fc.constantFrom('k', 'hooksPath', 'k2'), fc.array(piece, { maxLength: 4 }))
    .map(([key, parts]) => `\n${key} = ${parts.join('')}`);
  const text = fc.array(fc.oneof(line, piece), { maxLength: 8 }).map((parts) => `[s]${parts.join('')}`);
  let read = 0;
  fc.assert(
    fc.property(text, (content) => {
      writeFileSync(file, content);
      const real = listed(file);
      // When git refuses the whole file there is nothing to compare with.
      if (real === null) return;
      read++;
      expect(parseGitConfig(content)).toEqual(real);
    }),
    { numRuns: 150 },
  );
  expect(read).toBeGreaterThan(30);
});

function listed(file: string): [string, string][] | null {
  try {
    const text = execFileSync('git', ['config', '--file', file, '--no-includes', '--list', '-z'], { encoding: 'utf8', stdio: 'pipe' });
    return text
      .split('\0')
      .slice(0, -1)
      .map((entry) => {
        const end = entry.indexOf('\n');
        return end < 0 ? [entry, 'true'] : [entry.slice(0, end), entry.slice(end + 1)];
      });
  } catch {
    return null;
  }
}

/** Files of a home and a repository in it. */
function prepared(files: Readonly<Record<string, string>>) {
  const userHome = scratch();
  const root = join(userHome, 'repo');
  const env = { PATH: process.env['PATH'], HOME: userHome };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', env });
  mkdirSync(root);
  git('init', '--quiet');
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(userHome, name)), { recursive: true });
    writeFileSync(join(userHome, name), content, { flag: 'a' });
  }
  return { root, userHome, git };
}

const HOOKS = (value: string) => `[core]\n\thooksPath = ${value}\n`;

test.each<[string, Readonly<Record<string, string>>]>([
  ['nothing', {}],
  ['the person', { '.gitconfig': HOOKS('~/mine') }],
  ['the person, in two files', { '.config/git/config': HOOKS('/one'), '.gitconfig': HOOKS('"~/t w o"') }],
  ['the repository over the person', { '.gitconfig': HOOKS('/one'), 'repo/.git/config': HOOKS('.husky') }],
  [
    'an included file',
    { 'repo/.git/config': '[include]\npath = ../../more\n', more: `${HOOKS('x')}[include] path = further`, further: HOOKS('y # z') },
  ],
  ['a file that includes itself', { 'repo/.git/config': `${HOOKS('x')}[include]\npath = ../../more\n`, more: HOOKS('y') }],
  ['the work tree', { 'repo/.git/config': `${HOOKS('x')}[extensions] worktreeConfig\n`, 'repo/.git/config.worktree': HOOKS('y') }],
  ['the work tree, not switched on', { 'repo/.git/config': HOOKS('x'), 'repo/.git/config.worktree': HOOKS('y') }],
])('core.hooksPath by %s is the one that git takes', async (_, files) => {
  const { root, userHome, git } = prepared(files);
  const named = git('config', '--default', '', '--type', 'path', '--get', 'core.hooksPath').replace(/\n$/, '');
  expect(await readGitSetting(root, 'core.hookspath', { userHome })).toEqual({ value: named || null, conditional: [] });
});

test('what holds under a condition is named apart', async () => {
  const { root, userHome } = prepared({
    '.gitconfig': `${HOOKS('/one')}[includeIf "gitdir:~/work/"]\npath = work\n`,
    work: HOOKS('~/two'),
  });
  expect(await readGitSetting(root, 'core.hookspath', { userHome })).toEqual({ value: '/one', conditional: [join(userHome, 'two')] });
});
