// `countersign import`: shows what would be taken over, asks, and has it recorded.

import { type CommandContext, show } from './command-context.ts';
import { ruleLine } from './rule-commands.ts';
import { counted } from './terminal-text.ts';
import { Fault, ImportKind, type ImportView, visible } from '../protocol/index.ts';
import { confirm } from '../install/confirm.ts';

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
  const kind = as === undefined ? null : ImportKind.options.find((known) => known === as);
  if (kind === undefined)
    throw new Fault('BAD_REQUEST', `There is no import of ${visible(as ?? '')}.`, {
      fix: `The kinds are ${ImportKind.options.join(', ')}`,
    });
  const { client } = await connected();
  const asked = { cwd, file, as: kind, paths, all };
  const act = (dry_run: boolean, plan: string | null) => client.act('import_drafts', { ...asked, dry_run, plan });

  const seen = await act(true, null);
  const isNew = [...seen.intents, ...seen.rules, ...seen.command_rules].some(({ state }) => state === 'new');
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
  const commandRules = done.command_rules.filter(({ id }) => id !== null);
  if (rules.length > 0) say(`${counted(rules.length, 'pending constraint')}. Only claims until: countersign memory approve ID`);
  if (commandRules.length > 0)
    say(`${counted(commandRules.length, 'proposed command rule')}. Nothing is allowed by one until: countersign rules allow ID`);
  say('countersign import --list shows what waits.');
}

/** What imports and agents left for a human to confirm. */
export async function listWaiting(context: CommandContext): Promise<void> {
  const { client, cwd } = context;
  const intents = (await client.ask('intents', { cwd, limit: 1000 })).filter(({ status }) => status === 'proposed');
  const constraints = (await client.ask('memory', { cwd, limit: 1000 })).filter(({ kind, approved }) => kind === 'constraint' && !approved);
  const command_rules = (await client.ask('command_rules', { cwd, limit: 1000 })).filter(({ state }) => state === 'proposed');
  const part = (lines: readonly string[], how: string) => (lines.length > 0 ? [...lines, `  ${how}`] : []);
  const lines = [
    ...part(
      intents.map(({ id, name, owned_scope }) => `${id}  ${visible(name)}  [${visible(owned_scope.join(', '))}]`),
      'countersign intents activate ID',
    ),
    ...part(
      constraints.map(({ id, statement }) => `${id}  ${visible(statement)}`),
      'countersign memory approve ID',
    ),
    ...part(command_rules.map(ruleLine), 'countersign rules allow ID, or countersign rules end ID'),
  ];
  show(context, { intents, constraints, command_rules }, lines.join('\n') || 'Nothing waits.');
}

/** More than these are counted. */
const SHOWN_LEFT_OUT = 30;

function leftOutLines({ left_out }: ImportView): string[] {
  const more = left_out.length - SHOWN_LEFT_OUT;
  return [
    ...left_out
      .slice(0, SHOWN_LEFT_OUT)
      .map(({ line, text, why }) => `left out  ${line === null ? '' : `line ${line}  `}${visible(text)}  (${visible(why)})`),
    ...(more > 0 ? [`left out  ${more} more; --json lists all`] : []),
  ];
}

function viewText(view: ImportView): string {
  const { intents, rules, command_rules } = view;
  const lines = [
    ...intents
      .filter(({ state }) => state !== 'no paths')
      .map(({ name, source, owned_scope, state }) => {
        return `intent  ${visible(source)}  ${visible(name)}  [${visible(owned_scope.join(', '))}]${state === 'known' ? '  (known)' : ''}`;
      }),
    ...rules.map(({ statement, line, state }) => `rule    line ${line}  ${visible(statement)}${state === 'known' ? '  (known)' : ''}`),
    ...command_rules.map(({ pattern, line, state }) => `allow   line ${line}  ${visible(pattern)}${state === 'known' ? '  (known)' : ''}`),
  ];
  return [...(lines.length > 0 ? lines : ['There is nothing in it that can be taken over.']), ...leftOutLines(view)].join('\n');
}
