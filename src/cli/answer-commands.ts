// A human's answers: to what they name, or to what they choose from the list. What is approved is shown again before it counts.

import type { ApprovalRow, InboxItem } from '../protocol/index.ts';
import { Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import { type CommandContext, show } from './command-context.ts';
import { changeIntent } from './commands.ts';
import { inboxLines, inboxText } from './inbox-text.ts';
import { boundIn, chosenAnswer, isQuestion } from './question.ts';
import { isPartOf, resolveId } from './resolve-id.ts';
import { approvalText, approvedText } from './terminal-text.ts';

type Verb = 'approve' | 'reject';
const LIST = 'countersign approvals lists what waits';
const WITHOUT_TERMINAL = 'Run it in a terminal of your own, or name what you answer: countersign approvals lists it';

/** `text` answers a question that an agent asked; other approvals take none. */
export async function approve(context: CommandContext, given: string | undefined, text: string | undefined): Promise<void> {
  const item = await itemFor(context, given, 'approve');
  if (!item) return;
  if (typeof item !== 'string' && !item.approval) return answerOther(context, item, 'approve');
  const id = typeof item === 'string' ? item : item.id;
  const [row] = await context.client.ask('approvals', { id });
  const options = typeof item !== 'string' && row && isQuestion(row) && text === undefined && given === undefined;
  const said = row?.state === 'pending' ? chosenAnswer(row, options ? await wordsFor() : text) : undefined;
  // An answer to an agent's question approves no action.
  const key = row === undefined || row.state !== 'pending' || isQuestion(row) ? null : await context.unlock(approvalText(row));
  if (given !== undefined && !key && row?.state === 'pending' && !isQuestion(row)) context.say(approvalText(row));
  const input = { id, answer: 'approved', ...(said === undefined ? {} : { reason: said }) } as const;
  const answered = await context.client.act('answer_approval', input, { sign: key && row ? { signer: key, known: boundIn(row) } : null });
  show(context, answered, approvedText(row ?? answered, said, key?.key ?? null));
}

export async function reject(context: CommandContext, given: string | undefined, reason: string | undefined): Promise<void> {
  const item = await itemFor(context, given, 'reject');
  if (!item) return;
  if (typeof item !== 'string' && !item.approval) return answerOther(context, item, 'reject');
  const id = typeof item === 'string' ? item : item.id;
  const more = reason === undefined ? {} : { reason };
  const answered: ApprovalRow = await context.client.act('answer_approval', { id, answer: 'rejected', ...more });
  show(context, answered, `${id} is rejected. The agent gets this answer.`);
}

/** What was shown, answered without a further question. `words`: the answer to an agent's question, or why it is rejected. */
export async function answerItem(context: CommandContext, item: InboxItem, verb: Verb, words: string | undefined): Promise<void> {
  if (!item.approval) return answerOther(context, item, verb);
  return verb === 'approve' ? approve(context, item.id, words) : reject(context, item.id, words);
}

const wordsFor = async (): Promise<string | undefined> => (await (await import('../install/confirm.ts')).ask('Your answer: ')) || undefined;

/** A string: an approval by its id, whatever became of it. Null: the human chose nothing. */
async function itemFor(context: CommandContext, given: string | undefined, verb: Verb): Promise<InboxItem | string | null> {
  if (given !== undefined) {
    if (ID_FORMS.approval.test(given)) return given;
    const items = (await context.client.ask('inbox', {})).filter(({ id }) => isPartOf(given, id));
    const here = items.filter(({ root }) => `${context.cwd}/`.startsWith(`${root}/`));
    const found = items.length > 1 && here.length === 1 ? here : items;
    return found.length === 1 ? found[0]! : resolveId(context, 'approval', given, LIST);
  }
  const items = await context.client.ask('inbox', {});
  if (items.length === 0) {
    show(context, [], 'Nothing waits for you.');
    return null;
  }
  if (!process.stdin.isTTY)
    throw new Fault('BAD_REQUEST', `${verb} needs an id: this is not a terminal to ask on.`, { fix: WITHOUT_TERMINAL });
  const item = items.length === 1 ? items[0]! : await chosenFrom(context, items);
  if (!item) return nothing(context);
  context.say(inboxText(item));
  // Whoever is asked for words, or for a passphrase, is asked once.
  if (verb === 'approve' && item.approval && isQuestion(item.approval)) return item;
  const { confirm } = await import('../install/confirm.ts');
  return (await confirm(verb === 'approve' ? 'Approve this?' : 'Reject this?', WITHOUT_TERMINAL)) ? item : nothing(context);
}

function nothing({ say }: CommandContext): null {
  say('Nothing was answered.');
  return null;
}

async function chosenFrom(context: CommandContext, items: readonly InboxItem[]): Promise<InboxItem | null> {
  const { ask } = await import('../install/confirm.ts');
  const place = ({ root }: InboxItem) => (`${context.cwd}/`.startsWith(`${root}/`) ? '' : `  in ${visible(root)}`);
  context.say(items.map((item, at) => `${String(at + 1).padStart(3)}  ${inboxLines(item)[0]}${place(item)}`).join('\n'));
  const said = (await ask(`Which one? [1-${items.length}] `)) ?? '';
  return /^[1-9][0-9]*$/.test(said) ? (items[Number(said) - 1] ?? null) : null;
}

/** What is no question of an agent: an intent, an edit, a rule. Each has a command of its own; this calls it where the thing is. */
async function answerOther(context: CommandContext, item: InboxItem, verb: Verb): Promise<void> {
  const there: CommandContext = { ...context, cwd: item.root };
  const yes = verb === 'approve';
  if (item.proposal) return changeIntent(there, yes ? 'activate' : 'abandon', item.id, item.proposal);
  if (item.rule) return (await import('./rule-commands.ts')).decideRule(there, item.id, yes ? 'active' : 'ended');
  const edits = await import('./edit-commands.ts');
  if (item.edit && yes)
    return item.edit.intent === null
      ? edits.confirmSettings(there, item.edit.sha256)
      : edits.confirmEdit(there, item.edit.intent, item.edit.sha256);
  if (item.edit && item.edit.intent !== null) return edits.discardEdit(there, item.edit.intent);
  throw new Fault('BAD_REQUEST', `${visible(item.id)} cannot be rejected here.`, { fix: "Put the settings' files back as they were" });
}
