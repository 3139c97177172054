// Undoes what agents did: shown first, done after a yes.

import type { UndoTarget, UndoView } from '../protocol/index.ts';
import { Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import { checkId, type CommandContext, show } from './command-context.ts';
import { diffText } from './diff-text.ts';

export interface UndoOptions {
  readonly yes: boolean;
  readonly dryRun: boolean;
  /** Asks a person; throws without a terminal. */
  readonly confirm: (question: string) => Promise<boolean>;
}

export async function undo(context: CommandContext, what: string, id: string | undefined, options: UndoOptions): Promise<void> {
  const target = targetOf(what, id);
  const call = (how: { dry_run: boolean; plan?: string }) => context.client.act('undo', { cwd: context.cwd, target, ...how });
  const planned = await call({ dry_run: true });
  if (options.dryRun) return show(context, planned, textOf(planned));
  if (planned.files.length === 0) return show(context, planned, `${textOf(planned)}\nNothing to undo.`.trim());
  if (!options.yes) {
    context.say(textOf(planned));
    if (!(await options.confirm(`Undo ${planned.target}?`))) return show(context, planned, 'Nothing was changed.');
  }
  const done = await call({ dry_run: false, plan: planned.plan });
  show(
    context,
    done,
    [...done.files.map(({ path, change }) => `${change.padEnd(8)} ${visible(path)}`), ...keptLines(done), ...receiptLines(done)].join('\n'),
  );
}

function targetOf(what: string, id: string | undefined): UndoTarget {
  const fix = 'countersign undo act_…, countersign undo turn|session [ses_…], or countersign undo intent INT-001';
  if (what === 'turn' || what === 'session') {
    if (id !== undefined) checkId(ID_FORMS.session, id, "a session's id", 'countersign sessions lists them');
    return what === 'turn' ? { turn: id ?? null } : { session: id ?? null };
  }
  if (what === 'intent') {
    checkId(ID_FORMS.intent, id ?? '', "an intent's id, such as INT-001", 'countersign intents lists them');
    return { intent: id! };
  }
  if (id !== undefined) throw new Fault('BAD_REQUEST', `An action is named by its id alone.`, { fix });
  checkId(ID_FORMS.action, what, "an action's id", fix);
  return { action: what };
}

function textOf(view: UndoView): string {
  const diffs = view.files.map(({ diff }) => diffText(diff));
  return [...diffs, ...keptLines(view)].join('\n');
}

const receiptLines = ({ receipts }: UndoView): string[] => receipts.map((id) => `receipt  ${id}`);
const keptLines = ({ kept }: UndoView): string[] => kept.map(({ path, why }) => `kept     ${visible(path)}: ${visible(why)}`);
