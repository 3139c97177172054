// A human's decision about pending edits of their documents. It applies only to the text that they have seen.

import type { EditRow, Intent, SettingsView } from '../protocol/index.ts';
import { Fault, ID_FORMS, TEXT_DIGITS, visible } from '../protocol/plain.ts';
import { checkId, type CommandContext, show } from './command-context.ts';
import { keyInStrict } from './commands.ts';
import { editText, intentText } from './terminal-text.ts';

/** `text`: the beginning of the digest that \`countersign status\` names; undefined: the current text. */
export async function confirmEdit(context: CommandContext, id: string, text: string | undefined): Promise<void> {
  checkId(ID_FORMS.intent, id, "an intent's id, such as INT-001", 'countersign intents lists them');
  const { cwd, client } = context;
  const [row] = await client.ask('intents', { cwd, id });
  const edited = row?.edited;
  if (!row || !edited)
    throw new Fault('NOT_FOUND', `No edit of ${id} waits in this workspace.`, { fix: 'countersign status shows what waits' });
  const sha256 = await context.intentDigest(edited);
  const edit = (await editsIn(context, row.workspace)).find(({ intent }) => intent === id);
  checkText(sha256, text, edit);
  const shown = [...(edit ? [editText(edit)] : []), 'Then it says:', intentText(edited)].join('\n');
  const key = await keyInStrict(context, shown);
  if (!key && !(await isWanted(context, shown, text, edit))) return context.say('Nothing was confirmed.');
  showIntent(
    context,
    await client.act('settle_intent_edit', { id, cwd, take: true, sha256 }, { sign: key && { signer: key, known: edited } }),
  );
}

export async function discardEdit(context: CommandContext, id: string): Promise<void> {
  checkId(ID_FORMS.intent, id, "an intent's id, such as INT-001", 'countersign intents lists them');
  showIntent(context, await context.client.act('settle_intent_edit', { id, cwd: context.cwd, take: false }));
}

/** The same for settings that grant more than was accepted. */
export async function confirmSettings(context: CommandContext, text: string | undefined): Promise<void> {
  const { cwd, client } = context;
  const {
    edits: [edit],
  } = await client.ask('settings', { cwd });
  if (!edit) throw new Fault('NOT_FOUND', 'No edit of the settings waits in this work tree.', { fix: 'countersign settings shows them' });
  checkText(edit.sha256, text, edit);
  if (!(await isWanted(context, editText(edit), text, edit))) return context.say('Nothing was confirmed.');
  const view = await client.act('confirm_settings', { cwd, sha256: edit.sha256 });
  show(context, view, settingsText(view));
}

export async function showSettings(context: CommandContext): Promise<void> {
  const view = await context.client.ask('settings', { cwd: context.cwd });
  show(context, view, settingsText(view));
}

export function settingsText({ trouble, settings, edits }: SettingsView): string {
  const inWords = (value: unknown) => visible(JSON.stringify(value));
  const width = Math.max(...settings.map(({ key }) => key.length));
  return [
    ...(trouble === null ? [] : [`The files cannot be read; what was accepted last holds, and changes are refused:\n${visible(trouble)}`]),
    ...settings.map((each) => {
      const waits = 'waiting' in each ? `  (${inWords(each.waiting)} waits for you)` : '';
      return `${each.key.padEnd(width)}  ${inWords(each.value)}${waits}`;
    }),
    ...edits.map((edit) => `\n◆ an edit  ${editText(edit)}\n  ${edit.confirm}`),
  ].join('\n');
}

async function editsIn({ client }: CommandContext, workspace: string): Promise<readonly EditRow[]> {
  const { workspaces } = await client.ask('status', {});
  return workspaces.find(({ id }) => id === workspace)?.edits ?? [];
}

/** Whoever names the text has seen it. Anyone else is asked. */
async function isWanted({ say }: CommandContext, shown: string, text: string | undefined, edit: EditRow | undefined): Promise<boolean> {
  say(shown);
  if (text !== undefined) return true;
  const { confirm } = await import('../install/confirm.ts');
  return confirm('Let this hold?', edit ? `Read it, then name the text: ${edit.confirm}` : 'Run it in a terminal of your own');
}

function checkText(sha256: string, text: string | undefined, edit: EditRow | undefined): void {
  if (text === undefined || (text.length >= TEXT_DIGITS && sha256.startsWith(text))) return;
  if (text.length < TEXT_DIGITS)
    throw new Fault('BAD_REQUEST', `${visible(text)} is too short: ${TEXT_DIGITS} digits of the digest name a text.`, {
      fix: edit ? `Look at it, then: ${edit.confirm}` : 'countersign status shows what waits',
    });
  throw new Fault('CONFLICT', `What waits is not the text ${visible(text)}: it has changed since.`, {
    fix: edit ? `Look at it, then: ${edit.confirm}` : 'countersign status shows what waits',
  });
}

const showIntent = (context: CommandContext, intent: Intent): void => show(context, intent, intentText(intent));
