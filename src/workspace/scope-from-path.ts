// What a person types after `countersign intent TITLE` becomes the globs of a scope.

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeGlob, Fault } from '../protocol/index.ts';
import { compileGlob } from './glob.ts';
import { resolveInRoot } from './real-path.ts';

const WHOLE_TREE = 'it is the whole work tree by way of ..; if you mean that, name the root itself';
const WILD = /[*?[\]{}]/;

/** A folder means all below it, a file itself, a glob what it covers from `cwd`. Links are followed, since scopes hold for real places. */
export async function scopeFromPath(root: string, argument: string, cwd: string): Promise<string> {
  const refuse = (why: string): never => {
    throw new Fault('BAD_REQUEST', `${JSON.stringify(argument)} cannot be a scope: ${why}`, {
      fix: `Name a path inside ${root}, such as src/auth, or a glob such as 'src/*.ts'`,
    });
  };

  // Splitting and joining would turn an empty argument into the whole root.
  if (argument === '') return refuse('it is empty');

  // A name that exists wins over its reading as a glob: `app/[id]` is a folder in many web projects.
  const names = argument.split('/');
  const isRootByTheBack = (real: string | null) => real === '' && names.includes('..');
  const literal = await resolveInRoot(root, argument, cwd);
  const stats = literal.real === null ? null : await lstat(join(root, literal.real)).catch(() => null);
  if (isRootByTheBack(literal.real)) return refuse(WHOLE_TREE);
  if (literal.real !== null && stats) return stats.isDirectory() ? below(literal.real) : escapeGlob(literal.real);
  if (argument.startsWith('!'))
    return refuse('it begins with !, and a scope takes nothing away. Name the folders that may change, without that one');

  const firstWild = names.findIndex((name) => WILD.test(name.replace(/\\./gu, '')));
  const still = (firstWild < 0 ? names : names.slice(0, firstWild)).map((name) => name.replace(/\\(.)/gu, '$1'));
  const wild = firstWild < 0 ? [] : names.slice(firstWild);
  if (wild.includes('..')) return refuse('it has .. behind a wildcard');

  const start = still.join('/') || (argument.startsWith('/') ? '/' : '.');
  const place = await resolveInRoot(root, start, cwd);
  if (isRootByTheBack(place.real)) return refuse(WHOLE_TREE);
  if (place.real === null) return refuse(place.unresolved ?? 'where it leads is unknown');
  if (wild.length === 0) return still.at(-1) === '' ? below(place.real) : escapeGlob(place.real);

  const glob = [...(place.real === '' ? [] : [escapeGlob(place.real)]), ...wild.filter((name) => name !== '.')].join('/');
  const scope = glob.endsWith('/') ? `${glob}**` : glob;
  compileGlob(scope);
  return scope;
}

/** A path that does not exist yet may become a file or a folder; both are meant. */
export async function scopesFromPath(root: string, argument: string, cwd: string): Promise<string[]> {
  const scope = await scopeFromPath(root, argument, cwd);
  const isNew = !/[*?[{\\]/.test(scope) && !(await lstat(join(root, scope)).catch(() => null));
  return isNew ? [scope, `${scope}/**`] : [scope];
}

const below = (folder: string): string => (folder === '' ? '**' : `${escapeGlob(folder)}/**`);
