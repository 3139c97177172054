// `countersign import`: shows what would be taken over, asks, and has it recorded.

import type { CommandContext } from '../../doors/cli/command-context.ts';
import { visible } from '../../doors/cli/terminal-text.ts';
import type { ImportView } from '../../doors/services.ts';
import { Fault } from '../../protocol/index.ts';
import { confirm } from '../confirm.ts';
import { IMPORT_KINDS } from './read-import.ts';

export interface ImportOptions {
  readonly as?: string;
  readonly paths?: string[];
  readonly all?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

const NOBODY_TO_ASK = 'Run it in a terminal, or with --yes after reading countersign import … --dry-run';

export async function importFrom(
  file: string,
  { as, paths = [], all = false, yes = false, dryRun = false }: ImportOptions,
  {
    cwd,
    json,
    print,
    say,
    connected,
  }: Pick<CommandContext, 'cwd' | 'json' | 'print' | 'say'> & { connected: () => Promise<CommandContext> },
): Promise<void> {
  const kind = as === undefined ? null : IMPORT_KINDS.find((known) => known === as);
  if (kind === undefined)
    throw new Fault('BAD_REQUEST', `There is no import of ${visible(as ?? '')}.`, { fix: `The kinds are ${IMPORT_KINDS.join(', ')}` });
  const { client } = await connected();
  const wish = { cwd, file, as: kind, paths, all };
  const act = async (dry_run: boolean, plan: string | null) => (await client.act('/api/import', { ...wish, dry_run, plan })) as ImportView;

  const seen = await act(true, null);
  const isNew = [...seen.intents, ...seen.rules].some(({ state }) => state === 'new');
  if (!json) print(viewText(seen));
  if (dryRun || !isNew) {
    if (json) print(JSON.stringify(seen, null, 2));
    else if (!isNew) say('There is nothing new to take over.');
    return;
  }
  if (!yes && !(await confirm('Take this over?', NOBODY_TO_ASK))) return say('Nothing was taken over.');
  const done = await act(false, seen.plan);
  if (json) return print(JSON.stringify(done, null, 2));
  const intents = done.intents.filter(({ id }) => id !== null);
  const rules = done.rules.filter(({ id }) => id !== null);
  if (intents.length > 0)
    say(`${intents.length} proposed: ${intents.map(({ id }) => id).join(', ')}. They grant nothing until: countersign intents activate ID`);
  if (rules.length > 0) say(`${rules.length} pending constraints. They are only claims until: countersign memory approve ID`);
}

function viewText({ intents, rules, command_rules }: ImportView): string {
  const lines = [
    ...intents.map(({ name, source, owned_scope, state }) => {
      const scope = owned_scope.length > 0 ? owned_scope.join(', ') : 'names no path that is there: give --paths';
      return `intent  ${visible(source)}  ${visible(name)}  [${visible(scope)}]${state === 'known' ? '  (known)' : ''}`;
    }),
    ...rules.map(({ statement, line, state }) => `rule    line ${line}  ${visible(statement)}${state === 'known' ? '  (known)' : ''}`),
    ...command_rules.map(({ pattern, line }) => `command line ${line}  ${visible(pattern)}`),
    ...(command_rules.length > 0
      ? ['Commands are yours to allow: put those that you want into commands.allow of .ai/config/repo.json.']
      : []),
  ];
  return lines.join('\n') || 'There is nothing in it that can be taken over.';
}
