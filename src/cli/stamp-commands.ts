// verify-stamp: whether the stamps in a text are the gate's own. The daemon judges; here the text is cut to what it is asked about.

import type { StampVerdict } from '../protocol/index.ts';
import { Fault, ID_FORMS, visible } from '../protocol/plain.ts';
import { checkId, type CommandContext, show } from './command-context.ts';
import { paint } from './terminal-text.ts';

/** A stamp is a sentence of at most 300 characters, a line's beginning, an id and a seal. */
const STAMP_CHARACTERS = 600;

export interface StampOptions {
  readonly session?: string;
  readonly turn?: string;
}

/** True: there is a stamp, and all of them are real. */
export async function verifyStamps(context: CommandContext, text: string, { session, turn }: StampOptions): Promise<boolean> {
  if (session !== undefined) checkId(ID_FORMS.session, session, "a session's id", 'countersign sessions lists them');
  if (turn === '') throw new Fault('BAD_REQUEST', 'The turn is empty.', { fix: 'Leave --turn out, or name the turn' });
  const verdicts: StampVerdict[] = [];
  for (const piece of stampPieces(text)) {
    const judged = await context.client.ask('stamps', {
      text: piece,
      cwd: context.cwd,
      ...(session === undefined ? {} : { session }),
      ...(turn === undefined ? {} : { turn }),
    });
    for (const verdict of judged.length > 0 ? judged : [withoutId(piece)]) verdicts.push(usedAgain(verdict, verdicts));
  }
  const words = verdicts.map(({ stamp, verdict, detail }) =>
    verdict === 'real'
      ? `${paint('green', '✓ real')}  ${stamp}  ${visible(detail)}`
      : `${paint('red', `✗ ${verdict}`)}  ${stamp ?? 'no id'}  ${visible(detail)}`,
  );
  show(context, verdicts, words.join('\n') || 'There is no stamp in this text.');
  return verdicts.length > 0 && verdicts.every(({ verdict }) => verdict === 'real');
}

/** One piece a stamp, in order: from its sentence, or from an id that has none, to where it has to end. */
export function stampPieces(text: string): string[] {
  const pieces: string[] = [];
  let sentenceAt = -STAMP_CHARACTERS;
  for (const { 0: mark, index } of text.matchAll(/\[COMPLIANCE\]|stp_[0-9A-Z]{26}/g)) {
    const isSentence = mark.startsWith('[');
    const belongs = !isSentence && index - sentenceAt < STAMP_CHARACTERS;
    // A sentence has one id: a further id is a stamp of its own.
    sentenceAt = isSentence ? index : -STAMP_CHARACTERS;
    if (belongs) continue;
    const piece = text.slice(index, index + STAMP_CHARACTERS).toWellFormed();
    const next = piece.indexOf('[COMPLIANCE]', 1);
    pieces.push(next < 0 ? piece : piece.slice(0, next));
  }
  return pieces;
}

const withoutId = (piece: string): StampVerdict => ({
  stamp: null,
  verdict: 'unknown',
  detail: piece.startsWith('[') ? 'a sentence without the id and seal that every issued stamp has' : 'an id without its sentence and seal',
  session: null,
  turn: null,
  issued_at: null,
});

/** Pieces are judged one by one, so a stamp that occurs twice in the text is only noticed here. */
const usedAgain = (verdict: StampVerdict, before: readonly StampVerdict[]): StampVerdict =>
  verdict.verdict === 'real' && before.some(({ stamp }) => stamp === verdict.stamp)
    ? { ...verdict, verdict: 'reused', detail: 'it is in this text more than once' }
    : verdict;
