// The folder in which a wrapper runs its command: `env -C lib`, `find -execdir`. What the command writes is meant from there.

import type { Where } from './find-secrets.ts';
import type { Judgement } from './judgement.ts';
import { readLeniently, valuesOf } from './lenient-options.ts';
import { type Argument, UNKNOWN, within } from './words.ts';
import { resolveFrom } from './working-folder.ts';

/** The folder that an option names, seen from where the command runs; null: it is not known. */
export function folderAt({ folder }: Where, { value, text }: Argument): string | null {
  if (value === null) return text.startsWith('~') && !/[$`]/.test(text) ? resolveFrom(text, '.') : null;
  return folder === null && !value.startsWith('/') ? null : resolveFrom(folder ?? '/', value);
}

/** Where `env` runs its command; the last one counts. */
export function folderOfEnv(own: readonly Argument[]): Argument | null {
  const options = readLeniently(own, { values: 'uCPS', longValues: ['--unset', '--chdir', '--split-string'] });
  return valuesOf(options, ['-C', '--chdir']).at(-1) ?? null;
}

/** Findings from these positions on happen in that folder, as far as it is known. */
export function moveFolder(judgement: Judgement, folder: Argument, writes: number, scripts: number): void {
  if (folder.value === null) return loseFolder(judgement, writes, scripts);
  for (const [i, target] of judgement.writes.entries()) {
    if (i >= writes && !ANCHORED.test(target.path.text)) judgement.writes[i] = { ...target, path: below(folder, target.path) };
  }
  for (const [i, script] of judgement.scripts.entries()) {
    if (i < scripts || script.where === 'elsewhere') continue;
    judgement.scripts[i] = { ...script, where: 'apart', folder: script.folder === undefined ? folder : below(folder, script.folder) };
  }
}

/** The same place wherever it is written: this shell expands it. */
const ANCHORED = /^(?:[/~]|\$(?:HOME|PWD)\b|\$\{(?:HOME|PWD)\})/;

function below(folder: Argument, path: Argument): Argument {
  if (path.value !== null) return ANCHORED.test(path.value) ? path : within(folder, path.value);
  return path.pattern ? { ...path, start: '', text: within(folder, path.text).text } : { ...UNKNOWN, text: path.text };
}

/** Findings from these positions on happen in another folder. */
export function loseFolder(judgement: Judgement, writes: number, scripts: number): void {
  for (const [i, target] of judgement.writes.entries())
    if (i >= writes && !target.path.start.startsWith('/')) judgement.writes[i] = { ...target, path: { ...target.path, ...UNKNOWN } };
  for (const [i, script] of judgement.scripts.entries()) if (i >= scripts) judgement.scripts[i] = { ...script, where: 'elsewhere' };
}
