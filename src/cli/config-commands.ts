// The settings of a work tree, with where each comes from, and setting one of them.

import type { CommandInput, SettingsView } from '../protocol/index.ts';
import { Fault, visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { settingsText } from './edit-commands.ts';
import { editText } from './terminal-text.ts';

/** `origin`: with the line of the file that says so. */
export async function showConfig(context: CommandContext, { origin }: { readonly origin?: boolean }): Promise<void> {
  const view = await context.client.ask('settings', { cwd: context.cwd });
  show(context, view, origin ? originText(view) : settingsText(view));
}

export async function setConfig(
  context: CommandContext,
  key: string,
  value: string,
  { layer }: { readonly layer?: string },
): Promise<void> {
  const chosen = layer ?? 'env.local';
  if (chosen !== 'base' && chosen !== 'repo' && chosen !== 'env.local')
    throw new Fault('BAD_REQUEST', `${visible(chosen)} is not a layer of the settings.`, { fix: 'Choose base, repo or env.local' });
  const view = await context.client.act('set_setting', { cwd: context.cwd, key, value: jsonOr(value), layer: chosen });
  show(context, view, originText({ ...view, settings: view.settings.flatMap(keysOf).filter((each) => each.key === key) }));
}

/** A value that is not JSON is text. */
function jsonOr(text: string): CommandInput<'set_setting'>['value'] {
  try {
    return JSON.parse(text) as CommandInput<'set_setting'>['value'];
  } catch {
    return text;
  }
}

type Row = SettingsView['settings'][number];

/** `memory` is accepted as a whole, and written key by key. */
const keysOf = (row: Row): readonly Row[] =>
  row.key !== 'memory'
    ? [row]
    : Object.entries(row.value as Record<string, unknown>).map(([name, value]) => ({
        ...{ key: `memory.${name}`, value },
        origins: row.origins.filter(({ key }) => key === `memory.${name}`),
      }));

function originText({ trouble, settings, edits }: SettingsView): string {
  const rows = settings.flatMap(keysOf).map(({ key, value, origins }) => ({
    text: `${key} = ${visible(JSON.stringify(value))}`,
    from: origins.length === 0 ? 'default' : [...new Set(origins.map(({ file, line }) => `${file}:${line}`))].join(', '),
  }));
  const width = Math.min(72, Math.max(0, ...rows.map(({ text }) => text.length)));
  return [
    ...(trouble === null ? [] : [`The files cannot be read; what was accepted last holds, and changes are refused:\n${visible(trouble)}`]),
    ...rows.map(({ text, from }) => `${text.padEnd(width)}  ${from}`),
    ...edits.map((edit) => `\n◆ an edit  ${editText(edit)}\n  ${edit.confirm}`),
  ].join('\n');
}
